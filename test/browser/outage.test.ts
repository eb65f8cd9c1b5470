// A service that is busy or unreachable for a moment: reads are retried, changes are not, and no page stays blank.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openServiceHere } from '../service-here.ts'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'
import { abort, appears, busy, busyFor, failFirst, go, heading, stopClock } from './failing-requests.ts'

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, (environment) => openServiceHere(environment, ['clover']))
  page = await session.open('desktop')
  await stopClock(page)
  await session.signIn(page)
})
afterAll(() => session?.close())
afterEach(() => page.unrouteAll())

const address = (path: string) => `${session.service.url}/dashboard/w/sandbox${path}`

describe('data from a service that is busy or unreachable', () => {
  const accounts = /manage\/v1\/workspaces\/sandbox\/accounts\?/
  const clover = () => page.getByRole('link', { name: /Clover/ })

  test('is requested again, with a message, and then shown', async () => {
    const requested = await failFirst(page, accounts, busy, abort)
    await page.goto(address('/accounts'))
    await appears(page, page.getByText('The service is busy or unreachable. Trying again'))
    await appears(page, clover())
    expect(requested.length).toBe(3)
  })

  test('is requested after the time in Retry-After', async () => {
    const requested = await failFirst(page, accounts, busyFor('14'))
    await page.goto(address('/accounts'))
    await appears(page, page.getByText('Trying again'))
    await page.clock.runFor(4_000)
    expect(requested.length).toBe(1)
    await page.clock.runFor(20_000)
    await appears(page, clover())
    expect(requested.length).toBe(2)
  })

  test('is not requested forever: the error offers a retry, and a Retry-After of a minute is not waited for', async () => {
    const requested = await failFirst(page, accounts, busy, busy, busy, busy, busyFor('60'))
    await page.goto(address('/accounts'))
    const alert = page.getByRole('alert').filter({ hasText: 'The service is busy' })
    const retry = alert.getByRole('button', { name: 'Try again' })
    await appears(page, alert.getByText('req_busy'))
    expect(requested.length).toBe(4)
    await retry.click()
    await expect.poll(() => requested.length).toBe(5)
    await appears(page, retry.and(page.locator(':enabled')))
    await retry.click()
    await appears(page, clover())
    expect(requested.length).toBe(6)
  })

  test('a change is sent once: the user decides whether to retry it', async () => {
    await page.goto(address('/credentials/api-keys?create=yes'))
    const sent: string[] = []
    await page.route(/manage\/v1\/workspaces\/sandbox\/api-keys$/, (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      return sent.push(route.request().url()) === 1 ? busy(route) : route.continue()
    })
    const create = page.getByRole('button', { name: 'Create', exact: true })
    await page.getByLabel('Name').fill('Busy')
    await create.click()
    await appears(page, page.getByRole('alert').getByText('The service is busy'))
    await page.clock.runFor(60_000)
    expect(sent.length).toBe(1)
    await create.click()
    await appears(page, page.getByText('Shown only once'))
    expect(sent.length).toBe(2)
  })

  test('the start page shows it too', async () => {
    await failFirst(page, /manage\/v1\/workspaces\?/, busy, abort)
    await page.goto(`${session.service.url}/dashboard`)
    await appears(page, page.getByText('Trying again'))
    await appears(page, heading(page, 'Overview'))
  })
})

test('a page with a bug is distinguished from an outage and can be retried', async () => {
  await page.route(/\/errors\.json$/, (route) => route.fulfill({ json: { data: 'not a list' } }))
  await page.goto(address(''))
  await go(page, 'Errors')
  await appears(page, heading(page, 'Something went wrong on this page'))
  await page.unroute(/\/errors\.json$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await appears(page, page.getByText('unknown_account'))
})
