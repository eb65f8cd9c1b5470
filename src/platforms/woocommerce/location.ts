// A shop has no locations: it is one itself. Its name and time zone are settings of WordPress, which the API lacks.
// https://woocommerce.github.io/woocommerce-rest-api-docs/#list-all-setting-options
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, list, text } from '../../kit/fields.ts'
import { onlyRow } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { api } from './api.ts'

/** WooCommerce has no id for the shop: this one is of the settings that describe it. */
const shopId = 'general'

interface Shop {
  id: string
  shop: string
  settings: readonly { id: string; value?: unknown }[]
}
const readShop = async (call: ReadCall): Promise<Shop> => ({
  id: shopId,
  shop: call.account.settings.shop ?? shopId,
  settings: list((await call.read(get(`${api}/settings/general`))).body),
})

export const location: EntityAdapter<'location', Shop, never> = {
  id: (row) => row.id,
  toUnified: ({ id, shop, settings }) => {
    const known = list(settings)
    const value = (name: string) => text(known.find((setting) => setting.id === `woocommerce_${name}`)?.value)
    const [country, state] = value('default_country')?.split(':') ?? []
    return {
      externalId: id,
      name: text(shop) ?? id,
      address: filled({
        line1: value('store_address'),
        line2: value('store_address_2'),
        city: value('store_city'),
        state: text(state),
        postalCode: value('store_postcode'),
        country: text(country),
      }),
      currencyCode: value('currency'),
      active: true,
    }
  },
  list: onlyRow(readShop),
  get: async (call, id) => (id === shopId ? readShop(call) : undefined),
}
