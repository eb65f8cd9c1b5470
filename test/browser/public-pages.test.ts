// The pages that need no login: the error reference and the API reference.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quiet } from '../until.ts'
import { findingsOf, looksForAxe } from './accessibility.ts'
import { type DashboardSession, loaded, openDashboard, withSquare } from './dashboard-session.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard({}, withSquare)
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

const looks = ['desktop', 'phone, dark'] as const
const forAxe = looksForAxe('reference', looks)
/** Its title and logo are ours, and axe finds nothing. */
async function isOurs(page: Page, look: (typeof looks)[number]): Promise<void> {
  expect(await page.title()).toBe('Unified Records API')
  await page.locator('nav.top svg').waitFor()
  await loaded(page)
  if (!forAxe.has(look)) return
  expect((await findingsOf(page, undefined, 'document', ['target-size'])).map(({ fault }) => fault)).toEqual([])
}

test('the API reference offers only what the service has, calls no other host, and passes axe', async () => {
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
  await isOurs(page, 'desktop')
  await page.evaluate('scrollTo(0, document.body.scrollHeight)') // to sections that are collapsed
  await page.getByRole('button', { name: 'Show More: all Connect endpoints' }).waitFor()
  expect((await findingsOf(page, ['label-content-name-mismatch'])).map(({ fault }) => fault)).toEqual([])
  expect([...hosts]).toEqual([new URL(session.service.url).host])
  await page.context().close()
})

test('a link into the API reference opens its section, also on a phone in the dark theme', async () => {
  const page = await session.open('phone', 'dark')
  await page.addInitScript(
    "addEventListener('DOMContentLoaded', () => { document.documentElement.style.overflowAnchor = 'none' })",
  )
  await page.goto(`${session.service.url}/reference/#records/tag/customer/POST/unified/{accountId}/customer`)
  const section = page.locator('section:focus', { hasText: 'Write one customer' })
  await section.waitFor()
  await page.locator('span.flex-1', { hasText: 'Write one customer' }).waitFor() // a long title for the bar of a phone
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  // On a slow device, sections above are drawn late, after the library has stopped to correct its position.
  for (let late = 0; late < 16; late++) {
    await page.evaluate(
      "document.querySelector('#app').prepend(Object.assign(document.createElement('div'), { style: 'height: 300px; overflow-anchor: none' }))",
    )
    await quiet(250)
  }
  const linked = "document.getElementById('records/tag/customer/POST/unified/{accountId}/customer')"
  const isInView = `(({ top }) => top >= 0 && top < innerHeight)(${linked}.getBoundingClientRect())`
  await expect.poll(() => page.evaluate(isInView)).toBe(true)
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none')
  await isOurs(page, 'phone, dark')
  await page.context().close()
})
