// Simulates a busy or unreachable service for a page.
import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'

type Failure = (route: Route) => Promise<void>
export const abort: Failure = (route) => route.abort()
export const busy: Failure = (route) => busyFor('0')(route)
export const busyFor =
  (retryAfter: string): Failure =>
  (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': retryAfter },
      contentType: 'application/problem+json',
      body: JSON.stringify({
        status: 503,
        code: 'unavailable',
        title: 'Not available',
        detail: 'The service has more to do than it can.',
        requestId: 'req_busy',
      }),
    })

/**
 * Fails the first matching requests with the given failures and lets the others through. Returns the requested URLs.
 */
export async function failFirst(page: Page, pattern: RegExp, ...failures: readonly Failure[]): Promise<string[]> {
  const requested: string[] = []
  await page.route(pattern, async (route) => {
    const fail = failures[requested.length]
    requested.push(route.request().url())
    await (fail ? fail(route) : route.continue())
  })
  return requested
}

/** From now on the time of the page stands still, and what it shows between two attempts stays. `appears` lets it pass. */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
}

/**
 * Waits until an element is visible while the page's clock advances, so that tests do not wait for retry delays.
 * Requires `stopClock`.
 */
export const appears = (page: Page, what: Locator) =>
  expect
    .poll(async () => {
      await page.clock.runFor(250).catch(() => {}) // the page may be reloading
      return what.isVisible()
    })
    .toBe(true)

/** Follows a link of the sidebar. */
export const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
