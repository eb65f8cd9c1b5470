// Webhook endpoints in the dashboard: created, tested, changed and deleted, with a receiver that verifies every event.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../deliveries/receiver.ts'
import { inOrder } from '../in-order.ts'
import { openServiceHere } from '../service-here.ts'
import { faultsOf, looksForAxe } from './accessibility.ts'
import { type DashboardSession, drawn, openDashboard } from './dashboard-session.ts'
import { openAfresh } from './open-afresh.ts'

const account = 'sandbox-square-restaurant'
let session: DashboardSession
let page: Page
let receiver: Receiver
beforeAll(async () => {
  ;[session, receiver] = await Promise.all([
    openDashboard({}, (environment) => openServiceHere(environment, ['square'])),
    startReceiver(),
  ])
  page = await session.open('desktop')
  await session.signIn(page)
})
afterAll(async () => {
  await session?.close()
  await receiver?.close()
})
afterEach(() => expect(session.complaints).toEqual([]))

const open = (path: string) => openAfresh(page, `${session.service.manageUrl}/dashboard/w/sandbox`, path)
const looks = [
  [1440, 'light'],
  [390, 'dark'],
] as const
/** `place` names what is open. */
async function looksRight(place: string): Promise<void> {
  const forAxe = looksForAxe(place, looks)
  for (const look of looks) {
    const [width, colorScheme] = look
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    await page.setViewportSize({ width, height: 900 })
    await fits()
    if (forAxe.has(look)) expect(await faultsOf(page), `${width} ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1024, height: 900 })
  await fits()
}
async function fits(): Promise<void> {
  await drawn(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const choose = async (entry: string) => {
  await button('More actions').click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const deliveries = () => page.locator('.delivery-table .table-linked')
const delivery = (type: string, state: string) => deliveries().filter({ hasText: type }).filter({ hasText: state })
const fact = (label: string) => page.locator('.facts > div').filter({ hasText: label }).locator('dd')
/** The secret that is shown, after its dialog was closed. */
async function takeSecret(): Promise<string> {
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  const secret = (await shown.locator('code').textContent()) as string
  expect(secret).toMatch(/^whsec_/)
  await page.keyboard.press('Escape') // does not close it: the secret would be lost
  await button('I saved it').click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  return secret
}

describe('webhook endpoints', inOrder, () => {
  test('an endpoint is added with chosen events and accounts, and its secret is shown once', async () => {
    await open('/webhooks')
    await page.getByRole('heading', { name: 'No webhook endpoints yet' }).waitFor()
    await page.getByRole('link', { name: 'Add endpoint' }).first().click()
    await page.getByLabel('URL').fill('ftp://example.com')
    await page.getByLabel('Selected events').check()
    expect(await button('Add endpoint').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Customers' }).check()
    await page.getByRole('group', { name: 'Products' }).getByLabel('Updated').check()
    await page.getByRole('group', { name: 'Accounts' }).getByLabel('Disabled').check()
    await page.getByText('5 events selected').waitFor()
    await page.getByLabel('Limit to an account').fill('square')
    await page.getByRole('option').filter({ hasText: account }).click()
    await button('Add endpoint').click()
    await page.getByText('must be an https URL').first().waitFor()
    expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
    await looksRight('endpoint')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Requests per second').fill('500')
    await button('Add endpoint').click()
    receiver.secrets.push(await takeSecret())
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    const { data } = await session.manage<{ data: object[] }>('GET', '/webhook-endpoints')
    expect(data).toMatchObject([
      {
        url: receiver.url,
        events: ['product.updated', 'customer.*', 'account.disabled'],
        accounts: [account],
        perSecond: 500,
        coalesce: false,
      },
    ])
  })

  test('deliveries show their attempts and the response, and are sent again', async () => {
    let isBroken = true
    receiver.respond = (_, response) =>
      void (isBroken ? response.writeHead(503).end('closed for lunch') : response.end())
    await button('Send test event').click()
    const row = delivery('endpoint.test', 'Failed')
    await row.waitFor()
    await row.getByRole('button', { name: 'endpoint.test' }).click()
    await page.getByText('Test event failed: 503').waitFor()
    await page.getByText('closed for lunch').first().waitFor()
    await page.getByText('"This is a test."').waitFor()
    await page.locator('.page-state').getByText('Failing').waitFor()
    await looksRight('deliveries')
    await page.getByLabel('State').selectOption('Delivered')
    await page.getByText('No deliveries match this filter').waitFor()
    await button('Clear filter').click()
    isBroken = false
    await row.getByRole('button', { name: 'endpoint.test' }).click()
    await button('Resend').click()
    await delivery('endpoint.test', 'Delivered').filter({ hasText: 'attempt 2' }).waitFor()
    expect(await page.locator('.attempts .state').allTextContents()).toEqual(['503', '200'])
    await page.locator('.page-state').getByText('Active').waitFor()
    const [first, ...rest] = receiver.received
    expect(rest.every(({ id, body }) => id === first?.id && body === first.body)).toBe(true)
    expect(receiver.forged).toBe(0)
  })

  test('changes of the chosen account arrive, are replayed with new ids, and survive a rotation of the secret', async () => {
    await session.manage('PUT', `/accounts/${account}/watches/customer`, {})
    const watching = async () =>
      (
        await session.manage<{ entities: Record<string, { status?: { phase: string } }> }>(
          'GET',
          `/accounts/${account}/watches`,
        )
      ).entities.customer?.status?.phase
    await expect.poll(watching).toBe('ready')
    const { apiKey } = session.service.sandboxFile()
    const created = await fetch(`${session.service.url}/unified/${account}/customer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ externalId: 'C-1', name: 'Ada Lovelace' }),
    })
    expect(created.status).toBe(201)
    const { id } = ((await created.json()) as { reference: { id: string } }).reference
    const row = delivery('customer.created', 'Delivered')
    await row.waitFor()
    expect(await row.locator('.delivery-record').textContent()).toMatch(new RegExp(`${account}, sequence \\d+$`))
    expect(
      await row
        .getByTitle(id)
        .or(row.getByText(id, { exact: true }))
        .count(),
    ).toBe(1)
    await row.getByRole('button', { name: 'customer.created' }).click()
    await button('Deliveries of this record').click()
    await expect.poll(() => deliveries().count()).toBe(1)
    await page.getByLabel('Event').selectOption('Orders')
    await page.getByText('No deliveries match this filter').waitFor()
    await page.getByLabel('Event').selectOption('Any event')
    await button(`Remove filter: Record ${id}`).click()
    await expect.poll(() => deliveries().count()).toBe(2)

    await choose('Rotate secret')
    await page.getByText('For 24 hours, every request is signed').waitFor()
    await button('Rotate secret').click()
    const secret = await takeSecret()
    expect(receiver.secrets).not.toContain(secret)
    receiver.secrets = [secret]
    expect(await fact('Previous secret expires').textContent()).toBe('tomorrow')

    const ids = () => receiver.received.filter(({ event }) => event.type === 'customer.created').map(({ id }) => id)
    await choose('Replay events')
    await button('Replay').click()
    await expect.poll(() => new Set(ids()).size).toBe(2)
    await delivery('customer.created', 'Delivered').nth(1).waitFor()
    const sequence = receiver.received.findLast(({ event }) => event.type === 'customer.created')?.event.data.sequence
    await choose('Replay events')
    await page.getByLabel('Changes of one account').check()
    await page.getByLabel('Account', { exact: true }).fill('square')
    await page.getByRole('option').filter({ hasText: account }).click()
    await page.getByLabel('First sequence').fill(String(sequence))
    await button('Replay').click()
    await expect.poll(() => new Set(ids()).size).toBe(3)
    expect(receiver.forged).toBe(0)
  })

  test('an endpoint that is gone raises an alert on the overview, and is enabled again', async () => {
    receiver.respond = (_, response) => void response.writeHead(410).end()
    await button('Send test event').click()
    await page.locator('.page-state').getByText('Disabled').waitFor()
    await page.getByText('The receiver returned 410 Gone').waitFor()
    await open('')
    const alert = page.getByRole('alert').filter({ hasText: 'A webhook endpoint needs your attention' })
    await alert.waitFor()
    await fits()
    await page.route('**/webhook-endpoints?*', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: { id: string }[] }
      const many = Array.from({ length: 8 }, (_, number) => ({ ...data[0], id: `urwh_${number}`, failing: true }))
      await route.fulfill({ response, json: { data: many } })
    })
    await open('')
    await page.getByRole('alert').getByRole('link', { name: '3 more' }).waitFor()
    await page.unroute('**/webhook-endpoints?*')
    await open('/webhooks')
    await alert.waitFor()
    await looksRight('gone endpoint')
    await alert.getByRole('link').click()
    receiver.respond = (_, response) => void response.end()
    await button('Enable').click()
    await page.locator('.page-state').getByText('Active').waitFor()
    await expect.poll(() => fact('Waiting').textContent()).toBe('0')
    await open('')
    await page.getByText('Requests', { exact: true }).first().waitFor()
    expect(await alert.count()).toBe(0)
  })

  test('settings are changed and removed, and the endpoint is disabled and deleted', async () => {
    await open('/webhooks')
    await page.locator('.table-link').click()
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByRole('checkbox', { name: 'Customers' }).isChecked()).toBe(true)
    await page.getByLabel('Description').fill('Inventory sync')
    await page.getByLabel('All events').check()
    await button(`Remove ${account}`).click()
    await page.getByLabel('Requests per second').fill('')
    await page.getByLabel('Data').selectOption('Thin: IDs only')
    await page.getByLabel('Combine events of a record').check()
    await button('Save').click()
    await page.getByRole('heading', { name: 'Inventory sync' }).waitFor()
    const { data } = await session.manage<{ data: object[] }>('GET', '/webhook-endpoints')
    expect(data).toMatchObject([{ events: ['*'], data: 'thin', coalesce: true, description: 'Inventory sync' }])
    for (const name of ['accounts', 'perSecond']) expect(data[0]).not.toHaveProperty(name)
    await choose('Disable endpoint')
    await button('Disable endpoint').click()
    await page.getByText('An operator has disabled it.').waitFor()
    await choose('Delete endpoint')
    expect(await button('Delete endpoint').isDisabled()).toBe(true)
    await page.getByLabel('Type “delete” to confirm').fill('delete')
    await button('Delete endpoint').click()
    await page.getByRole('heading', { name: 'No webhook endpoints yet' }).waitFor()
  })

  test('an endpoint for notifications is offered in the settings, and listed there', async () => {
    await open('/settings')
    await page.getByRole('link', { name: 'Add notification endpoint' }).click()
    expect(await page.getByLabel('Notifications for operators').isChecked()).toBe(true)
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('URL').press('Enter')
    receiver.secrets = [await takeSecret()]
    const { data } = await session.manage<{ data: object[] }>('GET', '/webhook-endpoints')
    expect(data).toMatchObject([{ events: ['account.reconnect_required', 'delivery.failed', 'endpoint.*'] }])
    await open('/settings')
    await page.locator('#notifications').getByText('Active').waitFor()
    await page.locator('#notifications').getByRole('link', { name: '/hooks' }).waitFor()
  })
})
