// What Clover's responses must have. Every collection is wrapped, including an empty one.
import type { Shape } from '../../contract/connector.ts'

const merchant = '/v3/merchants/{mId}'
const page = { '/elements': 'array', '/elements/*/id': 'id' } as const satisfies Shape
const one = { '/id': 'id' } as const satisfies Shape
/** Clover documents no body. An update reads what is left of what it removed. */
const removed: Shape = 'anything'

const collection = (name: string): Record<string, Shape> => ({
  [`GET ${merchant}/${name}`]: page,
  [`POST ${merchant}/${name}`]: one,
  [`GET ${merchant}/${name}/{id}`]: one,
  [`POST ${merchant}/${name}/{id}`]: one,
  [`DELETE ${merchant}/${name}/{id}`]: removed,
})
const contact = (kind: string): Record<string, Shape> => ({
  [`POST ${merchant}/customers/{id}/${kind}`]: one,
  [`POST ${merchant}/customers/{id}/${kind}/{contactId}`]: one,
  [`DELETE ${merchant}/customers/{id}/${kind}/{contactId}`]: removed,
})

export const shapes: Readonly<Record<string, Shape>> = {
  [`GET ${merchant}`]: one,
  [`GET ${merchant}/properties`]: { '/defaultCurrency': 'string' },
  ...collection('items'),
  ...collection('categories'),
  ...collection('orders'),
  ...collection('customers'),
  ...collection('employees'),
  [`GET ${merchant}/shifts`]: page,
  ...Object.fromEntries(
    ['payments', 'refunds', 'tax_rates'].flatMap((name) => [
      [`GET ${merchant}/${name}`, page],
      [`GET ${merchant}/${name}/{id}`, one],
    ]),
  ),
  [`GET ${merchant}/tenders`]: page,
  [`POST ${merchant}/orders/{id}/payments`]: one,
  // The responses of the next four are not documented. Their steps are looked up when the response is another one.
  [`POST ${merchant}/category_items`]: { '/elements': 'array' },
  [`POST ${merchant}/item_stocks/{id}`]: { '/quantity': 'number' },
  [`POST ${merchant}/customers/{id}/metadata`]: { '/modifiedTime': 'number' },
  [`POST ${merchant}/orders/{id}/bulk_line_items`]: { '/0/id': 'id' },
  [`GET ${merchant}/orders/{id}/line_items`]: page,
  [`DELETE ${merchant}/orders/{id}/line_items/{lineId}`]: removed,
  [`POST ${merchant}/orders/{id}/line_items/{lineId}/discounts`]: one,
  [`POST ${merchant}/orders/{id}/line_items/{lineId}/modifications`]: one,
  [`GET ${merchant}/modifiers`]: page,
  ...contact('email_addresses'),
  ...contact('phone_numbers'),
  ...contact('addresses'),
}
