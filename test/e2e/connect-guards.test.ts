// Attacks on connect links, and their outcome.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sealState } from '../../src/accounts/oauth-state.ts'
import { freshbooksSimulatorWith } from '../../src/platforms/freshbooks/simulator/simulator.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createVault } from '../../src/store/vault.ts'
import { createBrowser, formsIn } from '../connect-browser.ts'
import { agree, back, type ConnectService, createConnectService, tenantNamed, toConsent } from '../connect-service.ts'
import { inOrder } from '../in-order.ts'

const names = ['square', 'shopify', 'quickbooks-online', 'zoho-books', 'woocommerce']
let connect: ConnectService
beforeAll(async () => {
  const some = Object.fromEntries(Object.entries(simulators).filter(([name]) => names.includes(name)))
  connect = await createConnectService({ ...some, freshbooks: freshbooksSimulatorWith({ businesses: 2 }) })
})
afterAll(() => connect.close())

const square = tenantNamed('square restaurant')
/** The callback URL that the platform redirects the customer to, before it is opened. */
async function callbackFor(one = square, options: object = {}) {
  const browser = createBrowser()
  const link = await connect.newLink({ platforms: [one.connector.id], ...options })
  const callback = (
    await agree(browser, await toConsent(connect, browser, link.url, one), one.vertical, 'approve', true)
  ).url
  return { browser, link, callback: new URL(callback) }
}
const exchanges = (platform: string) =>
  connect.sandbox.calls(platform).filter(({ method, path }) => method === 'POST' && /token|bearer/.test(path))

describe('the callback from the platform', () => {
  it('is processed once: a second click, concurrent or later, shows the success of the first', async () => {
    const { browser, callback } = await callbackFor()
    const before = (await connect.accounts()).length
    const shown = await Promise.all([browser.open(callback.href), browser.open(callback.href)])
    const later = await browser.open(callback.href)
    expect([...shown, later].map(({ status, text }) => [status, text.includes('Square is connected')])).toEqual([
      [200, true],
      [200, true],
      [200, true],
    ])
    expect((await connect.accounts()).length).toBe(before + 1)
  })
  it('requires the cookie of the browser that started the attempt', async () => {
    const { callback, browser } = await callbackFor()
    const before = exchanges('square').length
    expect([(await createBrowser().open(callback.href)).status, exchanges('square').length]).toEqual([403, before])
    expect((await browser.open(callback.href)).status).toBe(200) // the right browser can still continue
  })
  it('rejects a missing state and a state of another link, of another key, or of a replaced attempt', async () => {
    const first = await callbackFor()
    const second = await callbackFor()
    const swapped = new URL(first.callback)
    swapped.searchParams.set('state', second.callback.searchParams.get('state') as string)
    expect((await first.browser.open(swapped.href)).status).toBe(403)
    const forged = new URL(first.callback)
    const token = first.link.url.split('/').at(-1) as string
    forged.searchParams.set(
      'state',
      sealState(createVault([Buffer.alloc(32)]), {
        workspaceId: connect.workspaceId,
        linkId: first.link.id,
        attemptId: 'try_x',
        token,
      }),
    )
    expect((await first.browser.open(forged.href)).status).toBe(400)
    forged.searchParams.delete('state')
    expect((await first.browser.open(forged.href)).status).toBe(400)
    await toConsent(connect, first.browser, first.link.url, square)
    const stale = await first.browser.open(first.callback.href)
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('Another attempt')])
  })
  it('fails after the link was revoked and creates no account', async () => {
    const { browser, callback, link } = await callbackFor()
    const before = (await connect.accounts()).length
    expect((await connect.manage('DELETE', `/workspaces/${connect.workspaceId}/connect-links/${link.id}`)).status).toBe(
      204,
    )
    expect([(await browser.open(callback.href)).status, (await connect.accounts()).length]).toEqual([410, before])
  })
  it('reports a code that the platform rejects, and the link can be used again', async () => {
    const { browser, callback, link } = await callbackFor()
    callback.searchParams.set('code', 'not-a-code')
    const shown = await browser.open(callback.href)
    expect([shown.status, shown.text]).toEqual([
      422,
      expect.stringContaining('Square did not accept the authorization'),
    ])
    expect((await browser.open(link.url)).status).toBe(200)
  })
})

describe('a new authorization', () => {
  const apiOf = { kind: 'error_before', path: '/v2/' } as const
  it('is tested with a real read: a failing platform changes nothing, and the link works again afterwards', async () => {
    const { browser, callback, link } = await callbackFor(square, { newAccountId: 'tested' })
    connect.sandbox.fault('square', apiOf)
    const failed = await browser.open(callback.href)
    connect.sandbox.clearFaults('square')
    expect([failed.status, failed.text]).toEqual([422, expect.stringContaining('is unreachable or returned an error')])
    expect([failed.text.includes('is connected'), await connect.service.store.accounts.get('tested')]).toEqual([
      false,
      undefined,
    ])
    const done = await agree(browser, await toConsent(connect, browser, link.url, square), 'restaurant')
    expect([done.status, done.text.includes('Square is connected'), done.text.includes('Not connected')]).toEqual([
      200,
      true,
      false,
    ])
    expect((await connect.service.store.accounts.get('tested'))?.state).toBe('active')
  })
  it('without read access is rejected with a reason', async () => {
    const { browser, callback } = await callbackFor(square, { newAccountId: 'useless' })
    connect.sandbox.fault('square', { kind: 'forbidden', path: '/v2/' })
    const failed = await browser.open(callback.href)
    connect.sandbox.clearFaults('square')
    expect([failed.status, failed.text]).toEqual([
      422,
      expect.stringContaining('Square did not accept the authorization'),
    ])
    expect([failed.text.includes('test=false'), await connect.service.store.accounts.get('useless')]).toEqual([
      false,
      undefined,
    ])
  })
})

describe('values of the redirect select hosts, so they are checked before the secret is sent', () => {
  it.each([
    ['quickbooks-online accounting', 'realmId', '../../evil'],
    ['quickbooks-online accounting', 'realmId', undefined],
    ['zoho-books accounting', 'accounts-server', 'https://accounts.zoho.evil.example'],
    ['zoho-books accounting', 'accounts-server', undefined],
    ['shopify retail_pos', 'shop', 'evil.myshopify.com'],
    ['shopify retail_pos', 'hmac', '00'.repeat(32)],
    ['shopify retail_pos', 'hmac', undefined],
    ['shopify retail_pos', 'timestamp', '1'],
  ])('%s with another %s (%s) is rejected', async (name, parameter, value) => {
    const one = tenantNamed(name)
    const { browser, callback } = await callbackFor(one)
    const before = exchanges(one.connector.id).length
    if (value === undefined) callback.searchParams.delete(parameter)
    else callback.searchParams.set(parameter, value)
    const shown = await browser.open(callback.href)
    expect([shown.status, shown.text, exchanges(one.connector.id).length]).toEqual([
      422,
      expect.stringContaining('cannot be accepted'),
      before,
    ])
  })
})

it('if the authorization covers several businesses, the customer chooses one', async () => {
  const freshbooks = tenantNamed('freshbooks accounting')
  const { browser, callback, link } = await callbackFor(freshbooks, { returnUrl: back })
  const question = await browser.open(callback.href)
  expect([question.status, question.text]).toEqual([200, expect.stringContaining('Harbor Books')])
  expect((await createBrowser().open(`${link.url}/choose`)).status).toBe(403)
  const [form] = formsIn(question)
  expect((await browser.submit(form!)).status).toBe(422)
  const returned = new URL((await browser.submit(form!, { accountId: 'LJArJ4' })).url)
  const account = await connect.service.store.accounts.get(returned.searchParams.get('accountId') as string)
  expect(account).toMatchObject({ settings: { accountId: 'LJArJ4' }, auth: 'oauth2', state: 'active' })
})

describe('an account that is reconnected', inOrder, () => {
  it('keeps its id, its keys and its settings, and works', async () => {
    const { browser, callback } = await callbackFor(square, { newAccountId: 'again' })
    await browser.open(callback.href)
    const keys = await connect.service.store.mappingKeys.list('again')
    await connect.service.store.accounts.update('again', {
      state: 'reconnect_required',
      stateReason: 'revoked',
      credentials: { accessToken: 'dead' },
    })
    const link = await connect.newLink({ accountId: 'again' })
    const done = await agree(browser, await toConsent(connect, browser, link.url, square), 'restaurant')
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Square is connected')])
    expect(await connect.service.store.accounts.get('again')).toMatchObject({ state: 'active', auth: 'oauth2' })
    expect(await connect.service.store.mappingKeys.list('again')).toEqual(keys)
  })
  it('cannot become another business and survives wrong keys', async () => {
    const before = await connect.service.store.accounts.get('again')
    const browser = createBrowser()
    const { url } = await connect.newLink({ accountId: 'again' })
    const other = await agree(browser, await toConsent(connect, browser, url, square), 'retail_pos')
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('different business')])
    const form = formsIn(await browser.open(`${url}/square/restaurant?method=static`)).find(
      ({ method }) => method === 'POST',
    )
    const wrong = await browser.submit(form!, { accessToken: 'wrong' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('did not accept these credentials')])
    expect(await connect.service.store.accounts.get('again')).toEqual(before)
  })
})

it('a reconnected account keeps its organization: the customer cannot choose another one', async () => {
  const zoho = tenantNamed('zoho-books accounting')
  const { browser, callback } = await callbackFor(zoho, { newAccountId: 'books' })
  await browser.open(callback.href)
  const { settings } = (await connect.service.store.accounts.get('books'))!
  // The customer has lost access to it.
  await connect.service.store.accounts.update('books', { settings: { ...settings, organizationId: '77' } })
  const before = await connect.service.store.accounts.get('books')
  const { url } = await connect.newLink({ accountId: 'books' })
  const shown = await agree(browser, await toConsent(connect, browser, url, zoho), 'accounting')
  expect([shown.status, shown.text]).toEqual([422, expect.stringContaining('Organization')])
  expect(formsIn(shown)).toEqual([])
  expect(await connect.service.store.accounts.get('books')).toEqual(before)
})

it('a customer sees, reconnects and ends the connection on its own page', async () => {
  const { store } = connect.service
  const { settings, credentials } = connect.tenantOf(tenantNamed('woocommerce retail_pos'))
  const values = { ...settings, ...credentials }
  const first = await connect.newLink({
    platforms: ['woocommerce'],
    newAccountId: 'own-page',
    accountName: 'Corner <3',
  })
  const connecting = createBrowser()
  const connected = await connecting.submit(formsIn(await connecting.open(first.url))[0]!, values)
  expect(connected.text).toContain('WooCommerce is connected')
  const link = await connect.newLink({ accountId: 'own-page', manage: true })
  const token = link.url.split('/').at(-1) as string
  const browser = createBrowser()
  const shown = await browser.open(link.url)
  expect([shown.url, shown.text]).toEqual([
    `${connect.service.url()}/connect/account`,
    expect.stringMatching(/Corner &lt;3[\s\S]*has access to your data at WooCommerce[\s\S]*Status: active/),
  ])
  expect(shown.text).not.toContain(token)
  // The cookie is the permission, and the link connects nothing itself.
  expect((await createBrowser().open(shown.url)).status).toBe(404)
  expect((await browser.open(`${connect.service.url()}/connect/${token}`)).status).toBe(404)
  expect((await browser.open((await connect.newLink()).url.replace('/connect/', '/connect/account/'))).status).toBe(404)

  const again = await browser.submit(formsIn(shown)[0]!)
  expect((await browser.submit(formsIn(again)[0]!, values)).text).toContain('WooCommerce is connected')

  const question = await browser.open(`${shown.url}/end`)
  expect([question.text.includes('End the connection to WooCommerce?'), formsIn(question).length]).toEqual([true, 1])
  expect((await browser.submit(formsIn(question)[0]!, { csrf: '' })).status).toBe(403)
  expect((await store.accounts.get('own-page'))?.state).toBe('active')
  expect((await browser.submit(formsIn(question)[0]!)).text).toContain('The connection was ended')
  expect(await store.accounts.get('own-page')).toMatchObject({
    credentials: {},
    state: 'reconnect_required',
    stateReason: 'the customer ended the connection',
  })
  const { data } = (await connect.manage('GET', `/audit?scope=${connect.workspaceId}&action=endConnection`)).body
  expect(data).toMatchObject([{ actor: `connect link ${link.id}`, object: { id: 'own-page' }, outcome: 'ok' }])

  // What it ended, the customer can connect again, until the link is revoked.
  const back = await browser.submit(formsIn(await browser.open(shown.url))[0]!)
  expect((await browser.submit(formsIn(back)[0]!, values)).text).toContain('WooCommerce is connected')
  expect((await store.accounts.get('own-page'))?.state).toBe('active')
  await connect.manage('DELETE', `/workspaces/${connect.workspaceId}/connect-links/${link.id}`)
  expect((await browser.open(shown.url)).status).toBe(410)
  expect(connect.logged()).not.toContain(token)
  for (const body of [{ manage: true }, { manage: true, accountId: 'own-page', returnUrl: 'https://app.example.com' }])
    expect(await connect.manage('POST', `/workspaces/${connect.workspaceId}/connect-links`, body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/manage' }] },
    })
})

describe('pages without a session', () => {
  it('list the platforms, find one by name, and ask for the vertical if there are two', async () => {
    const browser = createBrowser()
    const { url } = await connect.newLink()
    const shown = await browser.open(url)
    for (const name of ['Square', 'WooCommerce', 'Toast', 'Xero']) expect(shown.text).toContain(name)
    expect(shown.text).not.toContain('Zoho Inventory') // only OAuth, and no application for it
    expect(shown.text).toContain('Corner &amp; Co &lt;b&gt;')
    const found = await browser.open(`${url}?q=woo`)
    expect([found.text.includes('WooCommerce'), found.text.includes('Square')]).toEqual([true, false])
    expect((await browser.open(`${url}/square`)).text).toContain(`${new URL(url).pathname}/square/retail_pos`)
  })
  it('are not cached, not framed, run no script, and submit forms only to allowed origins', async () => {
    const { url } = await connect.newLink({ platforms: ['woocommerce'], returnUrl: back })
    const { headers, text } = await createBrowser().open(url)
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-frame-options')]).toEqual([
      'no-store',
      'no-referrer',
      'DENY',
    ])
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:\/\/app\.example\.com; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(text).not.toMatch(/<script|style="|(src|href)="https?:/)
  })
  it('are in the language of the browser, or of the link, also after a failed attempt', async () => {
    const { url } = await connect.newLink({ platforms: ['woocommerce'] })
    const german = await fetch(`${url}/woocommerce/retail_pos`, { headers: { 'accept-language': 'de-CH, en;q=0.5' } })
    expect([german.headers.get('content-language'), await german.text()]).toEqual([
      'de',
      expect.stringMatching(/<html lang="de">[\s\S]*WooCommerce verbinden[\s\S]*Abbrechen/),
    ])
    const browser = createBrowser()
    const [form] = formsIn(await browser.open(`${url}?lang=fr`))
    const missing = await browser.submit(form!)
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('Consumer key est obligatoire.')])
    const { settings } = connect.tenantOf(tenantNamed('woocommerce retail_pos'))
    const wrong = await browser.submit(form!, { ...settings, consumerKey: 'ck_no', consumerSecret: 'cs_no' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('WooCommerce n’a pas accepté')])
    const lost = await browser.open(`${connect.service.url()}/connect/callback?state=none`)
    expect([lost.status, lost.text]).toEqual([400, expect.stringContaining('Recommencez')])
  })
  it('show who asks and why, with the logo and color of the workspace', async () => {
    const branding = `/workspaces/${connect.workspaceId}/branding`
    const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64')}`
    const put = (body: object) => connect.manage('PUT', branding, body)
    for (const [body, pointer] of [
      [{ logo: `data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"/>')}` }, '/logo'],
      [{ logo: png.replace('png', 'jpeg') }, '/logo'],
      [
        {
          logo: `data:image/png;base64,${Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(65_536)]).toString('base64')}`,
        },
        '/logo',
      ],
      [{ color: '#ffcc00' }, '/color'],
      [{ color: 'red' }, '/color'],
      [{ privacyUrl: 'javascript:alert(1)' }, '/privacyUrl'],
    ] as const)
      expect(await put(body), JSON.stringify(body).slice(0, 60)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer }] },
      })
    expect((await connect.manage('GET', branding)).body).toEqual({})
    const saved = {
      name: 'Ledger & Friends',
      logo: png,
      color: '#0a5c36',
      privacyUrl: 'https://ledger.example/privacy',
      purpose: 'Daily sales in your books',
    }
    expect(await put(saved)).toEqual({ status: 200, body: saved })
    const { headers, text } = await createBrowser().open(
      (await connect.newLink({ platforms: ['square'], vertical: 'restaurant' })).url,
    )
    for (const part of [
      `<img src="${png}" alt="">`,
      'Ledger &amp; Friends asks for access to your data at Square.',
      'Purpose: Daily sales in your books',
      'Shared data: products',
      '--brand: #0a5c36',
      'href="https://ledger.example/privacy"',
      '<svg viewBox="0 0 24 24">',
    ])
      expect(text).toContain(part)
    expect(headers.get('content-security-policy')).toMatch(/style-src '[^ ]+' '[^ ]+'; img-src data:;/)
    const link = await connect.newLink({ purpose: 'Stock <b>' })
    expect((await createBrowser().open(link.url)).text).toContain('Purpose: Stock &lt;b&gt;')
    expect(await put({})).toEqual({ status: 200, body: {} })
    expect((await createBrowser().open(link.url)).text).toContain('Corner &amp; Co &lt;b&gt; asks')
  })
  it('accept a form only from their own page in the same browser', async () => {
    const browser = createBrowser()
    const { url } = await connect.newLink({ platforms: ['woocommerce'] })
    const form = formsIn(await browser.open(url)).find(({ method }) => method === 'POST')
    const stolen = await createBrowser().submit(form!)
    const without = await browser.submit(form!, { csrf: '' })
    expect([stolen.status, without.status]).toEqual([403, 403])
  })
  it('add only a verifiable result to the return URL, also when canceled or expired', async () => {
    const browser = createBrowser()
    const link = await connect.newLink({ returnUrl: back })
    expect(Object.fromEntries(new URL((await browser.open(`${link.url}/cancel`)).url).searchParams)).toMatchObject({
      status: 'failed',
      error: 'cancelled',
    })
    const { store } = connect.service
    const { tokenHash, url } = await expiredLink()
    expect((await store.connectLinks.byToken(tokenHash))?.expiresAt).toBe('2020-01-01T00:00:00.000Z')
    const shown = await browser.open(url)
    expect([shown.status, shown.text]).toEqual([410, expect.stringContaining('has expired')])
  })
  it('never log a token', async () => {
    const { url } = await connect.newLink()
    await createBrowser().open(url)
    expect(connect.logged()).not.toContain(url.split('/').at(-1))
  })
  it('limit guesses of links', async () => {
    const own = await createConnectService({}) // which refuses this address for a while
    onTestFinished(own.close)
    const replies = []
    for (let guess = 0; guess < 31; guess++)
      replies.push((await fetch(`${own.service.url()}/connect/urcl_${'x'.repeat(43)}`)).status)
    expect([replies[0], replies.at(-1)]).toEqual([404, 429])
  })
})

async function expiredLink() {
  const { createSecret, hashSecret } = await import('../../src/accounts/secrets.ts')
  const token = createSecret('urcl')
  const tokenHash = hashSecret(token)
  await connect.service.store.connectLinks.create({
    workspaceId: connect.workspaceId,
    id: 'urlink_old',
    tokenHash,
    signingSecret: 's',
    expiresAt: '2020-01-01T00:00:00.000Z',
  })
  return { tokenHash, url: `${connect.service.url()}/connect/${token}` }
}
