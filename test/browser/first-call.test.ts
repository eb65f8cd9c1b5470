// An empty installation: the dashboard guides a user to a successful request.
// @module-tag chromium
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServiceApart } from '../service-here.ts'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'
import { type HttpsShop, openHttpsShop } from './https-shop.ts'

const login = { ADMIN_USER: 'ada', ADMIN_PASSWORD: 'a long enough password' }
let shop: HttpsShop
let session: DashboardSession
beforeAll(async () => {
  shop = await openHttpsShop()
  session = await openDashboard({ SANDBOX: 'off', ...login, ...shop.environment }, openServiceApart)
})
afterAll(async () => {
  await session?.close()
  await shop?.close()
})

test('the first sign-in leads to a workspace, a key, an account, and a request that can be pasted or sent from the page', async () => {
  const page = await session.open('desktop')
  await page.goto(`${session.service.url}/dashboard`)
  await page.getByLabel('User').fill(login.ADMIN_USER)
  await page.getByLabel('Password').fill(login.ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
  await page.getByLabel('Name').fill('Production')
  await page.getByRole('button', { name: 'Create workspace' }).click()

  await page.getByText('Make your first request').waitFor()
  await page.getByRole('link', { name: 'Connect an account' }).click()
  await page.getByRole('link', { name: /WooCommerce/ }).click()
  await page.getByLabel('Name').fill('Corner shop')
  await page.getByLabel('Consumer key').fill(shop.credentials.consumerKey as string)
  await page.getByLabel('Consumer secret').fill(shop.credentials.consumerSecret as string)
  await page.getByLabel(/Store address/).fill(shop.address)
  await page.getByRole('button', { name: 'Connect account' }).click()
  await page.getByRole('heading', { name: 'Corner shop' }).waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = (await page.locator('.secret-value code').first().textContent()) as string
  await page.getByRole('button', { name: 'I saved it' }).click()
  const line = (await page.locator('.request-code pre').first().textContent()) as string
  expect(line).not.toContain(key)
  const [, address] = /'(http[^']+)'/.exec(line) as RegExpExecArray
  const tried = page.waitForResponse(address as string)
  await page.getByRole('button', { name: 'Try it' }).click()
  expect((await tried).status()).toBe(200)
  // The pasted command returns records of the store.
  const response = await fetch(address as string, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(0)
  const trace = page.getByRole('link', { name: 'View its trace' })
  const [, workspace, requestId] = /\/w\/([^/]+)\/activity\/(.+)$/.exec((await trace.getAttribute('href')) ?? '') ?? []
  // The activity is written a moment after the response.
  const recorded = `fetch('/manage/v1/workspaces/${workspace}/activity/${requestId}').then(({ status }) => status)`
  await expect.poll(() => page.evaluate(recorded)).toBe(200)
  await trace.click()
  await page.getByRole('heading', { name: 'The same request' }).waitFor()
  expect(await page.locator('.request-code pre').textContent()).toBe(line)
  expect(session.complaints).toEqual([])
})
