// The whole service over real sockets, in front of one platform's simulator, for every conformance case.
// `DATABASE_URL=postgres://… INSTANCES=3 npm test` runs all of it on that server, with that number of instances behind
// a round robin.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Agent, type Dispatcher } from 'undici'
import { memoryFolder } from '../../test/memory-folder.ts'
import { copyMigrated } from '../../test/migrated-sqlite.ts'
import type { Config } from '../config.ts'
import type { Connector } from '../contract/connector.ts'
import type { Vertical } from '../contract/entity.ts'
import { scopes } from '../contract/scopes.ts'
import type { Transport } from '../engine/outbound/transport.ts'
import { createMovableClock, type MovableClock } from '../sandbox/movable-clock.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import type { CreateSimulator, Tenant } from '../sandbox/simulator.ts'
import { createService, type Service, type ServiceOptions } from '../service.ts'
import { sqliteFileIn } from '../store/open-store.ts'
import { createRoundRobin } from './round-robin.ts'
import { wrongWarnings } from './warning-rules.ts'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the cases read responses of any type
  body: any
}
export interface Harness {
  sandbox: Sandbox
  service: Service
  services: readonly Service[] // all instances; the first one is `service`
  url: string
  connector: Connector
  paceScale: number
  tenants: readonly Tenant[]
  accountId(vertical: Vertical): string
  /** A call of form A with the API key of the workspace. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** A call of the management API. */
  manage(method: string, path: string, body?: unknown): Promise<Reply>
  /** The clock of the platform. */
  time: MovableClock
  /** Moves the service's own clock for access tokens. */
  advance(milliseconds: number): void
  /** Everything that was logged or returned so far. */
  output(): string
  secrets: readonly string[]
  /** The URL of the database, or its file. */
  database: string
  /** Closes all instances and starts one on the same data. `call` and `manage` still go to the old address. */
  restart(): Promise<Service>
  close(): Promise<void>
}
export interface HarnessOptions {
  connectors: Readonly<Record<string, Connector>>
  simulators: Readonly<Record<string, CreateSimulator>>
  platform: string
  databaseUrl?: string
  instances?: number // behind a round robin, on the database of `databaseUrl`
  ownDisk?: boolean // one instance on SQLite, independent of the suite's database
  paceScale?: number
  size?: 'small' | 'full'
  callTimeoutMs?: number // of calls that the platform stalls
  platformClock?(): number // milliseconds; our clock by default
  corsOrigins?: string[]
  sandboxControl?: boolean // the management API can add faults
  deprecated?: ServiceOptions['deprecated']
  readAhead?: boolean
  oidc?: Config['oidc']
  sweepMs?: number // between the sweeps for interrupted writes
}

/** Windows are a hundred times shorter, so the suite is faster. */
const testScale = 0.01
/** No call takes that long, however busy the machine is. */
const neverMs = 280_000
const givenInstances = Number(process.env.INSTANCES ?? 1)

async function ownDatabase(instances: number): Promise<string | undefined> {
  if (process.env.DATABASE_URL) return (await import('../../test/postgres.ts')).freshDatabase(process.env.DATABASE_URL)
  if (instances > 1) throw new Error('INSTANCES needs DATABASE_URL: several instances share a PostgreSQL')
  return undefined
}

export async function createHarness({
  connectors,
  simulators,
  platform,
  databaseUrl,
  instances: wanted = givenInstances,
  ownDisk = false,
  paceScale = testScale,
  size = 'small',
  callTimeoutMs = 700,
  platformClock = Date.now,
  corsOrigins = [],
  sandboxControl = false,
  deprecated,
  readAhead = true,
  oidc,
  sweepMs = 1_000,
}: HarnessOptions): Promise<Harness> {
  const connector = connectors[platform] as Connector
  const instances = ownDisk ? 1 : wanted
  const dataDir = await mkdtemp(join(memoryFolder, 'unified-records-'))
  const time = createMovableClock(platformClock)
  // The delay between a slot and the arrival of its call does not shrink with the windows, so nothing is rejected here.
  // A separate case checks the calls against the limit.
  const sandbox = await createSandbox({
    simulators: { [platform]: simulators[platform] as CreateSimulator },
    size,
    paceScale,
    strict: false,
    now: time.now,
  })
  /** Only what a test stalls ends in a timeout. A call that a busy machine delays would be repeated, and be one too many. */
  const unhurried = (transport: Transport): Transport => ({
    ...transport,
    exchange(call) {
      const isStalled = sandbox.faults(platform).some(({ kind }) => kind === 'stall')
      return transport.exchange(isStalled ? call : { ...call, timeoutMs: neverMs })
    },
  })
  const output: string[] = []
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _, done) {
        output.push(String(chunk))
        done()
      },
    }),
  )
  let ahead = 0
  const adminToken = randomBytes(24).toString('hex')
  const database = databaseUrl ?? (ownDisk ? undefined : await ownDatabase(instances))
  if (!database) await copyMigrated(dataDir)
  const services: Service[] = []
  const addresses: string[] = []
  const balancer = instances > 1 ? await createRoundRobin(() => addresses) : undefined
  const options = {
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: true,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'trace',
      paceScale,
      callTimeoutMs,
      corsOrigins,
      readAhead,
      oidc,
      adminToken,
      databaseUrl: database,
      publicUrl: balancer?.url,
    },
    connectors,
    ...(deprecated ? { deprecated } : {}),
    originOverride: (account: { platform: string }) => sandbox.origin(account.platform),
    ...(sandboxControl ? { sandboxUrl: sandbox.url } : {}),
    logger,
    sweepMs,
    wrapTransport: unhurried,
    now: () => Date.now() + time.moved() + ahead,
  }
  for (let index = 0; index < instances; index++) {
    const service = await createService(options)
    services.push(service)
    addresses.push(await service.listen())
  }
  const url = balancer?.url ?? (addresses[0] as string)
  const agent = new Agent()

  async function send(
    method: string,
    path: string,
    token: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const { pathname, search } = new URL(path, url)
    // A third of the processor time of fetch.
    const response = await agent.request({
      origin: url,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: {
        authorization: `Bearer ${token}`,
        ...(balancer ? { connection: 'close' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.body.text()
    output.push(`${JSON.stringify(response.headers)} ${text}`)
    const reply = {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    }
    mustHaveAnswered(reply)
    mustWarnRightly(method, reply)
    return reply
  }
  /** `downstream` has only what the platform really sent. */
  function mustHaveAnswered({ body }: Reply): void {
    const status = body?.downstream?.status
    const claimed = status !== undefined || body?.code === 'downstream_rejected'
    if (claimed && !sandbox.calls(platform).some((sent) => sent.status === status))
      throw new Error(`the platform never answered with ${status}: ${JSON.stringify(body)}`)
  }
  function mustWarnRightly(method: string, { body }: Reply): void {
    const wrong = wrongWarnings(method, body)
    if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: ${JSON.stringify(body.warnings)}`)
  }
  const manage = (method: string, path: string, body?: unknown) =>
    send(method, `/manage/v1${path}`, adminToken, body, {})
  const must = async (reply: Promise<Reply>) => {
    const { status, body } = await reply
    if (status >= 300) throw new Error(`the harness got ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const workspace = await must(manage('POST', '/workspaces', { name: 'Conformance' }))
  const { key } = await must(manage('POST', `/workspaces/${workspace.id}/api-keys`, { name: 'conformance', scopes }))
  const { tenants } = sandbox.simulator(platform)
  const accountId = (vertical: Vertical) => `${platform}-${vertical}`
  for (const { vertical, credentials, settings } of tenants)
    await must(
      manage('POST', `/workspaces/${workspace.id}/accounts`, {
        id: accountId(vertical),
        platform,
        vertical,
        credentials,
        settings,
      }),
    )
  output.length = 0 // the API key was just shown once, by design
  sandbox.clearCalls(platform) // connecting has its own calls
  return {
    sandbox,
    service: services[0] as Service,
    services,
    url,
    connector,
    paceScale,
    tenants,
    time,
    accountId,
    call: (method, path, body, headers = {}) => send(method, path, key, body, headers),
    manage: (method, path, body) => manage(method, `/workspaces/${workspace.id}${path}`, body),
    advance: (milliseconds) => {
      ahead += milliseconds
    },
    output: () => output.join('\n'),
    secrets: [key.split('.')[1], adminToken, ...tenants.flatMap(({ credentials }) => secretsIn(credentials))],
    database: database ?? sqliteFileIn(dataDir),
    async restart() {
      await Promise.all(services.map((service) => service.close()))
      const service = await createService(options)
      services.splice(0, services.length, service)
      await service.listen()
      return service
    },
    async close() {
      await balancer?.close()
      await Promise.all(services.map((service) => service.close()))
      await agent.close() // a request under way is ended by the service
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
      output.length = 0 // the variables of a test file outlive it
    },
  }
}

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

/** Values that must never be shown again. Ids and dates among the credentials may be. */
const secretsIn = (credentials: Readonly<Record<string, string>>) =>
  Object.entries(credentials)
    .filter(([name, value]) => /token|secret|password|key/i.test(name) && !/At$/.test(name) && value.length >= 8)
    .map(([, value]) => value)
