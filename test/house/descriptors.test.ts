// More connections than file descriptors: some wait or are rejected, the process survives, and everything works again
// afterwards.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { quiet } from '../until.ts'
import { createLedger, type Ledger } from './ledger.ts'

let sandbox: Sandbox
let service: ServiceProcess
let ledger: Ledger
const limit = 96

beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.005,
    strict: false,
  })
  service = await startService({ SANDBOX_URL: sandbox.url, PACE_SCALE: '0.005' }, 'dist/main.mjs', `ulimit -n ${limit}`)
  const customers = sandbox.simulator('square').tenants[0]?.records.customer
  ledger = createLedger({
    url: () => service.url,
    apiKey: () => service.sandboxFile().apiKey,
    accountId: 'sandbox-square-restaurant',
    ids: () => customers?.ids() ?? [],
  })
})
afterAll(async () => {
  await service?.kill('SIGKILL')
  await sandbox?.close()
})

it('all file descriptors in use', async () => {
  for (let number = 0; number < 5; number++) expect((await ledger.write(`BEFORE-${number}`)).status).toBe(201)
  const { port } = new URL(service.url)
  const held: Socket[] = []
  for (let number = 0; number < limit * 2; number++) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    held.push(socket)
  }
  const isRefused = (socket: Socket) => socket.destroyed || socket.readableEnded
  await expect.poll(() => held.some(isRefused)).toBe(true)
  // Rejected, failed or successful: in each case the key belongs to one record.
  const meanwhile = [1, 2, 3].map((number) => ledger.write(`MEANWHILE-${number}`).catch(() => ({ status: 0 })))
  await quiet(1_000)
  for (const socket of held) socket.destroy()
  for (const { status } of await Promise.all(meanwhile)) expect([0, 201, 502, 503]).toContain(status)
  await expect.poll(async () => (await fetch(`${service.url}/readyz`).catch(() => undefined))?.status).toBe(200)
  for (let number = 0; number < 5; number++) expect((await ledger.write(`AFTER-${number}`)).status).toBe(201)
  await ledger.verify()
})
