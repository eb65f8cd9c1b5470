// Converts an order to Toast's format. https://doc.toasttab.com/doc/devguide/apiCreatingOrders.html
import type { ReadCall } from '../../contract/connector.ts'
import type { LineItem, Modifier, Order } from '../../contract/entities/order.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { fromMinor, toMinor } from '../../kit/money.ts'
import { compareInstants } from '../../kit/time.ts'
import { diningOption, restaurant } from './account.ts'
import { toToastDate } from './api.ts'
import { type ItemRow, type ModifierGroup, type ModifierMaps, type ModifierOption, menus } from './menu.ts'

export async function toNative(call: ReadCall, record: Order, externalId?: string) {
  const { currency } = await restaurant(call)
  if (currency && (record.currencyCode ?? currency) !== currency)
    throw refusal('currency', `The restaurant's currency is ${currency}, not ${record.currencyCode}`)
  const { restaurantGuid } = call.account.settings
  if ((record.locationExternalId ?? restaurantGuid) !== restaurantGuid)
    throw refusal('restaurant', `The account is connected only to restaurant ${restaurantGuid}`)
  const { items, ...modifiers } = await menus(call)
  const byGuid = new Map(items.map((item) => [item.guid, item]))
  const openedDate = record.processedAt && toToastDate(record.processedAt)
  return compact({
    entityType: 'Order',
    externalId,
    diningOption: { guid: await diningOption(call), entityType: 'DiningOption' },
    numberOfGuests: record.guestCount,
    openedDate,
    // scheduled: both dates are the same.
    promisedDate: record.processedAt && compareInstants(record.processedAt, call.now) > 0 ? openedDate : undefined,
    checks: [
      compact({
        entityType: 'Check',
        displayNumber: record.orderNumber,
        tabName: record.note,
        selections: record.lineItems.map((line, n) =>
          toSelection(line, byGuid.get(line.productExternalId ?? ''), currency ?? 'USD', `selections[${n}]`, modifiers),
        ),
      }),
    ],
  })
}
/** Prices come from the menu, unless the item's price is open; a missing open price would be 0. */
export function toSelection(
  line: LineItem,
  item: ItemRow | undefined,
  currency: string,
  at: string,
  maps: ModifierMaps = { modifierGroups: {}, modifierOptions: {} },
) {
  if (!item) throw refusal(`${at}.item`, `No published menu of the restaurant has an item ${line.productExternalId}`)
  if (!Number.isInteger(line.quantity) && (item.unitOfMeasure ?? 'NONE') === 'NONE')
    throw refusal(`${at}.quantity`, 'The item is sold in whole units')
  const chosen = list(line.modifiers).map((one, n) => choose(one, item, maps, `${at}.modifiers[${n}]`))
  return compact({
    entityType: 'MenuItemSelection',
    item: { guid: item.guid, entityType: 'MenuItem' },
    itemGroup: { guid: item.groupGuid, entityType: 'MenuGroup' },
    quantity: line.quantity,
    openPriceAmount: item.pricingStrategy === 'OPEN_PRICE' ? openPrice(line, item, chosen, currency, at) : undefined,
    modifiers: [
      ...chosen.flatMap((one) => toModifiers(one, line.quantity)),
      ...(line.note === undefined
        ? []
        : [{ entityType: 'MenuItemSelection', selectionType: 'SPECIAL_REQUEST', displayName: line.note }]),
    ],
  })
}

interface Chosen {
  group: ModifierGroup
  option: ModifierOption
  count: number
  modifiers: Chosen[]
}
/** An option stands for an item, which can be in several groups of the same line, at different prices. */
function choose(
  modifier: Omit<Modifier, 'modifiers'> & { modifiers?: readonly Omit<Modifier, 'modifiers'>[] },
  { name, modifierGroupReferences }: Pick<ItemRow, 'name' | 'modifierGroupReferences'>,
  maps: ModifierMaps,
  at: string,
): Chosen {
  const { modifierExternalId, modifierGroupExternalId, quantity: count = 1 } = modifier
  const found = list(modifierGroupReferences)
    .flatMap((id) => maps.modifierGroups[id] ?? [])
    .filter(({ guid }) => modifierGroupExternalId === undefined || guid === modifierGroupExternalId)
    .flatMap((group) =>
      list(group.modifierOptionReferences).flatMap((id) => {
        const option = maps.modifierOptions[id]
        return option?.guid === modifierExternalId ? [{ group, option: option as ModifierOption }] : []
      }),
    )[0]
  if (!found)
    throw refusal(`${at}.item`, `${name} has no modifier ${modifierExternalId ?? modifier.name ?? 'without an id'}`)
  if (!Number.isInteger(count) || count < 1 || count > mostAlike)
    throw refusal(`${at}.quantity`, `A modifier is added 1 to ${mostAlike} times`)
  return {
    ...found,
    count,
    modifiers: list(modifier.modifiers).map((one, n) => choose(one, found.option, maps, `${at}.modifiers[${n}]`)),
  }
}
const mostAlike = 20

/** A modifier has the quantity of its line; one that is added twice is listed twice. */
const toModifiers = ({ group, option, count, modifiers }: Chosen, quantity: number): object[] =>
  Array.from({ length: count }, () => ({
    entityType: 'MenuItemSelection',
    optionGroup: { guid: group.guid, entityType: 'MenuOptionGroup' },
    item: { guid: option.guid, entityType: 'MenuItem' },
    quantity,
    modifiers: modifiers.flatMap((one) => toModifiers(one, quantity)),
  }))
const priceOf = ({ option, count, modifiers }: Chosen, currency: string): number =>
  count * modifiers.reduce((sum, one) => sum + priceOf(one, currency), toMinor(option.price ?? 0, currency))

/** The modifiers are in the price of a line, and Toast adds those of the menu. */
function openPrice(line: LineItem, item: ItemRow, chosen: readonly Chosen[], currency: string, at: string): number {
  if (line.unitPrice === undefined)
    throw requirement(`${at}.openPriceAmount`, 'The item has an open price: send a unitPrice')
  if (item.taxInclusion === 'TAX_INCLUDED')
    throw refusal(`${at}.openPriceAmount`, 'Toast takes the open price of the item with taxes, and this one is without')
  const modifiers = chosen.reduce((sum, one) => sum + priceOf(one, currency), 0)
  const price = toMinor(line.unitPrice, currency, `${at}.openPriceAmount`) - modifiers
  if (price < 0)
    throw refusal(
      `${at}.openPriceAmount`,
      modifiers > 0
        ? 'The price contains the modifiers, and they cost more at the restaurant'
        : 'The price of an item cannot be negative',
    )
  return fromMinor(price, currency)!
}
