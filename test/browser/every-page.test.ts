// Checks every page in both themes and at three widths.
// @module-tag chromium
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseCases } from '../case-choice.ts'
import { until } from '../until.ts'
import { faultsOfDocument, looksForAxe } from './accessibility.ts'
import { type DashboardSession, drawn, openDashboard, settled, visit, widths } from './dashboard-session.ts'

const account = '/accounts/sandbox-square-restaurant'
const pages = [
  '',
  '/accounts',
  '/accounts/connect',
  '/accounts/connect?platform=woocommerce',
  '/accounts/connect?by=link',
  account,
  `${account}/settings`,
  `${account}/mapping-keys`,
  `${account}/references`,
  `${account}/changes`,
  `${account}/activity`,
  '/activity',
  '/activity?search=req_nothing',
  '/writes',
  '/writes/sandbox-square-restaurant/{write}',
  '/migrations',
  '/migrations/new',
  '/migrations/{migration}?step=plan',
  '/migrations/{migration}?step=run',
  '/migrations/{migration}',
  '/explorer',
  '/explorer/sandbox-square-restaurant/product/call',
  '/mappings',
  '/mappings/sandbox-square-restaurant/shared',
  '/mappings/sandbox-square-restaurant/defaults',
  '/mappings/sandbox-square-restaurant/shared/new?for=workspace',
  '/credentials',
  '/credentials/api-keys',
  '/webhooks',
  '/webhooks/{endpoint}',
  '/webhooks/{endpoint}/edit',
  '/webhooks/new?preset=notifications',
  '/people',
  '/audit',
  '/audit?entry=1',
  '/audit/installation?since=2026-01-01T00:00:00.000Z',
  '/settings',
  '/platforms',
  '/platforms/clover',
  '/platforms/square',
  '/errors',
  '/sandbox',
  '/profile',
  '/no-such-page',
]

let session: DashboardSession
let page: Page // signed in, and used by one test after the other
let endpoint: string // with a long URL and a delivery that has failed
let migration: string // that has ended
let write: string // with an unknown outcome
async function loseCall(): Promise<string> {
  await session.control('POST', '/square/faults', { kind: 'unavailable', method: 'POST', times: 1 })
  const call = { method: 'POST', path: '/v2/customers', body: {}, externalId: 'LOST' }
  await session.manage('POST', `${account}/explorer/native`, call).catch(() => {})
  const { data } = await session.manage<{ data: { writeId: string }[] }>('GET', '/writes')
  return data[0]?.writeId as string
}
async function migrate(): Promise<string> {
  const accounts = { from: 'sandbox-clover-restaurant', to: 'sandbox-square-restaurant' }
  const { id } = await session.manage<{ id: string }>('POST', '/migrations', { ...accounts, entities: ['product'] })
  const ended = (wanted: string) =>
    until(wanted, async () => {
      const { state } = await session.manage<{ state: string }>('GET', `/migrations/${id}`)
      return state === wanted
    })
  await ended('planned')
  await session.manage('POST', `/migrations/${id}/run`, {})
  await ended('done')
  return id
}
beforeAll(async () => {
  session = await openDashboard()
  const { apiKey } = session.service.sandboxFile()
  for (const path of ['sandbox-square-restaurant/product?pageSize=2', 'sandbox-squire/product'])
    await fetch(`${session.service.url}/unified/${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  const body = JSON.stringify({ externalId: 'CUSTOMER-'.repeat(6), name: 'Ada', email: 'ada@example.com' })
  const created = await fetch(`${session.service.url}/unified/sandbox-square-restaurant/customer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
  })
  expect(created.status).toBe(201)
  const url = `http://127.0.0.1:9/hooks?${'tenant=a-very-long-name&'.repeat(12)}`
  endpoint = (await session.manage<{ id: string }>('POST', '/webhook-endpoints', { url, events: ['*'] })).id
  await session.manage('POST', `/webhook-endpoints/${endpoint}/test`)
  write = await loseCall()
  migration = await migrate()
  page = await session.open('desktop')
  await session.signIn(page)
  await page.goto(`${session.service.url}/dashboard/login`)
})
afterAll(() => session?.close())

/** Beside the sidebar there is the least room. */
const allWidths = { ...widths, tablet: { width: 1024, height: 768 } }
/** Tables that scroll although nothing tells a keyboard user so. */
const cutTables =
  "[...document.querySelectorAll('.table-frame:not([tabindex])')].filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.querySelector('caption')?.textContent)"
/** Selects and inputs of one line that are higher than others. */
const unevenControls =
  "[...document.querySelectorAll('select.input, input.input')].map((control) => control.getBoundingClientRect().height).filter((height) => height > 0 && height !== 32)"

const looks = (['light', 'dark'] as const).flatMap((theme) =>
  (['desktop', 'tablet', 'phone'] as const).map((where) => ({ where, theme })),
)
/** Its size is checked at every width, in the theme in which axe tries it there; otherwise in the light one. */
async function lookAt(page: Page, place: string): Promise<string[]> {
  const found: string[] = []
  const forAxe = looksForAxe(place, looks)
  const isLooked = (look: (typeof looks)[number]) =>
    forAxe.has(look) ||
    (look.theme === 'light' && !looks.some((other) => other.where === look.where && forAxe.has(other)))
  for (const look of looks.filter(isLooked)) {
    await page.emulateMedia({ colorScheme: look.theme })
    await page.setViewportSize(allWidths[look.where])
    await settled(page)
    await drawn(page)
    const complain = (fault: string) => found.push(`${look.where}, ${look.theme}: ${fault}`)
    const { isTooWide, cut, heights } = (await page.evaluate(
      `({ isTooWide: document.documentElement.scrollWidth > innerWidth, cut: ${cutTables}, heights: ${unevenControls} })`,
    )) as { isTooWide: boolean; cut: string[]; heights: number[] }
    if (isTooWide) complain('scrolls sideways')
    for (const table of cut) complain(`${table} is cut`)
    for (const height of heights) complain(`a control is ${height} pixels high`)
    if (forAxe.has(look)) for (const fault of await faultsOfDocument(page)) complain(fault)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

describe('at three widths and in both themes, there is no accessibility issue that is not minor, and nothing is too wide', () => {
  test('on the sign-in page', async () => {
    expect(await lookAt(page, 'login')).toEqual([])
  })
  // As by a link: the browser loads the dashboard once.
  test.each(pages)('on %s', async (path) => {
    const place = path.replace('{endpoint}', endpoint).replace('{write}', write).replace('{migration}', migration)
    await visit(page, `${session.service.url}/dashboard/w/sandbox${place}`)
    expect(await lookAt(page, path)).toEqual([])
  })
  test('on a page of the documentation', async () => {
    await page.goto(`${session.service.url}/docs/platforms/xero`)
    expect(await lookAt(page, 'docs')).toEqual([])
  })
  test('and no page logged an error or requested another origin', () => {
    expect(session.complaints).toEqual([])
  })
})

test('the overview shows labels and figures in full, and of equally used limits the one with the most calls first', async () => {
  await page.setViewportSize(widths.desktop)
  await page.route('**/overview?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { waitMaxMs: number[]; total: object }
    const all = (value: number) => body.waitMaxMs.map(() => value)
    const waits = all(150_000)
    const total = { ...body.total, waitP50Ms: 150_000, waitP95Ms: 150_000 }
    const used = { requests: all(1), errors: all(0), throttled: all(0), utilization: all(1) }
    const platforms = [
      { platform: 'clover', ...used, nativeCalls: all(1) },
      { platform: 'square', ...used, nativeCalls: all(9) },
    ]
    await route.fulfill({ response, json: { ...body, waitMaxMs: waits, waitP95Ms: waits, total, platforms } })
  })
  await visit(page, `${session.service.url}/dashboard/w/sandbox`)
  await page.getByText('Longest queue time: 2 min 30 s.').waitFor()
  await settled(page)
  const plot = page.locator('.section-plot', { hasText: 'Queue time' }).locator('.u-over')
  const left = await plot.evaluate((over) =>
    Number.parseFloat((over as unknown as { style: { left: string } }).style.left),
  )
  const label = await page.evaluate(
    "(() => { const context = document.createElement('canvas').getContext('2d'); context.font = '11px ' + getComputedStyle(document.documentElement).getPropertyValue('--font'); return context.measureText('2 min 30 s').width })()",
  )
  expect(left).toBeGreaterThan(label as number)
  const cut =
    "[...document.querySelectorAll('.bars-name')].filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
  expect(await page.evaluate(cut)).toEqual([])
  const legend = page.locator('.section-plot', { hasText: 'Rate-limit use' }).locator('.plot-legend li')
  expect(await legend.allTextContents()).toEqual(['Square', 'Clover'])
  const labels = ['Requests', 'Server errors', 'Average response', 'Queue time', 'Accounts']
  expect(await page.locator('.figure dt').allTextContents()).toEqual(labels)
  await page.setViewportSize(widths.phone)
  const dividers = "[...document.querySelectorAll('.figure')].map((one) => one.getBoundingClientRect().left)"
  expect(new Set((await page.evaluate(dividers)) as number[]).size).toBe(2) // of two columns
  await page.unroute('**/overview?*')
})

test('a platform with OAuth only offers a connect link and no empty form for credentials', async () => {
  await page.setViewportSize(widths.desktop)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/accounts/connect?platform=quickbooks-online`)
  await page.getByRole('button', { name: 'Create connect link' }).waitFor()
  expect(await page.getByText('Enter credentials').count()).toBe(0)
  await page.getByText(/The owner chooses the environment on the page/).waitFor()
  await visit(page, `${session.service.url}/dashboard/w/sandbox/accounts/connect?platform=square`)
  await page.getByText('Enter credentials').waitFor()
})

test('the tables of a platform need no sideways scrolling on a laptop', async () => {
  await page.setViewportSize({ width: 1366, height: 768 })
  for (const platform of ['square', 'shopify', 'xero', 'toast']) {
    await visit(page, `${session.service.url}/dashboard/w/sandbox/platforms/${platform}`)
    await page.locator('h1', { hasText: new RegExp(platform, 'i') }).waitFor() // no longer the platform before it
    await settled(page)
    const wider = "[...document.querySelectorAll('.table-frame')].map((frame) => frame.scrollWidth - frame.clientWidth)"
    const found = (await page.evaluate(wider)) as number[]
    expect(found.length, platform).toBeGreaterThan(0)
    expect([platform, Math.max(...found)]).toEqual([platform, 0])
  }
})

test.each([{ width: 1366, height: 768 }, allWidths.tablet])('a request takes one line at %o', async (size) => {
  await page.setViewportSize(size)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/activity?search=sandbox-square-restaurant`)
  await page.locator('tbody').getByTitle('sandbox-square-restaurant').first().waitFor()
  const heights = "[...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height)"
  expect(Math.max(...((await page.evaluate(heights)) as number[]))).toBeLessThan(45) // two lines need 58
})

test('the first load transfers less than 200 KB of compressed JavaScript, and allows no other origin', async () => {
  const page = await session.open('desktop')
  const scripts: Response[] = []
  page.on('response', (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response)
  })
  await session.signInWithForm(page)
  await settled(page)
  const sizes = await Promise.all(scripts.map(async (response) => (await response.request().sizes()).responseBodySize))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(20_000)
  expect(total).toBeLessThan(200 * 1024)
  const dashboard = await fetch(`${session.service.url}/dashboard`)
  expect(dashboard.headers.get('content-security-policy')).toMatch(/^default-src 'self'/)
  expect(dashboard.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
  await page.context().close()
})

test('tables with all rows are sorted by their headers, pages of a longer list are not', async () => {
  await page.setViewportSize(widths.desktop)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/errors`)
  const codes = () => page.locator('.error-code').allTextContents()
  await page.locator('.error-code').first().waitFor()
  const given = await codes()
  const header = page.getByRole('columnheader', { name: 'Code' })
  const sort = header.getByRole('button')
  await sort.click()
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  expect(await codes()).toEqual(given.toSorted())
  await sort.press('Enter')
  expect(await header.getAttribute('aria-sort')).toBe('descending')
  expect(await codes()).toEqual(given.toSorted().toReversed())
  await sort.click()
  expect([await header.getAttribute('aria-sort'), await codes()]).toEqual([null, given])
  await visit(page, `${session.service.url}/dashboard/w/sandbox/activity`)
  await page.locator('.table-link').first().waitFor()
  expect(await page.locator('.table-sort').count()).toBe(0)
})

test('a question mark lists the keyboard shortcuts, except in a text field', async () => {
  await page.setViewportSize(widths.desktop)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/errors`)
  const box = page.getByRole('searchbox', { name: 'Search errors' })
  await box.press('?')
  expect([await box.inputValue(), await page.getByRole('dialog').count()]).toEqual(['?', 0])
  await page.locator('h1').click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await faultsOfDocument(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('first visits open the sign-in page and the overview without an error or a failed request', async () => {
  const before = session.complaints.length
  const failed: string[] = []
  const visits = Array.from({ length: 20 }, (_, visit) => visit)
  for (const visit of chooseCases(visits, { oneIn: 10, group: (visit) => `${visit % 2}` })) {
    const page = await session.open(visit % 2 === 0 ? 'desktop' : 'phone') // nothing is cached or stored
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText
      if (why !== 'net::ERR_ABORTED') failed.push(`${visit}: ${request.url()} ${why}`) // the page's own decision
    })
    let refused = 0 // once: the response that leads to the sign-in page
    page.on('response', (response) => {
      if (response.status() >= 400 && (response.status() !== 401 || ++refused > 1))
        failed.push(`${visit}: ${response.url()} ${response.status()}`)
    })
    await session.signInWithForm(page)
    await settled(page)
    await page.context().close()
  }
  expect([failed, session.complaints.slice(before)]).toEqual([[], []])
})

test('on a phone the drawer opens every page, and Escape closes it', async () => {
  await page.setViewportSize(widths.phone)
  await visit(page, `${session.service.url}/dashboard/w/sandbox`)
  await expect.poll(() => page.locator('.topbar-name').textContent()).toBe('Sandbox') // the page has its own title below
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('link', { name: 'Platforms' }).click()
  await page.getByRole('heading', { name: 'Platforms' }).waitFor()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Errors' }).waitFor({ state: 'hidden' })
})

test('a theme is changed without a transition for a user who asked for less motion', async () => {
  await visit(page, `${session.service.url}/dashboard/w/sandbox/errors`)
  await settled(page)
  const started = (theme: string) =>
    page.evaluate(`document.documentElement.dataset.theme = '${theme}', document.getAnimations().length`)
  expect([await started('dark'), await started('light')]).toEqual([0, 0])
})

test('the documentation is searched, and its languages are chosen, with the keyboard alone', async () => {
  await page.setViewportSize(widths.desktop)
  await page.goto(`${session.service.url}/docs`)
  await page.keyboard.press('/')
  await page.keyboard.type('exactly once')
  const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  await expect.poll(() => results.first().textContent()).toBe('Exactly onceAPI contract')
  expect(await faultsOfDocument(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await results.nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/contract.html#exactly-once')
  await page.getByRole('heading', { name: 'Exactly once' }).waitFor()
  await page.goto(`${session.service.url}/docs/quick-start`)
  const tabs = page.getByRole('tab', { name: 'curl' })
  await tabs.first().focus()
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByRole('tab', { name: 'Python', selected: true }).count()).toBe(2)
  await page.goto(`${session.service.url}/docs/push-orders`)
  await page.getByRole('tabpanel').first().getByText('from unified_records import Client').waitFor()
  expect(await faultsOfDocument(page)).toEqual([])
  expect(session.complaints).toEqual([])
})
