// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from './accessibility.ts'
import { copiedLanguages, copyAs, runCopied } from './copied-code.ts'
import { type DashboardSession, openDashboard, visit, widthsFor } from './dashboard-session.ts'

let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard()
})
afterAll(() => session?.close())

const address = (path: string) => `${session.service.url}/dashboard/w/sandbox/explorer${path}`
const field = (page: Page, side: RegExp, name: RegExp) =>
  page.getByRole('tree', { name: side }).getByRole('treeitem', { name }).first()
const words = (page: Page) => page.locator('.words')

const selectedText = (area: unknown) => {
  const { value, selectionStart, selectionEnd } = area as {
    value: string
    selectionStart: number
    selectionEnd: number
  }
  return value.slice(selectionStart, selectionEnd)
}

describe.each(widthsFor('explorer'))('at %s width', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await session.open(width)
    await session.signIn(page)
  })
  afterAll(() => page?.context().close())

  test('a field of the unified record shows its native field and the conversion; Enter switches sides', async () => {
    await visit(page, address('/sandbox-square-restaurant/product'))
    const price = field(page, /Unified/, /^price:/)
    await price.focus()
    await words(page)
      .getByText(/^\d+ USD minor units → [\d.]+$/)
      .waitFor()
    expect(await words(page).textContent()).toContain('variation.item_variation_data.price_money.amount')
    await price.press('Enter')
    const amount = page.locator('[data-pointer="/variation/item_variation_data/price_money/amount"]')
    await expect.poll(() => page.locator(':focus').getAttribute('data-pointer')).toMatch(/\/amount$/)
    expect(await amount.getAttribute('data-lit')).toBe('main')
    await amount.press('ArrowDown')
    await words(page).getByText('same value').waitFor()
    expect(await words(page).textContent()).toMatch(/currencyCode/)
    expect(await faultsOf(page)).toEqual([])
  })

  test('without an account, it opens with the one used last', async () => {
    const id = 'sandbox-loyverse-retail_pos'
    const headers = { authorization: `Bearer ${session.service.sandboxFile().apiKey}` }
    await fetch(`${session.service.url}/unified/${id}/product?pageSize=1`, { headers })
    const newest = () => session.manage<{ data: { accountId: string }[] }>('GET', '/activity?status=ok&limit=1')
    await expect.poll(async () => (await newest()).data[0]?.accountId).toBe(id)
    await visit(page, address(''))
    await page.waitForURL(new RegExp(`/explorer/${id}/`))
    await words(page).getByText('Select a field').waitFor()
    const position = "getComputedStyle(document.querySelector('.compare-words')).position"
    expect(await page.evaluate(position)).toBe('static') // covers no field
  })

  test('the view "Native" shows what the platform sent, and stays while records are chosen', async () => {
    await visit(page, address('/sandbox-square-restaurant/product'))
    await page.getByRole('link', { name: 'Native', exact: true }).click()
    await page.waitForURL(/\/product\/native\?/)
    const responses = page.locator('.native-responses > li')
    await responses.first().waitFor()
    expect(await responses.first().locator('h3').textContent()).toMatch(/^GET \/v2\/catalog\/object\//)
    expect(await responses.first().locator('pre').textContent()).toContain('"item_data"')
    await page.locator('.browse-entry').nth(1).click()
    await expect.poll(() => page.locator('.browse-entry').nth(1).getAttribute('aria-current')).toBe('true')
    await responses.first().waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('a native call shows the response of the platform, errors at their field, and a replay', async () => {
    await visit(page, address('/sandbox-square-restaurant/product/native'))
    await page.locator('.native-responses').getByRole('link', { name: 'Native call' }).first().click()
    const path = page.getByRole('textbox', { name: 'Path' })
    await expect.poll(() => path.inputValue()).toMatch(/^\/v2\/catalog\/object\//)
    const send = page.getByRole('button', { name: 'Send' })
    await path.fill('/v2/customers')
    const query = page.getByRole('textbox', { name: 'Query' })
    await query.fill('limit')
    await page.getByText('line 1 must be name=value').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await query.fill('limit=1')
    await send.click()
    const shown = page.locator('.native-call .json')
    await shown.waitFor()
    expect(JSON.parse((await shown.textContent()) ?? '').customers).toHaveLength(1)
    expect(await faultsOf(page)).toEqual([])

    await path.fill('//example.com/v2/customers')
    await send.click()
    await page.getByText('Nothing was sent. Correct the marked fields.').waitFor()
    expect(await path.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.native-call-line .field-error').textContent()).toMatch(/without scheme and host/)

    await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
    await path.fill('/v2/customers')
    await query.fill('')
    const body = page.getByLabel('Body as JSON')
    await body.fill('{ "given_name": ')
    expect(await send.isDisabled()).toBe(true)
    await body.fill('{ "given_name": "Ada" }')
    await send.click()
    await shown.getByText('"Ada"').waitFor()
    await send.click()
    await page.getByText('Replayed: this call was made before').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('the search finds a record by SKU, says when nothing is found, and is cleared', async () => {
    await visit(page, address('/sandbox-square-restaurant/product'))
    const sku = field(page, /Unified/, /^sku:/)
    await sku.waitFor()
    const [text = ''] = /[A-Z]+-\d+/.exec((await sku.textContent()) ?? '') ?? []
    const title = (await page.locator('.browse-record h2').textContent()) ?? ''
    const entries = page.locator('.browse-entry')
    const all = await entries.count()
    const box = page.getByRole('searchbox', { name: 'Search records' })
    expect(await box.getAttribute('placeholder')).toBe('ID, name, SKU')
    await box.fill(text)
    await box.press('Enter')
    await page.waitForURL(new RegExp(`search=${text}`))
    await expect.poll(() => entries.count()).toBe(1)
    expect(await entries.textContent()).toContain(title)
    await page.reload()
    await expect.poll(() => entries.count()).toBe(1)
    expect(await box.inputValue()).toBe(text)
    await box.fill('no such product')
    await box.press('Enter')
    await page.getByText('Nothing was found for “no such product”.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear search records' }).click()
    await expect.poll(() => entries.count()).toBe(all)
    await visit(page, address('/sandbox-square-restaurant/employee?search=Ada'))
    await page.getByText(/Square cannot search employee records/).waitFor()
  })

  test('account, entity type, page, and record are in the URL', async () => {
    await visit(page, address('/sandbox-shopify-retail_pos/order'))
    await page.waitForURL(/record=/)
    const [first, second] = await page.locator('.browse-entry').all()
    await expect.poll(() => first?.getAttribute('aria-current')).toBe('true')
    const days = (await page.locator('.browse-subtitle').allTextContents()).map(
      (text) => text.split(' · ').at(-1) ?? '',
    )
    expect(days).toEqual(days.toSorted().toReversed())
    expect(days[0]).toMatch(/^\d{4}-\d\d-\d\d$/)
    await page.getByRole('combobox', { name: 'Changed' }).selectOption('30')
    await page.waitForURL(/days=30/)
    await page.getByRole('combobox', { name: 'Changed' }).selectOption('')
    await page.waitForURL(/order\?record=/)
    if (second) {
      await second.click()
      await expect.poll(() => second.getAttribute('aria-current')).toBe('true')
      const title = await page.locator('.browse-record h2').textContent()
      await page.reload()
      await page.getByRole('heading', { name: title ?? '' }).waitFor()
    }
    await page.getByRole('link', { name: 'Customer', exact: true }).click()
    await page.waitForURL(/\/customer/)
    await page.getByRole('combobox', { name: 'Account' }).click()
    await page.getByRole('combobox', { name: 'Account' }).fill('clover')
    await page.getByRole('option', { name: /clover/i }).click()
    await page.waitForURL(/sandbox-clover-restaurant\/product\?record=/)
  })

  test('a record is validated while typing, planned, written once, replayed, and found in the activity', async () => {
    await visit(page, address('/sandbox-square-restaurant/product/new'))
    const editor = page.getByLabel('Record as JSON')
    await editor.waitFor()
    const key = `BROWSER-${width}`
    const record = { externalId: key, name: `Browser tea ${width}`, price: 'much', currencyCode: 'USD' }
    await editor.fill(JSON.stringify(record, null, 2))
    const finding = page.getByRole('button', { name: /price must be a number/ })
    await finding.click()
    expect(await editor.evaluate(selectedText)).toContain('"price": "much"')
    expect(await page.getByRole('button', { name: 'Write', exact: true }).isDisabled()).toBe(true)
    await editor.fill('{ "externalId": ')
    await page.locator('.finding-broken').waitFor()
    await editor.fill(JSON.stringify({ ...record, price: 4.5 }, null, 2))
    await page.getByText('Valid', { exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('Would send 1 request to Square').waitFor()
    await page.getByText('POST /v2/catalog/object').waitFor()
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await page.getByText('Written', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Replayed: this record was written before').waitFor()
    await page.getByRole('link', { name: 'View request' }).click()
    await page.waitForURL(/\/activity\/req_/)
    await page.goBack()
  })

  test('a read and a write can be copied as curl, TypeScript and Python without a secret, and what is copied runs', {
    tags: ['curl', 'python3'],
  }, async () => {
    const { apiKey } = session.service.sandboxFile()
    const outputs = async () => {
      const found: string[] = []
      for (const language of copiedLanguages) {
        const text = await copyAs(page, language)
        expect(text).toContain('UNIREC_API_KEY')
        expect(text).not.toContain(apiKey)
        found.push(await runCopied(language, text, apiKey))
      }
      return found
    }
    await visit(page, address('/sandbox-square-restaurant/product'))
    const title = (await page.locator('.browse-record h2').textContent()) ?? ''
    for (const output of await outputs()) expect(output).toContain(title)

    await visit(page, address('/sandbox-square-restaurant/product/new'))
    const record = { externalId: `COPIED-${width}`, name: `It's "copied" \\ ${width}`, price: 4.5, currencyCode: 'USD' }
    await page.getByLabel('Record as JSON').fill(JSON.stringify(record))
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await page.getByText('Written', { exact: true }).waitFor()
    const id = (await page.locator('.notice .identifier').first().textContent()) ?? ''
    for (const output of await outputs()) {
      expect(output).toContain(id.trim())
      expect(output).toMatch(/"?replayed"?\s*[:=]\s*true/i) // the same write, so nothing was written again
    }
  })

  test('a record is replaced only if its version is current', async () => {
    await visit(page, address('/sandbox-square-restaurant/product'))
    await page.getByRole('link', { name: 'Edit' }).click()
    const editor = page.getByLabel('Record as JSON')
    await editor.waitFor()
    const record = JSON.parse(await editor.inputValue())
    await page.getByRole('heading', { name: 'No changes' }).waitFor()
    await editor.fill(JSON.stringify({ ...record, description: `Edited at ${width} width` }, null, 2))
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('heading', { name: '1 change' }).waitFor()
    expect(await page.locator('.changed-fields').textContent()).toMatch(
      new RegExp(`^description.* → .*Edited at ${width} width$`),
    )
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Written', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'No changes' }).waitFor()

    // The second replacement uses the version of the first one's response, so only another writer is in its way.
    await editor.fill(JSON.stringify({ ...record, description: `Edited twice at ${width} width` }, null, 2))
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('heading', { name: 'No changes' }).waitFor()
    const path = `/accounts/sandbox-square-restaurant/explorer/product/records/${record.externalId}`
    await session.manage('PUT', path, { record: { ...record, description: 'Edited by another writer' } })
    await editor.fill(JSON.stringify(record, null, 2))
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Precondition failed').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Edited by another writer').first().waitFor()
  })
})

test('an account that is unreachable shows what happened, also in the dark theme', async () => {
  const page = await session.open('desktop', 'dark')
  await session.signIn(page)
  await visit(page, address('/no-such-account/product'))
  await page.getByText('There is no such account.').waitFor()
  await visit(page, address('/sandbox-xero-accounting/customer'))
  await field(page, /Native record of Xero/, /^ContactID/).focus()
  await words(page).getByText('same value').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('no page logged an error or requested another origin', () => {
  expect(session.complaints).toEqual([])
})
