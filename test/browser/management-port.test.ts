// The dashboard on a separate port over HTTP, while callers use the public https URL.
// @module-tag chromium
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServiceHere } from '../service-here.ts'
import { type DashboardSession, openDashboard, visit } from './dashboard-session.ts'

const publicUrl = 'https://api.example.com'
let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard({ MANAGE_PORT: '0', PUBLIC_URL: publicUrl }, (environment) =>
    openServiceHere(environment, ['square']),
  )
})
afterAll(() => session?.close())

test('users sign in, make changes, follow links, and sign out there; copied commands use the public URL', async () => {
  const { manageUrl, url } = session.service
  const page = await session.open('desktop')
  await session.signInWithForm(page)
  expect(new URL(page.url()).origin).toBe(manageUrl)
  await page.reload() // the session is in the cookie
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await visit(page, `${manageUrl}/dashboard/w/sandbox/accounts/sandbox-square-restaurant`)
  await page.getByText(`curl '${publicUrl}/unified/sandbox-square-restaurant/`).waitFor()

  await visit(page, `${manageUrl}/dashboard/w/sandbox/credentials/api-keys`)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Name').fill('Made on the management port')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'I saved it' }).click()
  await page.getByRole('cell', { name: 'Made on the management port' }).first().waitFor()

  await page.context().route('**/reference/js/*', (route) => route.abort()) // its content has a test of its own
  const reference = page
    .context()
    .waitForEvent('response', (response) => response.url() === `${manageUrl}/reference/` && response.ok())
  await page.getByRole('link', { name: 'API reference' }).click()
  expect((await reference).headers()['content-type']).toContain('text/html')

  await page.getByRole('button', { name: /profile, theme, and sign-out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect((await page.goto(`${url}/dashboard`))?.status()).toBe(404)
  expect(session.complaints).toEqual([])
})
