// The change feed in the dashboard: what is watched, what it does, and the changes as they come.
// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inOrder } from '../in-order.ts'
import { openServiceHere } from '../service-here.ts'
import { faultsOf, looksForAxe } from './accessibility.ts'
import { type DashboardSession, drawn, openDashboard, type Width, widths } from './dashboard-session.ts'
import { busy } from './failing-requests.ts'
import { openAfresh } from './open-afresh.ts'

const live = 'sandbox-square-restaurant'
const failing = 'sandbox-quickbooks-online-accounting'
const disabled = 'sandbox-loyverse-retail_pos'
const platforms = ['square', 'quickbooks-online', 'loyverse', 'woocommerce']
const products = '/square/tenants/restaurant/product'

const outage = { kind: 'foreign_before', status: 400, body: { Fault: { Error: [{ Message: 'Maintenance' }] } } }

let session: DashboardSession
let page: Page
beforeAll(async () => {
  session = await openDashboard({}, (environment) => openServiceHere(environment, platforms))
  page = await session.open('desktop')
  await session.signIn(page)
})
afterAll(() => session?.close())
afterEach(() => expect(session.complaints).toEqual([]))

const open = (path: string) => openAfresh(page, `${session.service.manageUrl}/dashboard/w/sandbox`, path)
async function become(width: Width, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(widths[width])
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
  await drawn(page)
}
const changesOf = (account: string) => `/accounts/${account}/changes`
const watchOf = (entity: string) =>
  page.locator('.watches tbody').filter({ has: page.getByRole('rowheader', { name: entity, exact: true }) })
const changes = () => page.locator('.change-table .table-linked')
const changeOf = (operation: string, id: string) => changes().filter({ hasText: operation }).filter({ hasText: id })
const idsOf = async () => (await session.control<{ ids: string[] }>('GET', products)).ids
const touch = (id: string) => session.control('POST', `${products}?touch=${id}`)
/** How many changes the service has, whatever a page shows. */
const logged = async () =>
  (await session.manage<{ data: unknown[] }>('GET', `/accounts/${live}/changes?limit=500`)).data.length
async function looksRight(withAxe = true): Promise<void> {
  if (withAxe) expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
}

describe('the change feed', inOrder, () => {
  describe('the changes of an account', () => {
    test('appear live after an entity is watched and its first walk is done', async () => {
      await open(changesOf(live))
      await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor()
      await page.getByRole('button', { name: 'Watch products' }).click()
      const watch = watchOf('Product')
      await watch.getByText('Ready').waitFor()
      const [first = '', second = ''] = await idsOf()
      expect(await watch.locator('[data-label=Records]').textContent()).toBe(String((await idsOf()).length))
      expect(await watch.locator('[data-label="Set by"]').textContent()).toBe('This account')
      await page.getByText('No change has been found so far').waitFor()

      await page.getByRole('button', { name: 'Change the setting for products' }).click()
      await page.getByLabel('Poll', { exact: true }).selectOption('Every 30 sec')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await watch.getByText('every 30 sec').waitFor()

      await touch(first)
      await changeOf('Updated', first).waitFor()
      await touch(first)
      const again = changeOf('Updated', first).filter({ has: page.getByText('name', { exact: true }) })
      await again.waitFor()
      await again.getByRole('button', { name: 'Updated' }).click()
      await page.getByText(`"externalId": "${first}"`).waitFor()
      await looksRight()

      await session.control('POST', `${products}?remove=${second}`)
      await page.getByRole('button', { name: 'Walk now over products' }).click()
      await changeOf('Deleted', second).waitFor()
      await changeOf('Deleted', second).getByRole('button', { name: 'Deleted' }).click()
      await page.getByText('A delete has no record.').waitFor()

      await page.getByLabel('Entity', { exact: true }).selectOption('Order')
      await page.getByText('No changes to orders').waitFor()
      await page.getByLabel('Entity', { exact: true }).selectOption('Product')
      await changeOf('Deleted', second).waitFor()
    })

    test('wait while the list is paused, and come when it is resumed', async () => {
      await open(changesOf(live))
      await changes().first().waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      const before = await changes().count()
      const [id = ''] = await idsOf()
      const known = await logged()
      await touch(id)
      await expect.poll(logged).toBe(known + 1)
      expect(await changes().count()).toBe(before)
      await page.getByRole('button', { name: 'Resume' }).click()
      await expect.poll(() => changes().count()).toBe(before + 1)
      await page.getByText('Live', { exact: true }).waitFor()
    })

    test('are not lost while the service cannot be reached', async () => {
      await open(changesOf(live))
      await changes().first().waitFor()
      const before = await changes().count()
      await page.route(/\/changes\?/, busy)
      const [id = ''] = await idsOf()
      await touch(id) // ends the request that waits
      await page.getByText('Reconnecting…').waitFor()
      const known = await logged()
      await touch(id)
      await expect.poll(logged).toBe(known + 1)
      await page.unroute(/\/changes\?/)
      await expect.poll(() => changes().count()).toBe(before + 2)
      await page.getByText('Live', { exact: true }).waitFor()
    })

    test('show the progress of a first walk', async () => {
      await session.control('POST', '/woocommerce/tenants/retail_pos/customer?add=250')
      await session.control('POST', '/woocommerce/faults', {
        kind: 'stall',
        delayMs: 4_000,
        path: 'customers',
        skip: 1,
      })
      await open(changesOf('sandbox-woocommerce-retail_pos'))
      await page.getByRole('button', { name: 'Watch customers' }).click()
      const watch = watchOf('Customer')
      await watch.getByText('First walk').waitFor()
      await watch.getByText(/Reading all records once: \d+ records on \d+ pages? so far/).waitFor()
      await watch.getByRole('progressbar').waitFor()
      expect(await page.getByRole('button', { name: 'Walk now over customers' }).isDisabled()).toBe(true)
      await looksRight()
      await session.control('DELETE', '/woocommerce/faults')
      await watch.getByText('Ready').waitFor()
    })

    test('stop with the error of the platform, and go on after it', async () => {
      await session.manage('PUT', `/accounts/${failing}/watches/customer`, { pollSeconds: 30 })
      await open(changesOf(failing))
      const watch = watchOf('Customer')
      await watch.getByText('Ready').waitFor()
      await session.control('POST', '/quickbooks-online/faults', outage)
      await page.getByRole('button', { name: 'Walk now over customers' }).click()
      await watch.getByText('Failing').waitFor()
      await watch.getByText(/QuickBooks Online/).waitFor()
      await watch.getByText(/next attempt/i).waitFor()
      await session.control('DELETE', '/quickbooks-online/faults')
      await watch.getByText('Ready').waitFor()
    })

    test('pause with the account, and go on when it is enabled', async () => {
      await session.manage('PUT', `/accounts/${disabled}/watches/product`, {})
      await open(changesOf(disabled))
      const watch = watchOf('Product')
      await watch.getByText('Ready').waitFor()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Disable account' }).click()
      await page.getByRole('button', { name: 'Disable account' }).click()
      await watch.getByText('Paused').waitFor()
      await page.getByText('The account is disabled. Enable it to go on.').waitFor()
      expect(await page.getByRole('button', { name: 'Walk now over products' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Enable account' }).click()
      await watch.getByText('Ready').waitFor()
    })
  })

  describe('the defaults of a workspace', () => {
    test('apply to its accounts, and can be overridden in one of them', async () => {
      await become('phone', 'dark')
      await open('/settings')
      await page.locator('#change-feed').getByLabel('Customers', { exact: true }).check()
      await page.getByLabel('Poll: customers').selectOption('Every 2 min')
      await page.getByLabel('Store records with changes').uncheck()
      await looksRight()
      await page.getByRole('button', { name: 'Save change feed' }).click()
      await page.getByText('Settings saved').waitFor()
      expect(await session.manage('GET', '/watches')).toEqual({
        entities: { customer: { pollSeconds: 120 } },
        keepRecords: false,
      })
      await open(changesOf(live))
      const watch = watchOf('Customer')
      await watch.getByText('every 2 min').waitFor()
      expect(await watch.locator('[data-label="Set by"]').textContent()).toBe('Workspace')

      const edit = page.getByRole('button', { name: 'Change the setting for customers' })
      const setting = page.getByLabel('Setting', { exact: true })
      await edit.click()
      await setting.selectOption('Not watched in this account')
      await page.getByText('cursors that include them expire').waitFor()
      await page.getByRole('button', { name: 'Stop watching' }).click()
      await watch.getByText('Not watched').waitFor()
      await edit.click()
      await setting.selectOption('Workspace default: watched')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await watch.getByText('every 2 min').waitFor()

      await open('/settings')
      await page.getByLabel('Store records with changes').check()
      await page.locator('#change-feed').getByLabel('Customers', { exact: true }).uncheck()
      await page.getByRole('button', { name: 'Save change feed' }).click()
      await page.getByText('In all accounts without a setting of their own').waitFor()
      expect(await session.manage('GET', '/watches')).toMatchObject({ keepRecords: false })
      await page.getByRole('button', { name: 'Save and stop watching' }).click()
      await expect.poll(() => session.manage('GET', '/watches')).toEqual({ entities: {}, keepRecords: true })
      await page.getByText('Settings saved').first().waitFor()
      await open(changesOf(live))
      await watch.getByText('Not watched').waitFor()
    })
  })

  test('all states are readable on a desktop in the light theme and on a phone in the dark one', async () => {
    await session.manage('POST', `/accounts/${disabled}/disable`)
    await session.control('POST', '/quickbooks-online/faults', outage)
    await session.manage('POST', `/accounts/${failing}/watches/customer/walk`)
    const states = [
      [
        live,
        async () => {
          await changes().filter({ hasText: 'Updated' }).first().getByRole('button', { name: 'Updated' }).click()
          await page.getByRole('link', { name: 'Open in explorer' }).waitFor()
        },
      ],
      [failing, () => page.getByText('Failing').waitFor()],
      [disabled, () => page.getByText('Nothing is read at the moment').waitFor()],
    ] as const
    for (const [account, isThere] of states) {
      await open(changesOf(account))
      await isThere()
      const looks: [Width, 'light' | 'dark'][] = [
        ['desktop', 'light'],
        ['phone', 'dark'],
      ]
      const forAxe = looksForAxe(account, looks)
      for (const look of looks) {
        await become(...look)
        await looksRight(forAxe.has(look))
      }
    }
  })
})
