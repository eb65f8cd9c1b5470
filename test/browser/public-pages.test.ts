// The pages that need no login: the error reference and the API reference.
import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard()
})
afterAll(() => session?.close())

test('the error reference fits on a phone and follows the dark theme', async () => {
  const page = await session.open('phone')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${session.service.url}/errors`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light dark')
  await page.context().close()
})

test('the API reference offers only what the service has, and calls no other host', async () => {
  const page = await session.open('desktop')
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(`${session.service.url}/reference`)
  await page.getByRole('heading', { name: 'Unified Records API' }).first().waitFor()
  await page.getByText('List products').first().waitFor()
  const offered = await page.locator('button:visible, a:visible').allTextContents()
  expect(offered.join('\n')).not.toMatch(/ask ai|sdks|\bmcp\b|open api client|developer tools|share|deploy/i)
  const links = await page.locator('a[href^="http"]:visible').evaluateAll((all) => all.map(String))
  const hostsOfLinks = links.map((link) => new URL(link).host)
  // The license of the document.
  expect(new Set(hostsOfLinks.filter((host) => host !== new URL(session.service.url).host))).toEqual(
    new Set(['opensource.org']),
  )
  expect([...hosts]).toEqual([new URL(session.service.url).host])
  await page.context().close()
})

test.each(['desktop', 'phone'] as const)(
  'the API reference has our title and logo and passes axe (%s)',
  async (width) => {
    const page = await session.open(width)
    await page.emulateMedia({ colorScheme: width === 'phone' ? 'dark' : 'light' })
    await page.goto(`${session.service.url}/reference`)
    await page.getByText('List products').first().waitFor({ state: 'attached' })
    expect(await page.title()).toBe('Unified Records API')
    await page.locator('nav.top svg').waitFor()
    await page.getByRole('heading', { name: 'Unified Records API' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
      violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
    }
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary}`),
    ).toEqual([])
    if (width === 'phone') {
      await page.goto(`${session.service.url}/reference/#records/tag/customer/POST/unified/{accountId}/customer`)
      await page.reload()
      await page.locator('section:focus', { hasText: 'Write one customer' }).waitFor()
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none')
      await page.locator('span.flex-1', { hasText: 'Write one customer' }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    }
    await page.context().close()
  },
)
