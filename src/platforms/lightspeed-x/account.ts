// The retailer, its outlets and registers, and the settings that are determined from them.
// https://x-series-api.lightspeedhq.com/reference/getretailer
import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { api, living, may, type Stamped } from './api.ts'

export interface Shop {
  currency: string
  taxExclusive: boolean // which of the two prices the shop uses
  noTax?: string // the tax of tax-free products
  discountProduct?: string // of the lines that are a discount on the whole sale
  timezone?: string // of outlets without their own
}
interface Named extends Stamped {
  name?: string
}
interface Register extends Named {
  outlet_id?: string
}
interface Outlet extends Named {
  time_zone?: string | null
}
export interface Tax extends Named {
  display_name?: string
  is_default?: boolean
  rates?: readonly { id?: string; name?: string; display_name?: string; rate?: number }[]
}
/** Short lists, read in one call. What was deleted is still on earlier sales. */
const readAllOf = async <Row extends Stamped>(call: ReadCall, name: string, query: object = {}): Promise<Row[]> => [
  ...list<Row>((await call.read(get(`${api}/${name}`, { page_size: 1000, ...query }))).body?.data),
]
const readFew = async <Row extends Stamped>(call: ReadCall, name: string): Promise<Row[]> =>
  (await readAllOf<Row>(call, name)).filter(living)

export const readShop = (call: ReadCall): Promise<Shop> =>
  call.cached('retailer', async () => {
    const { data } = (await call.read(get(`${api}/retailer`))).body
    return {
      currency: String(data.currency?.code ?? ''),
      taxExclusive: data.tax_exclusive === true,
      noTax: text(data.no_tax_group_id),
      discountProduct: text(data.discount_product_id),
      timezone: text(data.timezone),
    }
  })
const registers = (call: ReadCall): Promise<Register[]> =>
  call.cached('registers', () => readFew<Register>(call, 'registers'))
const allOutlets = (call: ReadCall): Promise<Outlet[]> =>
  call.cached('outlets', () => readAllOf<Outlet>(call, 'outlets', { deleted: true }))
export const outlets = async (call: ReadCall): Promise<string[]> =>
  (await allOutlets(call)).filter(living).map(({ id }) => id)
/** Time zones of outlets; none if the account may not read them. */
export const zonesOf = async (call: ReadCall): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (may(call, 'outlets:read') ? await allOutlets(call) : []).flatMap(({ id, time_zone }) => {
      const zone = text(time_zone)
      return zone === undefined ? [] : [[id, zone] as const]
    }),
  )
/** All taxes, or none if the account may not read them. */
export const taxesOf = async (call: ReadCall): Promise<readonly Tax[]> =>
  may(call, 'taxes:read') ? call.cached('taxes', () => readAllOf<Tax>(call, 'taxes')) : []

/** A shop has one currency; another one cannot be stored. */
export async function checkCurrency(call: ReadCall, requested: string | undefined): Promise<Shop> {
  const shop = await readShop(call)
  if ((requested ?? shop.currency) !== shop.currency)
    throw refusal('currency', `The shop's currency is ${shop.currency}`)
  return shop
}

const only = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined)
/** The register of the account, or that of the given outlet. */
export async function registerAt(call: ReadCall, outlet: string | undefined): Promise<string | undefined> {
  const { registerId } = call.account.settings
  if (outlet === undefined) return registerId
  const there = (await registers(call)).filter(({ outlet_id }) => outlet_id === outlet)
  if (there.some(({ id }) => id === registerId)) return registerId
  const found = only(there)
  if (!found)
    throw there.length
      ? requirement(
          '/settings/registerId',
          `The outlet ${outlet} has several registers: set registerId in the settings of the account`,
        )
      : refusal('source.outlet_id', `Lightspeed has no outlet ${outlet} with a register`)
  return found.id
}
/** The outlet for stock; it is never guessed. */
export async function stockOutlet(call: ReadCall): Promise<string> {
  const { outletId, registerId } = call.account.settings
  const found =
    outletId ??
    (registerId ? (await registers(call)).find(({ id }) => id === registerId)?.outlet_id : undefined) ??
    only(await outlets(call))
  if (!found)
    throw requirement('/settings/outletId', 'The shop has several outlets: set outletId in the settings of the account')
  return found
}

export const domainPattern = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
/** What is given must exist. Without it, only a single choice is taken: a register or payment type is never guessed. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  const given = call.account.settings
  const errors: { pointer: string; message: string; choices: { value: string; label: string }[] }[] = []
  const ifAllowed = async <T>(load: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await load()
    } catch (error) {
      if (error instanceof NativeFailure && error.error.kind === 'forbidden') return undefined // only writes need it
      throw error
    }
  }
  async function chosen<Row extends Named>(
    setting: string,
    what: string,
    load: () => Promise<readonly Row[]>,
    otherwise: (rows: readonly Row[]) => Row | undefined = only,
  ): Promise<string | undefined> {
    const rows = await ifAllowed(load)
    const id = given[setting]
    if (!rows || id === undefined) return id ?? (rows && otherwise(rows)?.id)
    const choices = rows.map((row) => ({ value: row.id, label: row.name ?? row.id }))
    const listed = choices.map(({ value, label }) => (label === value ? value : `${value} (${label})`)).join(', ')
    if (!rows.some((row) => row.id === id))
      errors.push({
        pointer: `/settings/${setting}`,
        message: `must be the ID of one of the ${what} of the shop: ${listed || 'it has none'}`,
        choices,
      })
    return id
  }
  const user = async () => text([(await call.read(get(`${api}/user`))).body.data].flat()[0]?.id)
  const found = {
    domainPrefix: given.domainPrefix,
    registerId: await chosen('registerId', 'registers', () => registers(call)),
    userId: given.userId ?? (await ifAllowed(user)),
    paymentTypeId: await chosen('paymentTypeId', 'payment types', () => readFew<Named>(call, 'payment_types')),
    taxId: await chosen(
      'taxId',
      'taxes',
      () => readFew<Tax>(call, 'taxes'),
      (taxes) => taxes.find(({ is_default }) => is_default),
    ),
    outletId: given.outletId && (await chosen('outletId', 'outlets', () => readFew<Named>(call, 'outlets'))),
  }
  if (errors.length > 0)
    throw new Problem('validation_failed', 'The account cannot be connected with these settings.', {
      errors,
      downstream: { platform: 'lightspeed-x' },
    })
  return compact(found) as Record<string, string>
}
