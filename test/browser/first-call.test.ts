// An empty install: somebody with nothing but the dashboard gets to a call that succeeds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardSession, openDashboard } from './dashboard-session.ts'
import { type HttpsShop, openHttpsShop } from './https-shop.ts'

const login = { ADMIN_USER: 'ada', ADMIN_PASSWORD: 'a long enough password' }
let shop: HttpsShop
let session: DashboardSession
beforeAll(async () => {
  shop = await openHttpsShop()
  session = await openDashboard({ SANDBOX: 'off', ...login, ...shop.environment })
}, 60_000)
afterAll(async () => {
  await session?.close()
  await shop?.close()
})

test('the first log-in is led from a workspace over a key and an account to a call that can be pasted or sent from the page', { timeout: 90_000 }, async () => {
  const page = await session.open('desktop')
  await page.goto(`${session.service.url}/dashboard`)
  await page.getByLabel('User').fill(login.ADMIN_USER)
  await page.getByLabel('Password').fill(login.ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
  await page.getByLabel('Name').fill('Production')
  await page.getByRole('button', { name: 'Create workspace' }).click()

  await page.getByText('From here to your first call').waitFor()
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
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const line = (await page.locator('.code code').first().textContent()) as string
  expect(line).toContain(`authorization: Bearer ${key}`)
  const [, address] = /'(http[^']+)'/.exec(line) as RegExpExecArray
  const tried = page.waitForResponse(address as string)
  await page.getByRole('button', { name: 'Try it' }).click()
  expect((await tried).status()).toBe(200)
  // And as it is pasted into a terminal or a program: records of the shop.
  const response = await fetch(address as string, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(0)
  expect(session.complaints).toEqual([])
})
