// The tables of order writes, which the connectors of tills share.
import type { OrderSums, Write } from '../contract/connector.ts'
import type { Pointer } from '../contract/entity.ts'

/** Fields that say something about an order, and carry no money of their own. */
const descriptive = [
  '/closedAt',
  '/businessDate',
  '/employeeExternalId',
  '/channel',
  '/guestCount',
  '/fulfillment',
  '/discounts',
  '/taxes',
  '/lineItems/*/modifiers',
  '/lineItems/*/taxes',
  '/lineItems/*/note',
  '/lineItems/*/categoryExternalId',
] as const satisfies readonly Pointer[]
/** Fields that a customer pays for. */
const paid = {
  '/serviceChargeTotal': 'send the charge as a line',
  '/serviceCharges': 'send the charges as lines',
  '/shippingTotal': 'send it as a line',
  '/tipTotal': 'record it with the payment',
  '/roundingTotal': 'send the rounded prices',
} as const satisfies Readonly<Record<Pointer, string>>

/**
 * The tables of a write for the fields of an order that tills differ in: `takes` are those that this one takes. The
 * others are not stored, or refused where they carry money.
 */
export function orderTables({ prices }: OrderSums, takes: readonly Pointer[]) {
  const taken = (pointer: string) => (takes as readonly string[]).includes(pointer)
  const left = <T>(table: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(table).filter(([pointer]) => !taken(pointer))) as Record<Pointer, T>
  const unsaid = prices === 'either' ? [...descriptive, '/taxIncluded'] : descriptive
  return {
    notStored: left(Object.fromEntries(unsaid.map((pointer) => [pointer, true as const]))),
    refused: left(paid),
    values: {
      ...left<{ only: readonly string[]; why: string }>({
        '/lineItems/*/kind': { only: ['ITEM'], why: 'a gift card is sold at the till' },
      }),
      ...(prices === 'either'
        ? {}
        : {
            '/taxIncluded': {
              only: [String(prices === 'with_tax')],
              why: `its prices are ${prices === 'with_tax' ? 'with' : 'without'} taxes`,
            },
          }),
    },
  } satisfies Write<'order'>
}
