import { describe, expect, it } from 'vitest'
import { createHarness } from '../../conformance/harness.ts'
import { runUpdate } from '../../conformance/run-update.ts'
import { conformance } from '../../conformance/suite.ts'
import type { Order } from '../../contract/entities/order.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { fakeCallFor, whole } from '../fake-call.ts'
import { fromBusinessDate, fromToastDate, toToastDate, writeUnique } from './api.ts'
import { toast } from './connector.ts'
import { employee } from './employee.ts'
import { readError, throttle } from './error.ts'
import { flatten, type ItemRow, type MenuGroup, type MenuItem } from './menu.ts'
import { order, orderIn, readWindow } from './order.ts'
import { type NativeOrder, stateOf, toLine, toUnified } from './order-row.ts'
import { toSelection } from './order-write.ts'
import { priceTypeOf, stockOf } from './product.ts'
import { createToastSimulator } from './simulator/simulator.ts'
import { readDate } from './simulator/wire.ts'
import { type NativeTimeEntry, regularHours, statusOf } from './time-entry.ts'
import { type WindowPlace, walkWindows } from './window-walk.ts'

conformance(toast, createToastSimulator)

const account = { id: 'a', vertical: 'restaurant' as const, settings: { restaurantGuid: 'R', namingAuthority: 'Us' } }
const unwarned = { warn: () => expect.unreachable() }
const fakeCall = fakeCallFor(account)
const refused = new NativeFailure({ kind: 'invalid', message: 'refused' }, 400)

describe('dates', () => {
  it('are sent with a fraction and an offset without a colon, and the epoch means never', () => {
    expect(toToastDate('2026-11-10T18:30:00+01:00')).toBe('2026-11-10T17:30:00.000+0000')
    expect(fromToastDate('2021-07-30T12:12:46.235+0400')).toBe('2021-07-30T08:12:46.235Z')
    expect([fromToastDate('1970-01-01T00:00:00.000+0000'), fromToastDate(null)]).toEqual([undefined, undefined])
    expect([fromBusinessDate(20261110), fromBusinessDate('20261110'), fromBusinessDate(null)]).toEqual([
      '2026-11-10T00:00:00.000Z',
      '2026-11-10T00:00:00.000Z',
      undefined,
    ])
  })
  it('are accepted by the simulator with Z or an offset without a colon', () => {
    const instant = Date.parse('2026-11-10T12:00:00Z')
    for (const date of ['2026-11-10T12:00:00.000Z', '2026-11-10T12:00:00.000+0000', '2026-11-10T08:00:00.000-0400'])
      expect(readDate(date, 'startDate')).toBe(instant)
    for (const date of ['2026-11-10T12:00:00Z', '2026-11-10T12:00:00.000+00:00', '2026-11-10'])
      expect(() => readDate(date, 'startDate')).toThrow()
  })
})

describe('menus', () => {
  const item = (guid: string, price: number): MenuItem => ({ guid, price })
  it('are flattened: a repeated item is used once, groups have their parents, and rows are sorted by guid', () => {
    const inner: MenuGroup = { guid: 'A', menuItems: [item('1', 10)] }
    const { items, groups } = flatten([
      { menuGroups: [{ guid: 'B', menuGroups: [inner], menuItems: [item('2', 5)] }] },
      { menuGroups: [{ guid: 'C', menuItems: [item('1', 12)] }] },
    ])
    expect(items.map(({ guid, price, groupGuid }) => [guid, price, groupGuid])).toEqual([
      ['1', 10, 'A'],
      ['2', 5, 'B'],
    ])
    expect(groups.map(({ guid, parentGuid }) => [guid, parentGuid])).toEqual([
      ['A', 'B'],
      ['B', undefined],
      ['C', undefined],
    ])
    expect(flatten(undefined)).toEqual({ items: [], groups: [] })
  })
  it('have counts only for limited items', () => {
    expect([
      stockOf(undefined),
      stockOf({ guid: 'x', status: 'IN_STOCK' }),
      stockOf({ guid: 'x', status: 'OUT_OF_STOCK' }),
      stockOf({ guid: 'x', status: 'QUANTITY', quantity: 7.5 }),
    ]).toEqual([undefined, undefined, 0, 7])
    expect(
      [
        { pricingStrategy: 'OPEN_PRICE' },
        { pricingStrategy: 'SIZE_PRICE' },
        { unitOfMeasure: 'LB' },
        { unitOfMeasure: 'NONE' },
      ].map((one) => priceTypeOf({ guid: 'x', ...one })),
    ).toEqual(['VARIABLE', 'VARIABLE', 'PER_UNIT', 'FIXED'])
  })
  it('are requested again only after a new publication, and at most once per second', async () => {
    const scale = 0.2
    const harness = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
      paceScale: scale,
    })
    const { product } = harness.tenants[0]!.records
    const list = () =>
      harness.call('GET', '/unified/toast-restaurant/product?pageSize=2', undefined, { prefer: 'wait=60' })
    const asked = () => harness.sandbox.calls('toast').filter(({ path }) => path === '/menus/v2/menus')
    const instances = harness.services.length // each has its own cache
    try {
      for (let round = 0; round < 3 * instances; round++) await list()
      expect(asked()).toHaveLength(instances)
      for (let round = 0; round < 3; round++) {
        product!.touch(product!.ids()[0]!)
        await Promise.all([list(), list()])
      }
      const times = asked().map(({ at }) => at)
      expect(times.length).toBeGreaterThanOrEqual(instances + 3)
      expect(times.length).toBeLessThanOrEqual(4 * instances)
      // A call counts from its response, so that no delay brings two arrivals closer. Both clocks are cut to milliseconds.
      for (const [index, at] of times.slice(1).entries())
        expect(at - times[index]!).toBeGreaterThanOrEqual(1000 * scale - 2)
    } finally {
      await harness.close()
    }
  })
})

describe('after a response that is lost or not of Toast', () => {
  it('an empty list of something else is an error, never the end of a walk or a product without stock', async () => {
    const harness = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
    })
    const list = (entity: string) =>
      harness.call('GET', `/unified/toast-restaurant/${entity}`, undefined, { prefer: 'wait=60' })
    try {
      for (const [entity, path] of [
        ['order', '/orders/v2/ordersBulk'],
        ['time_entry', '/labor/v1/timeEntries'],
        ['employee', '/labor/v1/jobs'],
        ['employee', '/labor/v1/employees'],
        ['product', '/stock/v1/inventory'],
      ] as const) {
        harness.sandbox.fault('toast', { kind: 'foreign_before', path, times: 3, body: [] })
        expect([path, (await list(entity)).status]).toEqual([path, 502])
        expect([path, (await list(entity)).status]).toEqual([path, 200])
      }
    } finally {
      await harness.close()
    }
  })
  it('a lost response to unarchiving an employee is looked up, because Toast rejects a repetition', async () => {
    const harness = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
    })
    const put = (record: { externalId: string }) =>
      harness.call('PUT', `/unified/toast-restaurant/employee/${record.externalId}`, record, { prefer: 'wait=60' })
    try {
      const { body } = await harness.call('POST', '/unified/toast-restaurant/employee', {
        externalId: 'archived',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        active: false,
      })
      harness.sandbox.fault('toast', { kind: 'reset_after', method: 'PUT', path: 'unarchive', times: 1 })
      const { status, body: changed } = await put({ ...body.data, active: true })
      expect([status, changed.data.active, harness.sandbox.faults('toast')]).toEqual([200, true, []])
    } finally {
      await harness.close()
    }
  })
})

describe('an order', () => {
  const base: NativeOrder = { guid: 'O', approvalStatus: 'APPROVED', checks: [{ paymentStatus: 'OPEN' }] }
  it('gets its state from its checks and its approval', () => {
    const states = (changes: Partial<NativeOrder>[]) =>
      changes.map((change) => stateOf({ ...base, ...change }, unwarned))
    const paid = [{ paymentStatus: 'CLOSED' }]
    expect(
      states([
        {},
        { approvalStatus: null },
        { checks: [{ paymentStatus: 'PAID' }] },
        { checks: [...paid, { paymentStatus: 'OPEN' }] },
      ]),
    ).toEqual(['OPEN', 'OPEN', 'OPEN', 'OPEN'])
    expect(states([{ approvalStatus: 'NEEDS_APPROVAL' }, { approvalStatus: 'FUTURE' }])).toEqual(['PENDING', 'PENDING'])
    expect(
      states([
        { checks: paid },
        { checks: [...paid, { paymentStatus: 'OPEN', voided: true }, { paymentStatus: 'OPEN', deleted: true }] },
      ]),
    ).toEqual(['COMPLETED', 'COMPLETED'])
    expect(states([{ voided: true, checks: paid }, { deleted: true }, { approvalStatus: 'NOT_APPROVED' }])).toEqual([
      'CANCELED',
      'CANCELED',
      'CANCELED',
    ])
    const warnings: string[] = []
    expect(
      stateOf({ ...base, approvalStatus: 'ON_FIRE' }, { warn: (pointer) => warnings.push(pointer) }),
    ).toBeUndefined()
    expect(warnings).toEqual(['/state'])
  })
  it('sums checks that are not voided, and includes all of them if it is canceled', () => {
    const line = (name: string, voided = false) => ({ displayName: name, quantity: 1, voided })
    const checks = [
      { totalAmount: 0.1, taxAmount: 0.01, displayNumber: '7', selections: [line('Tea'), line('Cake', true)] },
      { totalAmount: 0.2, taxAmount: 0.02, selections: [line('Pie')] },
      { totalAmount: 5, deleted: true, selections: [line('Gone')] },
    ]
    const read = (native: NativeOrder) => toUnified({ ...native, currency: 'USD' }, { account, ...unwarned })
    const alive = read({
      ...base,
      displayNumber: '12',
      checks: checks.map((one) => ({ paymentStatus: 'OPEN', ...one })),
      deletedDate: '1970-01-01T00:00:00.000+0000',
    } as NativeOrder)
    expect(alive).toMatchObject({ total: 0.3, taxTotal: 0.03, orderNumber: '12', locationExternalId: 'R' })
    expect(alive.lineItems.map(({ name }) => name)).toEqual(['Tea', 'Pie'])
    expect(read({ ...base, voided: true, checks }).lineItems.map(({ name }) => name)).toEqual([
      'Tea',
      'Cake',
      'Pie',
      'Gone',
    ])
  })
  it('has lines whose price already includes quantity and discount', () => {
    expect(
      toLine(
        { item: { guid: 'I' }, quantity: 3, receiptLinePrice: 1.1, preDiscountPrice: 3.3, price: 3, tax: 0.2 },
        'USD',
      ).line,
    ).toMatchObject({
      unitPrice: 1.1,
      lineDiscount: 0.3,
      lineTax: 0.2,
      lineTotal: 3,
    })
    expect(toLine({ item: null, displayName: 'No onions', quantity: 1 }, 'USD').line).toEqual({
      name: 'No onions',
      kind: 'ITEM',
      quantity: 1,
    })
  })
  it('has the unit price of a line without one from the price before discounts', () => {
    const line = { item: { guid: 'I' }, quantity: 3, preDiscountPrice: 10, price: 9 }
    expect(toLine(line, 'USD').line).toMatchObject({ unitPrice: 3.33, lineDiscount: 1, lineTotal: 9 })
    expect(toLine({ ...line, quantity: 2.5, receiptLinePrice: null }, 'USD').line).toMatchObject({ unitPrice: 4 })
    // What it contains besides the item are modifiers.
    expect(toLine({ ...line, receiptLinePrice: 0 }, 'USD').line).toMatchObject({ unitPrice: 3.33 })
    expect(toLine({ ...line, quantity: 0 }, 'USD').line.unitPrice).toBeUndefined()
  })
  it('is written with the price of the menu, unless it is open', () => {
    const item: ItemRow = { guid: 'I', groupGuid: 'G', price: 4, pricingStrategy: 'BASE_PRICE', unitOfMeasure: 'NONE' }
    const selection = (line: object, change: object = {}) =>
      toSelection(
        { productExternalId: 'I', quantity: 2, unitPrice: 3.5, ...line },
        { ...item, ...change },
        'USD',
        'selections[0]',
      )
    expect(selection({})).toEqual({
      entityType: 'MenuItemSelection',
      item: { guid: 'I', entityType: 'MenuItem' },
      itemGroup: { guid: 'G', entityType: 'MenuGroup' },
      quantity: 2,
      modifiers: [],
    })
    expect(selection({}, { pricingStrategy: 'OPEN_PRICE', price: null })).toMatchObject({ openPriceAmount: 3.5 })
    expect(() => selection({ unitPrice: undefined }, { pricingStrategy: 'OPEN_PRICE' })).toThrow('open price')
    expect(() => selection({ quantity: 1.5 })).toThrow('in whole units')
    expect(selection({ quantity: 1.5 }, { unitOfMeasure: 'LB' })).toMatchObject({ quantity: 1.5 })
    expect(() => toSelection({ productExternalId: 'J', quantity: 1 }, undefined, 'USD', 'selections[0]')).toThrow(
      'No published menu',
    )
  })
  it('is rejected if it is finished, or could not be found after a lost response', () => {
    const record = { externalId: 'x', lineItems: [] } as Order
    const pointers = (state: Order['state']) =>
      targetViolations({ ...record, state }, order.create!, account).map(({ pointer }) => pointer)
    expect(pointers('PENDING')).toEqual([])
    for (const state of ['COMPLETED', 'CANCELED'] as const) expect(pointers(state)).toEqual(['/state'])
    expect(
      targetViolations({ ...record, note: 'n'.repeat(256) }, order.create!, { ...account, settings: {} }).map(
        ({ pointer }) => pointer,
      ),
    ).toEqual(['/settings/namingAuthority', '/note'])
  })
  it('is read from a response in either published format', () => {
    expect([orderIn({ body: base }), orderIn({ body: { orders: [base] } })]).toEqual([base, base])
    expect(() => orderIn({ body: { orders: [] } })).toThrow()
  })
  it('is not treated as rejected if it arrived late', async () => {
    const { call } = fakeCall(({ method }) => (method === 'POST' ? refused : base))
    const step = { request: { method: 'POST' as const, path: '/orders/v2/orders' }, read: orderIn, lagSeconds: 1 }
    expect(await writeUnique(call, 'order', { ...step, find: async () => base })).toBe(base)
    await expect(writeUnique(call, 'order', { ...step, find: async () => undefined })).rejects.toThrow('refused')
  })
  it('is not requested if the id is not a guid', async () => {
    const { call, sent } = fakeCall(() => base)
    expect([await order.get!(call, 'Us:reference'), sent]).toEqual([undefined, []])
  })
})

describe('a walk in windows', () => {
  const at = (minutes: number) => new Date(Date.parse('2026-11-10T00:00:00.000Z') + minutes * 60_000).toISOString()
  interface Row {
    id: string
    time: string
  }
  /** A platform that returns at most `fit` rows of a window. */
  function walkOf(rows: Row[], fit: number) {
    const asked: [string, string][] = []
    const page = walkWindows<Row>({
      id: ({ id }) => id,
      modified: ({ time }) => time,
      opened: async () => at(-3000),
      firstMs: 86_400_000,
      read: async (_, from, to, divisible) => {
        asked.push([from, to])
        const found = rows.filter(({ time }) => time >= from && time < to).toReversed()
        return found.length > fit && divisible ? 'more' : found
      },
    })
    async function all(size: number, between?: () => void): Promise<string[]> {
      const served: string[] = []
      for (let place: WindowPlace | undefined, first = true; first || place; first = false) {
        const { rows: found, next } = await page(fakeCall(() => []).call, { size }, place)
        served.push(...found.map(({ id }) => id))
        place = next
        between?.()
      }
      return served
    }
    return { all, asked, page }
  }
  const many: Row[] = Array.from({ length: 50 }, (_, n) => ({ id: String(n).padStart(2, '0'), time: at(n - (n % 3)) }))
  it('returns all rows in the order of their times, regardless of page and window size', async () => {
    for (const fit of [1, 5, 100])
      for (const size of [1, 7, 50]) expect(await walkOf(many, fit).all(size)).toEqual(many.map(({ id }) => id))
  })
  it('has the same windows when a page is read again later', async () => {
    const { page, asked } = walkOf(many, 5)
    const call = (now: string) => ({ ...fakeCall(() => []).call, now })
    const first = await page(call('2026-11-10T00:40:00.000Z'), { size: 5, updatedAfter: at(20) })
    const reads = async (now: string) => {
      asked.length = 0
      return { ids: (await page(call(now), { size: 5 }, first.next)).rows.map(({ id }) => id), windows: asked.length }
    }
    expect(await reads('2026-11-10T02:00:00.000Z')).toEqual(await reads('2026-11-10T00:40:00.000Z'))
  })
  it('misses no row that is modified during the walk', async () => {
    const rows = many.map((row) => ({ ...row }))
    let touched = 40
    const served = await walkOf(rows, 5).all(3, () => {
      const row = rows.find(({ id }) => id === String(touched).padStart(2, '0'))
      if (row && touched-- > 20) row.time = '2026-11-10T12:00:01.000Z' // after the walk began
    })
    expect(new Set(served)).toEqual(new Set(many.map(({ id }) => id)))
  })
  it('never requests more than a month, and ends with a window without an end', async () => {
    const { all, asked } = walkOf([], 5)
    await all(50)
    for (const [from, to] of asked) expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(28 * 86_400_000)
    expect(asked.at(-1)![1] > '2026-11-11T11:00:00.000Z').toBe(true)
  })
  it('does not search the years before the restaurant opened, which Toast rejects', async () => {
    const { page, asked } = walkOf([], 5)
    await page(fakeCall(() => []).call, { size: 5, updatedAfter: '1999-01-01T00:00:00.000Z' })
    expect(asked.map(([from]) => from)).toEqual([at(-3000)])
  })
  it('reads a window that cannot be divided to its end and back, so that shifted pages lose nothing', async () => {
    const rows = Array.from(
      { length: 5 },
      (_, n): NativeOrder => ({ guid: String(n), modifiedDate: '2026-11-10T00:00:00.000+0000' }),
    )
    const link = '<https://x?page=2>; rel="next"'
    const { call, sent } = fakeCall(({ query }) => {
      const page = Number(query?.page)
      // Moved away between the first two pages: "2" shifts to the first.
      if (page === 2 && rows.length === 5) rows.shift()
      return whole(rows.slice((page - 1) * 2, page * 2), { headers: { link: page * 2 < rows.length ? link : 'none' } })
    })
    expect(await readWindow(call, at(0), at(1), true)).toBe('more')
    const found = await readWindow(call, at(0), at(1), false)
    expect((found as NativeOrder[]).map(({ guid }) => guid).toSorted()).toEqual(['0', '1', '2', '3', '4'])
    expect(sent[0]?.query).toMatchObject({ startDate: '2026-11-10T00:00:00.000+0000', pageSize: 100 })
  })
  it('continues after a short page without a link', async () => {
    const { call } = fakeCall(({ query }) => (Number(query?.page) <= 2 ? [{ guid: String(query?.page) }] : []))
    expect(await readWindow(call, at(0), at(1), true)).toBe('more')
    expect(await readWindow(call, at(0), at(1), false)).toHaveLength(2)
  })
})

describe('historical orders', () => {
  it('are windows that ended more than a day ago: they have a lane, current ones do not', async () => {
    const { call, sent } = fakeCall(() => whole([], { headers: { link: 'none' } })) // now is 2026-11-10T12:00
    for (const to of ['2026-11-09T11:59:59.999Z', '2026-11-09T12:00:00.000Z', '2026-11-11T12:00:00.000Z'])
      await readWindow(call, '2026-11-08T00:00:00.000Z', to, true)
    expect(sent.map(({ lane }) => lane)).toEqual(['history', undefined, undefined])
  })
  it('are read with the distance that Toast asks for, and a page ends instead of waiting for the next one', async () => {
    const harness = await createHarness({
      connectors: { toast },
      simulators: { toast: createToastSimulator },
      platform: 'toast',
      paceScale: 0.1,
    })
    try {
      const pages: string[][] = []
      for (let cursor = ''; ; ) {
        const { status, body } = await harness.call('GET', `/unified/toast-restaurant/order?${cursor}`)
        expect(status).toBe(200)
        pages.push(body.data.map(({ externalId }: Order) => externalId))
        if (!body.pagination.hasMore) break
        cursor = `cursor=${body.pagination.cursor}`
      }
      expect(pages.length).toBeGreaterThan(1)
      expect(new Set(pages.flat())).toEqual(new Set(harness.tenants[0]!.records.order!.ids()))
      const read = harness.sandbox.calls('toast').filter(({ path }) => path === '/orders/v2/ordersBulk')
      expect(read.length).toBeGreaterThan(4)
      // The simulator rejects historical reads that are less than 5 s apart.
      expect(read.filter(({ status }) => status !== 200)).toEqual([])
    } finally {
      await harness.close()
    }
  })
})

describe('labor', () => {
  const entry: NativeTimeEntry = {
    guid: 'T',
    inDate: '2026-11-10T09:00:00.000+0000',
    outDate: '2026-11-10T19:30:00.000+0000',
    overtimeHours: 0.5,
  }
  const pause = { inDate: '2026-11-10T12:00:00.000+0000', outDate: '2026-11-10T12:30:00.000+0000' }
  it("has Toast's hours, otherwise those between the punches without unpaid breaks", () => {
    expect(regularHours({ ...entry, regularHours: 8 })).toBe(8)
    const breaks = [
      { ...pause, paid: false },
      { ...pause, paid: true },
      { paid: false, missed: true, inDate: null, outDate: null },
      { ...pause, waived: true },
    ]
    expect(regularHours({ ...entry, breaks })).toBe(9.5)
    expect(regularHours({ ...entry, outDate: null })).toBeUndefined()
  })
  it('classifies an entry as deleted, open or closed', () => {
    expect([statusOf(entry), statusOf({ ...entry, outDate: null }), statusOf({ ...entry, deleted: true })]).toEqual([
      'CLOSED',
      'OPEN',
      'DELETED',
    ])
  })
  it('has the role of a job that is newer than the cached list, and rejects a role without a job', async () => {
    const guid = '00000000-0000-4000-8000-000000000001'
    const { call } = fakeCall(({ path }) => {
      if (path.endsWith('/jobs')) return [{ guid: 'J1', title: 'Host' }]
      return path.includes('/jobs/')
        ? { guid: 'J2', title: 'Barista' }
        : { guid, firstName: 'Ada', lastName: 'L', chosenName: 'A', jobReferences: [{ guid: 'J2' }] }
    })
    expect(await employee.get!(call, guid)).toMatchObject({ role: 'Barista' })
    await expect(runUpdate(employee, call, guid, { externalId: guid, name: 'Ada L', role: 'King' })).rejects.toThrow(
      'has no job "King", only Host',
    )
    const { row } = await runUpdate(employee, call, guid, { externalId: guid, name: 'Ada L' })
    expect(Object.keys(employee.toUnified(row!, { account, warn: () => {} }))).toEqual(
      expect.arrayContaining(['nickname', 'role']), // omitted, but unchanged at Toast
    )
  })
})

describe('limits and errors', () => {
  const headers = {
    date: 'Tue, 10 Nov 2026 12:00:00 GMT',
    'x-toast-ratelimit-by': 'GLOBAL',
    'x-toast-ratelimit-remaining': '0',
    'x-toast-ratelimit-reset': String(Date.parse('2026-11-10T12:00:09Z') / 1000),
  }
  const body = {
    status: 400,
    code: 10025,
    message: 'Payment amount cannot be empty',
    fieldName: null,
    errors: [{ message: 'is empty', fieldName: 'email' }],
  }
  it('pause the account when its limit is used up, but not for the limit of one endpoint', () => {
    expect(throttle({ status: 200, headers, body })).toBe(9000)
    expect(throttle({ status: 200, headers: { ...headers, 'x-toast-ratelimit-by': 'ENDPOINT' }, body })).toBe(0)
    expect(throttle({ status: 200, headers: { ...headers, 'x-toast-ratelimit-remaining': '1' }, body })).toBe(0)
    expect(throttle({ status: 200, headers: {}, body })).toBe(0)
  })
  it('are read with their code and the fields they name', () => {
    expect(readError({ status: 400, headers: {}, body })).toEqual({
      kind: 'invalid',
      code: '10025',
      message: 'Payment amount cannot be empty',
      fields: [{ native: 'email', message: 'is empty' }],
    })
    expect(readError({ status: 429, headers, body: null })).toMatchObject({ kind: 'throttled', retryAfterMs: 9000 })
    expect(readError({ status: 429, headers: { ...headers, 'retry-after': '3' }, body: null })).toMatchObject({
      retryAfterMs: 3000,
    })
    expect(readError({ status: 502, headers: {}, body: '<h1>Bad gateway</h1>' })).toEqual({
      kind: 'unavailable',
      message: 'Bad gateway',
    })
    expect(readError({ status: 200, headers: {}, body: {} })).toBeUndefined()
    for (const foreign of [{}, { message: 'Forbidden' }, 'Not Found', null])
      expect(readError({ status: 404, headers: {}, body: foreign })).toBeUndefined()
  })
})
