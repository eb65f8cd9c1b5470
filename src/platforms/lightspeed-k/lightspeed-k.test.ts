import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runUpdate } from '../../conformance/run-update.ts'
import { conformance } from '../../conformance/suite.ts'
import type { NativeRequest } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { Product } from '../../contract/entities/product.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { fakeCallFor, type Responses } from '../fake-call.ts'
import { discover } from './account.ts'
import { firstSale, fromFirstVersion, type Sale, walkAccounts } from './check.ts'
import { lightspeedK } from './connector.ts'
import { employee } from './employee.ts'
import { readError } from './error.ts'
import { readItems } from './item.ts'
import { order } from './order.ts'
import { product } from './product.ts'
import { createLightspeedKSimulator } from './simulator/simulator.ts'
import { clocked } from './time-entry.ts'

conformance(lightspeedK, createLightspeedKSimulator)

const documented = JSON.parse(readFileSync(new URL('./fixtures/fields.json', import.meta.url), 'utf8')) as Record<
  string,
  { required: string[]; properties: string[] }
>
const settings = {
  apiHost: 'x',
  businessLocationId: '7',
  businessId: '3',
  currencyCode: 'GBP',
  endpointId: 'hook',
  discountCode: 'MANUAL',
}
const account = { id: 'a', vertical: 'restaurant' as const, settings }
const mapping = { account, warn: () => {} }

const fakeCall = fakeCallFor(account)
const failure = (status: number, body: unknown) => new NativeFailure(readError({ status, headers: {}, body })!, status)
const bodies = (sent: NativeRequest[], path: string) =>
  sent
    .filter((request) => request.path === path && request.body !== undefined)
    .map(({ body }) => body as Record<string, unknown>)
const fits = (body: object, name: string) =>
  expect([
    Object.keys(body).filter((key) => !documented[name]!.properties.includes(key)),
    documented[name]!.required.filter((key) => !(key in body)),
  ]).toEqual([[], []])

/**
 * The example of https://api-docs.lsk.lightspeed.app/operation/operation-financial-apigetbusinesslocationsales, reduced
 * to the fields that are read.
 */
const sale: Sale = {
  accountFiscId: 'A65315.17',
  receiptId: 'R65315.13',
  type: 'SALE',
  cancelled: false,
  timeOfOpening: '2023-02-14T19:58:48.224Z',
  timeClosed: '2023-02-14T20:04:08.734Z',
  salesLines: [
    {
      sku: '52',
      name: 'Burger',
      quantity: '1.000',
      menuListPrice: '10.00',
      totalNetAmountWithTax: '10.00',
      totalNetAmountWithoutTax: '8.333333',
      taxAmount: '1.666667',
      taxLines: [{ taxIncluded: true }],
      totalDiscountAmount: '0.00',
      currency: 'GBP',
    },
  ],
  payments: [{ consumer: { id: 'ec021fb0-4c12-425e-b30f-320ab720448b' } }],
}

describe('a sale', () => {
  it('has the same times in version 1, with other names', () => {
    const first = {
      accountFiscId: 'A1.1',
      timeofOpening: '2023-02-14T19:58:48.224Z',
      timeofCloseAndPaid: '2023-02-14T20:04:08.734Z',
    } as Sale & Record<string, unknown>
    expect(fromFirstVersion(first)).toMatchObject({ timeOfOpening: sale.timeOfOpening, timeClosed: sale.timeClosed })
  })
})

describe('the walk over sales', () => {
  const salesPath = 'GET /f/v2/business-location/7/sales'
  const earliest = failure(400, {
    error:
      "Invalid 'from' date query parameter. Not operational.\nPlease specify a date and time after: 2025-01-01T00:00:00Z, which is the earliest.\n",
  })
  it("begins on the location's first day, which the error for an earlier day contains", async () => {
    expect(await firstSale(fakeCall({ [salesPath]: () => earliest }).call)).toBe('2025-01-01T00:00:01.000Z')
    const configured = fakeCall({}, { ...settings, salesSince: '2024-05-01' })
    expect(await firstSale(configured.call)).toBe('2024-05-01T00:00:00.000Z')
  })
  it('returns a sale on the boundary of two years once, and requests no range that is too long', async () => {
    const closed = (id: string, timeClosed: string) => ({ ...sale, accountFiscId: id, timeClosed })
    const border = '2025-12-31T00:00:01.000Z'
    const sales = [
      closed('A1.1', '2025-06-01T10:00:00.000Z'),
      closed('A1.2', border),
      closed('A1.3', '2026-02-01T10:00:00.000Z'),
    ]
    const { call, sent } = fakeCall({
      [salesPath]: ({ query: { from = '', to = '2999' } = {} }) =>
        String(from).startsWith('2011')
          ? earliest
          : { sales: sales.filter(({ timeClosed }) => timeClosed >= String(from) && timeClosed <= String(to)) },
      'GET /o/op/1/order/table/getCheck': () => [],
      'GET /o/op/1/order/accounts/A0.0': () => ({}),
    })
    const served: string[] = []
    for (let at: Parameters<typeof walkAccounts>[2] | 'end'; at !== 'end'; ) {
      const page = await walkAccounts(call, { size: 50 }, at)
      served.push(...page.rows.map(order.id))
      at = page.next ?? 'end'
    }
    expect(served).toEqual(['A1.1', 'A1.2', 'A1.3'])
    const ranges = sent
      .filter(({ query }) => query?.from !== undefined && !String(query.from).startsWith('2011'))
      .map(({ query }) => [query!.from, query!.to])
    expect(ranges).toEqual([
      ['2025-01-01T00:00:01.000Z', border],
      ['2025-12-30T23:59:01.000Z', undefined],
    ])
  })
})

describe('a written order', () => {
  const record: Order = {
    externalId: 'x',
    orderNumber: 'T-1',
    note: 'No nuts',
    lineItems: [{ productExternalId: '5', quantity: 2, unitPrice: 4.5, lineDiscount: 1 }],
  }
  const reference = 'GET /f/finance/7/saleByExternalReference'
  const responses = (more: Responses = {}): Responses => ({
    'GET /o/op/1/onlineOrderReadiness': () => ({ status: 'READY' }),
    'GET /items/v1/items': () => [{ id: 5, sku: 'SOUP', active: true, priceMode: 'POSITIVE_OPEN_PRICE' }],
    'POST /o/op/1/order/toGo': () => ({ status: 'ok' }),
    [reference]: ({ query }) => ({ accountFiscId: 'A1.9', externalReferences: [query?.externalReferenceId] }),
    ...more,
  })
  it('is found by its reference', async () => {
    const { call, sent } = fakeCall(responses())
    expect(await order.create!.run(call, record)).toEqual({ id: 'A1.9' })
    const [body] = bodies(sent, '/o/op/1/order/toGo')
    fits(body!, 'toGoOrder')
    for (const item of body!.items as object[]) fits(item, 'toGoOrderItem')
    expect(body).toMatchObject({
      thirdPartyReference: 'reference0123456',
      orderNote: 'T-1 - No nuts',
      items: [{ sku: 'SOUP', quantity: 2, customItemPrice: 4.5, discountCode: 'MANUAL', discountAmountOverride: 1 }],
    })
    expect(sent.at(-1)?.query).toEqual({ externalReferenceId: 'TASK:OO-7-reference0123456' })
  })
  it('has arrived if its reference was already used: nothing is sent again', async () => {
    const { call } = fakeCall(
      responses({
        'POST /o/op/1/order/toGo': () =>
          failure(409, { status: 'fail', msg: 'reference has already been used reference0123456' }),
      }),
    )
    expect(await order.create!.run(call, record)).toEqual({ id: 'A1.9' })
  })
  it('that no POS accepts is looked up ten times, by reads only, and then reported as not visible', async () => {
    const { call, sent, steps } = fakeCall(responses({ [reference]: () => failure(404, { error: 'No receipt' }) }))
    const { id } = await order.create!.run(call, record)
    expect([steps.length, sent.filter(({ path }) => path.endsWith('saleByExternalReference')).length]).toEqual([1, 10])
    expect(await order.get!(call, id)).toBeUndefined()
  })
  it('is not sent while no POS accepts orders, nor for an archived item or one whose sku is too long', async () => {
    const refused = async (more: Responses) => {
      const { call, steps } = fakeCall(responses(more))
      const error = await order.create!.run(call, record).catch((reason) => reason)
      expect(steps).toEqual([])
      return error.error
    }
    expect(await refused({ 'GET /o/op/1/onlineOrderReadiness': () => ({ status: 'NOT_READY' }) })).toMatchObject({
      kind: 'unavailable',
      code: 'NOT_READY',
    })
    expect(await refused({ 'GET /items/v1/items': () => [{ id: 5, sku: 'SOUP', active: false }] })).toMatchObject({
      fields: [{ native: 'items[0].sku' }],
    })
    expect(await refused({ 'GET /items/v1/items': () => [{ id: 5, sku: 's'.repeat(26) }] })).toMatchObject({
      fields: [{ native: 'items[0].sku' }],
    })
  })
  it('is OPEN, in whole quantities, discounted only with a discount code', () => {
    const wrong: Order = {
      ...record,
      state: 'COMPLETED',
      lineItems: [{ productExternalId: '5', quantity: 1.5, lineDiscount: 1 }],
    }
    const without = { ...account, settings: { ...settings, discountCode: '' } }
    expect(targetViolations(wrong, order.create!, without).map(({ pointer }) => pointer)).toEqual([
      '/settings/discountCode',
      '/state',
      '/lineItems/0/quantity',
    ])
    expect(targetViolations(record, order.create!, account)).toEqual([])
  })
})

describe('items', () => {
  const all = Array.from({ length: 2300 }, (_, n) => ({ id: n + 1, sku: String(n) }))
  it('are read completely even if one is deleted between two pages', async () => {
    let items = all
    const { call } = fakeCall({
      'GET /items/v1/items': ({ query: { offset = 0, amount = 100 } = {} }) => {
        const page = items.slice(Number(offset), Number(offset) + Number(amount))
        if (offset === 0) items = items.filter(({ id }) => id !== 500)
        return page
      },
    })
    expect(new Set((await readItems(call)).map(({ id }) => id)).size).toBe(2300)
  })
  it('are read completely even if pages are limited to a round number', async () => {
    const { call } = fakeCall({
      'GET /items/v1/items': ({ query: { offset = 0 } = {} }) =>
        all.slice(0, 450).slice(Number(offset), Number(offset) + 100),
    })
    expect(await readItems(call)).toHaveLength(450)
  })
  const item = {
    id: 9,
    name: 'Soup',
    docketName: 'Soup of the day',
    sku: 'SOUP',
    active: true,
    barcode: '1',
    barcodes: ['1', '2'],
    accountingGroup: { id: 4 },
    costPrice: 2,
    prices: [{ amount: 5.5 }, { amount: 4 }],
    priceMode: 'NEGATIVE_OPEN_PRICE',
    disabled: true,
  }
  const rich = {
    sku: 'SOUP',
    allergenCodes: ['celery'],
    descriptions: [
      { localeCode: 'en', description: 'Hot', displayName: 'Soup' },
      { localeCode: 'fr', description: 'Chaud' },
    ],
  }
  const responses: Responses = {
    'GET /items/v1/items/9': () => item,
    'PUT /items/v1/items/9': () => item,
    'GET /i/locales/3': () => ['en', 'fr'],
    'POST /i/richItem/3/itemsBySkus': () => ({ _embedded: { richItemDtoList: [rich] } }),
    'POST /o/op/1/itemAvailability': () => ({ data: [{ sku: 'SOUP', count: 6 }] }),
    'GET /i/richItem/3/SOUP': () => rich,
    'PUT /i/richItem/3/SOUP': () => rich,
  }
  const read = async (): Promise<Product> =>
    product.toUnified((await product.get!(fakeCall(responses).call, '9'))!, mapping)
  it('are written with all fields that were read, including those that a record does not have', async () => {
    const { call, sent } = fakeCall(responses)
    const record = await read()
    expect(record).toMatchObject({
      description: 'Hot',
      stockOnHand: 6,
      priceType: 'VARIABLE',
      price: 5.5,
      trackInventory: false,
    })
    await runUpdate(product, call, '9', record)
    const [body] = bodies(sent, '/items/v1/items/9')
    fits(body!, 'updateItem')
    expect(body).toMatchObject({
      docketName: 'Soup of the day',
      barcode: '1',
      barcodes: ['1', '2'],
      priceMode: 'NEGATIVE_OPEN_PRICE',
      defaultPrice: 5.5,
      accountingGroupId: 4,
    })
    expect(bodies(sent, '/i/richItem/3/SOUP')).toEqual([])
  })
  it('retain their allergens, display name and other languages when the description changes', async () => {
    const { call, sent } = fakeCall(responses)
    await runUpdate(product, call, '9', { ...(await read()), description: 'Cold', barcode: undefined })
    expect(bodies(sent, '/items/v1/items/9')[0]).toMatchObject({ barcode: '2', barcodes: ['2'] })
    const [body] = bodies(sent, '/i/richItem/3/SOUP')
    fits(body!, 'putRichItem')
    expect(body).toEqual({
      ...rich,
      businessId: 3,
      descriptions: [
        { localeCode: 'en', description: 'Cold', displayName: 'Soup' },
        { localeCode: 'fr', description: 'Chaud' },
      ],
    })
  })
  it('with a percentage as the price have none', () => {
    expect(product.toUnified({ item: { ...item, priceMode: 'PERCENT' } }, mapping)).toMatchObject({
      price: undefined,
      priceType: undefined,
    })
  })
})

describe('staff', () => {
  const users = '/staff/v1/businessLocations/7/userTypes/POS'
  it('of the same name who existed before are not mistaken for the created one', async () => {
    const staff = [{ staffId: 12, username: 'Grace', firstName: 'Grace', lastName: 'Hopper', active: true }]
    const { call, sent, steps } = fakeCall({
      [`GET ${users}`]: () => ({ data: { staff: staff.toSorted((a, b) => b.staffId - a.staffId) } }),
      [`POST ${users}`]: () => ({ staffId: 13 }),
    })
    const record: Employee = { externalId: 'x', name: 'Grace Hopper', nickname: 'Grace' }
    await employee.create!.run(call, record)
    fits(bodies(sent, users)[0]!, 'createPosStaff')
    const { find } = steps[1]!.recovery as { find(unclaimed: (id: string) => Promise<boolean>): Promise<unknown> }
    expect(await find(async () => true)).toBeUndefined()
    staff.push({ ...staff[0]!, staffId: 13 })
    expect(await find(async () => true)).toEqual({ id: '13' })
    expect(await find(async (id) => id !== '13')).toBeUndefined() // of another key
  })
  it('have the clock time of the event that was created last', () => {
    const event = (timestamp: string, createdOn: string) => ({ eventType: 'CLOCK_OUT', timestamp, createdOn })
    const shift = {
      uuid: 'u',
      events: [
        event('2026-11-10T17:00:00Z', '2026-11-11T09:00:00Z'),
        event('2026-11-10T18:00:00Z', '2026-11-10T18:00:00Z'),
      ],
    }
    expect([clocked(shift, 'CLOCK_OUT'), clocked(shift, 'CLOCK_IN')]).toEqual(['2026-11-10T17:00:00.000Z', undefined])
  })
})

describe('the business', () => {
  const business = (...ids: number[]) => ({
    _embedded: {
      businessList: [
        {
          businessId: 3,
          currencyCode: 'CHF',
          businessLocations: ids.map((blID) => ({ blID, timezone: 'Europe/Zurich' })),
        },
      ],
    },
  })
  const discovered = (given: Record<string, string>, ...ids: number[]) =>
    discover(
      fakeCall(
        {
          'GET /f/data/businesses': () => business(...ids),
          'GET /f/v2/business-location/7/sales-daily': () => ({ nextStartOfDayAsIso8601: '2026-11-10T05:30:00-05:00' }),
          'GET /f/v2/business-location/8/sales-daily': () => failure(400, { error: 'Not operational' }),
        },
        given,
      ).call,
    )
  it('determines its only location, or the chosen one of several, and never guesses', async () => {
    expect(await discovered({ apiHost: 'h' }, 7)).toEqual({
      businessLocationId: '7',
      businessId: '3',
      currencyCode: 'CHF',
      timezone: 'Europe/Zurich',
      businessDayStart: '05:30',
      loginHost: 'h',
      authorizePath: '/oauth/authorize',
      tokenPath: '/oauth/token',
    })
    const second = await discovered({ apiHost: 'h', businessLocationId: '8' }, 7, 8)
    expect(second).toMatchObject({ businessLocationId: '8', currencyCode: 'CHF' })
    expect(second).not.toHaveProperty('businessDayStart')
    await expect(discovered({ apiHost: 'h' }, 7, 8)).rejects.toMatchObject({
      errors: [{ pointer: '/settings/businessLocationId', choices: [{ value: '7' }, { value: '8' }] }],
    })
  })
})

describe('errors', () => {
  const read = (status: number, body: unknown, headers = {}) => readError({ status, headers, body })
  it('of every service are read', () => {
    const items = {
      status: '400',
      message: 'Constraint violation',
      apiSubExceptions: [{ field: 'name', rejectedValue: '', message: 'must not be blank' }],
    }
    expect(read(400, items)).toMatchObject({
      kind: 'invalid',
      message: 'Constraint violation',
      fields: [{ native: 'name', message: 'must not be blank' }],
    })
    const spring = {
      status: 400,
      message: "Validation failed for object='toGoOrder'. Error count: 1",
      errors: [{ field: 'items[0].sku', defaultMessage: 'must not be null' }],
    }
    expect(read(400, spring)).toMatchObject({ kind: 'invalid', fields: [{ native: 'items[0].sku' }] })
    expect(read(409, { status: 'fail', msg: 'reference has already been used 1' })).toMatchObject({
      kind: 'duplicate',
      message: 'reference has already been used 1',
    })
    expect(read(400, { error: 'Invalid date format: 12/12/2023' })).toMatchObject({
      kind: 'invalid',
      message: 'Invalid date format: 12/12/2023',
    })
    expect([
      read(400, { status: 400, message: 'Invalid account identifier' })?.kind,
      read(401, {})?.kind,
      read(502, '<html>')?.kind,
    ]).toEqual(['not_found', 'token', 'unavailable'])
    expect(read(429, { message: 'slow' }, { 'retry-after': '3' })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 3000,
    })
    expect(read(200, [])).toBeUndefined()
    for (const foreign of [{}, { message: 'Forbidden' }, '404 Not Found', null])
      expect(read(404, foreign)).toBeUndefined()
  })
})
