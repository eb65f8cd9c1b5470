// Connecting and reconnecting: success and failure are never shown together, errors are shown at their field, and the
// header does not shift.
// @module-tag chromium
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServiceHere } from '../service-here.ts'
import { faultsOf } from './accessibility.ts'
import { type DashboardSession, openDashboard, settled, type Width, widths, widthsFor } from './dashboard-session.ts'
import { openAfresh } from './open-afresh.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard({}, (environment) => openServiceHere(environment, platforms))
})
afterAll(() => session?.close())

const platforms = ['woocommerce', 'shopify', 'clover', 'square']
const accountId = 'sandbox-woocommerce-retail_pos'
/** The service tested the credentials, and the platform rejected them. */
const refusal = (...errors: { pointer: string; message: string }[]) => ({
  status: 422,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    status: 422,
    code: 'validation_failed',
    title: 'Validation failed',
    detail: 'WooCommerce did not accept the account.',
    requestId: 'req_refused',
    errors,
  }),
})
const testResult = (result: object) => (route: Route) => route.fulfill({ json: result })
const broken = testResult({ ok: false, code: 'downstream_error', detail: 'WooCommerce returned status 500.' })

describe.each(widthsFor('connecting'))('at %s width', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await session.open(width)
    await session.signIn(page)
  })
  afterAll(() => page?.context().close())

  const open = (path: string) => openAfresh(page, `${session.service.url}/dashboard/w/sandbox`, path)
  const state = () => page.locator('.page-state').textContent()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const toast = (text: string | RegExp) => page.locator('.toast').getByText(text)
  const alerts = () => page.getByRole('alert').count()
  async function openAccount() {
    await open(`/accounts/${accountId}`)
    await button('Test').waitFor()
  }

  test('rejected credentials are shown at their field and the input is kept; then the account is connected', async () => {
    const { credentials, settings } = await session.tenant('woocommerce')
    const created = /\/manage\/v1\/workspaces\/sandbox\/accounts$/
    await open('/accounts/connect?platform=woocommerce')
    await page.getByLabel('Name').fill(`Refused ${width}`)
    await page.getByLabel('Consumer key').fill('ck_wrong')
    await page.getByLabel('Consumer secret').fill(credentials.consumerSecret as string)
    await page.getByLabel(/Store address/).fill(settings.shop as string)

    await page.route(created, (route) =>
      route.fulfill(refusal({ pointer: '/credentials/consumerKey', message: 'is not accepted by WooCommerce' })),
    )
    await button('Connect account').click()
    const alert = page.getByRole('alert')
    await alert.getByText('Account not connected').waitFor()
    const key = page.getByLabel('Consumer key')
    expect(await key.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(':focus').getAttribute('name')).toBe('credentials-consumerKey')
    await page.locator('.field', { has: key }).getByText('Consumer key is not accepted by WooCommerce').waitFor()
    expect(await alert.textContent()).not.toContain('/credentials')
    expect(await faultsOf(page)).toEqual([])
    expect([
      await key.inputValue(),
      await page.getByLabel('Name').inputValue(),
      await page.getByLabel('Consumer secret').inputValue(),
    ]).toEqual(['ck_wrong', `Refused ${width}`, credentials.consumerSecret])
    expect(await page.locator('.toast').count()).toBe(0)

    await key.fill(credentials.consumerKey as string)
    expect(await key.getAttribute('aria-invalid')).toBe(null)
    await page.unroute(created)
    await page.route(created, (route) =>
      route.fulfill(refusal({ pointer: '/credentials', message: 'do not belong together' })),
    )
    await button('Connect account').click()
    await alert.getByText('The credentials do not belong together').waitFor()
    await page.unroute(created)
    await button('Connect account').click()
    await page.getByRole('heading', { name: `Refused ${width}` }).waitFor()
    await toast(`Refused ${width} connected`).waitFor()
    expect([await state(), await alerts()]).toEqual(['Active', 0])
  })

  test('an application requests the scopes that the operator chooses', async () => {
    const { credentials } = await session.tenant('shopify')
    await open('/platforms/shopify')
    const requested = page.getByLabel('Requested scopes')
    const save = async (scopes: string) => {
      await page.getByLabel('Client ID', { exact: true }).fill(credentials.clientId as string)
      await page.getByLabel('Client secret').fill(credentials.clientSecret as string)
      await requested.fill(scopes)
      await button('Replace').click()
    }
    const before = await requested.inputValue()
    expect(before).toContain('read_orders,write_orders')
    await save('everything')
    await page.locator('.field', { has: requested }).getByText('does not have the format that Shopify uses').waitFor()
    expect([await requested.getAttribute('aria-invalid'), await requested.inputValue()]).toEqual(['true', 'everything'])
    expect(await faultsOf(page)).toEqual([])
    await save(`${before},read_all_orders`)
    await toast('Shopify application saved').waitFor()
    await page.reload()
    await settled(page)
    expect(await requested.inputValue()).toBe(`${before},read_all_orders`)
    await save('') // the default again
    await toast('Shopify application saved').waitFor()
    expect(await requested.inputValue()).toBe(before)
    await open('/accounts/connect?platform=shopify')
    await page.getByLabel('Shop domain').first().waitFor()
    expect(await requested.count()).toBe(0)
  })

  test('a platform with regions is connected by its form', async () => {
    const { credentials, settings } = await session.tenant('clover')
    await open('/accounts/connect?platform=clover')
    await page.getByLabel('Name').fill(`Diner ${width}`)
    await page
      .getByLabel('API token')
      .last()
      .fill(credentials.accessToken as string)
    await page.getByLabel(/Merchant ID/).fill(settings.merchantId as string)
    await button('Connect account').click()
    await page.getByText('Choose the region of the business.').waitFor()
    await page.getByLabel('Region').selectOption({ index: 1 })
    await button('Connect account').click()
    await page.getByRole('heading', { name: `Diner ${width}` }).waitFor()
    await button('Test').click()
    await toast(/Connection OK/).waitFor()
  })

  test('an account in a test environment has a badge wherever it is shown', async () => {
    const { credentials } = await session.tenant('square')
    await open('/accounts/connect?platform=square')
    await page.getByLabel('Name').fill(`Rehearsal ${width}`)
    await page
      .getByLabel('Access token')
      .last()
      .fill(credentials.accessToken as string)
    const environment = page.getByLabel('Environment')
    expect(await environment.locator('option').allTextContents()).toEqual([
      'Production',
      'Square Sandbox, for developers',
    ])
    await environment.selectOption('Square Sandbox, for developers')
    await button('Connect account').click()
    await page.getByRole('heading', { name: `Rehearsal ${width}` }).waitFor()
    const badge = () => page.locator('main .tag').getByText('Test', { exact: true })
    await badge().waitFor()
    expect(await faultsOf(page)).toEqual([])
    const id = page.url().split('/').at(-1) as string

    await open(`/accounts?search=Rehearsal%20${width}`)
    await badge().waitFor()
    await open('/accounts?search=sandbox-square')
    await page.getByText('sandbox-square-restaurant').waitFor()
    expect(await badge().count()).toBe(0)

    await open(`/explorer/${id}`)
    await badge().waitFor()
    await page.getByLabel('Account', { exact: true }).click()
    await page.getByLabel('Account', { exact: true }).fill(`Rehearsal ${width}`)
    await page
      .locator('.account-picker-entry', { hasText: `Rehearsal ${width}` })
      .locator('.tag')
      .waitFor()

    await open(`/mappings/${id}/new`)
    await page.getByLabel('Name').fill('Rehearsal')
    await page.getByLabel('Unified field').fill('/description')
    await page.getByLabel('Pointer').fill('/name')
    await button('Save mapping').click()
    await page.getByRole('heading', { name: 'Rehearsal', exact: true }).waitFor()
    const saved = new URL(page.url()).pathname.split('/').at(-1)
    const { apiKey } = session.service.sandboxFile()
    const missing = await fetch(`${session.service.url}/unified/${id}/product/none`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const requestId = missing.headers.get('x-request-id')
    const known = () => session.manage<object>('GET', `/activity/${requestId}`).catch(() => ({}))
    await expect.poll(known).toHaveProperty('requestId') // it is written a moment after the response
    for (const path of [
      `/mappings/${id}`,
      `/mappings/${id}/defaults`,
      `/mappings/${id}/new`,
      `/mappings/${id}/shared/new`,
      `/mappings/${id}/${saved}`,
      `/activity?search=${id}`,
      `/activity/${requestId}`,
      '',
    ]) {
      await open(path)
      await badge().first().waitFor()
    }
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`Rehearsal ${width}`)
    await page.locator('.palette-hit', { hasText: id }).locator('.tag').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a rejected reconnect changes nothing; a successful one clears every error', async () => {
    const { credentials } = await session.tenant('woocommerce')
    await openAccount()
    await page.route(/\/test$/, broken)
    await button('Test').click()
    await page.getByRole('alert').getByText('Connection failed').waitFor()
    expect(await state()).toBe('Failing')
    expect(await faultsOf(page)).toEqual([])

    await page.route(/\/reconnect$/, (route) =>
      route.fulfill(
        refusal(
          { pointer: '/credentials/consumerSecret', message: 'is not accepted by WooCommerce' },
          { pointer: '/settings/shop', message: 'does not respond' },
        ),
      ),
    )
    await button('Reconnect').click()
    const dialog = page.getByRole('dialog', { name: /^Reconnect/ })
    await dialog.getByLabel('Consumer key').fill(credentials.consumerKey as string)
    await dialog.getByLabel('Consumer secret').fill('cs_wrong')
    await dialog.getByRole('button', { name: 'Replace credentials' }).click()
    await dialog.getByRole('alert').getByText('Credentials not replaced').waitFor()
    await dialog.getByText('Consumer secret is not accepted by WooCommerce').waitFor()
    await dialog.getByText('Store address does not respond').waitFor()
    expect(await dialog.getByLabel('Consumer secret').getAttribute('aria-invalid')).toBe('true')
    expect([
      await dialog.getByLabel('Consumer key').inputValue(),
      await dialog.getByLabel('Consumer secret').inputValue(),
    ]).toEqual([credentials.consumerKey, 'cs_wrong'])
    expect([await state(), await page.locator('.toast').count()]).toEqual(['Failing', 0])

    await page.unroute(/\/reconnect$/)
    await dialog.getByLabel('Consumer secret').fill(credentials.consumerSecret as string)
    await dialog.getByRole('button', { name: 'Replace credentials' }).click()
    await toast(/reconnected/).waitFor()
    expect([await state(), await alerts(), await dialog.count()]).toEqual(['Active', 0, 0])

    // The next failure removes the success message.
    await button('Test').click()
    await page.getByRole('alert').waitFor()
    expect([await state(), await page.locator('.toast').count()]).toEqual(['Failing', 0])
    await page.unroute(/\/test$/)
    await button('Test').click()
    await toast(/Connection OK/).waitFor()
    expect([await state(), await alerts()]).toEqual(['Active', 0])
  })

  test.each<Width>(['desktop', 'phone'])(
    'at %s width the header buttons do not move in any state or with any message',
    async (size) => {
      await page.setViewportSize(widths[size])
      await openAccount()
      const boxes = () => Promise.all(['Test', 'Reconnect', 'More actions'].map((name) => button(name).boundingBox()))
      const explore = () => page.getByRole('link', { name: 'Explore', exact: true }).boundingBox()
      const layout = async () =>
        JSON.stringify([
          await explore(),
          ...(await boxes()),
          await page.getByRole('navigation', { name: 'Account sections' }).boundingBox(),
        ])
      const before = await layout()

      let finish = () => {}
      const held = new Promise<void>((resolve) => {
        finish = resolve
      })
      await page.route(/\/test$/, async (route) => {
        await held
        await broken(route)
      })
      await button('Test').click()
      await page.locator('button[aria-busy=true]').waitFor()
      expect(await layout()).toBe(before)
      finish()
      await page.getByRole('alert').waitFor()
      expect(await layout()).toBe(before)
      await page.unroute(/\/test$/)
      await button('Test').click()
      await toast(/Connection OK/).waitFor()
      expect(await layout()).toBe(before)
      await page.route(/\/test$/, (route) => route.abort())
      await button('Test').click()
      await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
      expect(await layout()).toBe(before)
      await page.unroute(/\/test$/)

      await button('More actions').click()
      await page.getByRole('menuitem', { name: 'Disable account' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click()
      await page.getByText('This account is disabled').waitFor()
      expect([await state(), await layout()]).toEqual(['Disabled', before])
      await button('More actions').click()
      await page.getByRole('menuitem', { name: 'Enable account' }).click()
      await expect.poll(state).toBe('Active')
      expect(await layout()).toBe(before)

      await page.route(new RegExp(`/accounts/${accountId}$`), async (route) => {
        const response = await route.fetch()
        return route.fulfill({
          response,
          json: {
            ...((await response.json()) as object),
            state: 'reconnect_required',
            stateReason: 'the key was revoked',
          },
        })
      })
      await openAccount()
      await page.getByText('The platform no longer accepts this account’s authorization').waitFor()
      expect([await state(), await layout()]).toEqual(['Reconnect', before])
      await page.unroute(new RegExp(`/accounts/${accountId}$`))
    },
  )
})

test('no page logged an error or requested another origin', () => {
  expect(session.complaints.filter((one) => !/ERR_FAILED/.test(one))).toEqual([])
})
