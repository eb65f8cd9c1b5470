import type { EntityAdapter } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { displayName } from '../../kit/names.ts'
import { methods } from './payment-row.ts'

interface Method {
  id: string
  name: string
  type: MethodType
}
const rows: readonly Method[] = Object.entries(methods).map(([id, method]) => ({ id, ...method }))

/** Shopify lists no payment methods: these are its own gateways. */
export const paymentMethod: EntityAdapter<'payment_method', Method, number> = {
  id: ({ id }) => id,
  toUnified: ({ id, name, type }) => ({ externalId: id, name: displayName(name, id)!, type }),
  list: {
    pageLimit: 50,
    updatedAfter: 'none',
    page: async () => ({ rows: [...rows] }),
  },
  get: async (_, id) => rows.find((row) => row.id === id),
}
