// A write replaces the whole sale: omitted lines and payments are dropped. A closed sale can only be voided.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { bodyText, numberOf, referenceOf, refuse } from './wire.ts'
import { changed, levelAt, type Sale, type SaleLine, type SalePayment, setLevel, type World } from './world.ts'

const states = ['parked', 'pending', 'voided', 'closed']
const lineStatus: Readonly<Record<string, string>> = {
  parked: 'SAVED',
  pending: 'SAVED',
  closed: 'CONFIRMED',
  voided: 'VOIDED',
}
const attributes = ['onaccount', 'layby', 'pickup', 'delivery', 'service']
const fieldsOf = (value: unknown, field: string): Fields =>
  isObject(value) ? value : refuse(field, `${field.split('.').at(-1)} is required`)
const listOf = (value: unknown, field: string): Fields[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) && value.every(isObject) ? value : refuse(field, 'must be a list')
}
function instantOf(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? refuse(field, 'is not an RFC 3339 date') : Math.floor(at / 1000) * 1000
}
function ownId(world: World, value: unknown, known: readonly { id: string }[], field: string): string {
  if (value === undefined || value === null) return world.uuid()
  return known.find(({ id }) => id === value)?.id ?? refuse(field, 'is not of this sale')
}

function lineOf(world: World, line: Fields, n: number, state: string, current: Sale | undefined): SaleLine {
  const at = `line_items.${n}`
  const id = ownId(world, line.id, current?.lines ?? [], `${at}.id`)
  const known = current?.lines.find((other) => other.id === id)
  const product = fieldsOf(line.product, `${at}.product`).id
  const pricing = fieldsOf(line.pricing, `${at}.pricing`)
  const tax = fieldsOf(line.tax, `${at}.tax`)
  const metadata = isObject(line._metadata) ? line._metadata : {}
  const quantity = numberOf(line.quantity, `${at}.quantity`)
  return {
    id,
    // A deleted product stays on existing lines.
    product:
      product === world.discountProduct || known?.product === product
        ? (product as string)
        : referenceOf(product, `${at}.product.id`, world.products),
    quantity,
    price: numberOf(pricing.price, `${at}.pricing.price`),
    discount: pricing.discount === undefined ? 0 : numberOf(pricing.discount, `${at}.pricing.discount`),
    cost: pricing.cost === undefined ? 0 : numberOf(pricing.cost, `${at}.pricing.cost`),
    loyalty:
      pricing.loyalty_amount === undefined ? 0 : numberOf(pricing.loyalty_amount, `${at}.pricing.loyalty_amount`),
    tax: { id: referenceOf(tax.id, `${at}.tax.id`, world.taxes), amount: numberOf(tax.amount, `${at}.tax.amount`) },
    status: state === 'pending' && line.status === 'CONFIRMED' ? 'CONFIRMED' : lineStatus[state]!,
    note: noteOf(line, `${at}.attributes`),
    salesperson: isObject(line.source) && typeof line.source.author_id === 'string' ? line.source.author_id : null,
    sequence: typeof metadata.sequence === 'number' ? metadata.sequence : n,
    override: metadata.is_price_override === true,
    isReturn: quantity < 0 && product !== world.discountProduct,
    giftCard: known?.giftCard ?? null,
  }
}
/** A note is one of the attributes of a line. */
const noteOf = ({ attributes: given }: Fields, at: string): string | null =>
  bodyText(listOf(given, at).find(({ name }) => name === 'line_note')?.value) ?? null
function paymentOf(world: World, payment: Fields, n: number, register: string, current: Sale | undefined): SalePayment {
  const at = `payments.${n}`
  const own = isObject(payment.source) ? payment.source.register_id : undefined
  const id = ownId(world, payment.id, current?.payments ?? [], `${at}.id`)
  return {
    ...current?.payments.find((known) => known.id === id),
    id,
    amount: numberOf(payment.amount, `${at}.amount`),
    date: instantOf(payment.date, `${at}.date`) ?? world.now(),
    type: referenceOf(fieldsOf(payment.type, `${at}.type`).config_id, `${at}.type.config_id`, world.paymentTypes),
    register: own === undefined ? register : referenceOf(own, `${at}.source.register_id`, world.registers),
  }
}
function attributesOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((name) => attributes.includes(name as string)))
    return refuse('attributes', 'unknown attribute')
  for (const pair of [
    ['onaccount', 'layby'],
    ['pickup', 'delivery'],
  ])
    if (pair.every((name) => value.includes(name)))
      return refuse('attributes', `${pair.join(' and ')} exclude each other`)
  return value as string[]
}
export function nextInvoice(world: World, registerId: string): string {
  const register = world.registers.get(registerId)!
  const { sequence } = world.registers.set(registerId, { ...register, sequence: register.sequence + 1 })
  return `${register.prefix}${sequence}${register.suffix}`
}
/** Closing a sale reduces the stock, and voiding it restores the stock. */
function moveStock(world: World, { outlet, lines }: Sale, direction: 1 | -1): void {
  for (const { product, quantity } of lines)
    if (world.products.get(product)?.tracked)
      setLevel(world, product, outlet, levelAt(world, product, outlet) + direction * quantity)
}

export function acceptSale(world: World, id: string, body: Fields, current: Sale | undefined): Sale {
  const state = states.includes(body.state as string)
    ? (body.state as string)
    : refuse('state', 'state must be one of parked, pending, voided, closed')
  if (current?.state === 'closed' && state !== 'closed' && state !== 'voided')
    return refuse('state', 'a closed sale can only be voided')
  if (current?.state === 'voided' && state !== 'voided') return refuse('state', 'a voided sale cannot be changed')
  const source = fieldsOf(body.source, 'source')
  const author = referenceOf(source.author_id, 'source.author_id', world.users)
  const register =
    source.register_id === undefined
      ? world.registers.ids()[0]!
      : referenceOf(source.register_id, 'source.register_id', world.registers)
  const lines = listOf(body.line_items, 'line_items').map((line, n) => lineOf(world, line, n, state, current))
  const payments = listOf(body.payments, 'payments').map((payment, n) =>
    paymentOf(world, payment, n, register, current),
  )
  const customer =
    body.customer_id === undefined || body.customer_id === null
      ? null
      : referenceOf(body.customer_id, 'customer_id', world.customers)
  const at = world.now()
  const sale: Sale = {
    id,
    date: instantOf(body.date, 'date') ?? current?.date ?? at,
    state,
    attributes: attributesOf(body.attributes),
    customer,
    invoice: bodyText(body.invoice_number) ?? current?.invoice ?? nextInvoice(world, register),
    shortCode: bodyText(body.short_code) ?? current?.shortCode ?? id.slice(0, 6),
    note: bodyText(body.note) ?? '',
    author,
    register,
    outlet: world.registers.get(register)!.outlet,
    source: { id: bodyText(source.id) ?? null, type: bodyText(source.type) ?? 'USER' },
    isReturn: lines.some(({ isReturn }) => isReturn),
    original: current?.original ?? null,
    lines,
    // Not part of these requests.
    adjustments: current?.adjustments ?? [],
    charges: current?.charges ?? [],
    payments,
    created: current?.created ?? at,
    updated: current?.updated ?? at,
    version: current?.version ?? 0,
  }
  if (sale.original !== null && state === 'closed' && current?.state !== 'closed') checkReturned(world, sale)
  const saved = world.sales.set(id, current ? changed(world, sale) : { ...sale, version: world.version() })
  if (state === 'closed' && current?.state !== 'closed') {
    moveStock(world, saved, -1)
    if (saved.original !== null) voidParked(world, saved.original, saved.id)
  }
  if (state === 'voided' && current?.state === 'closed') moveStock(world, current, 1)
  return saved
}
/** Only what was sold can be returned. */
function checkReturned(world: World, sale: Sale): void {
  const sold = new Set(world.sales.get(sale.original!)?.lines.map(({ product }) => product))
  if (sale.lines.some(({ isReturn, product }) => isReturn && !sold.has(product)))
    refuse('line_items', 'a returned product is not in the original sale')
}
/** A return that is begun or completed voids the other ones that were begun. */
function voidParked(world: World, original: string, except: string): void {
  for (const sale of world.sales.filter((one) => one.original === original && one.state === 'parked'))
    if (sale.id !== except) world.sales.set(sale.id, changed(world, { ...sale, state: 'voided' }))
}

/** A parked sale with everything that was sold, in negative quantities. It may be changed before it is closed. */
export function startReturn(world: World, sold: Sale): Sale {
  if (sold.state !== 'closed') return refuse('state', 'only a closed sale can be returned')
  const at = world.now()
  const id = world.uuid()
  voidParked(world, sold.id, id)
  return world.sales.set(id, {
    ...sold,
    id,
    date: at,
    state: 'parked',
    attributes: [],
    invoice: nextInvoice(world, sold.register),
    shortCode: id.slice(0, 6),
    note: '',
    isReturn: true,
    original: sold.id,
    // The discount on the sale is returned, too, in a positive quantity.
    lines: sold.lines
      .filter(({ status }) => status !== 'VOIDED')
      .map((line) => ({
        ...line,
        id: world.uuid(),
        quantity: -line.quantity,
        status: lineStatus.parked!,
        isReturn: line.quantity > 0,
      })),
    adjustments: [],
    charges: [],
    payments: [],
    created: at,
    updated: at,
    version: world.version(),
  })
}
