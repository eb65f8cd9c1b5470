// Against the rows that the simulators really answer, through the engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { EntityType, Vertical } from '../../contract/entity.ts'
import { connectors } from '../../platforms/registry.ts'
import { simulators } from '../../platforms/simulators.ts'
import type { MappingOverlay, Rule } from '../../store/store.ts'
import { changedLeaves } from './changed-leaves.ts'
import { describeConversion } from './conversion.ts'
import type { Explored } from './explore.ts'
import { type Origin, type Provenance, provenanceOf } from './provenance.ts'

const context = { requestId: 'test', caller: 'test', maxWaitMs: 30_000 }

/** The provenance of the first record that is wanted, by field. */
async function traced(
  harness: Harness,
  vertical: Vertical,
  entityType: EntityType,
  wanted: (explored: Explored) => boolean = () => true,
  rules?: Record<string, Rule>,
) {
  const { engine, store } = harness.service
  const account = await store.accounts.get(harness.accountId(vertical))
  const target = engine.target(account as NonNullable<typeof account>, entityType)
  const { data } = await engine.explore.page(target, { pageSize: 100 }, undefined, context)
  const found = data.find(wanted) as Explored
  const mapping = rules && ({ id: 'test', version: Math.random(), rules } as MappingOverlay)
  const provenance = await engine.explore.provenance(target, JSON.parse(JSON.stringify(found.native)), mapping)
  const of = (pointer: string) => provenance.fields.find((field) => field.pointer === pointer) as Origin
  return { provenance, of, record: found.record as unknown as Record<string, unknown>, native: found.native }
}
const withHarness = (platform: string, tests: (harness: () => Harness) => void) =>
  describe(platform, () => {
    let harness: Harness
    beforeAll(async () => {
      harness = await createHarness({ connectors, simulators, platform })
    })
    afterAll(() => harness.close())
    tests(() => harness)
  })
const pointers = ({ sources }: Origin) => sources.map(({ pointer }) => pointer)

withHarness('square', (harness) => {
  it('money in minor units, words of a price type and the opposite of a flag are told as what they are', async () => {
    const { of, record } = await traced(
      harness(),
      'restaurant',
      'product',
      ({ record }) => typeof (record as { price?: number }).price === 'number',
    )
    const amount = '/variation/item_variation_data/price_money/amount'
    expect(of('/price')).toMatchObject({
      kind: 'scaled',
      words: `${Math.round((record.price as number) * 100)} USD minor units → ${record.price}`,
    })
    expect(of('/price').sources).toEqual([
      { pointer: amount },
      { pointer: '/variation/item_variation_data/price_money/currency', decides: true },
    ])
    expect(of('/priceType')).toMatchObject({
      kind: 'word',
      words: 'FIXED_PRICING → FIXED',
      sources: [{ pointer: '/variation/item_variation_data/pricing_type' }],
    })
    expect(of('/active')).toMatchObject({
      words: 'false → true (the opposite)',
      sources: [{ pointer: '/item/item_data/is_archived' }],
    })
    expect(of('/externalId')).toMatchObject({
      kind: 'same',
      words: 'same value',
      sources: [{ pointer: '/variation/id' }],
    })
  })
  it('stock counted in several places is their sum', async () => {
    const { of } = await traced(
      harness(),
      'restaurant',
      'product',
      ({ native }) => (native as { counts: unknown[] }).counts.length === 2,
    )
    expect(of('/stockOnHand')).toMatchObject({
      kind: 'sum',
      sources: [{ pointer: '/counts/0/quantity' }, { pointer: '/counts/1/quantity' }],
    })
  })
  it('a name joined of two, an instant in another zone, and hours worked out of both ends', async () => {
    const customer = await traced(harness(), 'restaurant', 'customer', ({ native }) =>
      Boolean((native as { family_name?: string; given_name?: string }).family_name),
    )
    expect(customer.of('/name')).toMatchObject({ kind: 'joined', words: 'given_name and family_name, joined' })
    const entry = await traced(harness(), 'restaurant', 'time_entry', ({ native }) =>
      Boolean((native as { end_at?: string }).end_at),
    )
    expect(entry.of('/startAt')).toMatchObject({
      kind: 'time',
      words: expect.stringMatching(/^2\S+-05:00 → 2\S+Z in UTC$/),
    })
    expect(pointers(entry.of('/regularHours'))).toEqual(expect.arrayContaining(['/start_at', '/end_at']))
  })
  it('a field that the record lacks points at the native place where it would stand', async () => {
    const { provenance } = await traced(
      harness(),
      'restaurant',
      'product',
      ({ record }) => !(record as { barcode?: string }).barcode,
    )
    expect(provenance.lacking).toContainEqual({ pointer: '/barcode', sources: ['/variation/item_variation_data/upc'] })
  })
  it('an overlay shows as the mapping: its source, its table, its constants', async () => {
    const rules: Record<string, Rule> = {
      '/description': { from: '/item/id' },
      '/priceType': { from: '/item/type', lookup: { ITEM: 'VARIABLE' } },
      '/barcode': { value: '4006381333931' },
      '/sku': { from: '/nowhere', default: 'none' },
    }
    const { of } = await traced(harness(), 'restaurant', 'product', () => true, rules)
    expect(of('/description')).toMatchObject({
      kind: 'mapping',
      words: 'same value, taken by the mapping',
      sources: [{ pointer: '/item/id' }],
    })
    expect(of('/priceType')).toMatchObject({
      kind: 'mapping',
      words: "ITEM → VARIABLE by the mapping's table",
      sources: [{ pointer: '/item/type' }],
    })
    expect(of('/barcode')).toMatchObject({
      kind: 'mapping',
      words: 'the mapping always says 4006381333931',
      sources: [],
    })
    expect(of('/sku')).toMatchObject({ kind: 'mapping', words: "the mapping's default, none", sources: [] })
  })
})

withHarness('clover', (harness) => {
  const quantities = (record: unknown) =>
    (record as { lineItems: { quantity: number }[] }).lineItems.map(({ quantity }) => quantity)
  const counted = (record: unknown) => quantities(record).findIndex((one) => one > 1 && Number.isInteger(one))
  it('milliseconds become an instant, equal lines are counted, the location comes from the settings', async () => {
    const { of, record } = await traced(harness(), 'restaurant', 'order', ({ record }) => counted(record) >= 0)
    const line = counted(record)
    const count = quantities(record)[line] as number
    const quantity = of(`/lineItems/${line}/quantity`)
    expect(of('/processedAt').words).toBe(
      `${Date.parse(record.processedAt as string)} milliseconds since 1970 → ${record.processedAt}`,
    )
    expect(quantity).toMatchObject({
      kind: 'count',
      words: `${count} equal native entries, counted`,
    })
    const [first = ''] = pointers(quantity)
    const from = Number(/^\/lineItems\/elements\/(\d+)$/.exec(first)?.[1])
    expect(pointers(quantity)).toEqual(
      Array.from({ length: count }, (_, index) => `/lineItems/elements/${from + index}`),
    )
    expect(of('/locationExternalId')).toMatchObject({ kind: 'setting', settings: ['merchantId'], sources: [] })
  })
  it('what rests on something absent says so', async () => {
    const { of } = await traced(
      harness(),
      'restaurant',
      'employee',
      ({ record }) => (record as { active?: boolean }).active === true,
    )
    expect(of('/active')).toMatchObject({
      kind: 'absent',
      words: 'true as long as there is no deletedTime',
      sources: [{ pointer: '/deletedTime', absent: true }],
    })
  })
})

withHarness('shopify', (harness) => {
  it('an id is a part of a longer one, and a price a number out of text', async () => {
    const { of, record } = await traced(harness(), 'retail_pos', 'product')
    expect(of('/externalId')).toMatchObject({
      kind: 'text',
      words: `a part of "gid://shopify/ProductVariant/${record.externalId}"`,
    })
    expect(of('/price')).toMatchObject({
      kind: 'type',
      words: `text "${(record.price as number).toFixed(2)}" → number ${record.price}`,
      sources: [{ pointer: '/price' }, { pointer: '/currency', decides: true }],
    })
  })
})

withHarness('xero', (harness) => {
  it('a number in three parts is joined, and a status becomes a flag', async () => {
    const { of } = await traced(harness(), 'accounting', 'customer', ({ record }) =>
      Boolean((record as { phone?: string }).phone?.startsWith('+')),
    )
    expect(of('/phone')).toMatchObject({
      kind: 'joined',
      words: 'PhoneCountryCode, PhoneAreaCode, PhoneNumber, joined',
    })
    expect(of('/active').sources).toEqual([{ pointer: '/ContactStatus' }])
  })
})

const facts = () => ({ money: false, enumerated: false, time: false })
const trace = (row: object, make: (row: never) => Record<string, unknown>): Promise<Provenance> =>
  provenanceOf({ row, settings: {}, make: make as never, facts })

it('a mapping that throws for a changed value only makes that trial tell nothing', async () => {
  const make = ({ kind, name }: { kind: string; name: string }) => {
    if (kind !== 'A' && kind !== undefined) throw new Error('unknown kind')
    return { name, kind }
  }
  const { fields } = await trace({ kind: 'A', name: 'x' }, make as never)
  expect(fields.map(({ pointer, sources }) => [pointer, sources])).toEqual([
    ['/name', [{ pointer: '/name' }]],
    ['/kind', [{ pointer: '/kind' }]],
  ])
})

it('where either of two values is enough, both are found', async () => {
  const { fields } = await trace({ paid: true, closed: true }, (({
    paid,
    closed,
  }: {
    paid?: boolean
    closed?: boolean
  }) => ({
    state: paid || closed ? 'COMPLETED' : 'OPEN',
  })) as never)
  expect(fields[0]?.sources.map(({ pointer }) => pointer).sort()).toEqual(['/closed', '/paid'])
})

it('values that are not read are left alone, and the row is as it was afterwards', async () => {
  const row = { used: 'a', unused: { deep: [1, null] }, empty: [] as string[] }
  const before = structuredClone(row)
  const { fields } = await trace(row, (({ used, empty }: typeof row) => ({ used, first: empty[0] ?? 'none' })) as never)
  expect(fields.map(({ sources }) => sources)).toEqual([
    [{ pointer: '/used' }],
    [{ pointer: '/empty/0', absent: true }],
  ])
  expect(row).toEqual(before)
})

it('a line more or less does not change the lines behind it', () => {
  const lines = [
    { name: 'a', quantity: 2 },
    { name: 'b', quantity: 1 },
  ]
  expect(
    changedLeaves(
      { lines },
      {
        lines: [
          { name: 'x', quantity: 1 },
          { name: 'a', quantity: 1 },
          { name: 'b', quantity: 1 },
        ],
      },
    ),
  ).toEqual(['/lines/0/name', '/lines/0/quantity'])
  expect(changedLeaves({ lines }, { lines: [{ name: 'b', quantity: 1 }] })).toEqual([])
})

it('conversions are told from the two values', () => {
  const told = (
    native: unknown,
    value: unknown,
    more: Partial<ReturnType<typeof facts>> & { currency?: string } = {},
  ) =>
    describeConversion({
      value,
      facts: { ...facts(), ...more },
      sources: [{ pointer: '/n', value: native }],
      absent: [],
      settings: [],
      rule: undefined,
    }).words
  expect(told(1099, 10.99, { money: true, currency: 'USD' })).toBe('1099 USD minor units → 10.99')
  expect(told(1500, 1500, { money: true, currency: 'JPY' })).toBe('same value')
  expect(told(-100, 1, { money: true, currency: 'USD' })).toBe('-100 USD minor units → 1 (the sign turned)')
  expect(told(730, 0.73)).toBe('730 ÷ 1000 → 0.73')
  expect(told('10.990000', 10.99)).toBe('text "10.990000" → number 10.99')
  expect(told('/Date(1439434356790+0000)/', '2015-08-13T02:52:36.790Z', { time: true })).toBe(
    '/Date(1439434356790+0000)/ → 2015-08-13T02:52:36.790Z',
  )
  expect(told(42, '42')).toBe('number 42 → text "42"')
  expect(told(' Tea ', 'Tea')).toBe('same text without the space around it')
  expect(told('usd', 'USD')).toBe('in capitals')
})
