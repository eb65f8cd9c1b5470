// Webhooks from platforms in the dashboard: how they are, and what a person sets up.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openServiceHere } from '../service-here.ts'
import { faultsOf, looksForAxe } from './accessibility.ts'
import { type DashboardSession, drawn, openDashboard, widths } from './dashboard-session.ts'
import { openAfresh } from './open-afresh.ts'

const shop = 'sandbox-bigcommerce-retail_pos'
const cafe = 'sandbox-square-restaurant'

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, (environment) => openServiceHere(environment, ['square', 'bigcommerce']))
  page = await session.open('desktop')
  await session.signIn(page)
})
afterAll(() => session?.close())
afterEach(() => expect(session.complaints).toEqual([]))

const open = (path: string) => openAfresh(page, `${session.service.manageUrl}/dashboard/w/sandbox`, path)
const looks = [
  ['phone', 'dark'],
  ['desktop', 'light'],
] as const
/** `place` names what is open. */
async function looksRight(place: string): Promise<void> {
  const forAxe = looksForAxe(place, looks)
  for (const look of looks) {
    const [width, colorScheme] = look
    await page.setViewportSize(widths[width])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    await drawn(page)
    if (forAxe.has(look)) expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  }
}
const webhooks = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) })

test('a platform that the service registers at needs no setup', async () => {
  await open(`/accounts/${shop}/changes`)
  const section = webhooks('Webhooks from BigCommerce')
  await section.getByText('Starts with the first watched entity').waitFor()
  await page.getByRole('button', { name: 'Watch products' }).click()
  await section.getByText('Active', { exact: true }).waitFor()
  await section.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Webhooks checked').waitFor()
  await looksRight('registered')
})

test('a platform with a console shows its URL and takes the secret', async () => {
  await open('/platforms/square')
  const section = webhooks('Webhooks from Square')
  await section.getByRole('button', { name: 'Copy URL' }).waitFor()
  const field = section.getByLabel('Signature key')
  await field.fill('another-key')
  await section.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Square webhook secret saved').waitFor()
  expect(await field.inputValue()).toBe('')
  await looksRight('console')

  // The previous key stays valid, so the webhooks of the simulator still arrive.
  await session.manage('PUT', `/accounts/${cafe}/watches/customer`, {})
  const customers = '/square/tenants/restaurant/customer'
  const [id] = (await session.control<{ ids: string[] }>('GET', customers)).ids
  await session.control('POST', `${customers}?touch=${id}`)
  await open(`/accounts/${cafe}/changes`)
  await section.getByText('Active', { exact: true }).waitFor()
  await section.getByText('Last received').waitFor()
})
