// How the lines of an order get to the customer: https://developer.bigcommerce.com/docs/rest-management/orders/order-consignments
import type { Fields } from '../../../sandbox/http.ts'
import { moneyOf } from './order-money.ts'
import type { StoredLine, StoredOrder, World } from './world.ts'

/** A part of an order that is not included: where to get it. */
export const linkOf = (storeHash: string, { id }: StoredOrder, name: string): Fields => ({
  url: `https://api.bigcommerce.com/stores/${storeHash}/v2/orders/${id}/${name}`,
  resource: `/orders/${id}/${name}`,
})

export function placeOf({ pickup }: StoredOrder, { type }: StoredLine): 'shipping' | 'pickup' | 'download' | 'email' {
  if (type === 'giftcertificate') return 'email'
  return type === 'digital' ? 'download' : pickup ? 'pickup' : 'shipping'
}
/** The id of a shipping address is derived from the order's. */
export const addressId = (order: StoredOrder, line: StoredLine): number =>
  order.shipping_addresses.length > 0 && placeOf(order, line) === 'shipping' ? idOfAddress(order, line.address ?? 0) : 0
export const idOfAddress = ({ id }: StoredOrder, index: number): number => id + 1000 + index * 100_000

const pickupPlace = {
  pickup_method_id: 1,
  pickup_method_display_name: 'Pick up in store',
  collection_instructions: 'Bring your ID.',
  collection_time_description: '9am - 6pm',
  location: {
    id: 1,
    name: 'Maple Goods, Harbor Road',
    code: 'LOCATION-1',
    address_line_1: '12 Harbor Road',
    address_line_2: '',
    city: 'Austin',
    state: 'Texas',
    postal_code: '78701',
    country_alpha2: 'US',
    email: 'store@example.com',
    phone: '+15125550100',
  },
}

/**
 * `include=consignments` replaces the link by the consignments, `include=consignments.line_items` also the links to
 * their lines. Only with `consignment_structure=object` is the result an object, as the schema has it.
 */
export function consignmentsOf(
  world: World,
  order: StoredOrder,
  included: readonly string[],
  structure: string | null,
  views: (order: StoredOrder) => Fields[],
): unknown {
  const inline = included.includes('consignments.line_items')
  if (!inline && !included.includes('consignments')) return linkOf(world.storeHash, order, 'consignments')
  const shown = views(order)
  const part = (place: ReturnType<typeof placeOf>, address?: number) => {
    const lines = order.lines.flatMap((line, index) =>
      placeOf(order, line) === place && (address === undefined || (line.address ?? 0) === address)
        ? [{ line, view: shown[index]! }]
        : [],
    )
    return {
      items_total: lines.reduce((count, { line }) => count + line.quantity, 0),
      line_items: lines.map(({ line, view }) =>
        inline ? view : linkOf(world.storeHash, order, `products/${line.id}`),
      ),
    }
  }
  const sent = (place: 'download' | 'email') => {
    const { line_items } = part(place)
    return line_items.length > 0 ? [{ recipient_email: order.billing_address.email, line_items }] : []
  }
  const pickedUp = part('pickup').line_items
  const consignments = {
    pickups: pickedUp.length > 0 ? [{ id: order.id + 2000, ...pickupPlace, line_items: pickedUp }] : [],
    shipping: order.shipping_addresses.flatMap((_, index) => shipment(world, order, index, part('shipping', index))),
    downloads: sent('download'),
    email: { gift_certificates: sent('email') },
  }
  return structure === 'object' ? consignments : [consignments]
}

/** The first address has all costs. */
function shipment(
  world: World,
  order: StoredOrder,
  index: number,
  { line_items, items_total }: { line_items: Fields[]; items_total: number },
): Fields[] {
  if (line_items.length === 0) return []
  const { shipping, handling } = moneyOf(order)
  const amounts = (name: string, { ex, inc }: { ex: number; inc: number }): Fields => {
    const [net, whole] = index === 0 ? [ex / 10_000, inc / 10_000] : [0, 0]
    return {
      [`base_${name}`]: order.inclusive ? whole : net,
      [`${name}_ex_tax`]: net,
      [`${name}_inc_tax`]: whole,
      [`${name}_tax`]: index === 0 ? (inc - ex) / 10_000 : 0,
      [`${name}_tax_class_id`]: 0,
    }
  }
  const id = idOfAddress(order, index)
  return [
    {
      id,
      ...order.shipping_addresses[index],
      form_fields: [],
      line_items,
      items_total,
      items_shipped: 0,
      shipping_method: order.shipping ? 'Flat Rate' : 'Free Shipping',
      ...amounts('cost', shipping),
      ...amounts('handling_cost', handling),
      shipping_zone_id: 1,
      shipping_zone_name: 'United States',
      shipping_quotes: linkOf(world.storeHash, order, `consignments/shipping/${id}/shipping_quotes`),
    },
  ]
}
