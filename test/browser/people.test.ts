// People in the dashboard: an invitation, what a role allows, and sign-in at an identity provider.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OidcIssuer, openIssuer } from '../oidc-issuer.ts'
import { type DashboardSession, openDashboard, settled, visit, withSquare } from './dashboard-session.ts'

let issuer: OidcIssuer
let session: DashboardSession
let admin: Page
const addresses: string[] = [] // of every request that a browser made
beforeAll(async () => {
  issuer = await openIssuer()
  const { clientId, clientSecret } = issuer.client
  const provider = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  session = await openDashboard(provider, withSquare)
  issuer.serve(session.service.manageUrl)
  admin = await session.open('desktop')
  await session.signIn(admin)
})
afterAll(async () => {
  await session?.close()
  await issuer?.close()
})

async function invite(name: string, role: string): Promise<string> {
  await admin.goto(`${session.service.url}/dashboard/w/sandbox/people`)
  await admin.getByRole('button', { name: 'Invite person' }).first().click()
  await admin.getByLabel('Name or email address').fill(name)
  await admin.getByLabel(role, { exact: false }).check()
  await admin.getByRole('button', { name: 'Create link' }).click()
  const link = (await admin.getByRole('dialog').locator('code').textContent()) as string
  await admin.getByRole('button', { name: 'I saved it' }).click()
  await admin.getByRole('table', { name: 'Open invitations' }).getByText(name).waitFor()
  return link
}
async function visitor(width: 'desktop' | 'phone' = 'desktop'): Promise<Page> {
  const page = await session.open(width)
  page.on('request', (request) => void addresses.push(request.url()))
  return page
}

test('an invited person joins, sees what the role allows, and loses it when an admin removes it', async () => {
  const link = await invite('Vera', 'Viewer')
  const page = await visitor('phone')
  await page.goto(link)
  await page.getByRole('heading', { name: 'Join Sandbox' }).waitFor()
  expect(page.url()).toMatch(/\/dashboard\/invitation$/) // the secret is gone from the address
  await page.getByLabel('User name').fill('vera')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Join workspace' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await visit(page, `${session.service.url}/dashboard/w/sandbox/credentials`)
  const create = page.getByRole('button', { name: 'Create access ID' }).first()
  await page.locator('[title^="Your role is viewer. This needs admin"]').first().waitFor()
  expect(await create.isDisabled()).toBe(true)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/people`)
  await page.getByRole('table', { name: 'Members' }).getByText('Viewer').waitFor()
  expect(await page.getByRole('heading', { name: 'All users' }).count()).toBe(0)
  await visit(page, `${session.service.url}/dashboard/w/sandbox/accounts/sandbox-square-restaurant/references`)
  expect(
    await page
      .getByRole('button', { name: /^Delete reference/ })
      .first()
      .isDisabled(),
  ).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^Migrations/ }).waitFor()
  for (const name of [/Create an API key/, /Connect an account/, /^Sandbox/])
    expect(await page.getByRole('option', { name }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await admin.goto(`${session.service.url}/dashboard/w/sandbox/people`)
  await admin.getByLabel('Role of vera').selectOption('admin')
  await admin.getByText('vera is now admin').waitFor()
  await page.goto(`${session.service.url}/dashboard/w/sandbox/credentials`)
  await settled(page)
  await expect.poll(() => create.isDisabled()).toBe(false)
  await admin.reload()
  await admin
    .getByRole('button', { name: /^End the session of vera/ })
    .first()
    .click()
  await admin.getByText('Session ended').waitFor()
  await page.goto(`${session.service.url}/dashboard/w/sandbox/credentials`)
  await page.getByLabel('User').fill('vera')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await create.waitFor()
  await admin.getByRole('button', { name: 'Actions for vera' }).click()
  await admin.getByRole('menuitem', { name: 'Remove from workspace' }).click()
  await admin.getByRole('button', { name: 'Remove', exact: true }).click()
  await admin.getByText('No members yet').waitFor()
  await page.goto(`${session.service.url}/dashboard`)
  await page.getByRole('heading', { name: 'No workspace yet' }).waitFor()

  await page.goto(link)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  expect(addresses.some((address) => address.includes(link.split('#')[1] as string))).toBe(false)
  await page.context().close()
})

test('a person joins with SSO, signs in again with it, and ends other sessions', async () => {
  const link = await invite('Olga', 'Operator')
  const page = await visitor()
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue with SSO' }).click()
  await page.getByLabel('Email').fill('olga@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.evaluate('location.search + location.hash')).toBe('')
  await page.getByRole('button', { name: /olga@example.com: profile/ }).waitFor()

  const other = await visitor()
  await other.goto(`${session.service.url}/dashboard/w/sandbox/profile`)
  await other.getByRole('button', { name: 'Continue with SSO' }).click()
  await other.getByLabel('Email').fill('olga@example.com')
  await other.getByRole('button', { name: 'Continue' }).click()
  // Where the person wanted to go.
  const sessions = other.getByRole('table', { name: 'Sessions' })
  await sessions.getByText('This session').waitFor()
  expect(await sessions.getByRole('row').count()).toBe(3)
  expect(await other.getByRole('heading', { name: 'Change password' }).count()).toBe(0)
  await other.getByRole('button', { name: 'End all others' }).click()
  await other.getByRole('button', { name: 'End sessions' }).click()
  await other.getByText('Other sessions ended').waitFor()
  await page.goto(`${session.service.url}/dashboard`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()

  // Without an invitation, the reason is shown.
  const uninvited = await visitor()
  await uninvited.goto(`${session.service.url}/dashboard`)
  await uninvited.getByRole('button', { name: 'Continue with SSO' }).click()
  await uninvited.getByLabel('Email').fill('eve@example.com')
  await uninvited.getByRole('button', { name: 'Continue' }).click()
  await uninvited.getByText('Ask an admin for an invitation').waitFor()
  for (const one of [page, other, uninvited]) await one.context().close()
})

test('an installation admin renames and deletes a workspace', async () => {
  await admin.getByRole('button', { name: /^Workspace Sandbox/ }).click()
  await admin.getByRole('menuitem', { name: 'New workspace' }).click()
  await admin.getByLabel('Name').fill('Short-lived')
  await admin.getByRole('button', { name: 'Create workspace' }).click()
  await admin.getByRole('button', { name: /^Workspace Short-lived/ }).waitFor()
  await admin.getByRole('link', { name: 'Settings' }).click()
  await admin.getByLabel('Name', { exact: true }).fill('Renamed')
  await admin.getByRole('button', { name: 'Rename' }).click()
  await admin.getByText('Workspace renamed').waitFor()
  await admin.getByRole('button', { name: /^Workspace Renamed/ }).waitFor()
  await admin.getByRole('button', { name: 'Delete workspace' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Delete Renamed?' })
  await dialog.getByLabel('Type “Renamed” to confirm').fill('Renamed')
  await dialog.getByRole('button', { name: 'Delete workspace' }).click()
  await admin.getByRole('button', { name: /^Workspace Sandbox/ }).waitFor()
  const others = session.complaints.filter((complaint) => !complaint.includes(issuer.url))
  expect(others).toEqual([])
})
