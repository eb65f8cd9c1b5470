// The clock of the machine jumps by an hour, forward and backward, while the service runs. The platforms' clocks do not
// change.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { createLedger } from './ledger.ts'

let sandbox: Sandbox
let service: ServiceProcess
const hour = 3_600_000
const clockFile = join(mkdtempSync(join(tmpdir(), 'unified-records-clock-')), 'shift')
const formB = '/api/1.0/standalone-link-engine-service'

beforeAll(async () => {
  writeFileSync(clockFile, '0')
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.005,
    strict: false,
  })
  const preload = `--import ${pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'))}`
  service = await startService({
    SANDBOX_URL: sandbox.url,
    PACE_SCALE: '0.005',
    CLOCK_FILE: clockFile,
    NODE_OPTIONS: preload,
  })
})
afterAll(async () => {
  await service?.kill('SIGKILL')
  await sandbox?.close()
})

async function jump(milliseconds: number): Promise<void> {
  writeFileSync(clockFile, String(milliseconds))
  await expect.poll(async () => Math.round(((await serviceTime()) - Date.now()) / hour)).toBe(milliseconds / hour)
}
/** Request ids begin with their creation time. */
async function serviceTime(): Promise<number> {
  const { headers } = await fetch(`${service.url}/healthz`)
  return Number.parseInt(String(headers.get('x-request-id')).slice(4, 13), 36)
}
async function token(): Promise<string> {
  const { accessId, accessSecret } = service.sandboxFile()
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: accessId,
    client_secret: accessSecret,
  })
  return (
    (await (
      await fetch(`${service.url}${formB}/oauth/server/access-token`, { method: 'POST', body: form })
    ).json()) as { access_token: string }
  ).access_token
}

it('after a clock jump of an hour in either direction nothing is lost or written twice, walks continue, and tokens expire by the clock', async () => {
  const { apiKey, accounts } = service.sandboxFile()
  const account = accounts.find(({ accountId }) => accountId === 'sandbox-square-restaurant')
  const customers = sandbox.simulator('square').tenants[0]?.records.customer
  const ledger = createLedger({
    url: () => service.url,
    apiKey: () => apiKey,
    accountId: 'sandbox-square-restaurant',
    ids: () => customers?.ids() ?? [],
  })
  const write = async (name: string) =>
    expect(
      (await Promise.all([0, 1, 2, 3, 4].map((number) => ledger.write(`${name}-${number}`)))).map(
        ({ status }) => status,
      ),
    ).toEqual([201, 201, 201, 201, 201])
  const withToken = async (value: string) =>
    (
      await fetch(
        `${service.url}${formB}/unified/sandbox-square-restaurant/customer?mappingKey=${account?.readMappingKey}`,
        { headers: { authorization: `Bearer ${value}` } },
      )
    ).status
  const page = async (query: string) =>
    (await (
      await fetch(`${service.url}/unified/sandbox-square-restaurant/product?${query}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
    ).json()) as {
      data: { externalId: string }[]
      pagination: { cursor?: string }
    }

  await write('BEFORE')
  const early = await token()
  const first = await page('pageSize=2')
  const during = Promise.all(Array.from({ length: 20 }, (_, number) => ledger.write(`DURING-${number}`)))
  await jump(hour)
  await write('AHEAD')
  expect(await withToken(early)).toBe(401)
  const late = await token()
  expect(await withToken(late)).toBe(200)
  const second = await page(`cursor=${first.pagination.cursor}`)
  await jump(-hour)
  await write('BEHIND')
  expect(await withToken(late)).toBe(200)
  const third = await page(`cursor=${second.pagination.cursor}`)
  await jump(0)
  await write('AFTER')
  for (const { status } of await during) expect(status).toBe(201)
  const walked = [first, second, third].flatMap(({ data }) => data.map(({ externalId }) => externalId))
  expect(new Set(walked).size).toBe(6)
  await ledger.verify()
})
