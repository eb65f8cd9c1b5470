// Payment gateways: https://woocommerce.github.io/woocommerce-rest-api-docs/#payment-gateways
// Their settings may hold secrets, so only named fields are asked for.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { flag, list, reference, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { api } from './api.ts'
import { plain } from './html.ts'

interface NativeGateway {
  id: string
  title?: string
  method_title?: string
  enabled?: boolean
}
const types: Readonly<Record<string, MethodType>> = { cod: 'CASH', bacs: 'BANK_TRANSFER', cheque: 'CHECK' }
/** The gateways of the plugin itself. What is behind those of others, only their names tell. */
export const methodTypeOf = (gateway: string | undefined): MethodType => types[gateway ?? ''] ?? 'OTHER'
/** `other` is what a merchant chooses who has no gateway for it. */
export function gatewayOf(id: unknown): string | undefined {
  const found = reference(id)
  return found === 'other' ? undefined : found
}

const address = `${api}/payment_gateways`
const fields = { _fields: 'id,title,enabled,method_title' }
const readAll = async (call: ReadCall) => list<NativeGateway>((await call.read(get(address, fields))).body)

const table = fieldTable<'payment_method', NativeGateway>({
  '/name': { from: (row) => plain(row.title) ?? plain(row.method_title) ?? row.id },
  '/type': { from: (row) => methodTypeOf(text(row.id)) },
  '/active': ['/enabled', { read: flag }],
})
export const paymentMethod: EntityAdapter<'payment_method', NativeGateway, string> = flatEntity('payment_method', {
  id: (row) => row.id,
  table,
  list: {
    pageLimit: 100,
    updatedAfter: 'none',
    page: async (call, query, at) => pageAfter(await readAll(call), ({ id }) => id, query, at),
  },
  one: (_, id) => (/^[\w-]{1,100}$/.test(id) ? get(`${address}/${id}`, fields) : undefined),
})
