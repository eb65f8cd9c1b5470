// The ledger of an order: what was agreed when it was placed, edited and refunded, as signed sales.
// https://shopify.dev/docs/api/admin-graphql/2026-07/interfaces/SalesAgreement
import { chargeNet, discountOf, lineNet, taxOf, withTax } from './order-money.ts'
import { bag, gid, iso, type Line, type Order, type TaxLine, taxLineView, type World } from './world.ts'

interface Agreement {
  id: string
  __typename: string
  reason: string
  at: number
  sales: object[]
}
interface Sold {
  action: 'ORDER' | 'RETURN'
  quantity: number
  net: number
  discount: number
  taxes: readonly TaxLine[]
}
const lineTypes = {
  tip: ['TipSale', 'TIP'],
  gift_card: ['GiftCardSale', 'GIFT_CARD'],
  product: ['ProductSale', 'PRODUCT'],
} as const

const saleOf = (world: World, order: Order, id: string, { action, quantity, net, discount, taxes }: Sold): object => {
  const sign = action === 'RETURN' ? -1 : 1
  const amount = (minor: number) => bag(world, sign * minor || 0)
  return {
    id: gid('Sale', id),
    actionType: action,
    quantity: sign * quantity,
    totalAmount: amount(order.taxesIncluded ? net : withTax(order, { net, taxes: [...taxes] })),
    totalTaxAmount: amount(taxOf({ taxes })),
    totalDiscountAmountBeforeTaxes: amount(discount),
    totalDiscountAmountAfterTaxes: amount(discount),
    taxes: taxes.map((tax, n) => ({
      id: gid('SaleTax', `${id}${n}`),
      amount: amount(tax.amount),
      taxLine: taxLineView(world, tax),
    })),
  }
}
const lineSale = (world: World, order: Order, line: Line, sold: Sold, id: string): object => {
  const [__typename, lineType] = lineTypes[line.kind ?? 'product']
  return {
    ...saleOf(world, order, id, sold),
    __typename,
    lineType,
    lineItem: { id: gid('LineItem', line.id) },
  }
}
/** The ids of sales follow from those of what they are about. */
export function agreementsOf(world: World, order: Order): Agreement[] {
  const lineOf = (id: string) => order.lines.find((line) => line.id === id)!
  const placed = (line: Line, from: string) => {
    const sold = { action: 'ORDER', quantity: line.quantity, net: lineNet(line), taxes: line.taxes } as const
    return lineSale(world, order, line, { ...sold, discount: discountOf(line) }, `${from}${line.id}`)
  }
  const added = new Set(order.edits.flatMap((edit) => edit.added))
  const shipped = order.shipping.map((charge) => ({
    ...saleOf(world, order, charge.id, {
      action: 'ORDER',
      quantity: 1,
      net: chargeNet(charge),
      discount: discountOf(charge),
      taxes: charge.taxes,
    }),
    __typename: 'ShippingLineSale',
    lineType: 'SHIPPING',
    shippingLine: { id: gid('ShippingLine', charge.id) },
  }))
  return [
    {
      id: order.id,
      __typename: 'OrderAgreement',
      reason: 'ORDER',
      at: order.createdAt,
      sales: [...order.lines.filter(({ id }) => !added.has(id)).map((line) => placed(line, '1')), ...shipped],
    },
    ...order.edits.map((edit) => ({
      id: edit.id,
      __typename: 'OrderEditAgreement',
      reason: 'ORDER_EDIT',
      at: edit.at,
      sales: [
        ...edit.added.map((id) => placed(lineOf(id), '2')),
        ...edit.removed.map((units) =>
          lineSale(
            world,
            order,
            lineOf(units.lineId),
            { action: 'RETURN', discount: 0, ...units },
            `3${edit.id}${units.lineId}`,
          ),
        ),
      ],
    })),
    ...order.refunds.map((refund) => ({
      id: refund.id,
      __typename: 'RefundAgreement',
      reason: 'REFUND',
      at: refund.createdAt,
      sales: refund.lines.map((units) =>
        lineSale(world, order, lineOf(units.lineId), { action: 'RETURN', discount: 0, ...units }, `4${units.id}`),
      ),
    })),
  ].sort((a, b) => a.at - b.at)
}
export const agreementView = ({ id, __typename, reason, at }: Agreement): object => ({
  __typename,
  id: gid(__typename, id),
  reason,
  happenedAt: iso(at),
})
