// An account is one restaurant, so it has one location.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, flag, text } from '../../kit/fields.ts'
import { onlyRow } from '../../kit/paging.ts'
import { type NativeRestaurant, readRestaurant } from './account.ts'

/** "Harbor Street Grill - Boston": the name is the same for all restaurants of a group. */
const shownName = ({ guid, general }: NativeRestaurant): string =>
  [text(general?.name), text(general?.locationName)].filter(Boolean).join(' - ') || guid

export const location: EntityAdapter<'location', NativeRestaurant, never> = {
  id: (row) => row.guid,
  toUnified: (row) => ({
    externalId: row.guid,
    name: shownName(row),
    address: filled({
      line1: text(row.location?.address1),
      line2: text(row.location?.address2),
      city: text(row.location?.city),
      state: text(row.location?.administrativeArea) ?? text(row.location?.stateCode),
      postalCode: text(row.location?.zipCode),
      country: text(row.location?.country),
    }),
    timezone: text(row.general?.timeZone),
    currencyCode: text(row.general?.currencyCode),
    active: !flag(row.general?.archived),
  }),
  list: onlyRow(readRestaurant),
  get: async (call: ReadCall, id) =>
    id.toLowerCase() === call.account.settings.restaurantGuid?.toLowerCase() ? readRestaurant(call) : undefined,
}
