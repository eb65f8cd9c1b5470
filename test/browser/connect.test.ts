// The connect pages in a real browser: strict content security policy, OAuth redirects, and accessibility.
// @module-tag chromium
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { chooseCases } from '../case-choice.ts'
import { type ConnectService, createConnectService, tenantNamed } from '../connect-service.ts'
import { listenHere } from '../listen.ts'
import { faultsOf } from './accessibility.ts'
import { type OpenBrowser, openBrowser } from './chromium.ts'

let connect: ConnectService
let browser: OpenBrowser
beforeAll(async () => {
  browser = await openBrowser()
  connect = await createConnectService({
    square: simulators.square!,
    shopify: simulators.shopify!,
    woocommerce: simulators.woocommerce!,
  })
})
afterAll(async () => {
  await browser?.close()
  await connect?.close()
})

/** A page without scripts. Console messages count as failures. */
async function open(look: { width: number; colorScheme: 'light' | 'dark' }): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 740 },
    colorScheme: look.colorScheme,
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text())
  })
  return { page, faults }
}
async function examine(page: Page, faults: string[]): Promise<void> {
  faults.push(...(await faultsOf(page)))
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { documentElement } = (
      globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
    ).document
    return { scrollWidth: documentElement.scrollWidth, clientWidth: documentElement.clientWidth }
  })
  if (scrollWidth > clientWidth) faults.push(`${page.url()} is ${scrollWidth} wide on ${clientWidth}`)
}

const looks = [
  { width: 360, colorScheme: 'dark' as const },
  { width: 1280, colorScheme: 'light' as const },
]
describe.each(chooseCases(looks, { oneIn: 2, group: () => 'connect' }))('at $width px, $colorScheme', (look) => {
  it('an OAuth platform is connected through its own page', async () => {
    const { page, faults } = await open(look)
    const { url } = await connect.newLink({ vertical: 'retail_pos' })
    await page.goto(url)
    await examine(page, faults)
    await page.getByRole('link', { name: 'Shopify' }).click()
    await page.getByLabel('Shop domain').fill('not a domain')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('has an invalid format').waitFor()
    await examine(page, faults)
    await page
      .getByLabel('Shop domain')
      .fill(connect.tenantOf(tenantNamed('shopify retail_pos')).settings.shop as string)
    await page.getByRole('button', { name: 'Continue' }).click()
    await examine(page, faults)
    await page.getByRole('button', { name: 'Continue to Shopify' }).click()
    await page
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await examine(page, faults)
    expect(faults).toEqual([])
    await page.context().close()
  })
  it('a platform with keys is connected by its form, with only the keyboard', async () => {
    const { page, faults } = await open(look)
    const accountId = `shop-${look.width}`
    const { url } = await connect.newLink({ platforms: ['woocommerce'], newAccountId: accountId })
    const { credentials, settings } = connect.tenantOf(tenantNamed('woocommerce retail_pos'))
    await page.goto(url)
    await page.getByLabel('Store address').focus()
    for (const value of [settings.shop, '', 'ck_wrong', '', 'cs_wrong'])
      if (value === '') await page.keyboard.press('Tab')
      else await page.keyboard.type(value as string)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await examine(page, faults)
    await page.getByLabel('Consumer key').fill(credentials.consumerKey as string)
    await page.getByLabel('Consumer secret').fill(credentials.consumerSecret as string)
    await page.keyboard.press('Enter')
    await page.getByText('WooCommerce is connected').waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This link was already used' }).waitFor()
    await examine(page, faults)

    // The customer ends the connection, and connects again.
    await page.goto((await connect.newLink({ accountId, manage: true })).url)
    await page.getByText('Status: active').waitFor()
    await examine(page, faults)
    await page.getByRole('link', { name: 'End connection' }).click()
    await examine(page, faults)
    await page.getByRole('button', { name: 'End connection' }).click()
    await page.getByRole('status').waitFor()
    await examine(page, faults)
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await page.getByLabel('Consumer key').fill(credentials.consumerKey as string)
    await page.getByLabel('Consumer secret').fill(credentials.consumerSecret as string)
    await page.keyboard.press('Enter')
    await page.getByText('WooCommerce is connected').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('a popup that a page of another origin opens', () => {
  let app: Server
  let origin: string
  beforeAll(async () => {
    const code = stripTypeScriptTypes(
      readFileSync(join(import.meta.dirname, '../../packages/connect/src/index.ts'), 'utf8'),
    )
    app = createServer((request, response) => {
      const isScript = request.url === '/connect.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(
        isScript
          ? code
          : `<button>Connect</button><script type="module">
import { open } from '/connect.js'
globalThis.results = []
const url = new URL(location).searchParams.get('link')
document.querySelector('button').onclick = () => open({ url, onSuccess: (result) => results.push(result), onExit: (exit) => results.push(exit) })
addEventListener('message', ({ data }) => (globalThis.messages ??= []).push(data))
</script>`,
      )
    })
    origin = `http://localhost:${await listenHere(app)}`
  })
  afterAll(() => {
    app?.closeAllConnections()
    app?.close()
  })

  async function start(link: { url: string }, from = origin): Promise<{ page: Page; popup: Page }> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${from}/?link=${encodeURIComponent(link.url)}`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button').click()
    return { page, popup: await opened }
  }
  const resultOf = async (page: Page) => {
    await page.waitForFunction('results.length > 0')
    return page.evaluate('({ results, messages: globalThis.messages })')
  }

  it('shows the brand, reports the account after the sign-in at the platform, and closes itself', async () => {
    const branding = { name: 'Harbor Books', color: '#0a6640' }
    expect((await connect.manage('PUT', `/workspaces/${connect.workspaceId}/branding`, branding)).status).toBe(200)
    const link = await connect.newLink({
      platforms: ['square'],
      vertical: 'restaurant',
      popupOrigin: origin,
      state: 'a<b>"',
    })
    const { page, popup } = await start(link)
    const proceed = popup.getByRole('button', { name: 'Continue to Square' })
    await popup.getByText('Harbor Books').first().waitFor()
    const button = "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Square'))"
    expect(await popup.evaluate(`getComputedStyle(${button}).backgroundColor`)).toBe('rgb(10, 102, 64)')
    await proceed.click()
    const closed = popup.waitForEvent('close')
    await popup
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click()
    await closed
    const accountId = (await connect.manage('GET', `/workspaces/${connect.workspaceId}/connect-links/${link.id}`)).body
      .connectedAccountId
    const result = { status: 'connected', accountId, state: 'a<b>"' }
    expect(await resultOf(page)).toEqual({ results: [result], messages: [result] })
    await page.context().close()
  })
  it('reports that the customer canceled, or closed the window', async () => {
    const canceled = await start(await connect.newLink({ platforms: ['woocommerce'], popupOrigin: origin, state: 's' }))
    await canceled.popup.getByRole('link', { name: 'Cancel' }).click()
    expect(await resultOf(canceled.page)).toMatchObject({ results: [{ status: 'cancelled', state: 's' }] })
    const closed = await start(await connect.newLink({ platforms: ['woocommerce'], popupOrigin: origin }))
    await closed.popup.waitForLoadState() // Chromium can lose the end of a window that is still changing processes
    await closed.popup.close()
    expect(await resultOf(closed.page)).toEqual({ results: [{ status: 'closed' }] })
    for (const { page } of [canceled, closed]) await page.context().close()
  })
  it('reports nothing to a page of another origin than that of the link', async () => {
    const link = await connect.newLink({ platforms: ['woocommerce'], popupOrigin: 'https://app.example.com' })
    const { page, popup } = await start(link)
    await popup.getByRole('link', { name: 'Cancel' }).click()
    expect(await resultOf(page)).toEqual({ results: [{ status: 'closed' }] })
    await page.context().close()
    for (const popupOrigin of ['*', 'http://app.example.com', 'https://app.example.com/', 'null'])
      expect(
        await connect.manage('POST', `/workspaces/${connect.workspaceId}/connect-links`, { popupOrigin }),
      ).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/popupOrigin' }] },
      })
  })
})
