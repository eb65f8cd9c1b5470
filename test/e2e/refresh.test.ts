// One refresh for all concurrent requests, and an account that recovers after a crash if the platform allows it.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import type { Config } from '../../src/config.ts'
import type { Auth, TokenCall } from '../../src/contract/connector.ts'
import { failingOf } from '../../src/engine/outbound/renewal-failing.ts'
import { fill } from '../../src/engine/outbound/template.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator, Fault, Tenant } from '../../src/sandbox/simulator.ts'
import { createService, type Service } from '../../src/service.ts'
import type { Account } from '../../src/store/store.ts'
import { chooseCases } from '../case-choice.ts'
import { freshDatabase } from '../postgres.ts'
import { until } from '../until.ts'

type OAuth = Extract<Auth, { kind: 'oauth2' }>
const oauthOf = (platform: string) =>
  connectors[platform]?.auth.find((auth): auth is OAuth => auth.kind === 'oauth2' && auth.refresh !== undefined)
const renewalPath = (platform: string): string => {
  const auth = oauthOf(platform)?.refresh ?? connectors[platform]?.auth.find((one) => one.kind === 'client_credentials')
  return auth && 'login' in auth ? auth.login.path : (auth as TokenCall).path
}
const refreshing = Object.keys(connectors).filter(
  (platform) => oauthOf(platform)?.refreshToken !== 'none' && oauthOf(platform) && simulators[platform],
)
const rotating = refreshing.filter((platform) =>
  ['rotates', 'single_use'].includes(oauthOf(platform)?.refreshToken ?? ''),
)

type Closing = { close(): Promise<unknown> }[]
const close = async (open: Closing) => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
}
const open: Closing = []
afterEach(() => close(open))
/** Services for all platforms, each with an account of its own. */
const shared = new Map<string, Promise<World>>()
const sharedOpen: Closing = []
afterAll(() => close(sharedOpen))

interface World {
  sandbox: Sandbox
  services: Service[]
  manage(method: string, path: string, body: unknown): Promise<{ id: string; key: string }>
  workspaceId: string
  key: string
  begin(): Promise<Service>
}

async function createWorld(
  platforms: readonly string[],
  instances: number,
  opened: Closing,
  wrap: (service: Service) => void = () => {},
): Promise<World> {
  const sandbox = await createSandbox({
    simulators: Object.fromEntries(platforms.map((platform) => [platform, simulators[platform] as CreateSimulator])),
    size: 'small',
    paceScale: 0.001,
    strict: false,
  })
  opened.push(sandbox)
  const databaseUrl = instances > 1 ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined
  const adminToken = randomBytes(24).toString('hex')
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    dataDir: mkdtempSync(join(tmpdir(), 'unified-records-refresh-')),
    sandbox: true,
    encryptionKeys: [randomBytes(32)],
    logLevel: 'silent',
    paceScale: 0.001,
    maxWaitMs: 30_000,
    callTimeoutMs: 30_000, // not a matter of the speed of the machine
    adminToken,
    databaseUrl,
  }
  const begin = async () => {
    const service = await createService({
      config,
      connectors,
      originOverride: (account) => sandbox.origin(account.platform),
    })
    wrap(service)
    await service.listen()
    opened.push(service)
    return service
  }
  const services = [await begin()]
  for (let more = 1; more < instances; more++) services.push(await begin())
  const manage = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${services[0]?.url()}/manage/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string; key: string }
  }
  const { id: workspaceId } = await manage('POST', '/workspaces', { name: 'w' })
  const { key } = await manage('POST', `/workspaces/${workspaceId}/api-keys`, { name: 'k' })
  return { sandbox, services, manage, workspaceId, key, begin }
}

/** Connects an account of the platform, whose id is that of the platform. */
async function connect(platform: string, { sandbox, services, manage, workspaceId, key, begin }: World) {
  const tenant = sandbox.simulator(platform).tenants[0] as Tenant
  await manage('POST', `/workspaces/${workspaceId}/accounts`, {
    id: platform,
    platform,
    vertical: tenant.vertical,
    credentials: tenant.credentials,
    settings: tenant.settings,
  })
  const entity = Object.keys(tenant.records)[0]
  const read = async (service: Service) => {
    const response = await fetch(`${service.url()}/unified/${platform}/${entity}?pageSize=1`, {
      headers: { authorization: `Bearer ${key}`, prefer: 'wait=60' },
    })
    return { status: response.status, body: (await response.json()) as { code?: string } }
  }
  const connected = await (services[0] as Service).store.accounts.get(platform)
  const tokenPath = fill(renewalPath(platform), {
    ...connected?.settings,
    ...connected?.credentials,
  }) as string
  const refreshes = () =>
    sandbox.calls(platform).filter(({ path, method }) => method === 'POST' && path.endsWith(tokenPath))
  return { sandbox, services, tenant, read, tokenPath, refreshes, begin }
}

/** An account in the services of this name, which the tests of all platforms share. */
const connectedTo = new Map<string, ReturnType<typeof connect>>()
async function connectShared(platform: string, name: string, instances: number) {
  const world = shared.get(name) ?? createWorld([...refreshing, 'toast'], instances, sharedOpen)
  shared.set(name, world)
  const connected = connectedTo.get(`${platform} ${name}`) ?? connect(platform, await world)
  connectedTo.set(`${platform} ${name}`, connected)
  return connected
}

/** The refresh is under way for half a second, so that all instances need one meanwhile: few callers are enough. */
const callersOf = (platform: string) => (platform === rotating[0] ? 100 : 25)
const refreshMs = 500

describe.each(rotating)('%s, whose refresh tokens are single-use', (platform) => {
  it.each([1, 3])(
    `${callersOf(platform)} concurrent reads on an expired token cause exactly one refresh with %i instance(s)`,
    async (instances) => {
      const { sandbox, services, tenant, read, tokenPath, refreshes } = await connectShared(
        platform,
        `${instances} instance(s)`,
        instances,
      )
      tenant.expireTokens()
      sandbox.clearCalls(platform)
      sandbox.fault(platform, { kind: 'stall', path: tokenPath, delayMs: refreshMs, times: 1 })
      const replies = await Promise.all(
        Array.from({ length: callersOf(platform) }, (_, index) => read(services[index % instances] as Service)),
      )
      expect(new Set(replies.map(({ status, body }) => `${status} ${body.code ?? ''}`))).toEqual(new Set(['200 ']))
      expect(refreshes()).toHaveLength(1)
    },
  )

  it('after a crash between the response of the platform and the storing of the token, the account recovers within the grace period or returns reconnect_required once', async () => {
    let crash = false
    const { sandbox, services, tenant, read, refreshes, begin } = await connect(
      platform,
      await createWorld([platform], 1, open, ({ store }) => {
        const { update } = store.accounts
        store.accounts.update = async (id, change, revision) => {
          if (crash && change.credentials && !('refreshSent' in change.credentials)) {
            crash = false
            throw new Error('killed')
          }
          return update(id, change, revision)
        }
      }),
    )
    tenant.expireTokens()
    crash = true
    expect((await read(services[0] as Service)).status).toBe(500)
    await (services[0] as Service).close()
    open.splice(open.indexOf(services[0] as Service), 1)
    const again = await begin()
    sandbox.clearCalls(platform)
    const replies = [await read(again), await read(again), await read(again)]
    if (oauthOf(platform)?.refreshToken === 'rotates' && replies[0]?.status === 200) {
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(refreshes()).toHaveLength(1)
    } else {
      expect(replies.map(({ body }) => body.code)).toEqual([
        'reconnect_required',
        'reconnect_required',
        'reconnect_required',
      ])
      expect([0, 1]).toContain(refreshes().length)
    }
  })
})

/** Whatever answers in the place of the token server, or in a bad hour of it. */
const badAnswers: [string, Omit<Fault, 'path'>][] = [
  ...[400, 401, 403, 404, 407, 429, 500, 503].map((status): [string, Omit<Fault, 'path'>] => [
    `a foreign ${status}`,
    { kind: 'foreign_before', status, body: {} },
  ]),
  ...[{}, [], 'ok'].map((body): [string, Omit<Fault, 'path'>] => [
    `200 ${JSON.stringify(body)}`,
    { kind: 'foreign_before', status: 200, body },
  ]),
  ['a page', { kind: 'html' }],
  ["the platform's own 429", { kind: 'throttle_silent' }],
  ["the platform's own 500", { kind: 'error_before' }],
  ['a cut connection', { kind: 'reset_before' }],
]
describe.each([...refreshing, 'toast'])('%s, while its token server', (platform) => {
  it.each(chooseCases(badAnswers, { oneIn: 5, group: () => platform }))(
    'answers %s, keeps its account, and recovers by itself',
    async (_, fault) => {
      const { sandbox, services, tenant, read, tokenPath } = await connectShared(platform, 'bad answers', 1)
      const [service] = services as [Service]
      tenant.expireTokens()
      sandbox.fault(platform, { ...fault, path: tokenPath } as Fault)
      const codes = new Set<string | undefined>()
      for (let asked = 0; asked < 4; asked++) codes.add((await read(service)).body.code)
      const failing = failingOf((await service.store.accounts.get(platform)) as Account)
      sandbox.clearFaults(platform)
      expect([...codes].filter((code) => code !== 'downstream_error')).toEqual([])
      expect(failing?.failures).toBeGreaterThan(0)
      await until('the next renewal', async () => (await read(service)).status === 200)
      const account = (await service.store.accounts.get(platform)) as Account
      expect([account.state, failingOf(account)]).toEqual(['active', undefined])
    },
  )
})

describe.each(refreshing)('%s', (platform) => {
  it('is reconnect_required when the refresh is rejected, and the platform is not called again', async () => {
    const { sandbox, services, tenant, read, refreshes } = await connectShared(platform, 'rejected', 1)
    tenant.revokeTokens()
    sandbox.clearCalls(platform)
    const replies = [
      await read(services[0] as Service),
      await read(services[0] as Service),
      await read(services[0] as Service),
    ]
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([502, 'reconnect_required']))
    expect([0, 1]).toContain(refreshes().length)
  })
})

const eventsOf = async ({ store }: Service, { workspaceId }: World): Promise<string[]> =>
  (await store.webhooks.events.page(workspaceId, { sequence: 0 }, 100)).rows.map(({ type }) => type)

describe('an account whose token is not renewed', () => {
  it('says so before its token ends, works until then, and tells its webhook endpoints once', async () => {
    const world = await createWorld(['xero'], 1, open)
    const { sandbox, services, read, tokenPath, refreshes } = await connect('xero', world)
    const [service] = services as [Service]
    const shown = async () =>
      (await world.manage('GET', `/workspaces/${world.workspaceId}/accounts/xero`, undefined)) as unknown as {
        state: string
        renewal?: { failingSince: string; retryAt: string }
      }
    expect((await read(service)).status).toBe(200)
    expect(await shown()).not.toHaveProperty('renewal')
    // Its last half minute: the service renews it early, and the platform still accepts it.
    const account = (await service.store.accounts.get('xero')) as Account
    const expiresAt = new Date(Date.now() + 30_000).toISOString()
    await service.store.accounts.update('xero', { credentials: { ...account.credentials, expiresAt } })
    sandbox.fault('xero', { kind: 'unavailable', path: tokenPath })
    sandbox.clearCalls('xero')
    expect([(await read(service)).status, (await read(service)).status]).toEqual([200, 200])
    expect(refreshes().length).toBeGreaterThan(0)
    expect(await shown()).toMatchObject({ state: 'active', renewal: { failingSince: expect.any(String) } })
    sandbox.clearFaults('xero')
    await until('the renewal', async () => (await read(service)).status === 200 && !(await shown()).renewal)
    const told = await eventsOf(service, world)
    expect(told.filter((type) => type === 'account.renewal_failing')).toHaveLength(1)
    expect(told).not.toContain('account.reconnect_required')
  })

  it('is back in service when a test of its connection succeeds, even if it was ended by mistake', async () => {
    const world = await createWorld(['xero'], 1, open)
    const { tenant, sandbox, services, read } = await connect('xero', world)
    const [service] = services as [Service]
    const test = () => world.manage('POST', `/workspaces/${world.workspaceId}/accounts/xero/test`, undefined)
    await service.store.accounts.update('xero', { state: 'reconnect_required', stateReason: 'a proxy said so' })
    expect((await read(service)).body.code).toBe('reconnect_required')
    sandbox.clearCalls('xero')
    expect(await test()).toEqual({ ok: true })
    expect(sandbox.calls('xero').length).toBeGreaterThan(0)
    expect((await read(service)).status).toBe(200)
    expect(await eventsOf(service, world)).toContain('account.recovered')
    // One that the platform does not accept stays out of service.
    tenant.revokeTokens()
    expect((await read(service)).body.code).toBe('reconnect_required')
    sandbox.clearCalls('xero')
    expect(await test()).toMatchObject({ ok: false, code: 'reconnect_required' })
    expect(sandbox.calls('xero').length).toBeGreaterThan(0)
    expect((await read(service)).body.code).toBe('reconnect_required')
  })
})
