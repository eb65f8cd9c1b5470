import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard()
}, 60_000)
afterAll(() => session?.close())

/** The cookie of the browser, as a copy outside of the browser. */
async function sessionCookie(): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'unirec_session')
  return `unirec_session=${cookie?.value}`
}
const statusWith = async (cookie: string) => (await fetch(`${session.service.url}/manage/v1/sessions/current`, { headers: { cookie } })).status
async function chooseLogOut(): Promise<void> {
  await page.getByRole('button', { name: /profile, theme and log-out/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

test('a log-out ends the session: the old cookie is refused', async () => {
  page = await session.open('desktop')
  await session.logIn(page)
  const cookie = await sessionCookie()
  expect(await statusWith(cookie)).toBe(200)
  await chooseLogOut()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await statusWith(cookie)).toBe(401)
})

test('a log-out that fails is shown and can be repeated', async () => {
  await session.logIn(page)
  const cookie = await sessionCookie()
  await page.route('**/manage/v1/sessions', (route) => route.abort(), { times: 1 })
  await chooseLogOut()
  const dialog = page.getByRole('dialog', { name: 'Log-out failed' })
  await dialog.getByRole('alert').waitFor()
  expect(page.url()).toContain('/w/sandbox')
  expect(await statusWith(cookie)).toBe(200)

  await dialog.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await statusWith(cookie)).toBe(401)
})

test('a log-out after the session ended elsewhere leads to the log-in without an error', async () => {
  await session.logIn(page)
  const cookie = await sessionCookie()
  const { csrf } = (await (await fetch(`${session.service.url}/manage/v1/sessions/current`, { headers: { cookie } })).json()) as { csrf: string }
  const ended = await fetch(`${session.service.url}/manage/v1/sessions`, { method: 'DELETE', headers: { cookie, 'x-csrf-token': csrf } })
  expect(ended.status).toBe(204)
  await chooseLogOut()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})
