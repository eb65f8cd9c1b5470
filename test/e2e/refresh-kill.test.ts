// kill -9 during token refreshes: the account recovers by itself if the platform allows it, and otherwise returns
// reconnect_required once.
// KILLS=50 makes it long; the short version is part of every run.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Auth } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

const kills = Number(process.env.KILLS ?? 1)
let sandbox: Sandbox
let service: ServiceProcess | undefined
afterEach(async () => {
  await service?.kill('SIGKILL')
  await sandbox.close()
})
type OAuth = Extract<Auth, { kind: 'oauth2' }>
/** An old refresh token works for a while after it was replaced. */
const forgiving = ['quickbooks-online', 'xero']
const styleOf = (platform: string) =>
  connectors[platform]?.auth.find((auth): auth is OAuth => auth.kind === 'oauth2')?.refreshToken

it.each(['quickbooks-online', 'xero', 'freshbooks', 'clover'].filter((platform) => connectors[platform]))(
  '%s survives kills during its refresh',
  async (platform) => {
    sandbox = await createSandbox({
      simulators: { [platform]: simulators[platform] as CreateSimulator },
      size: 'small',
      paceScale: 0.001,
      strict: false,
    })
    const tenant = sandbox.simulator(platform).tenants[0] as ReturnType<Sandbox['simulator']>['tenants'][number]
    const environment = {
      SANDBOX_URL: sandbox.url,
      PACE_SCALE: '0.001',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-refresh-')),
    }
    const account = `sandbox-${platform}-${tenant.vertical}`
    const read = async () => {
      const { apiKey } = (service as ServiceProcess).sandboxFile()
      const response = await fetch(`${service?.url}/unified/${account}/${Object.keys(tenant.records)[0]}?pageSize=1`, {
        headers: { authorization: `Bearer ${apiKey}`, prefer: 'wait=60' },
      })
      return { status: response.status, body: (await response.json()) as { code?: string } }
    }
    service = await startService(environment)
    expect((await read()).status).toBe(200)
    let healed = 0
    let reconnects = 0
    for (let kill = 0; kill < kills; kill++) {
      tenant.expireTokens()
      // The refresh: processed at once, the response is delayed.
      sandbox.fault(platform, { kind: 'stall', method: 'POST', times: 1, delayMs: 40 })
      const lost = read().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.floor(Math.random() * 60)))
      await service.kill('SIGKILL')
      await lost
      sandbox.clearFaults(platform)
      sandbox.clearCalls(platform)
      service = await startService(environment)
      const { status, body } = await read()
      if (status === 200) {
        healed++
        expect((await read()).status).toBe(200)
        continue
      }
      reconnects++
      expect([status, body.code]).toEqual([502, 'reconnect_required'])
      sandbox.clearCalls(platform)
      expect((await read()).body.code).toBe('reconnect_required')
      expect(sandbox.calls(platform), 'the platform is not called').toEqual([])
      // The business consents again: a restart gives the sandbox account its newest tokens.
      await service.kill('SIGKILL')
      service = await startService(environment)
      expect((await read()).status).toBe(200)
    }
    console.log(
      `${platform} (${styleOf(platform)}): ${kills} kills, recovered ${healed}, reconnect_required ${reconnects}`,
    )
    if (forgiving.includes(platform)) expect(reconnects).toBe(0)
  },
  Math.max(120_000, kills * 15_000),
)
