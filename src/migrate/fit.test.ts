import { expect, it } from 'vitest'
import { totalOf } from '../contract/order-sum.ts'
import { valueAt } from '../contract/pointer.ts'
import type { Check, Fitting } from './fit.ts'
import { fitRecord, withoutRefused } from './fit.ts'
import { createLocations } from './location.ts'
import type { SourceRecord } from './shape.ts'

const nothing: Check = { missing: [], references: [], warnings: [] }
const fitting = (check: (body: SourceRecord) => Partial<Check>, more: Partial<Fitting> = {}): Fitting => ({
  vertical: 'restaurant',
  prefix: '',
  defaults: {},
  locationFor: async () => undefined,
  check: async (_, body) => ({ ...nothing, ...check(body) }),
  ...more,
})
const order = {
  externalId: 'O-1',
  state: 'COMPLETED',
  customerExternalId: 'C-1',
  locationExternalId: 'HERE',
  lineItems: [{ productExternalId: 'P-1', name: 'Tea', quantity: 1, unitPrice: 3 }],
}
const resolving = (body: SourceRecord) => ({
  references: [
    ...(body.customerExternalId ? [{ pointer: '/customerExternalId', nativeId: 'native-customer' }] : []),
    ...((body.lineItems as { productExternalId?: string }[])[0]?.productExternalId
      ? [{ pointer: '/lineItems/0/productExternalId', nativeId: 'native-product' }]
      : []),
  ],
})

it('keeps references that the target resolves, under the names they were written with', async () => {
  const { body, references, obstacles } = await fitRecord('order', order, fitting(resolving, { prefix: 'a:' }))
  expect(body).toMatchObject({
    externalId: 'a:O-1',
    customerExternalId: 'a:C-1',
    lineItems: [{ productExternalId: 'a:P-1' }],
  })
  expect(references).toEqual({
    '/customerExternalId': 'native-customer',
    '/lineItems/0/productExternalId': 'native-product',
  })
  expect(obstacles).toEqual([])
})
it('drops a reference that the target does not know, because another record could answer to that id', async () => {
  const { body, notes } = await fitRecord(
    'order',
    order,
    fitting(() => nothing),
  )
  expect(body).not.toHaveProperty('customerExternalId')
  expect(notes.filter(({ kind }) => kind === 'reference').map(({ pointer }) => pointer)).toEqual([
    '/customerExternalId',
    '/lineItems/0/productExternalId',
  ])
})
it('ends a note with one full stop, whether the message of the target has one or not', async () => {
  const missing = (body: SourceRecord) =>
    body.state === 'COMPLETED'
      ? [{ pointer: '/state', message: 'is made by a payment.' }]
      : body.total !== undefined
        ? [{ pointer: '/total', message: 'is not taken.' }]
        : []
  const { notes } = await fitRecord(
    'order',
    { ...order, total: 3 },
    fitting((body) => ({ ...resolving(body), missing: missing(body) })),
  )
  expect(notes.filter(({ kind }) => kind !== 'location').map(({ message }) => message)).toEqual([
    'COMPLETED becomes OPEN: is made by a payment.',
    'is not taken.',
  ])
})
it('writes an order in the next best state where its own is refused', async () => {
  const refuse = (body: SourceRecord) => ({
    ...resolving(body),
    missing: body.state === 'COMPLETED' ? [{ pointer: '/state', message: 'is made by a payment' }] : [],
  })
  const { body, notes } = await fitRecord('order', order, fitting(refuse))
  expect(body.state).toBe('OPEN')
  expect(notes).toContainEqual({
    pointer: '/state',
    kind: 'state_rule',
    message: 'COMPLETED becomes OPEN: is made by a payment.',
  })
})
it('leaves a canceled order out rather than opening it again', async () => {
  const refuse = (body: SourceRecord) => ({
    ...resolving(body),
    missing: body.state === 'OPEN' ? [] : [{ pointer: '/state', message: 'takes OPEN only' }],
  })
  const { obstacles } = await fitRecord('order', { ...order, state: 'CANCELED' }, fitting(refuse))
  expect(obstacles).toEqual([{ pointer: '/state', message: 'takes OPEN only' }])
})
it('leaves out an optional field that is refused, and the record when the field is required', async () => {
  const check = (body: SourceRecord) => ({
    missing: [
      ...(body.sku ? [{ pointer: '/sku', message: 'is too long' }] : []),
      ...(body.name === 'x' ? [{ pointer: '/name', message: 'is too short' }] : []),
    ],
  })
  const product = { externalId: 'P-1', name: 'Tea', sku: 'S'.repeat(200) }
  expect((await fitRecord('product', product, fitting(check))).body).toEqual({ externalId: 'P-1', name: 'Tea' })
  expect(
    (await fitRecord('product', { ...product, name: 'x' }, fitting(check))).obstacles,
    'it has a value, so that a default does not help',
  ).toEqual([{ pointer: '/name', message: 'is too short' }])
})
it('never drops the currency: the amounts would mean something else', async () => {
  const check = (body: SourceRecord) => ({
    missing: body.currencyCode ? [{ pointer: '/currencyCode', message: 'is not the currency of the shop' }] : [],
  })
  const { obstacles } = await fitRecord(
    'product',
    { externalId: 'P-1', name: 'Tea', price: 3, currencyCode: 'USD' },
    fitting(check),
  )
  expect(obstacles).toHaveLength(1)
})
it('uses a given default only where the target asks for the field and the source has none', async () => {
  const check = (body: SourceRecord) => ({
    missing: body.email ? [] : [{ pointer: '/email', message: 'is required by this platform' }],
  })
  const defaults = { employee: { '/email': 'staff@example.com' } }
  const { body } = await fitRecord('employee', { externalId: 'E-1', name: 'Ada' }, fitting(check, { defaults }))
  expect(body.email).toBe('staff@example.com')
  const { body: own } = await fitRecord(
    'employee',
    { externalId: 'E-1', name: 'Ada', email: 'ada@example.com' },
    fitting(check, { defaults }),
  )
  expect(own.email).toBe('ada@example.com')
  expect((await fitRecord('employee', { externalId: 'E-1', name: 'Ada' }, fitting(check))).obstacles).toEqual([
    { pointer: '/email', message: 'is required by this platform', missing: true },
  ])
})
it('drops fields of another vertical and says so', async () => {
  const { body, notes } = await fitRecord(
    'product',
    { externalId: 'P-1', name: 'Tea', vendor: 'North', tags: ['hot'] },
    fitting(() => nothing),
  )
  expect(body).toEqual({ externalId: 'P-1', name: 'Tea' })
  expect(notes.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual(['flavor /vendor', 'flavor /tags'])
})
it('goes without fields that the platform itself refused, except amounts and states', async () => {
  const fitted = await fitRecord(
    'employee',
    { externalId: 'E-1', name: 'Ada', role: 'COOK' },
    fitting(() => nothing),
  )
  expect(withoutRefused('employee', fitted, [{ pointer: '/role', message: 'no such job' }])?.body).toEqual({
    externalId: 'E-1',
    name: 'Ada',
  })
  const priced = await fitRecord(
    'product',
    { externalId: 'P-1', name: 'Tea', price: -1 },
    fitting(() => nothing),
  )
  expect(withoutRefused('product', priced, [{ pointer: '/price', message: 'is negative' }])).toBeUndefined()
  expect(withoutRefused('product', priced, [])).toBeUndefined()
})
it('finds the location of an order by its link, else the usual one, and asks once for each', async () => {
  const asked: unknown[] = []
  const linkedTo =
    (name: string): Fitting['check'] =>
    async (_, { locationExternalId }) => {
      asked.push(locationExternalId)
      return {
        ...nothing,
        references: locationExternalId === name ? [{ pointer: '/locationExternalId', nativeId: 'L' }] : [],
      }
    }
  const usual = createLocations('target', undefined, linkedTo('MAIN'))
  expect([await usual('HERE'), await usual('HERE'), await usual(undefined)]).toEqual(['MAIN', 'MAIN', 'MAIN'])
  expect(asked).toEqual(['HERE', 'MAIN'])
  expect(await createLocations('target', undefined, linkedTo('HERE'))('HERE')).toBe('HERE')
  expect(await createLocations('target', undefined, linkedTo('ELSEWHERE'))('HERE')).toBeUndefined()
  expect(await createLocations('target', 'GIVEN', linkedTo('GIVEN'))('HERE')).toBe('GIVEN')
  await expect(createLocations('target', 'GIVEN', linkedTo('HERE'))('HERE')).rejects.toThrow(
    /no location of target is linked as "GIVEN"..*dashboard.*PUT \/manage/,
  )
})

/** A target that takes only lines. */
const refusing = (pointers: readonly string[]) => (body: SourceRecord) => ({
  references: resolving(body).references,
  missing: pointers
    .filter((pointer) => valueAt(body, pointer) !== undefined)
    .map((pointer) => ({ pointer, message: 'cannot be stored' })),
})
const charged = {
  ...order,
  currencyCode: 'USD',
  serviceChargeTotal: 2.5,
  serviceCharges: [
    { name: 'Delivery', amount: 2 },
    { name: 'Bag', amount: 0.5 },
  ],
  roundingTotal: -0.02,
  tipTotal: 1,
  tipIncluded: true,
  subtotal: 3,
  total: 6.48,
}
it('keeps the total of an order whose charges, tip and rounding the target has no field for', async () => {
  const paid = ['/serviceChargeTotal', '/serviceCharges', '/roundingTotal', '/tipTotal']
  const { body, notes, obstacles } = await fitRecord('order', charged, fitting(refusing(paid)))
  expect(obstacles).toEqual([])
  expect(body.lineItems).toEqual([
    { productExternalId: 'P-1', name: 'Tea', quantity: 1, unitPrice: 3, lineDiscount: 0.02 },
    { name: 'Delivery', quantity: 1, unitPrice: 2, lineDiscount: 0 },
    { name: 'Bag', quantity: 1, unitPrice: 0.5, lineDiscount: 0 },
    { name: 'Tip', quantity: 1, unitPrice: 1, lineDiscount: 0 },
  ])
  expect(totalOf(body)).toBe(charged.total)
  for (const pointer of paid) expect(valueAt(body, pointer)).toBeUndefined()
  expect(notes.flatMap(({ kind, pointer }) => (kind === 'requirement' ? [pointer] : [])).toSorted()).toEqual([
    '/lineItems/-',
    '/lineItems/-',
    '/lineItems/-',
    '/lineItems/0/lineDiscount',
    '/roundingTotal',
    '/serviceChargeTotal',
    '/tipTotal',
  ])
})
it('moves a sale without its fulfillment where the target asks for what the source does not know', async () => {
  const asks = (body: SourceRecord) => ({
    ...resolving(body),
    missing: body.fulfillment
      ? ['/fulfillment/name', '/fulfillment/dueAt'].map((pointer) => ({ pointer, message: 'is required' }))
      : [],
  })
  const takeout = { ...order, fulfillment: { type: 'TAKEOUT' } }
  const { body, notes, obstacles } = await fitRecord('order', takeout, fitting(asks))
  expect(obstacles).toEqual([])
  expect(body).not.toHaveProperty('fulfillment')
  expect(notes.filter(({ kind }) => kind === 'requirement')).toEqual([
    { pointer: '/fulfillment', kind: 'requirement', message: 'is required.' },
  ])
  const given = { order: { '/fulfillment/name': 'Guest', '/fulfillment/dueAt': '2026-11-10T19:00:00.000Z' } }
  const needs = (body: SourceRecord) => ({
    ...resolving(body),
    missing: asks(body).missing?.filter(({ pointer }) => valueAt(body, pointer) === undefined) ?? [],
  })
  const filled = await fitRecord('order', takeout, fitting(needs, { defaults: given }))
  expect(filled.body.fulfillment).toMatchObject({ type: 'TAKEOUT', name: 'Guest' })
})
it('keeps the price of a line whose modifiers cost more than one unit of it', async () => {
  const nested = [{ name: 'Aged', quantity: 1, price: 0.5 }]
  const lineWith = (unitPrice: number) => ({
    ...order,
    lineItems: [
      { ...order.lineItems[0], unitPrice, modifiers: [{ name: 'Truffle', quantity: 2, price: 1, modifiers: nested }] },
    ],
  })
  const costly = await fitRecord('order', lineWith(2.99), fitting(resolving))
  expect(costly.body.lineItems).toEqual([{ ...order.lineItems[0], unitPrice: 2.99 }])
  expect(costly.notes).toContainEqual(expect.objectContaining({ pointer: '/lineItems/0/modifiers' }))
  const enough = await fitRecord('order', lineWith(3), fitting(resolving))
  expect(enough.body.lineItems).toMatchObject([{ modifiers: [{ name: 'Truffle' }] }])
})
it('leaves a tip beside the total to the payments', async () => {
  const { body, notes } = await fitRecord('order', { ...charged, tipIncluded: false }, fitting(refusing(['/tipTotal'])))
  expect(body.lineItems).toHaveLength(1)
  expect(notes.at(-1)).toMatchObject({ pointer: '/tipTotal', message: expect.stringContaining('does not contain it') })
})
it('takes the ids of the source out of modifiers, and modifiers that the target does not know out of the line', async () => {
  const modifiers = [{ modifierExternalId: 'M-1', name: 'Oat milk', quantity: 1, price: 0.5 }]
  const modified = { ...order, lineItems: [{ ...order.lineItems[0], externalId: 'L-1', unitPrice: 3.5, modifiers }] }
  const named = await fitRecord('order', modified, fitting(resolving))
  expect(named.body.lineItems).toMatchObject([{ unitPrice: 3.5, modifiers: [{ name: 'Oat milk', price: 0.5 }] }])
  expect(JSON.stringify(named.body)).not.toMatch(/M-1|L-1/)
  const needsIds = (body: SourceRecord) => ({
    references: resolving(body).references,
    missing: valueAt(body, '/lineItems/0/modifiers')
      ? [{ pointer: '/lineItems/0/modifiers/0/modifierExternalId', message: 'is required' }]
      : [],
  })
  const unnamed = await fitRecord('order', modified, fitting(needsIds))
  expect(unnamed.obstacles).toEqual([])
  expect((unnamed.body.lineItems as object[])[0]).toEqual({
    productExternalId: 'P-1',
    name: 'Tea',
    quantity: 1,
    unitPrice: 3.5,
  })
  expect(unnamed.notes.at(-1)).toMatchObject({ pointer: '/lineItems/0/modifiers' })
})
