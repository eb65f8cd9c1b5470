// Which scopes a customer is asked for, and what a read lacks without one of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createBrowser } from '../connect-browser.ts'
import { agree, type ConnectService, createConnectService, tenantNamed, toConsent } from '../connect-service.ts'

let connect: ConnectService
let apiKey: string
beforeAll(async () => {
  connect = await createConnectService({
    shopify: simulators.shopify!,
    'lightspeed-x': simulators['lightspeed-x']!,
  })
  const made = await connect.manage('POST', `/workspaces/${connect.workspaceId}/api-keys`, { name: 'Reader' })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  apiKey = made.body.key
})
afterAll(() => connect?.close())

// biome-ignore lint/suspicious/noExplicitAny: the cases read responses of any type
type Body = any
async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${connect.service.url()}/unified/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      prefer: 'wait=60',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const read = (path: string) => call('GET', path)
async function walk(accountId: string, entity = 'order'): Promise<{ rows: Body[]; ids: string[]; warnings: Body[][] }> {
  const rows: Body[] = []
  const warnings: Body[][] = []
  for (let query = 'pageSize=4'; query; ) {
    const { status, body } = await read(`${accountId}/${entity}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    rows.push(...body.data)
    warnings.push((body.warnings ?? []).filter(({ code }: Body) => code === 'scope_missing'))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { rows, ids: rows.map(({ externalId }) => externalId).sort(), warnings }
}
const shopify = tenantNamed('shopify retail_pos')
async function authorized(link: object, one = shopify): Promise<string> {
  const browser = createBrowser()
  const { url } = await connect.newLink(link)
  const consent = await toConsent(connect, browser, url, one)
  await agree(browser, consent, 'retail_pos')
  return new URL(consent.url).searchParams.get('scope') ?? ''
}
const app = (settings: Record<string, string>, one = shopify) => {
  const { clientId, clientSecret } = connect.tenantOf(one).credentials
  return connect.manage('PUT', `/workspaces/${connect.workspaceId}/platform-apps/${one.connector.id}`, {
    clientId,
    clientSecret,
    settings,
  })
}
const missing = {
  code: 'scope_missing',
  message: 'Shopify returns only the orders of the last 60 days. Connect the account again with read_all_orders.',
}

describe('Shopify orders older than 60 days', () => {
  const all = () => connect.tenantOf(shopify).records.order!.ids().toSorted()

  it('are missing with a warning on every page, until the operator requests read_all_orders and the customer agrees', async () => {
    const recent = await authorized({ platforms: ['shopify'], newAccountId: 'shop' })
    expect(recent).not.toContain('read_all_orders')
    const without = await walk('shop')
    expect(without.ids.length).toBe(all().length - 1)
    expect(without.warnings.length).toBeGreaterThan(1)
    for (const page of without.warnings) expect(page).toEqual([missing])
    const [old] = all().filter((id) => !without.ids.includes(id))
    expect((await read(`shop/order/${old}`)).status).toBe(404)

    expect((await app({ scopes: 'everything please' })).body.errors).toMatchObject([{ pointer: '/settings/scopes' }])
    const put = await app({ scopes: `${recent},read_all_orders` })
    expect(put.body.scopes).toContain('read_all_orders')
    expect(await authorized({ accountId: 'shop' })).toBe(`${recent},read_all_orders`)
    const everything = await walk('shop')
    expect(everything.ids).toEqual(all())
    expect(everything.warnings.flat()).toEqual([])
    expect((await read(`shop/order/${old}`)).status).toBe(200)
    // A renewed token has the same scopes.
    connect.tenantOf(shopify).expireTokens()
    expect((await walk('shop')).warnings.flat()).toEqual([])
  })

  it('are named as missing for an access token that the shop created itself, until it gets the scope', async () => {
    const token = async (scopes: string) => {
      const id = `app-with-${scopes.split(',').length}`
      await app({ scopes })
      await authorized({ platforms: ['shopify'], newAccountId: id })
      return (await connect.service.store.accounts.get(id))!.credentials.accessToken
    }
    const { shop } = connect.tenantOf(shopify).settings
    const accounts = `/workspaces/${connect.workspaceId}/accounts`
    const made = await connect.manage('POST', accounts, {
      id: 'own-token',
      platform: 'shopify',
      vertical: 'retail_pos',
      credentials: { accessToken: await token('read_orders') },
      settings: { shop },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect((await walk('own-token')).warnings[0]).toEqual([missing])
    const full = await token('read_orders,read_all_orders')
    const again = await connect.manage('POST', `${accounts}/own-token/reconnect`, {
      credentials: { accessToken: full },
    })
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    const { ids, warnings } = await walk('own-token')
    expect([ids, warnings.flat()]).toEqual([all(), []])
  })
})

describe('Lightspeed X costs', () => {
  const retail = tenantNamed('lightspeed-x retail_pos')
  it('are missing with a warning on every page, and are not changed, until the account has a scope for them', async () => {
    const requested = await authorized({ platforms: ['lightspeed-x'], newAccountId: 'retail' }, retail)
    const without = await walk('retail', 'product')
    expect(without.rows.filter((row) => 'cost' in row)).toEqual([])
    expect(without.warnings.length).toBeGreaterThan(1)
    for (const page of without.warnings)
      expect(page).toEqual([
        {
          code: 'scope_missing',
          pointer: '/cost',
          message:
            'Lightspeed returns no costs with the scopes of this account. Connect the account again with a scope for product costs.',
        },
      ])
    const [first, second] = without.rows
    const named = await call('PUT', `retail/product/${first.externalId}`, { ...first, barcode: '4006381333931' })
    expect(named.status, JSON.stringify(named.body)).toBe(200)
    const priced = await call('PUT', `retail/product/${second.externalId}`, { ...second, cost: 1234.5 })
    expect(priced.status, JSON.stringify(priced.body)).toBe(200)
    expect(priced.body.warnings).toContainEqual(expect.objectContaining({ code: 'not_stored', pointer: '/cost' }))

    await app({ scopes: `${requested} products:cost` }, retail)
    expect(await authorized({ accountId: 'retail' }, retail)).toBe(`${requested} products:cost`)
    const all = await walk('retail', 'product')
    expect(all.warnings.flat()).toEqual([])
    expect(all.rows.filter((row) => !('cost' in row) || row.cost === 1234.5)).toEqual([])
    expect(all.rows.some(({ cost }) => cost > 0)).toBe(true)
  })
})
