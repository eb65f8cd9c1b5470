// A platform's window does not end with our process: what was sent before a restart counts after it.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { until } from '../until.ts'

const paceScale = 0.3 // 90 calls in 18 s: longer than a restart

let sandbox: Sandbox
let service: ServiceProcess
afterEach(async () => {
  await service?.kill('SIGKILL')
  await sandbox?.close()
})

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'no call exceeds the limit of Zoho Books after a restart with %s',
  async (signal) => {
    sandbox = await createSandbox({
      simulators: { 'zoho-books': simulators['zoho-books']! },
      size: 'small',
      paceScale,
      strict: false,
    })
    const environment = {
      SANDBOX_URL: sandbox.url,
      PACE_SCALE: String(paceScale),
      SHED_WAIT_MS: '0',
      SHUTDOWN_MS: '1000',
      DATABASE_URL: '',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-restart-')),
    }
    const calls = () => sandbox.calls('zoho-books').filter(({ vertical }) => vertical !== undefined)
    const read = () =>
      fetch(`${service.url}/unified/sandbox-zoho-books-accounting/customer?pageSize=1`, {
        headers: { authorization: `Bearer ${service.sandboxFile().apiKey}`, prefer: 'wait=60' },
      }).then(({ status }) => status)
    service = await startService(environment)
    const first = Array.from({ length: 120 }, () => read().catch(() => 0))
    await until('a full window', () => calls().length >= 90)
    await service.kill(signal)
    await Promise.all(first)
    const before = calls().length
    service = await startService(environment)
    expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill(200))
    expect(calls().length).toBeGreaterThan(before)
    expect(calls().filter(({ overLimit }) => overLimit).length).toBe(0)
  },
)
