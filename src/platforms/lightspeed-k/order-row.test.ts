// How sales and open checks are read, from the vendor's examples and from what its pages say.
import { describe, expect, it } from 'vitest'
import type { Order } from '../../contract/entities/order.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import type { Check, Sale, SaleLine } from './check.ts'
import { order, refundsBySale } from './order.ts'

const settings = { businessLocationId: '7', currencyCode: 'GBP', timezone: 'Europe/London', businessDayStart: '04:00' }
const account = { id: 'a', vertical: 'restaurant' as const, settings }
const mapping = { account, warn: () => {} }

/** The example of https://api-docs.lsk.lightspeed.app/operation/operation-financial-apigetbusinesslocationsales. */
const line: SaleLine = {
  id: 'S65315.33',
  sku: '52',
  name: 'Burger',
  quantity: '1.000',
  menuListPrice: '10.00',
  totalNetAmountWithTax: '11.00',
  totalNetAmountWithoutTax: '8.33',
  taxCode: 'VAT20',
  taxAmount: '1.6667',
  taxRatePercentage: '20.00',
  serviceCharge: '1.00',
  discountAmount: '0.00',
  totalDiscountAmount: '0.00',
  taxLines: [{ taxCode: 'VAT20', taxRate: '1.2', taxAmount: '1.666667', taxIncluded: true }],
  accountingGroup: { accountingGroupId: 141948669132845 },
  currency: 'GBP',
}
const sale: Sale = {
  accountFiscId: 'A65315.17',
  receiptId: 'R65315.13',
  source: { initialAccountId: 'A65315.17' },
  type: 'SALE',
  cancelled: false,
  timeOfOpening: '2023-02-14T19:58:48.224Z',
  timeClosed: '2023-02-14T20:04:08.734Z',
  tableNumber: '1',
  tableName: 'Dining Room, Table 1',
  accountProfileCode: 'AAP',
  ownerId: 14670,
  nbCovers: 2,
  dineIn: true,
  salesLines: [line],
  payments: [
    {
      netAmountWithTax: '11.00',
      tip: '0.00',
      surcharge: '0.00',
      roundingAmount: '0.00',
      fiscDate: '2023-02-14T20:04:08.665Z',
      consumer: { id: 'ec021fb0-4c12-425e-b30f-320ab720448b' },
    },
  ],
}
const readSale = (changes: Partial<Sale>, warn: (pointer: string) => void = mapping.warn): Order =>
  order.toUnified({ sale: { ...sale, ...changes }, products: { 52: '141948669132862' } }, { account, warn })
/** Without payments: the lines alone make the total. */
const readLines = (...salesLines: SaleLine[]): Order => readSale({ salesLines, payments: [] })
const plain: SaleLine = { ...line, serviceCharge: '0.00', totalNetAmountWithTax: '10.00' }
const flawOf = (read: Order) => orderFlaw(read as unknown as Record<string, unknown>)
const given = (record: object) => JSON.parse(JSON.stringify(record))

describe('a sale', () => {
  it("is read from the vendor's example: the charge is in the amount with tax, and the total contains it", () => {
    const read = readSale({})
    expect(given(read)).toEqual({
      externalId: 'A65315.17',
      orderNumber: 'R65315.13',
      processedAt: '2023-02-14T20:04:08.665Z',
      closedAt: '2023-02-14T20:04:08.734Z',
      businessDate: '2023-02-14',
      customerExternalId: 'ec021fb0-4c12-425e-b30f-320ab720448b',
      locationExternalId: '7',
      employeeExternalId: '14670',
      channel: 'AAP',
      guestCount: 2,
      fulfillment: { type: 'DINE_IN', table: 'Dining Room, Table 1' },
      currencyCode: 'GBP',
      state: 'COMPLETED',
      taxIncluded: true,
      subtotal: 10,
      discountTotal: 0,
      serviceChargeTotal: 1,
      serviceCharges: [{ kind: 'SERVICE', amount: 1 }],
      tipTotal: 0,
      tipIncluded: false,
      roundingTotal: 0,
      total: 11,
      taxTotal: 1.67,
      taxes: [{ taxRateExternalId: 'VAT20', rate: 20, amount: 1.67, base: 8.33, included: true }],
      lineItems: [
        {
          externalId: 'S65315.33',
          productExternalId: '141948669132862',
          name: 'Burger',
          kind: 'ITEM',
          quantity: 1,
          unitPrice: 10,
          lineTax: 1.67,
          lineDiscount: 0,
          lineTotal: 10,
          taxes: [{ taxRateExternalId: 'VAT20', rate: 20, amount: 1.67, base: 8.33, included: true }],
          categoryExternalId: '141948669132845',
        },
      ],
    })
    expect(flawOf(read)).toBeUndefined()
  })
  it('is completed or canceled by its type, and an unknown type gets a warning', () => {
    const warnings: string[] = []
    const state = (changes: Partial<Sale>) => readSale(changes, (pointer: string) => warnings.push(pointer)).state
    expect([state({}), state({ type: 'VOID' }), state({ type: 'CANCEL' }), state({ cancelled: true })]).toEqual([
      'COMPLETED',
      'CANCELED',
      'CANCELED',
      'CANCELED',
    ])
    expect([state({ type: 'SEANCE' }), warnings]).toEqual([undefined, ['/state']])
  })
  it('is no order if it takes back another sale, or moves one', () => {
    const source = { initialAccountId: 'A65315.15', previousAccountId: 'A65315.15' }
    const later = { initialAccountId: 'A65315.13', previousAccountId: 'A65315.15' }
    const excluded = (changes: Partial<Sale>) => order.excluded!({ sale: { ...sale, ...changes } })
    expect(excluded({ type: 'REFUND', source })).toEqual({ as: 'refund', of: 'A65315.15' })
    expect(excluded({ type: 'REFUND' })).toEqual({ as: 'refund', of: undefined })
    expect(excluded({ type: 'REFUND', source: later })).toEqual({ as: 'refund', of: undefined })
    expect(excluded({ type: 'VOID', source })).toEqual({ as: 'refund', of: 'A65315.15' })
    for (const type of ['TRANSITORY', 'RECALL', 'SPLIT', 'TRANSFER', 'UPDATE', 'FLOAT', 'CROSS_BL'])
      expect([type, excluded({ type })]).toEqual([type, { as: 'transfer' }])
    for (const type of ['SALE', 'VOID', 'CANCEL']) expect([type, excluded({ type })]).toEqual([type, undefined])
  })
  it('has the business day on which it was closed', () => {
    const day = (timeClosed: string) => readSale({ timeClosed }).businessDate
    expect([day('2023-07-15T02:59:59Z'), day('2023-07-15T03:00:00Z')]).toEqual(['2023-07-14', '2023-07-15'])
  })
  it('keeps a returned line as a positive quantity at a negative price, and omits lines without quantity', () => {
    const returned = { ...plain, sku: '53', name: 'Deposit', quantity: '-2.000', totalNetAmountWithTax: '-20.00' }
    const nothing = { ...plain, quantity: '0.000', totalNetAmountWithTax: '0.00', taxAmount: '0.00', taxLines: [] }
    const read = readLines({ ...returned, taxLines: [] }, nothing)
    expect([read.total, read.lineItems.map(({ quantity, unitPrice }) => [quantity, unitPrice])]).toEqual([
      -20,
      [[2, -10]],
    ])
    expect(flawOf(read)).toBeUndefined()
  })
  it('has no units that were taken off the check', () => {
    const three = { ...plain, quantity: '3.000', totalNetAmountWithTax: '30.00' }
    const void1 = { ...plain, id: 'S2', quantity: '-1.000', totalNetAmountWithTax: '-10.00', voidReason: 'Taste' }
    const tax = (amount: string) => [{ taxCode: 'VAT20', taxRate: '1.2', taxAmount: amount, taxIncluded: true }]
    const read = readLines(
      { ...three, taxLines: tax('5.000000') },
      { ...void1, taxLines: tax('-1.666667') },
      { ...plain, id: 'S3', sku: '9', name: 'Soup' },
      { ...void1, id: 'S4', sku: '9', name: 'Soup', taxLines: tax('-1.666667') },
    )
    expect(
      read.lineItems.map(({ name, quantity, lineTotal, lineTax }) => [name, quantity, lineTotal, lineTax]),
    ).toEqual([['Burger', 2, 20, 3.33]])
    expect(read.total).toBe(20)
  })
  it('does not count a line with the reason of a void if it was not paid', () => {
    const dropped = { ...plain, id: 'S2', sku: '9', name: 'Soup', voidReason: 'Cooking' }
    const pay = (amount: string) => [{ ...sale.payments![0]!, netAmountWithTax: amount }]
    const names = (amount: string) =>
      readSale({ salesLines: [plain, dropped], payments: pay(amount) }).lineItems.map(({ name }) => name)
    expect([names('10.00'), names('20.00')]).toEqual([['Burger'], ['Burger', 'Soup']])
  })
})

describe('taxes on top of prices', () => {
  const net: SaleLine = {
    ...line,
    totalNetAmountWithTax: '11.00', // has no meaning
    totalNetAmountWithoutTax: '10.00',
    taxAmount: '1.50',
    taxLines: [
      { taxCode: 'GST', taxRate: '1.05', taxAmount: '0.500000', taxIncluded: false },
      { taxCode: 'PST', taxRate: '1.09975', taxAmount: '0.997500', taxIncluded: false },
    ],
  }
  const paid = (amount: string) => [{ ...sale.payments![0]!, netAmountWithTax: amount }]
  it('are two on a line, each with its own rate, and the service charge is in the total', () => {
    const read = readSale({ salesLines: [net], payments: [] })
    expect(read).toMatchObject({
      taxIncluded: false,
      subtotal: 10,
      serviceChargeTotal: 1,
      taxTotal: 1.5,
      total: 12.5,
      taxes: [
        { taxRateExternalId: 'GST', rate: 5, amount: 0.5, included: false },
        { taxRateExternalId: 'PST', rate: 9.975, amount: 1, included: false },
      ],
    })
    expect(flawOf(read)).toBeUndefined()
  })
  it('come with a charge in the amount or beside it: what was paid decides', () => {
    const beside = readSale({ salesLines: [net], payments: paid('12.50') })
    const inside = readSale({ salesLines: [net], payments: paid('11.50') })
    expect(
      [beside, inside].map(({ subtotal, serviceChargeTotal, total }) => [subtotal, serviceChargeTotal, total]),
    ).toEqual([
      [10, 1, 12.5],
      [9, 1, 11.5],
    ])
    expect([beside, inside].map(flawOf)).toEqual([undefined, undefined])
  })
  it('are rounded once for the whole sale', () => {
    const third = {
      ...net,
      serviceCharge: '0.00',
      totalNetAmountWithoutTax: '3.333333',
      taxLines: [{ taxCode: 'X', taxRate: '1.1', taxAmount: '0.333333', taxIncluded: false }],
    }
    const read = readLines(third, third, third)
    expect([read.subtotal, read.taxTotal, read.total]).toEqual([10, 1, 11])
    expect(read.lineItems.map(({ lineTotal }) => lineTotal)).toEqual([3.34, 3.33, 3.33])
  })
  it('can be on some lines only: then each tax says it', () => {
    const read = readLines({ ...net, serviceCharge: '0.00' }, plain)
    expect([read.taxIncluded, read.taxes?.map(({ included }) => included), read.total]).toEqual([
      undefined,
      [false, false, true],
      21.5,
    ])
    expect(flawOf(read)).toBeUndefined()
  })
})

describe('modifiers', () => {
  it('are lines of their own, and part of the price of their line', () => {
    const cheese = { ...plain, id: 'S2', parentLineId: 'S65315.33', sku: '35', name: 'Cheese' }
    const read = readLines(
      { ...plain, quantity: '2.000', totalNetAmountWithTax: '20.00' },
      { ...cheese, quantity: '4.000', menuListPrice: '1.20', totalNetAmountWithTax: '4.80' },
      {
        ...cheese,
        id: 'S3',
        parentLineId: 'S2',
        sku: '36',
        name: 'Truffle',
        menuListPrice: '0.95',
        totalNetAmountWithTax: '3.80',
        quantity: '4.000',
      },
    )
    expect(read.lineItems).toMatchObject([
      {
        quantity: 2,
        unitPrice: 14.3,
        lineTotal: 28.6,
        modifiers: [
          {
            modifierExternalId: '35',
            name: 'Cheese',
            quantity: 2,
            price: 1.2,
            modifiers: [{ modifierExternalId: '36', name: 'Truffle', quantity: 1, price: 0.95 }],
          },
        ],
      },
    ])
    expect(read.total).toBe(28.6)
  })
  it('whose main line is on another account are lines', () => {
    expect(readLines({ ...plain, parentLineId: 'S65315.32' }).lineItems).toHaveLength(1)
  })
})

describe('money beside the lines', () => {
  const pay = (changes: object) => ({ ...sale.payments![0]!, netAmountWithTax: '10.00', ...changes })
  it('is a discount on lines and on the account, which the lines contain', () => {
    const read = readLines({
      ...plain,
      quantity: '2.000',
      totalNetAmountWithTax: '17.00',
      discountAmount: '1.000000',
      discountName: 'Happy hour',
      accountDiscountAmount: '2.00',
      accountDiscountName: 'Staff Discount',
      totalDiscountAmount: '3.00',
    })
    expect(read).toMatchObject({
      discountTotal: 3,
      subtotal: 17,
      discounts: [
        { name: 'Happy hour', scope: 'LINE', amount: 1 },
        { name: 'Staff Discount', scope: 'ORDER', amount: 2 },
      ],
      lineItems: [{ unitPrice: 10, lineDiscount: 3, lineTotal: 17 }],
    })
  })
  it('is a tip beside the total, and a surcharge in it', () => {
    const [beside, within] = ['10.00', '10.10'].map((netAmountWithTax) =>
      readSale({ salesLines: [plain], payments: [pay({ netAmountWithTax, tip: '2.50', surcharge: '0.10' })] }),
    )
    for (const read of [beside!, within!])
      expect(read).toMatchObject({
        total: 10.1,
        tipTotal: 2.5,
        tipIncluded: false,
        serviceChargeTotal: 0.1,
        serviceCharges: [{ kind: 'SURCHARGE', amount: 0.1 }],
      })
    expect([beside!, within!].map(flawOf)).toEqual([undefined, undefined])
  })
  it('is the rounding of cash', () => {
    const read = readSale({
      salesLines: [{ ...plain, totalNetAmountWithTax: '10.02', menuListPrice: '10.02' }],
      payments: [pay({ roundingAmount: '-0.02' })],
    })
    expect([read.subtotal, read.roundingTotal, read.total]).toEqual([10.02, -0.02, 10])
    expect(flawOf(read)).toBeUndefined()
  })
  it('that does not make what was paid is told', () => {
    const read = readSale({ salesLines: [plain], payments: [pay({ netAmountWithTax: '12.00' })] })
    expect([read.total, flawOf(read)]).toEqual([12, expect.objectContaining({ code: 'does_not_add_up' })])
  })
})

describe('refunds of a sale', () => {
  const refund = (id: string, previousAccountId: string, type = 'REFUND'): Sale => ({
    ...sale,
    accountFiscId: id,
    type,
    source: { initialAccountId: 'A1.1', previousAccountId },
    salesLines: [{ ...plain, quantity: '-1.000', totalNetAmountWithTax: '-10.00' }],
    payments: [{ netAmountWithTax: '-10.00' }],
  })
  it('are found by the account that they follow, also if that is another refund', () => {
    const found = refundsBySale([
      refund('A1.2', 'A1.1'),
      refund('A1.3', 'A1.2'),
      refund('A1.5', 'A1.4', 'VOID'),
      refund('A1.6', 'A1.1', 'UPDATE'),
    ])
    expect([...found].map(([id, refunds]) => [id, refunds.map(({ accountFiscId }) => accountFiscId)])).toEqual([
      ['A1.1', ['A1.2', 'A1.3']],
      ['A1.4', ['A1.5']],
    ])
  })
  it('that name each other end', () => {
    expect([...refundsBySale([refund('A1.2', 'A1.3'), refund('A1.3', 'A1.2')]).values()].flat()).toHaveLength(2)
  })
  it('are summed in refundTotal, and not taken off the total', () => {
    const refunds = [refund('A1.2', 'A1.1')]
    expect(order.toUnified({ sale, refunds }, mapping)).toMatchObject({ total: 11, refundTotal: 10 })
  })
})

describe('an open check', () => {
  const sub = {
    id: 2,
    itemSku: '35',
    itemName: 'Cheese',
    unitAmount: '1.00',
    quantity: 1,
    amountWithTax: '1.15',
    amountLessTax: '1.00',
    discountedAmount: '0.00',
    taxIncluded: false,
  }
  /** The example of the reference: 10.00 and 1.00, with 15 % on top. */
  const check: Check = {
    ikaccountId: 'A17700.3',
    openDate: '2021-12-21T13:24:49.265+0000',
    currentAmount: '12.65',
    serviceCharge: '0.00',
    clientCount: 4,
    tableNumber: 2,
    staffId: 7701234,
    salesEntries: [
      {
        ...sub,
        id: 1,
        itemSku: '14',
        itemName: 'Burger',
        unitAmount: 10,
        amountWithTax: 11.5,
        amountLessTax: 10,
        discountedAmount: 0,
        modifiers: [{ name: 'Rare', quantity: 1 }],
        subLineItems: [sub],
      },
    ],
  }
  it('may have amounts as strings; sub-items and production instructions are modifiers', () => {
    const read = order.toUnified({ check }, mapping)
    expect(given(read)).toMatchObject({
      state: 'OPEN',
      processedAt: '2021-12-21T13:24:49.265Z',
      businessDate: '2021-12-21',
      guestCount: 4,
      employeeExternalId: '7701234',
      fulfillment: { table: '2' },
      taxIncluded: false,
      subtotal: 11,
      taxTotal: 1.65,
      total: 12.65,
      lineItems: [
        {
          externalId: '1',
          name: 'Burger',
          unitPrice: 11,
          lineTotal: 11,
          modifiers: [
            { modifierExternalId: '35', name: 'Cheese', quantity: 1, price: 1 },
            { name: 'Rare', quantity: 1 },
          ],
        },
      ],
    })
    expect(flawOf(read)).toBeUndefined()
  })
  it('has its service charge beside the lines', () => {
    const read = order.toUnified({ check: { ...check, serviceCharge: 1, currentAmount: 13.65 } }, mapping)
    expect([read.subtotal, read.serviceChargeTotal, read.total]).toEqual([11, 1, 13.65])
    expect(flawOf(read)).toBeUndefined()
  })
})
