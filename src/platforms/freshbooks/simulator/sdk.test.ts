// FreshBooks' own SDK reads and writes the simulator over a socket: an independent check of its wire format.
import { Client } from '@freshbooks/api'
import {
  PaginationQueryBuilder,
  type QueryBuilderType,
  SearchQueryBuilder,
  SortQueryBuilder,
} from '@freshbooks/api/dist/models/builders/index.js'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import type { CreateSimulator, WireResponse } from '../../../sandbox/simulator.ts'
import { createFreshbooksSimulator, freshbooksSimulatorWith } from './simulator.ts'

const accountId = 'LJArJ4'
const redirectUri = 'https://app.example/callback'
const sandboxes: Sandbox[] = []
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())))

async function connect(simulator: CreateSimulator = createFreshbooksSimulator) {
  const sandbox = await createSandbox({ simulators: { freshbooks: simulator }, size: 'full', strict: false })
  sandboxes.push(sandbox)
  const tenant = sandbox.simulator('freshbooks').tenants[0]!
  const { clientId = '', clientSecret, accessToken, refreshToken } = tenant.credentials
  const apiUrl = sandbox.origin('freshbooks')
  const options = { clientSecret, accessToken, refreshToken, redirectUri, apiUrl, retryOptions: { retries: 0 } }
  return { sdk: new Client(clientId, options), apiUrl, tenant }
}
/** The paths of members that the SDK reads and the response lacks (undefined), and of dates that it cannot read. */
function lacking(value: unknown, at = ''): string[] {
  if (value === undefined || (value instanceof Date && Number.isNaN(value.getTime()))) return [at]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => lacking(inner, `${at}/${name}`))
}
interface Identity {
  business_memberships: { business: { business_clients?: unknown } }[]
  groups?: unknown
}
/** The simulator with another identity. */
const withIdentity =
  (change: (user: Identity) => void): CreateSimulator =>
  (options) => {
    const simulator = createFreshbooksSimulator(options)
    return {
      ...simulator,
      async handle(request) {
        const response = await simulator.handle(request)
        if (!request.path.endsWith('/users/me')) return response
        const body = structuredClone(response.body) as { response: Identity }
        change(body.response)
        return { ...response, body } satisfies WireResponse
      },
    }
  }
const pageOf = (page: number, ...more: QueryBuilderType[]) => [
  new PaginationQueryBuilder().page(page).perPage(100),
  ...more,
]

describe('the SDK', () => {
  it('reads the identity with its businesses, also where one is closed or has no books', async () => {
    const { sdk } = await connect()
    const { ok, data } = await sdk.users.me()
    expect([ok, lacking(data)]).toEqual([true, []])
    const businesses = data!.businessMemberships!.map(({ business }) => business)
    expect(businesses.length).toBeGreaterThan(2)
    expect(businesses.map((business) => business!.accountId)).toEqual(expect.arrayContaining([accountId, '']))
    expect(data!.roles!.map((role) => role.accountId)).toContain(accountId)
  })
  it('fails at an identity without what it reads', async () => {
    const business = await connect(
      withIdentity((user) => delete user.business_memberships[0]!.business.business_clients),
    )
    await expect(business.sdk.users.me()).rejects.toThrow()
    const groups = await connect(withIdentity((user) => delete user.groups))
    expect(lacking((await groups.sdk.users.me()).data)).toEqual(['/groups'])
  })
  it('walks all clients, with every member that it reads', async () => {
    const { sdk, tenant } = await connect()
    const { data: first } = await sdk.clients.list(accountId, pageOf(1))
    const clients = [...first!.clients]
    for (let page = 2; page <= first!.pages.pages; page++)
      clients.push(...(await sdk.clients.list(accountId, pageOf(page))).data!.clients)
    expect(first!.pages).toEqual({ page: 1, pages: 5, size: 100, total: clients.length })
    expect(new Set(clients.map(({ id }) => String(id))).size).toBe(clients.length)
    expect(tenant.records.customer!.ids()).toEqual(expect.arrayContaining(clients.map(({ id }) => String(id))))
    expect(lacking(clients)).toEqual([])
  })
  it('searches and sorts clients', async () => {
    const { sdk } = await connect()
    const list = async (...builders: QueryBuilderType[]) =>
      (await sdk.clients.list(accountId, pageOf(1, ...builders))).data!.clients
    const times = (await list(new SortQueryBuilder().desc('updated'))).map(({ updated }) => updated!.getTime())
    expect(times).toEqual(times.toSorted((left, right) => right - left))
    const archived = await list(new SearchQueryBuilder().equals('vis_state', 2))
    expect(new Set(archived.map(({ visState }) => visState))).toEqual(new Set([2]))
    const [target] = archived
    const found = await list(new SearchQueryBuilder().in('userids', [Number(target!.id)]))
    expect(found).toEqual([target])
  })
  it('creates, reads, changes, archives and deletes a client', async () => {
    const { sdk } = await connect()
    const given = { fName: 'Ada', lName: 'Byron', organization: 'Engines', email: 'ada@example.com', pCity: 'London' }
    const { data: created } = await sdk.clients.create(given, accountId)
    expect(created).toMatchObject({ ...given, visState: 0, accountingSystemId: accountId })
    // One instant, which FreshBooks sends in New York and in UTC.
    expect(created!.updated).toEqual(created!.signupDate)
    expect(lacking(created)).toEqual([])
    const id = String(created!.id)
    expect((await sdk.clients.single(accountId, id)).data).toEqual(created)
    const update = async (change: object) => (await sdk.clients.update(change, accountId, id)).data
    expect(await update({ note: 'Prefers mail', organization: '' })).toMatchObject({
      note: 'Prefers mail',
      organization: '',
      fName: 'Ada',
    })
    expect(await update({ visState: 2 })).toMatchObject({ visState: 2 })
    expect((await sdk.clients.delete(accountId, id)).data).toMatchObject({ visState: 1 })
  })
  it.each(['old', 'new'] as const)('reads errors in the %s format', async (errors) => {
    const { sdk } = await connect(freshbooksSimulatorWith({ errors: errors === 'new' ? 'new' : undefined }))
    await expect(sdk.clients.single(accountId, '1')).rejects.toMatchObject({
      statusCode: '404',
      errors: [{ errorCode: 1012, field: 'userid', object: 'client', value: '1' }],
    })
    await expect(sdk.clients.create({ email: 'x' }, accountId)).rejects.toMatchObject({
      statusCode: '422',
      errors: [{ field: 'email', message: expect.any(String) }],
    })
  })
  it('exchanges a code for tokens, and renews them once', async () => {
    const { sdk, apiUrl } = await connect()
    const asked = new URL(sdk.getAuthRequestUrl(['user:profile:read', 'user:clients:read']))
    const consent = await fetch(`${apiUrl}${asked.pathname}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([...asked.searchParams, ['tenant', accountId], ['decision', 'approve']]),
    })
    const code = new URL(consent.headers.get('location')!).searchParams.get('code')!
    const first = (await sdk.getAccessToken(code))!
    expect([first.accessToken, first.refreshToken, first.accessTokenExpiresAt]).toEqual([
      sdk.accessToken,
      sdk.refreshToken,
      sdk.accessTokenExpiresAt,
    ])
    expect(first.accessTokenExpiresAt.getTime()).toBeGreaterThan(Date.now())
    expect((await sdk.clients.list(accountId)).ok).toBe(true)
    await expect(sdk.clients.create({ organization: 'X' }, accountId)).rejects.toMatchObject({ statusCode: '403' })
    const second = (await sdk.refreshAccessToken())!
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect((await sdk.users.me()).ok).toBe(true)
    await expect(sdk.refreshAccessToken(first.refreshToken)).rejects.toMatchObject({ statusCode: '401' })
  })
})
