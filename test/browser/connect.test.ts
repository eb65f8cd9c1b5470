// The connect pages in a real browser: strict content security policy, OAuth redirects, and accessibility.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { type ConnectService, createConnectService, tenantNamed } from '../connect-service.ts'
import { faultsOf } from './accessibility.ts'
import { launchChromium } from './chromium.ts'

let connect: ConnectService
let chromium: Browser
beforeAll(async () => {
  chromium = await launchChromium()
  connect = await createConnectService({
    square: simulators.square!,
    shopify: simulators.shopify!,
    woocommerce: simulators.woocommerce!,
  })
}, 60_000)
afterAll(async () => {
  await chromium?.close()
  await connect?.close()
})

/** A page without scripts. Console messages count as failures. */
async function open(look: { width: number; colorScheme: 'light' | 'dark' }): Promise<{ page: Page; faults: string[] }> {
  const context = await chromium.newContext({
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

describe.each([
  { width: 360, colorScheme: 'dark' as const },
  { width: 1280, colorScheme: 'light' as const },
])('at $width px, $colorScheme', { timeout: 60_000 }, (look) => {
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
    const { url } = await connect.newLink({ platforms: ['woocommerce'] })
    const { credentials, settings } = connect.tenantOf(tenantNamed('woocommerce retail_pos'))
    await page.goto(url)
    await page.getByLabel('Store address').focus()
    for (const value of [settings.shop, 'ck_wrong', 'cs_wrong']) {
      await page.keyboard.type(value as string)
      await page.keyboard.press('Tab')
    }
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
    expect(faults).toEqual([])
    await page.context().close()
  })
})
