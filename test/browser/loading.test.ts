// How the dashboard loads: few files, and a file that fails to load never leaves a blank page.
// @module-tag chromium
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardSession, loaded, openDashboard, withSquare } from './dashboard-session.ts'
import { abort, appears, busy, failFirst, go, heading, stopClock } from './failing-requests.ts'

const dist = join(import.meta.dirname, '../../packages/dashboard/dist')
const assets = () => readdirSync(join(dist, 'assets'))

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, withSquare)
  const { apiKey } = session.service.sandboxFile()
  await fetch(`${session.service.url}/unified/sandbox-square-restaurant/product?pageSize=2`, {
    headers: { authorization: `Bearer ${apiKey}` },
  }) // something to plot
})
afterAll(() => session?.close())
beforeEach(async () => {
  page = await session.open('desktop')
  await stopClock(page)
})
afterEach(() => page.context().close())

async function openOverview(): Promise<void> {
  await session.signIn(page)
  await page.goto(`${session.service.url}/dashboard/w/sandbox`)
}
const signInButton = () => page.getByRole('button', { name: 'Sign in' })

describe('the files of the build', () => {
  test('are at most 12, and a chunk that is loaded later needs no other file than those of the first page', () => {
    expect(assets().length).toBeLessThanOrEqual(12)
    const index = readFileSync(join(dist, 'index.html'), 'utf8')
    const scripts = assets().filter((name) => name.endsWith('.js'))
    const first = scripts.filter((name) => index.includes(name))
    const later = scripts.filter((name) => !index.includes(name))
    expect(later.length).toBeGreaterThanOrEqual(3)
    for (const name of scripts) {
      const needed = [
        ...readFileSync(join(dist, 'assets', name), 'utf8').matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
      ].map((match) => match[1])
      expect(
        needed.filter((one) => !first.includes(one as string)),
        name,
      ).toEqual([])
    }
  })

  test('a first visit to the sign-in page makes at most 9 requests and loads no code of other pages', async () => {
    const page = await session.open('desktop') // whose time passes
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(`${session.service.url}/dashboard/login`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await loaded(page)
    expect(requested.length).toBeLessThanOrEqual(9)
    expect(requested.filter((path) => /pages|plot/.test(path))).toEqual([])
    await page.context().close()
  })
})

describe('a chunk that fails to load', () => {
  test('is requested again, and the page appears', async () => {
    await openOverview()
    const requested = await failFirst(page, /assets\/record-pages/, busy, abort)
    await go(page, 'Explorer')
    await appears(page, heading(page, 'Explorer'))
    expect(requested.length).toBeGreaterThan(2)
    expect(requested.lastIndexOf(requested[0] as string)).toBe(0) // browsers may remember that an address failed
    await appears(page, page.locator('.browse-entry').first()) // all that it loads at first is there
    await go(page, 'Mappings')
    await appears(page, heading(page, 'Mappings'))
  })

  test('repeatedly ends in an error with a button that reloads the page', async () => {
    await openOverview()
    await page.route(/assets\/record-pages/, abort)
    await go(page, 'Mappings')
    await appears(page, heading(page, 'This page could not be loaded'))
    // The other pages still work, and the one that failed is requested again when the user comes back to it.
    await go(page, 'Accounts')
    await appears(page, heading(page, 'Accounts'))
    await go(page, 'Explorer')
    await appears(page, heading(page, 'This page could not be loaded'))
    await page.unroute(/assets\/record-pages/)
    await page.getByRole('button', { name: 'Reload' }).click()
    await appears(page, heading(page, 'Explorer'))
  })

  test('because the dashboard was updated loads the new version', async () => {
    await openOverview()
    const gone = (route: Route) => route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' })
    await failFirst(page, /assets\/record-pages/, gone, gone)
    const reloaded = page.waitForRequest((request) => request.isNavigationRequest())
    await go(page, 'Explorer')
    await appears(page, heading(page, 'Explorer'))
    await reloaded
  })

  test('removes only the chart if it contains the chart', async () => {
    await page.route(/assets\/plot-canvas/, abort)
    await openOverview()
    await appears(page, page.getByText('The chart could not be loaded.').first())
    await page.unroute(/assets\/plot-canvas/)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await appears(page, page.locator('.plot canvas').first())
  })
})

describe.each([
  ['entry script', /assets\/index-.*\.js/],
  ['script that the entry needs', /assets\/libraries-.*\.js/],
  ['stylesheet', /assets\/style-.*\.css/],
])('the %s of the page', (_, pattern) => {
  test('is loaded again when it fails', async () => {
    await failFirst(page, pattern, busy, abort)
    await page.goto(`${session.service.url}/dashboard/login`)
    await appears(page, signInButton())
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.sign-in')).display`)).toBe('grid')
  })

  test('when it keeps failing gives an error with a button that reloads the page', async () => {
    await page.route(pattern, abort)
    await page.goto(`${session.service.url}/dashboard/login`)
    await appears(page, heading(page, 'The dashboard could not be loaded'))
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Reload' }).click()
    await appears(page, signInButton())
  })
})
