// Platforms that limit the calls of a day: the service counts them across restarts and instances, and stops before the
// platform does.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createXeroWith } from '../../src/platforms/xero/simulator/simulator.ts'
import { createZohoSimulator } from '../../src/platforms/zoho/simulator/simulator.ts'
import { books } from '../../src/platforms/zoho-books/simulator/simulator.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { sqliteFileIn } from '../../src/store/open-store.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceApart, openServiceHere, type ServiceHere } from '../service-here.ts'
import { until } from '../until.ts'

const paceScale = 0.01
const account = 'sandbox-zoho-books-accounting'

let sandbox: Sandbox | undefined
const services: ServiceHere[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()))
  await sandbox?.close()
})

/** Zoho Books and Xero that allow this many calls a day. */
async function openSandbox({ zoho = 5000, xero = 5000, plan = 'PROFESSIONAL' } = {}): Promise<Sandbox> {
  sandbox = await createSandbox({
    simulators: {
      'zoho-books': createZohoSimulator({ ...books, plan, callsPerDay: zoho }),
      xero: (options) => createXeroWith(options, xero),
    },
    size: 'small',
    paceScale,
  })
  return sandbox
}
async function start(
  environment: Record<string, string> = {},
  open: typeof openServiceApart = openServiceHere,
): Promise<ServiceHere> {
  const service = await open({
    SANDBOX_URL: (sandbox as Sandbox).url,
    PACE_SCALE: String(paceScale),
    SHED_WAIT_MS: '0',
    DATABASE_URL: '',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-daily-')),
    ...environment,
  })
  services.push(service)
  return service
}
const headersOf = (service: ServiceHere) => ({
  authorization: `Bearer ${service.sandboxFile().apiKey}`,
  'content-type': 'application/json',
})
const read = (service: ServiceHere, id = account) =>
  fetch(`${service.url}/unified/${id}/customer?pageSize=1`, { headers: headersOf(service) })
const dailyLimit = async (service: ServiceHere, id = account) => {
  const response = await fetch(`${service.url}/unified/${id}`, { headers: headersOf(service) })
  return ((await response.json()) as { dailyLimit?: Record<string, number | string> }).dailyLimit
}
const callsOf = (platform = 'zoho-books') =>
  (sandbox as Sandbox).calls(platform).filter(({ vertical }) => vertical !== undefined)
/** Reads until this many calls have arrived at the platform: one to connect the account, two per read. */
async function use(service: ServiceHere, calls: number): Promise<void> {
  while (callsOf().length < calls) expect((await read(service)).status).toBe(200)
  expect(callsOf().length).toBe(calls)
}

describe('the service stops before the platform does', () => {
  it('refuses a new request at the limit without a call, and completes a write that has begun', async () => {
    await openSandbox()
    const service = await start({ PLATFORM_LIMITS: 'zoho-books=1000/1+40/86400' }) // 10 are reserved
    await use(service, 29)
    expect(await dailyLimit(service)).toMatchObject({ limit: 40, used: 29, remaining: 1 })
    const created = await fetch(`${service.url}/unified/${account}/customer`, {
      method: 'POST',
      headers: headersOf(service),
      body: JSON.stringify({ externalId: 'last', name: 'Last Customer of the Day', active: false }),
    })
    expect(created.status).toBe(201)
    const methods = callsOf()
      .slice(29)
      .map(({ method }) => method)
    expect(methods.length).toBeGreaterThan(1)
    expect(methods[0]).toBe('POST')

    const refused = await read(service)
    const problem = (await refused.json()) as { code: string; detail: string }
    expect([refused.status, problem.code]).toEqual([429, 'too_many_requests'])
    expect(problem.detail).toMatch(
      /^Zoho Books allows 40 calls in 24 hours, and they are used up; the last ones are reserved for writes that have begun\. Retry after \d+ s \(\d{4}-\d\d-\d\dT\d\d:\d\dZ\)\./,
    )
    expect(refused.headers.get('ratelimit-policy')).toBe('"1000-per-1s";q=1000;w=1, "40-per-86400s";q=40;w=86400')
    expect(refused.headers.get('ratelimit')).toBe(`"40-per-86400s";r=0;t=${refused.headers.get('retry-after')}`)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual((86_400 + 900) * paceScale + 1)
    expect(callsOf().length).toBe(29 + methods.length)
    expect(await dailyLimit(service)).toMatchObject({ used: 29 + methods.length, remaining: 0 })
  })

  it('takes the limit of the plan that the platform reports', async () => {
    await openSandbox({ plan: 'FREE' })
    const service = await start()
    expect(await dailyLimit(service)).toMatchObject({ limit: 1000 })
  })

  it('counts the calls of an unknown plan and refuses none', async () => {
    await openSandbox({ plan: 'CUSTOM' })
    const service = await start()
    await use(service, 13)
    expect(await dailyLimit(service)).toEqual({ used: 13, resetsAt: expect.any(String) })
  })

  it('follows the number of calls that Xero reports as left', async () => {
    await openSandbox({ xero: 60 }) // fewer than Xero documents
    const service = await start()
    const xero = 'sandbox-xero-accounting'
    let status = 200
    while (status === 200) status = (await read(service, xero)).status
    expect(status).toBe(429)
    expect(callsOf('xero').length).toBe(10)
    expect(await dailyLimit(service, xero)).toMatchObject({ limit: 5000, used: 4950, remaining: 0 })
  })
})

describe('two instances on PostgreSQL', () => {
  it('share the count and the limit', async () => {
    await openSandbox()
    const environment = {
      PLATFORM_LIMITS: 'zoho-books=1000/1+61/86400',
      DATABASE_URL: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-daily-')),
    }
    const first = await start(environment)
    const second = await start(environment)
    await use(first, 31)
    // The first adds its calls once per second.
    await until('31 calls', async () => (await dailyLimit(second))?.used === 31)
    await use(second, 51)
    await until('51 calls', async () => (await dailyLimit(first))?.used === 51)
    expect([(await read(first)).status, (await read(second)).status]).toEqual([429, 429])
    expect(callsOf().length).toBe(51)
  })
})

describe('a restart on SQLite', () => {
  const savedIn = (dataDir: string): number => {
    const database = new DatabaseSync(sqliteFileIn(dataDir), { readOnly: true })
    const row = database
      .prepare('select max(total) as calls from (select sum(calls) as total from daily_calls group by owner)')
      .get()
    database.close()
    return Number(row?.calls)
  }
  it('forgets no call when it is stopped', async () => {
    await openSandbox()
    const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-daily-')) }
    const service = await start(environment)
    await use(service, 21)
    await service.stop()
    expect(await dailyLimit(await start(environment))).toMatchObject({ limit: 5000, used: 21 })
  })
  it('forgets at most the calls of the last second after SIGKILL', async () => {
    await openSandbox()
    const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-daily-')) }
    const service = await start(environment, openServiceApart)
    await use(service, 21)
    await until('21 saved calls', () => savedIn(environment.DATA_DIR) === 21)
    await use(service, 23)
    await service.stop()
    const used = Number((await dailyLimit(await start(environment)))?.used)
    expect([21, 22, 23]).toContain(used)
  })
})

describe('the platform refuses for the rest of the day', () => {
  const direct = {
    'zoho-books': (token: string) =>
      fetch(`${sandbox?.url}/zoho-books/books/v3/contacts?organization_id=${books.organization.id}`, {
        headers: { authorization: `Zoho-oauthtoken ${token}` },
      }),
    xero: (token: string) =>
      fetch(`${sandbox?.url}/xero/api.xro/2.0/Organisation`, { headers: { authorization: `Bearer ${token}` } }),
  }
  const platforms = ['zoho-books', 'xero'] as const
  const accountOf = (platform: string) => `sandbox-${platform}-accounting`
  it('the accounts of Zoho Books and Xero pause, also after a restart', async () => {
    await openSandbox({ zoho: 30, xero: 60 })
    const environment = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-daily-')),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    }
    const service = await start(environment, openServiceApart)
    for (const platform of platforms) {
      const id = accountOf(platform)
      expect((await read(service, id)).status).toBe(200)
      // Another integration of the business uses up the day.
      const token = sandbox?.simulator(platform).tenants[0]?.credentials.accessToken as string
      await until('the end of the day', async () => {
        const refusal = await direct[platform](token)
        return /day/.test(`${refusal.headers.get('x-rate-limit-problem')} ${await refusal.text()}`)
      })
      const before = callsOf(platform).length
      for (const calls of [1, 1, 1]) {
        const response = await read(service, id)
        expect(response.status).toBe(429)
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(600)
        expect(((await response.json()) as { detail: string }).detail).toMatch(
          /^(Xero|Zoho Books) allows .* used up[.;] /,
        )
        expect(callsOf(platform).length).toBe(before + calls)
      }
    }
    await service.stop()
    const before = platforms.map((platform) => callsOf(platform).length)
    const restarted = await start(environment)
    for (const platform of platforms)
      expect([platform, (await read(restarted, accountOf(platform))).status]).toEqual([platform, 429])
    expect(platforms.map((platform) => callsOf(platform).length)).toEqual(before)
  })
})
