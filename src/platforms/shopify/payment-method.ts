import type { EntityAdapter } from '../../contract/connector.ts'
import { methods } from './payment-row.ts'

interface Method {
  id: string
}
const rows: readonly Method[] = Object.keys(methods).map((id) => ({ id }))

/** Shopify lists no payment methods: these are its own gateways. */
export const paymentMethod: EntityAdapter<'payment_method', Method, number> = {
  id: ({ id }) => id,
  toUnified: ({ id }) => ({ externalId: id, name: methods[id]!.name, type: methods[id]!.type }),
  list: {
    pageLimit: 50,
    updatedAfter: 'none',
    page: async () => ({ rows: [...rows] }),
  },
  get: async (_, id) => rows.find((row) => row.id === id),
}
