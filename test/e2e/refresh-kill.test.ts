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
import { until, untilCleared } from '../until.ts'

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

const platforms = ['quickbooks-online', 'xero', 'freshbooks', 'clover'].filter((platform) => connectors[platform])

it(
  `${platforms.join(', ')} survive kills during their refresh`,
  async () => {
    sandbox = await createSandbox({
      simulators: Object.fromEntries(platforms.map((name) => [name, simulators[name] as CreateSimulator])),
      size: 'small',
      paceScale: 0.001,
      strict: false,
    })
    const tenantOf = (platform: string) =>
      sandbox.simulator(platform).tenants[0] as ReturnType<Sandbox['simulator']>['tenants'][number]
    const environment = {
      SANDBOX_URL: sandbox.url,
      PACE_SCALE: '0.001',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-refresh-')),
    }
    const read = async (platform: string) => {
      const { apiKey } = (service as ServiceProcess).sandboxFile()
      const { vertical, records } = tenantOf(platform)
      const path = `sandbox-${platform}-${vertical}/${Object.keys(records)[0]}?pageSize=1`
      const response = await fetch(`${service?.url}/unified/${path}`, {
        headers: { authorization: `Bearer ${apiKey}`, prefer: 'wait=60' },
      })
      return { platform, status: response.status, code: ((await response.json()) as { code?: string }).code }
    }
    const readAll = (names: readonly string[] = platforms) => Promise.all(names.map(read))
    const served = (names: readonly string[]) => names.map((platform) => ({ platform, status: 200, code: undefined }))
    service = await startService(environment)
    expect(await readAll()).toEqual(served(platforms))
    const reconnects = new Map(platforms.map((platform) => [platform, 0]))
    for (let kill = 0; kill < kills; kill++) {
      for (const platform of platforms) {
        tenantOf(platform).expireTokens()
        // The refresh: processed at once, the response waits.
        sandbox.fault(platform, { kind: 'stall', method: 'POST', times: 1, delayMs: untilCleared })
      }
      const lost = readAll().catch(() => undefined)
      // Some of them, another number every time: the others are on their way, or have not begun.
      const begun = () => platforms.filter((platform) => sandbox.calls(platform).at(-1)?.fault === 'stall').length
      const wanted = 1 + (kill % platforms.length)
      await until(`${wanted} refreshes`, () => begun() >= wanted)
      await service.kill('SIGKILL')
      await lost
      sandbox.clearFaults()
      service = await startService(environment)
      const replies = await readAll()
      const healed = replies.filter(({ status }) => status === 200).map(({ platform }) => platform)
      const refused = platforms.filter((platform) => !healed.includes(platform))
      expect(await readAll(healed)).toEqual(served(healed))
      if (refused.length === 0) continue
      const reconnect = refused.map((platform) => ({ platform, status: 502, code: 'reconnect_required' }))
      expect(replies.filter(({ status }) => status !== 200)).toEqual(reconnect)
      for (const platform of refused) {
        reconnects.set(platform, (reconnects.get(platform) ?? 0) + 1)
        sandbox.clearCalls(platform)
      }
      expect(await readAll(refused)).toEqual(reconnect)
      for (const platform of refused) expect(sandbox.calls(platform), 'the platform is not called').toEqual([])
      // The business consents again: a restart gives the sandbox account its newest tokens.
      await service.kill('SIGKILL')
      service = await startService(environment)
      expect(await readAll(refused)).toEqual(served(refused))
    }
    for (const [platform, count] of reconnects)
      console.log(`${platform} (${styleOf(platform)}): ${kills} kills, reconnect_required ${count}`)
    for (const platform of forgiving) expect([platform, reconnects.get(platform) ?? 0]).toEqual([platform, 0])
  },
  Math.max(300_000, kills * 60_000),
)
