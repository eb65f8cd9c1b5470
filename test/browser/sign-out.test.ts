// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inOrder } from '../in-order.ts'
import { openServiceHere } from '../service-here.ts'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, (environment) => openServiceHere(environment, ['square']))
})
afterAll(() => session?.close())

/** The cookie of the browser, as a copy outside of the browser. */
async function sessionCookie(): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'unirec_session')
  return `unirec_session=${cookie?.value}`
}
const statusWith = async (cookie: string) =>
  (await fetch(`${session.service.url}/manage/v1/sessions/current`, { headers: { cookie } })).status
/** On the page that the sign-out before it has opened. */
async function signInAgain(): Promise<void> {
  const { user, password } = session.service.sandboxFile().dashboard
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}
const openMenu = () => page.getByRole('button', { name: /profile, theme, and sign-out/ }).click()
const chooseSignOut = () => page.getByRole('menuitem', { name: 'Sign out' }).click()

describe('signing out', inOrder, () => {
  test('signing out ends the session: the old cookie is rejected', async () => {
    page = await session.open('desktop')
    await session.signInWithForm(page)
    const cookie = await sessionCookie()
    expect(await statusWith(cookie)).toBe(200)
    await openMenu()
    await chooseSignOut()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await statusWith(cookie)).toBe(401)
  })

  test('a failed sign-out is shown and can be retried', async () => {
    await signInAgain()
    const cookie = await sessionCookie()
    await page.route('**/manage/v1/sessions', (route) => route.abort(), { times: 1 })
    await openMenu()
    await chooseSignOut()
    const dialog = page.getByRole('dialog', { name: 'Sign-out failed' })
    await dialog.getByRole('alert').waitFor()
    expect(page.url()).toContain('/w/sandbox')
    expect(await statusWith(cookie)).toBe(200)

    await dialog.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await statusWith(cookie)).toBe(401)
  })

  test('signing out after the session has ended opens the sign-in page without an error', async () => {
    await signInAgain()
    const cookie = await sessionCookie()
    const { csrf } = (await (
      await fetch(`${session.service.url}/manage/v1/sessions/current`, { headers: { cookie } })
    ).json()) as { csrf: string }
    await openMenu()
    // The page refreshes what it shows, and opens the sign-in page when such a request is rejected. Hold these requests:
    // the session must end without the page's knowledge.
    await page.route('**/manage/v1/**', (route) => (route.request().method() === 'GET' ? undefined : route.fallback()))
    const ended = await fetch(`${session.service.url}/manage/v1/sessions`, {
      method: 'DELETE',
      headers: { cookie, 'x-csrf-token': csrf },
    })
    expect(ended.status).toBe(204)
    await chooseSignOut()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
