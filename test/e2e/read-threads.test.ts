// Pages are the same in threads and in the process: the same records, interchangeable cursors, the same errors.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxWorkspace } from '../../src/accounts/sandbox-keys.ts'
import { formBPrefix } from '../../src/api/record-operations.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

let service: ServiceProcess
let authorization: string
const adminToken = randomBytes(24).toString('hex')
const atOnce = 8

beforeAll(async () => {
  // All accounts are read at once: on a busy machine that takes longer than a queue may stand.
  service = await startService({ READ_THREADS: '1', ADMIN_TOKEN: adminToken, SHED_WAIT_MS: '0', SANDBOX_PLATFORMS: '' })
  authorization = `Bearer ${service.sandboxFile().apiKey}`
})
afterAll(() => service.kill())

interface PageResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests read responses of any type
  body: any
}
async function ask(path: string, token = authorization, of = service): Promise<PageResponse> {
  const response = await fetch(of.url + path, { headers: { authorization: token, prefer: 'wait=60' } })
  return { status: response.status, body: await response.json() }
}
const together = (path: string, token?: string, of?: ServiceProcess) =>
  Promise.all(Array.from({ length: atOnce }, () => ask(path, token, of)))
/** How many of the pages are read in threads depends on which of them overlap: reads until two of them were. */
async function alsoInThreads(path: string, token: string, of: ServiceProcess): Promise<PageResponse[]> {
  const before = await handedOver(of)
  const pages: PageResponse[] = []
  do pages.push(...(await together(path, token, of)))
  while ((await handedOver(of)) - before < 2)
  return pages
}
async function handedOver(of = service): Promise<number> {
  const text = await (await fetch(`${of.url}/metrics`)).text()
  return Number(/^unified_thread_reads (\d+)/m.exec(text)?.[1])
}
/** A page may end early if the rate limit leaves no room for its second calls. Then it has the first records. */
function same(path: string, pages: PageResponse[]): number {
  expect([path, ...pages.map(({ status }) => status)]).toEqual([path, ...Array.from(pages, () => 200)])
  const longest = pages
    .map(({ body }) => body.data as unknown[])
    .reduce((left, right) => (right.length > left.length ? right : left), [])
  for (const { body } of pages) expect(body.data).toEqual(longest.slice(0, body.data.length))
  return longest.length
}
/** The first of several pages starts a thread; later ones are mostly read there. */
async function untilThreadsRead(of = service, token = authorization): Promise<void> {
  const before = await handedOver(of)
  const path = '/unified/sandbox-square-restaurant/customer?pageSize=2'
  do await together(path, token, of)
  while ((await handedOver(of)) === before)
}

it('every entity of every account has the same first page in threads and in the process, and the same second page for each cursor', async () => {
  await untilThreadsRead()
  const accounts = service.sandboxFile().accounts.map(({ accountId }) => accountId)
  let compared = 0
  const before = await handedOver()
  async function compare(id: string): Promise<void> {
    const { body } = await ask(`/unified/${id}`)
    for (const [entityType, support] of Object.entries(body.entities)) {
      if (!support) continue
      const path = `/unified/${id}/${entityType}`
      const pages = await together(`${path}?pageSize=2`)
      const longest = same(path, pages)
      compared++
      const cursors = pages.flatMap(
        ({ body: { data, pagination } }) => (data.length === longest && pagination.cursor) || [],
      )
      same(path, await Promise.all(cursors.map((cursor: string) => ask(`${path}?cursor=${cursor}`))))
    }
  }
  // How many of them threads read depends on which of them overlap.
  do await Promise.all(accounts.map(compare))
  while ((await handedOver()) - before < compared)
  expect(compared).toBeGreaterThan(40)
})

it('fails with the same messages', async () => {
  await untilThreadsRead()
  for (const [query, code] of [
    ['cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'invalid_cursor'],
    ['updatedAfter=2999-01-01T00:00:00Z', undefined],
  ]) {
    const responses = await together(`/unified/sandbox-square-restaurant/customer?${query}`)
    expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set([code]))
    const problems = responses.map(({ body: { requestId: _, instance: __, ...rest } }) => rest)
    for (const problem of problems) expect(problem).toEqual(problems[0])
  }
})

it('applies a mapping to a page that a thread read', async () => {
  const send = async (path: string, body: unknown, type = 'application/json') => {
    const headers = {
      'content-type': type,
      ...(path.startsWith('/manage') ? { authorization: `Bearer ${adminToken}` } : {}),
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(service.url + path, { method: 'POST', headers, body: text })
    // biome-ignore lint/suspicious/noExplicitAny: the tests read responses of any type
    return response.json() as Promise<any>
  }
  const workspace = `/manage/v1/workspaces/${sandboxWorkspace}`
  const account = `${workspace}/accounts/sandbox-square-restaurant`
  const rules = { '/name': { value: 'mapped' } }
  const { id: mappingId } = await send(`${account}/mappings`, {
    entityType: 'customer',
    direction: 'read',
    name: 'ours',
    rules,
  })
  const { key } = await send(`${account}/mapping-keys`, { mappingId })
  const { id, secret } = await send(`${workspace}/access-ids`, { name: 'mapper' })
  const grant = new URLSearchParams({
    client_id: id,
    client_secret: secret,
    grant_type: 'client_credentials',
  }).toString()
  const { access_token } = await send(
    `${formBPrefix}/oauth/server/access-token`,
    grant,
    'application/x-www-form-urlencoded',
  )
  await untilThreadsRead()
  const path = `${formBPrefix}/unified/sandbox-square-restaurant/customer?pageSize=2&mappingKey=${key}`
  // On a busy machine the requests of a batch can come one by one, and the process reads their pages itself.
  for (let inThreads = 0; inThreads < 2; ) {
    const before = await handedOver()
    for (const { body } of await together(path, `Bearer ${access_token}`))
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['mapped', 'mapped'])
    inThreads = (await handedOver()) - before
  }
})

describe('facts of an account', () => {
  let own: ServiceProcess
  beforeAll(async () => {
    // A fact stays valid for a minute.
    const platforms = { SANDBOX_PLATFORMS: 'square,clover,woocommerce' }
    own = await startService({ READ_THREADS: '2', PACE_SCALE: '0.5', SHED_WAIT_MS: '0', ...platforms })
  })
  afterAll(() => own.kill())

  it('are loaded once for all pages that are read at the same time, in threads and in the process', async () => {
    const { apiKey, sandboxUrl } = own.sandboxFile()
    const log = `${sandboxUrl}/_sandbox/woocommerce/calls`
    await untilThreadsRead(own, `Bearer ${apiKey}`)
    await fetch(log, { method: 'DELETE' })
    const path = '/unified/sandbox-woocommerce-retail_pos/product?pageSize=2'
    const pages = await Promise.all([0, 1].map(() => alsoInThreads(path, `Bearer ${apiKey}`, own)))
    expect(same('product', pages.flat())).toBe(2)
    const { calls } = (await (await fetch(log)).json()) as { calls: { path: string }[] }
    expect(calls.filter(({ path }) => path.endsWith('/data/currencies/current'))).toEqual([expect.anything()])
  })

  it('that the platform refuses are the same refusal for every page, in threads and in the process', async () => {
    const { apiKey, sandboxUrl } = own.sandboxFile()
    await untilThreadsRead(own, `Bearer ${apiKey}`)
    await fetch(`${sandboxUrl}/_sandbox/clover/faults`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'forbidden', path: '/properties' }),
    })
    const pages = await alsoInThreads('/unified/sandbox-clover-restaurant/product?pageSize=2', `Bearer ${apiKey}`, own)
    for (const { status, body } of pages)
      expect({ status, code: body.code, downstream: body.downstream }).toEqual({
        status: 403,
        code: 'forbidden',
        downstream: expect.objectContaining({ platform: 'clover', status: 403 }),
      })
  })
  it('that contain the token are shown without it, in threads and in the process', async () => {
    const { apiKey, sandboxUrl } = own.sandboxFile()
    const { accounts } = (await (await fetch(`${sandboxUrl}/_sandbox/accounts`)).json()) as {
      accounts: { platform: string; vertical: string; credentials: Record<string, string> }[]
    }
    const square = accounts.find(({ platform, vertical }) => platform === 'square' && vertical === 'restaurant')
    const token = square?.credentials.accessToken as string
    await untilThreadsRead(own, `Bearer ${apiKey}`)
    await fetch(`${sandboxUrl}/_sandbox/square/faults`, {
      method: 'POST',
      body: JSON.stringify({
        kind: 'foreign_before',
        status: 400,
        body: { errors: [{ code: 'BAD_REQUEST', detail: `Not accepted: ${token}` }] },
      }),
    })
    const pages = await alsoInThreads('/unified/sandbox-square-restaurant/product?pageSize=2', `Bearer ${apiKey}`, own)
    for (const { body } of pages) expect(body.downstream.message).toBe('Not accepted: •••')
  })
})
