// An account that a customer connected through a link: the request in the dashboard.
// @module-tag chromium
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { createBrowser } from '../connect-browser.ts'
import { agree, type ConnectService, createConnectService, tenantNamed, toConsent } from '../connect-service.ts'
import { type OpenBrowser, openBrowser } from './chromium.ts'

let connect: ConnectService
let browser: OpenBrowser
beforeAll(async () => {
  ;[connect, browser] = await Promise.all([
    createConnectService({ clover: simulators.clover as CreateSimulator }),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await connect?.close()
})

test('the row and the page of the request are named after the platform, and show the route without code and state', async () => {
  const { service, workspaceId } = connect
  const one = tenantNamed('clover restaurant')
  const customer = createBrowser()
  const link = await connect.newLink({ platforms: ['clover'], newAccountId: 'corner-cafe' })
  await agree(customer, await toConsent(connect, customer, link.url, one), one.vertical)
  await service.store.users.put({ name: 'ada', passwordHash: await hashPassword('a long enough password') })

  const page = await (await browser.newContext()).newPage()
  await page.goto(`${service.url()}/dashboard`)
  await page.getByLabel('User').fill('ada')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(`${service.url()}/dashboard/w/${workspaceId}/activity?live=yes`)
  await page.getByRole('link', { name: 'Connect: Clover' }).click()
  await page.getByRole('heading', { name: 'Connect: Clover' }).waitFor()
  await page.getByText('GET /connect/callback', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'corner-cafe' }).waitFor()
  expect(await page.content()).not.toContain('code=')
})
