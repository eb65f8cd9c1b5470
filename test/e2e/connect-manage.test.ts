// How operators configure connect links, and the results.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyConnectResult } from '../../packages/client/src/index.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createBrowser, formsIn } from '../connect-browser.ts'
import { agree, back, type ConnectService, createConnectService, tenantNamed, toConsent } from '../connect-service.ts'

let connect: ConnectService
let base: string
beforeAll(async () => {
  connect = await createConnectService({ square: simulators.square!, woocommerce: simulators.woocommerce! })
  base = `/workspaces/${connect.workspaceId}`
})
afterAll(() => connect.close())

it('verifies a result with the code of the guide and with the client, and rejects one that was changed, is old, or belongs to another link', async () => {
  const [, code = ''] =
    /```js\n([\s\S]*?)```/.exec(readFileSync(join(import.meta.dirname, '../../docs/connect.md'), 'utf8')) ?? []
  const file = join(connect.dataDir, 'verify.mjs')
  writeFileSync(file, code)
  const { isGenuine } = (await import(pathToFileURL(file).href)) as {
    isGenuine(url: string, secret: string, maxAge?: number): boolean
  }
  const link = await connect.newLink({ platforms: ['square'], vertical: 'restaurant', returnUrl: back, state: 'a&b=ü' })
  const browser = createBrowser()
  const { url } = await agree(
    browser,
    await toConsent(connect, browser, link.url, tenantNamed('square restaurant')),
    'restaurant',
  )
  expect(new URL(url).searchParams.get('status')).toBe('connected')
  const changed = new URL(url)
  changed.searchParams.set('accountId', 'another')
  const more = `${url}&admin=1`
  expect([
    isGenuine(url, link.signingSecret),
    isGenuine(changed.href, link.signingSecret),
    isGenuine(more, link.signingSecret),
  ]).toEqual([true, false, false])
  expect([isGenuine(url, (await connect.newLink()).signingSecret), isGenuine(url, link.signingSecret, -1)]).toEqual([
    false,
    false,
  ])
  const { pathname, search } = new URL(url)
  const result = await verifyConnectResult(pathname + search, (id) => (id === link.id ? link.signingSecret : undefined))
  expect(result).toMatchObject({ status: 'connected', accountId: expect.any(String), linkId: link.id, state: 'a&b=ü' })
  for (const [bad, secret, maxAgeSeconds] of [
    [changed, link.signingSecret, 300],
    [more, link.signingSecret, 300],
    [url.replace(/signature=.*/, ''), link.signingSecret, 300],
    [url, 'another secret', 300],
    [url, link.signingSecret, -1],
    [url, '', 300],
  ] as const)
    await expect(verifyConnectResult(bad, secret, { maxAgeSeconds }), String(bad)).rejects.toMatchObject({
      code: 'invalid_connect_result',
    })
})

it('shows URL and secrets of a link once, and stores only a hash of its token', async () => {
  const { url, signingSecret, id } = await connect.newLink({ platforms: ['woocommerce'] })
  const shown = JSON.stringify([
    (await connect.manage('GET', `${base}/connect-links?limit=500`)).body,
    (await connect.manage('GET', `${base}/connect-links/${id}`)).body,
  ])
  const token = url.split('/').at(-1) as string
  expect([shown.includes(id), shown.includes(token), shown.includes(signingSecret)]).toEqual([true, false, false])
  expect(token.length).toBeGreaterThanOrEqual(48)
})

it.each([
  [{ platforms: ['nothing'] }, '/platforms/0'],
  [{ platforms: ['xero', 'zoho-books'] }, '/platforms/1'], // only OAuth, and no application for it
  [{ platforms: ['woocommerce'], vertical: 'accounting' }, '/platforms/0'],
  [{ accountId: 'not-there' }, '/accountId'],
  [{ returnUrl: 'http://app.example.com/' }, '/returnUrl'],
  [{ returnUrl: 'javascript:alert(1)' }, '/returnUrl'],
  [{ returnUrl: 'https://app.example.com/a\nb' }, '/returnUrl'],
  [{ returnUrl: 'https://app.example.com/?status=x' }, '/returnUrl'],
  [{ expiresInMinutes: 20_000 }, '/expiresInMinutes'],
])('rejects the link %j', async (link, pointer) => {
  const { status, body } = await connect.manage('POST', `${base}/connect-links`, link)
  expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]])
})

it('creates links only for allowed return URLs and popup origins, once a workspace has a list', async () => {
  const set = (body: object) => connect.manage('PUT', `${base}/settings`, body)
  const created = async (link: object) => (await connect.manage('POST', `${base}/connect-links`, link)).status
  const refused = await set({
    returnUrls: ['https://app.example.com/done', 'http://app.example.com', 'https://a.b/?c'],
  })
  expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/returnUrls/1',
    '/returnUrls/2',
  ])
  expect(await created({ returnUrl: 'https://elsewhere.example.com/' })).toBe(201)
  const returnUrls = ['https://app.example.com/done', 'http://localhost:3000']
  expect((await set({ returnUrls })).body).toMatchObject({ returnUrls })
  try {
    for (const [link, status] of [
      [{}, 201],
      [{ returnUrl: 'https://app.example.com/done?customer=1' }, 201],
      [{ returnUrl: 'https://app.example.com/done/now' }, 201],
      [{ returnUrl: 'http://localhost:3000/any' }, 201],
      [{ popupOrigin: 'https://app.example.com' }, 201],
      [{ returnUrl: 'https://app.example.com/donearly' }, 422],
      [{ returnUrl: 'https://app.example.com/done/../other' }, 422],
      [{ returnUrl: 'https://app.example.com.evil.example/done' }, 422],
      [{ popupOrigin: 'https://elsewhere.example.com' }, 422],
    ] as const)
      expect([link, await created(link)]).toEqual([link, status])
    const { body } = await connect.manage('POST', `${base}/connect-links`, { returnUrl: 'https://evil.example/' })
    expect(body.errors).toMatchObject([
      { pointer: '/returnUrl', message: expect.stringContaining('https://app.example.com/done') },
    ])
  } finally {
    await set({ returnUrls: [] })
  }
})

it('never shows the secret of an application, lists what to register, and passes a new secret to connected accounts', async () => {
  await connect.service.store.accounts.create({
    id: 'holder',
    workspaceId: connect.workspaceId,
    platform: 'square',
    vertical: 'restaurant',
    name: 'Holder',
    state: 'active',
    settings: {},
    auth: 'oauth2',
    credentials: { accessToken: 'a', refreshToken: 'r', clientId: 'mine', clientSecret: 'old-secret' },
  })
  const put = await connect.manage('PUT', `${base}/platform-apps/square`, {
    clientId: 'mine',
    clientSecret: 'new-secret-value',
  })
  const shown = (await connect.manage('GET', `${base}/platform-apps/square`)).body
  expect(shown).toMatchObject({
    configured: true,
    redirectUri: `${connect.service.url()}/connect/callback`,
    scopes: expect.arrayContaining(['ITEMS_READ']),
  })
  expect(JSON.stringify([put.body, shown, connect.logged()])).not.toContain('new-secret-value')
  expect((await connect.service.store.accounts.get('holder'))?.credentials).toEqual({
    accessToken: 'a',
    refreshToken: 'r',
    clientId: 'mine',
    clientSecret: 'new-secret-value',
  })
  expect(
    (
      await connect.manage('PUT', `${base}/platform-apps/shopify`, {
        clientId: 'a',
        clientSecret: 'b',
        settings: { shop: 'evil.example.com' },
      })
    ).status,
  ).toBe(422)
  expect(
    (await connect.manage('PUT', `${base}/platform-apps/toast`, { clientId: 'a', clientSecret: 'b' })).status,
  ).toBe(404)
  expect((await connect.manage('DELETE', `${base}/platform-apps/square`)).status).toBe(204)
  expect((await connect.manage('GET', `${base}/platform-apps/square`)).body.configured).toBe(false)
})

it('records in the audit log which account a link connected', async () => {
  const link = await connect.newLink({ platforms: ['woocommerce'], newAccountId: 'woo-by-link' })
  const browser = createBrowser()
  const form = formsIn(await browser.open(link.url)).find(({ method }) => method === 'POST')
  const { credentials, settings } = connect.tenantOf(tenantNamed('woocommerce retail_pos'))
  await Promise.all([
    browser.submit(form!, { ...credentials, ...settings }),
    browser.submit(form!, { ...credentials, ...settings }),
  ]) // a double click
  const { data } = await connect.service.store.audit.list(
    connect.workspaceId,
    { actor: `connect link ${link.id}` },
    { limit: 10 },
  )
  expect(data.map(({ action, object, outcome }) => [action, object, outcome])).toEqual([
    ['connectAccount', { id: 'woo-by-link' }, 'ok'],
  ])
})

it('describes the form of every platform, with a label for every field', async () => {
  const { data } = (await connect.manage('GET', '/platforms')).body as {
    data: {
      platform: string
      settings: { name: string; label: string }[]
      auth: { kind: string; asked: string[]; credentials: { label: string; secret: boolean }[] }[]
    }[]
  }
  expect(data.map(({ platform }) => platform)).toEqual(Object.keys(connectors))
  const asked = Object.fromEntries(
    data.map(({ platform, auth }) => [
      platform,
      Object.fromEntries(auth.map(({ kind, asked: names }) => [kind, names.join(' ')])),
    ]),
  )
  expect(asked).toEqual({
    square: { oauth2: '', static: '' },
    clover: { oauth2: 'apiHost loginHost', static: 'apiHost loginHost merchantId' },
    toast: { client_credentials: 'apiHost restaurantGuid' },
    'lightspeed-k': { oauth2: 'apiHost' },
    shopify: { oauth2: 'shop', client_credentials: 'shop', static: 'shop' },
    woocommerce: { basic: 'shop' },
    bigcommerce: { oauth2: 'storeHash', static: 'storeHash' },
    'lightspeed-x': { oauth2: '', static: 'domainPrefix' },
    loyverse: { oauth2: '', static: '' },
    xero: { oauth2: '', client_credentials: '' },
    'quickbooks-online': { oauth2: '' },
    'zoho-books': { oauth2: '' },
    'zoho-inventory': { oauth2: '' },
    freshbooks: { oauth2: '' },
  })
  // In the platform's terms, not in ours.
  for (const connector of Object.values(connectors)) {
    for (const auth of connector.auth)
      if (auth.kind !== 'oauth2')
        expect([connector.id, auth.kind, Boolean(auth.title && auth.words)]).toEqual([connector.id, auth.kind, true])
    for (const [name, schema] of Object.entries(connector.settings?.properties ?? {}))
      expect([connector.id, name, schema]).toEqual([
        connector.id,
        name,
        expect.objectContaining({ title: expect.any(String) }),
      ])
  }
})
