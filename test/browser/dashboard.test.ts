// @module-tag chromium
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardSession, openDashboard, settled, visit, widthsFor } from './dashboard-session.ts'
import { openAfresh } from './open-afresh.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard()
})
afterAll(() => session?.close())

const address = (path: string) => `${session.service.url}/dashboard/w/sandbox${path}`
const secretOf = (page: Page) => textOf(page, '.secret-value code', -1)
const textOf = async (page: Page, selector: string, index = 0) =>
  (await page.locator(selector).nth(index).textContent()) as string
const dismiss = (page: Page) => page.getByRole('button', { name: 'I saved it' }).click()

describe.each(widthsFor('dashboard'))('at %s width', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await session.open(width)
    await session.signIn(page)
  })

  test('a wrong password is rejected with a reason, and a page requested without a session opens after sign-in', async () => {
    const stranger = await session.open(width)
    await stranger.goto(address('/errors?search=unknown'))
    await stranger.getByLabel('User').fill('admin')
    await stranger.getByLabel('Password').fill('not it')
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.getByRole('alert').waitFor()
    expect(await stranger.getByRole('alert').textContent()).toBe('The user name or password is incorrect.')
    await stranger.getByLabel('Password').fill(session.service.sandboxFile().dashboard.password)
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.waitForURL(/errors\?search=unknown/)
    await stranger.getByText('unknown_account').waitFor()
    const cookies = await stranger.context().cookies()
    expect(cookies.find(({ name }) => name === 'unirec_session')).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(
      await stranger.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })'),
    ).not.toMatch(/urses_/)
    await stranger.context().close()
  })

  test('an access id is created and rotated: the secret is shown once, and the old one stops working', async () => {
    const name = `Import ${width}`
    const token = async (id: string, secret: string) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
      return (
        await fetch(`${session.service.url}/api/1.0/standalone-link-engine-service/oauth/server/access-token`, {
          method: 'POST',
          body,
        })
      ).status
    }
    await visit(page, address('/credentials'))
    await page.getByRole('button', { name: 'Create access ID' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const id = await textOf(page, '.secret-value code')
    const first = await secretOf(page)
    await page.keyboard.press('Escape')
    expect(await page.getByText('Shown only once').isVisible()).toBe(true)
    await dismiss(page)
    expect(await token(id, first)).toBe(200)

    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    await page.getByText('stop working immediately').waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('The old secret no longer works').waitFor()
    const second = await secretOf(page)
    await dismiss(page)
    expect(await token(id, first)).toBe(401)
    expect(await token(id, second)).toBe(200)
  })

  test('an account shows the calls of its last 24 hours, if the platform limits them', async () => {
    const { url, sandboxFile } = session.service
    const id = 'sandbox-zoho-books-accounting'
    const headers = { authorization: `Bearer ${sandboxFile().apiKey}` }
    await fetch(`${url}/unified/${id}/customer?pageSize=1`, { headers })
    const { dailyLimit } = (await (await fetch(`${url}/unified/${id}`, { headers })).json()) as {
      dailyLimit: { used: number }
    }
    await visit(page, address(`/accounts/${id}`))
    await page.getByText(`${dailyLimit.used} of 5,000; the oldest expire in `).waitFor()
    await openAfresh(page, address(''), '/accounts/sandbox-square-restaurant')
    await page.getByText('Rate limit', { exact: true }).waitFor()
    expect(await page.getByText('Calls in 24 hours').count()).toBe(0)
  })

  test('an API key is created, limited, and revoked by typing its name', async () => {
    await visit(page, address('/credentials/api-keys'))
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByLabel('Name').fill(`Key ${width}`)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const key = await secretOf(page)
    await dismiss(page)
    const read = () =>
      fetch(`${session.service.url}/unified/sandbox-square-restaurant/product?pageSize=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
    expect((await read()).status).toBe(200)
    const actions = page.getByRole('button', { name: `Actions for Key ${width}` })
    const row = page.getByRole('row').filter({ has: actions })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Edit scopes and limits' }).click()
    await page.getByLabel('Native calls').check()
    await page.getByText('Limits', { exact: true }).click()
    await page.getByLabel('Orders').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('cannot limit native', { exact: false }).waitFor()
    await page.getByLabel('Native calls').uncheck()
    await page.getByLabel('Expires').selectOption('In 90 days')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`Key ${width} saved`).waitFor()
    for (const shown of ['records:read', 'Only order', 'Expires', '127.0.0.1'])
      expect(await row.textContent()).toContain(shown)
    expect((await read()).status).toBe(403)
    await actions.click()
    await page.getByRole('menuitem', { name: 'Revoke API key' }).click()
    const revoke = page.getByRole('button', { name: 'Revoke API key' })
    expect(await revoke.isDisabled()).toBe(true)
    await page.getByLabel(/to confirm/).fill(`Key ${width}`)
    await revoke.click()
    await page.getByText(`Key ${width} revoked`).waitFor()
    expect((await read()).status).toBe(401)
  })

  test('a platform with keys is connected by its form, an invalid field is marked, and the connection test succeeds', async () => {
    const { credentials, settings } = await session.tenant('woocommerce')
    await visit(page, address('/accounts'))
    await page.getByRole('link', { name: 'Connect account' }).click()
    await page.getByRole('link', { name: /WooCommerce/ }).click()
    await page.getByLabel('Name').fill(`Shop ${width}`)
    await page.getByLabel('Consumer key').fill(credentials.consumerKey as string)
    await page.getByRole('button', { name: 'Connect account' }).click()
    await page.getByText('is required by WooCommerce').first().waitFor()
    await page.getByLabel('Consumer secret').fill(credentials.consumerSecret as string)
    await page.getByLabel(/Store address/).fill(settings.shop as string)
    await page.getByRole('button', { name: 'Connect account' }).click()
    await page.getByRole('heading', { name: `Shop ${width}` }).waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Connection OK').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Disable account' }).click()
    await page.getByRole('button', { name: 'Disable account' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
  })

  test('an owner connects an OAuth platform through a connect link and the consent page of the simulator', async () => {
    await visit(page, address('/accounts/connect?by=link&platform=square'))
    await page.getByLabel('Account name (optional)').fill(`Bistro ${width}`)
    await page.getByRole('button', { name: 'Create connect link' }).click()
    const link = await textOf(page, '.code code')
    await page.getByText(/It connects one account and expires in 1 hr\.$/).waitFor()
    // The consent page is on another origin, so it is opened in an unmonitored page.
    const context = await session.browser.newContext({ viewport: page.viewportSize() })
    const owner = await context.newPage()
    await owner.goto(link)
    await owner.locator('a[href$="/restaurant"]').click()
    await owner.getByRole('button', { name: 'Continue to Square' }).click()
    await owner
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click()
    await owner.waitForURL(/\/connect\/[^/]+\/done$/)
    await context.close()
    await visit(page, address('/accounts?search=Bistro'))
    await page.getByRole('link', { name: new RegExp(`Bistro ${width}`) }).click()
    await page.getByText('Active', { exact: true }).waitFor()
  })

  test('a link fixes platform, vertical, account id and state, and the owner connects with sandbox keys', async () => {
    await visit(page, address('/accounts/connect?by=link&platform=bigcommerce'))
    await page.getByRole('combobox', { name: 'Platform' }).selectOption('square')
    await page.getByRole('combobox', { name: 'Vertical' }).selectOption('retail_pos')
    await page.getByText('More options').click()
    const accountId = page.getByLabel('Account ID (optional)')
    await accountId.fill('sandbox-square-restaurant')
    await page.getByLabel('State (optional)').fill(`customer ${width}`)
    await page.getByLabel('Purpose (optional)').fill('Stock levels')
    await page.getByRole('button', { name: 'Create connect link' }).click()
    await page.locator('.field', { has: accountId }).getByText('is already the id of an account').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toContain('/newAccountId')
    await accountId.fill(`fixed-${width}`)
    await page.getByRole('button', { name: 'Create connect link' }).click()
    const link = await textOf(page, '.code code')
    const { data } = await session.manage<{ data: { newAccountId?: string }[] }>('GET', '/connect-links?limit=100')
    expect(data.find(({ newAccountId }) => newAccountId === `fixed-${width}`)).toMatchObject({
      platforms: ['square'],
      vertical: 'retail_pos',
      state: `customer ${width}`,
      purpose: 'Stock levels',
    })
    const owner = await session.open(width)
    await owner.goto(link)
    await owner.getByText('Purpose: Stock levels').waitFor()
    await owner.getByRole('link', { name: 'Use instead: Access token' }).click()
    await owner.getByRole('button', { name: 'Use sandbox keys' }).click()
    await owner.getByText('Square is connected.').waitFor()
    await owner.context().close()
    await visit(page, address(`/accounts/fixed-${width}`))
    await page.getByText('Active', { exact: true }).waitFor()

    await visit(page, address('/accounts/connect?platform=woocommerce'))
    await page.getByRole('button', { name: 'Use sandbox keys' }).click()
    const { credentials } = await session.tenant('woocommerce')
    expect(await page.getByLabel('Consumer key').inputValue()).toBe(credentials.consumerKey)
  })

  test('a request is found in Activity by its id, and shows its trace', async () => {
    const { apiKey } = session.service.sandboxFile()
    const response = await fetch(`${session.service.url}/unified/sandbox-clover-restaurant/order?pageSize=2`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const requestId = response.headers.get('x-request-id') as string
    await expect.poll(() => known(page, requestId)).toBe(200)
    await visit(page, address('/activity'))
    await settled(page)
    await page.getByLabel('Search').fill(requestId)
    await page.waitForURL(new RegExp(`search=${requestId}`))
    await page.locator(`a[href$="/${requestId}"]`, { hasText: 'List order' }).click()
    await page.getByRole('heading', { name: 'Trace', exact: true }).waitFor()
    const call = page.locator('.waterfall-call').first()
    await call.locator('summary').click()
    await call.getByRole('heading', { name: 'Response' }).waitFor()
    expect(await page.content()).not.toContain(apiKey)
    await page.goBack()
    await page.waitForURL(new RegExp(`search=${requestId}`))
  })

  test('the palette opens with the keyboard and finds an account and a pasted request id', async () => {
    await visit(page, address(''))
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('toast sand')
    await page.getByRole('option', { name: /Toast sandbox/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Toast sandbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('req_0123456789')
    await page.keyboard.press('Enter')
    await page.getByText('There is no such request, or it is no longer kept.').waitFor()
  })

  test('references are linked, imported with progress, and found', async () => {
    await visit(page, address('/accounts/sandbox-shopify-retail_pos/references'))
    await page.getByRole('button', { name: 'Import CSV' }).first().click()
    const lines = Array.from({ length: 300 }, (_, index) => `product,${width}-${index},native-${width}-${index}`)
    await page
      .getByLabel('Or paste CSV')
      .fill(['entityType,sourceId,nativeId', ...lines, 'product,,missing'].join('\n'))
    await page.getByRole('button', { name: 'Import 301 lines' }).click()
    await page.getByText('300 linked, 1 rejected').first().waitFor()
    await page.getByLabel('Search references').fill(`${width}-299`)
    await page.getByText(`native-${width}-299`).first().waitFor()
  })

  test('locations are offered by name, in a link of an ID and in the settings of an account', async () => {
    const account = '/accounts/sandbox-square-restaurant'
    await visit(page, address(`${account}/references`))
    await page.getByRole('button', { name: 'Link an ID' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Link an ID' })
    await dialog.getByLabel('Entity type').selectOption('Location')
    await dialog.getByLabel('Your ID').fill(`shop-${width}`)
    const offered = dialog.getByLabel('Location', { exact: true })
    await offered.locator('option').nth(1).waitFor({ state: 'attached' })
    const [, first = ''] = await offered.locator('option').allTextContents()
    const [, id = ''] = /^.+ \((\w+)\)$/.exec(first) ?? []
    await offered.selectOption(first)
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await page.getByText(`shop-${width} linked`).waitFor()
    await page.getByText(id).first().waitFor()
    await visit(page, address(`${account}/settings`))
    await page.getByLabel('Location ID').locator(`option[value=${id}]`).waitFor({ state: 'attached' })
    expect(await page.getByLabel('Location ID').locator('option').allTextContents()).toContain(first)
  })
})

describe('at desktop width', () => {
  let page: Page
  beforeAll(async () => {
    page = await session.open('desktop')
    await session.signIn(page)
  })

  test('the audit log finds entries by text and by action, shows its entry, verifies the chain, and is exported', async () => {
    const { id } = await session.manage<{ id: string }>('POST', '/access-ids', { name: 'Audited' })
    await session.manage('DELETE', `/access-ids/${id}`)
    await visit(page, address('/audit'))
    await page.getByText(/^Chain verified: \d+ entries$/).waitFor()
    await page.getByLabel('Search').fill(id.toUpperCase())
    const rows = page.getByRole('row').filter({ hasText: id })
    await page.waitForURL(/search=/)
    await page.getByRole('row').nth(3).waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(2)
    await page.getByRole('link', { name: 'Revoke access ID' }).click()
    const entry = page.getByRole('dialog')
    await entry.getByText('Hash of the entry before').waitFor()
    await entry.getByRole('button', { name: 'Only these: same action' }).click()
    await page.waitForURL(/action=revokeAccessId/)
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /CSV/ }).click()
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`revokeAccessId,"{""id"":""${id}""}",ok`)
    await visit(page, address('/audit/installation?action=logIn'))
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  })

  test('a write with an unknown outcome is shown with its call, and settled after a confirmation', async () => {
    const account = 'sandbox-square-restaurant'
    await session.control('POST', '/square/faults', {
      kind: 'unavailable',
      method: 'POST',
      path: '/v2/customers',
      times: 1,
    })
    const call = { method: 'POST', path: '/v2/customers', body: { given_name: 'Lost' }, externalId: 'LOST-1' }
    const make = () => session.manage('POST', `/accounts/${account}/explorer/native`, call)
    await expect(make()).rejects.toThrow('outcome_unknown')
    await visit(page, address('/writes'))
    await page.getByRole('row', { name: /Native call LOST-1/ }).click()
    await page.getByText('Square cannot say what became of this write').waitFor()
    await page.getByText('POST /v2/customers').waitFor()
    // Until then a call may still take effect, and the service refuses.
    const path = `/accounts/${account}/writes/${page.url().split('/').at(-1)}`
    await expect.poll(() => session.manage<object>('GET', path)).not.toHaveProperty('effectiveUntil')
    await page.getByRole('button', { name: 'Mark as not written' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Check at Square first that it had no effect.').waitFor()
    await dialog.getByRole('button', { name: 'Mark as not written' }).click()
    await page.getByText('Every write is settled').waitFor()
    expect(await make()).toMatchObject({ status: 200 })
  })

  test('a person is counted, and erased by typing the id; a test workspace is created and shown as one', async () => {
    await visit(page, address('/accounts/sandbox-square-restaurant/settings'))
    await page.getByLabel('Platform ID').fill('NO-SUCH-PERSON')
    await page.getByRole('button', { name: 'Count entries' }).click()
    const reports = page.getByRole('list', { name: 'Erasures' })
    await reports.getByText('Count: done').waitFor()
    await page.getByRole('button', { name: 'Erase person' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Erase person' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/to confirm/).fill('NO-SUCH-PERSON')
    await dialog.getByRole('button', { name: 'Erase person' }).click()
    await reports.getByText('Erasure: done').waitFor()
    await reports.getByText('Nothing is stored of this ID.').first().waitFor()
    await page.getByRole('button', { name: /switch or create/ }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).click()
    await dialog.getByLabel('Name').fill('Staging')
    await dialog.getByLabel('Test workspace').check()
    await dialog.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('button', { name: 'Workspace Staging (test): switch or create' }).waitFor()
    await visit(page, `${page.url().replace(/\/$/, '')}/settings`)
    await page.getByText('This is a test workspace').waitFor()
    await page.getByRole('button', { name: 'Allow production' }).click()
    await page.getByRole('button', { name: 'Mark as test' }).waitFor()
  })

  test('settings: return URLs are checked by line and saved, and the retention says what applies', async () => {
    await visit(page, address('/settings'))
    await page.getByLabel('Allowed return URLs').fill('https://app.example.com/done\nftp://files.example.com')
    await page.getByRole('button', { name: 'Save return URLs' }).click()
    await page.getByText('ftp://files.example.com must be an https URL').waitFor()
    await page.getByLabel('Allowed return URLs').fill('https://app.example.com/done')
    await page.getByRole('button', { name: 'Save return URLs' }).click()
    await page.getByText('Return URLs saved').waitFor()
    await page.getByLabel('Days of activity').fill('3')
    await page.getByRole('button', { name: 'Save retention' }).click()
    await page.getByText('Retention saved').waitFor()
    expect(await session.manage('GET', '/settings')).toMatchObject({
      returnUrls: ['https://app.example.com/done'],
      retention: { activity: 3, activityMost: 14 },
    })
    await session.manage('PUT', '/settings', { returnUrls: [] })
  })

  test('a migration is planned, started, stopped, continued after a reload, and reported with names', async () => {
    const choose = async (label: string, name: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('combobox', { name: label, exact: true }).fill(name)
      await page.getByRole('option', { name: new RegExp(name) }).click()
    }
    await visit(page, address('/migrations'))
    await page.getByRole('link', { name: 'New migration' }).first().click()
    await choose('From', 'sandbox-clover-restaurant')
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('sandbox-clover-restaurant')
    await page.getByText('No accounts match.').waitFor()
    await choose('To', 'sandbox-square-restaurant')
    for (const name of ['Products', 'Customers', 'Employees', 'Orders'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await page.getByRole('button', { name: 'Plan migration' }).click()
    await page.getByText('Ready to run').waitFor()
    const planned = Number(
      await page
        .getByRole('row', { name: /^Categories/ })
        .getByRole('cell')
        .nth(2)
        .textContent(),
    )
    expect(planned).toBeGreaterThan(0)

    // Nothing can be written until the fault is gone.
    await session.control('POST', '/square/faults', { kind: 'unavailable', method: 'POST', path: '/v2/catalog/object' })
    await page.getByRole('button', { name: 'Start migration' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start migration' }).click()
    await page.getByText('Writing categories').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Continue at any time: nothing is written twice.').waitFor()
    await session.control('DELETE', '/square/faults')
    await page.reload()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Nothing is missing, nothing is doubled, and every difference has its reason').waitFor()
    const cells = page.getByRole('row', { name: /^Categories/ }).getByRole('cell')
    expect((await cells.allTextContents()).slice(1, 3)).toEqual([String(planned), String(planned)])
    const { data } = await session.manage<{ data: { id: string }[] }>('GET', '/migrations')
    const { report } = await session.manage<{ report: { entities: { differences: object[] }[] } }>(
      'GET',
      `/migrations/${data[0]?.id}`,
    )
    const shown = report.entities[0]?.differences.filter((one) => !JSON.stringify(one).includes('"added"')) ?? []
    for (const one of shown as { examples: { name: string }[] }[])
      await page
        .getByText(one.examples[0]?.name as string)
        .first()
        .waitFor()

    // The steps are links, and what is done can be deleted.
    await page.getByRole('navigation', { name: 'Steps of the migration' }).getByRole('link', { name: 'Plan' }).click()
    await page.getByText('at the limits of both platforms').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete migration' }).click()
    await page.getByText('Move a business to another system').waitFor()
  })
})

const known = (page: Page, requestId: string) =>
  page.evaluate(async (id) => (await fetch(`/manage/v1/workspaces/sandbox/activity/${id}`)).status, requestId)
