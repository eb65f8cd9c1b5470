// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from './accessibility.ts'
import { type DashboardSession, openDashboard, visit, widthsFor, withSquare } from './dashboard-session.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard({}, withSquare)
})
afterAll(() => session?.close())

const address = (path: string) => `${session.service.url}/dashboard/w/sandbox/mappings${path}`

describe.each(widthsFor('mappings'))('at %s width', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await session.open(width)
    await session.signIn(page)
  })
  afterAll(() => page?.context().close())

  test('a mapping is written with a live preview, an invalid rule is rejected with a reason, a version restored, a key created and used', async () => {
    const name = `House codes ${width}`
    await visit(page, address('/sandbox-square-restaurant/new'))
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Unified field').fill('/color')
    await page.getByText('is not a field of product, such as /name').waitFor()
    expect(await page.getByRole('button', { name: 'Save mapping' }).isDisabled()).toBe(true)
    await page.getByLabel('Unified field').fill('/sku')
    await page.getByLabel('Pointer').fill('item/id')
    await page.getByText('must be a JSON pointer into the native record').waitFor()
    await page.getByLabel('Pointer').fill('/item/id')
    const after = page.locator('.preview-after')
    await after.waitFor()
    const native = JSON.parse((await after.textContent()) ?? '')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByRole('heading', { name }).waitFor()

    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Unified field').last().fill('/priceType')
    await page.getByLabel('Source').last().selectOption('value')
    await page.getByLabel('Value').selectOption('VARIABLE')
    await page.getByText('"VARIABLE"').first().waitFor()
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByRole('button', { name: 'Save as version 3' }).waitFor()

    await page.getByRole('button', { name: 'Add custom field' }).click()
    const custom = page.getByLabel('Custom field')
    expect(await custom.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    await custom.fill('sku')
    await page.getByText('shadows the unified field sku').waitFor()
    await custom.fill('kind')
    await page.getByLabel('Field of Square').fill('/item/item_data/product_type')
    await page.getByText('Read-only for callers.').waitFor()
    await page.getByLabel('Type', { exact: true }).selectOption('integer')
    await page.getByText('it is not of the type integer').waitFor()
    await page.getByLabel('Type', { exact: true }).selectOption('string')
    const kind = page.getByRole('row', { name: /\/custom\/kind/ }).locator('.preview-after')
    await kind.waitFor()
    expect(JSON.parse((await kind.textContent()) ?? '')).toMatch(/^[A-Z_]+$/)
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save as version 3' }).click()
    await page.getByRole('button', { name: 'Save as version 4' }).waitFor()
    expect(await page.getByLabel('Custom field').inputValue()).toBe('kind')

    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('string from /item/item_data/product_type').first().waitFor()
    await page.getByText('always "VARIABLE"').first().waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('heading', { name: 'Version 4' }).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('link', { name: 'Open in explorer' }).click()
    await page.waitForURL(/explorer.*mappingKey=/)
    const sku = page.getByRole('tree', { name: /Unified/ }).getByRole('treeitem', { name: /^sku:/ })
    await sku.focus()
    expect(await sku.textContent()).toContain(native)
    await page.locator('.words').getByText('same value, taken by the mapping').waitFor()

    await visit(page, address('/sandbox-square-restaurant'))
    await page.getByRole('link', { name }).click()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: /^Delete key/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('No keys yet').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByLabel(/to confirm/).fill(name)
    await page.getByRole('button', { name: 'Delete mapping' }).click()
    await page.getByRole('heading', { name: 'Mappings', exact: true }).waitFor()
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
  })
})

test('no page logged an error or requested another origin', () => {
  expect(session.complaints).toEqual([])
})
