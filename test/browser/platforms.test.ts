// The limits of platforms, as the dashboard shows them.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseCases } from '../case-choice.ts'
import { faultsOf, looksForAxe } from './accessibility.ts'
import { type DashboardSession, drawn, openDashboard, settled, visit, widths, withSquare } from './dashboard-session.ts'

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, withSquare)
  page = await session.open('desktop')
  await session.signIn(page)
  await page.goto(`${session.service.url}/dashboard/w/sandbox/platforms`)
})
afterAll(() => session?.close())

test('the page of a platform lists the steps of a registration, and shows the saved client ID but no secret', async () => {
  const described = (await page.evaluate("fetch('/manage/v1/platforms').then((response) => response.json())")) as {
    data: { platform: string; auth: { kind: string; registration?: { console: { url: string } } }[] }[]
  }
  const oauth = described.data.flatMap(({ auth }) => auth.filter(({ kind }) => kind === 'oauth2'))
  expect(oauth.length).toBeGreaterThan(8)
  for (const { registration } of oauth) expect(registration?.console.url).toMatch(/^https:\/\//)

  const secret = 'canary-of-the-client-secret'
  await session.manage('PUT', '/platform-apps/freshbooks', { clientId: 'client-id-of-books', clientSecret: secret })
  expect(JSON.stringify(await session.manage('GET', '/platform-apps'))).not.toContain(secret)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/platforms/freshbooks`)
  const steps = page.locator('.platform-steps').first().locator('li')
  await steps.first().waitFor()
  expect(await steps.count()).toBe(4)
  expect(await steps.first().getByRole('link').getAttribute('href')).toBe('https://my.freshbooks.com/#/developer')
  expect(await steps.nth(1).textContent()).toContain(`${session.service.url}/connect/callback`)
  await page.getByText('client-id-of-books').waitFor()
  expect(await page.content()).not.toContain(secret)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/platforms/woocommerce`)
  await page
    .locator('.platform-steps')
    .getByText(/WooCommerce, Settings, Advanced, REST API/)
    .waitFor()
})

const looks = (['desktop', 'phone'] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => [width, theme] as const),
)
test.each(chooseCases(looks, { oneIn: 2, group: ([width]) => width }))(
  'at %s width in the %s theme, platforms show daily quotas and calls at once',
  async (width, theme) => {
    await page.setViewportSize(widths[width])
    await page.emulateMedia({ colorScheme: theme })
    const go = async (path: string) => {
      await page.evaluate(`history.pushState(null, '', '/dashboard/w/sandbox/platforms${path}')`)
      await settled(page)
      await drawn(page)
    }
    await go('') // axe looks at it in every-page.test.ts
    const row = async (name: string, index = 0) =>
      (await page.getByRole('row').filter({ hasText: name }).nth(index).locator('td').allTextContents()).slice(0, 3)
    expect(await row('Zoho Books')).toEqual(['100 / min', '1,000 to 10,000', '5'])
    expect(await row('Square')).toEqual(['5 / s, 300 / min', '–', '–'])
    expect(await row('Square', 1)).toEqual(await row('Square')) // its other vertical
    expect(await row('Xero')).toEqual([expect.stringContaining(' / '), '5,000', '5'])
    expect(await row('Loyverse')).toEqual([expect.stringContaining(' / '), '–', '–'])
    expect(await page.getByRole('columnheader', { name: 'Daily quota' }).isVisible()).toBe(width === 'desktop')
    const forAxe = looksForAxe(`${width} ${theme}`, ['xero', 'zoho-books', 'loyverse'])
    const facts = async (platform: string) => {
      await go(`/${platform}`)
      if (forAxe.has(platform)) expect(await faultsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      const fact = (name: string) =>
        page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]').first()
      expect([await fact('Daily quota').isVisible(), await fact('Calls at once').isVisible()]).toEqual([true, true])
      return Promise.all(['Rate limit', 'Calls at once', 'Daily quota'].map((name) => fact(name).textContent()))
    }
    expect(await facts('xero')).toEqual([expect.stringContaining(' / '), '5', '5,000 calls'])
    expect(await facts('zoho-books')).toEqual([
      '100 / min (90 usable)',
      '5',
      'Free 1,000, Standard 2,000, Professional 5,000, Premium 10,000, Elite 10,000, Ultimate 10,000',
    ])
    expect(await facts('loyverse')).toEqual([expect.stringContaining(' / '), 'Not limited', 'Not limited'])
    expect(session.complaints).toEqual([])
  },
)
