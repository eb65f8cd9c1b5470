// Converts an order to Toast's format. https://doc.toasttab.com/doc/devguide/apiCreatingOrders.html
import type { WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { compareInstants } from '../../kit/time.ts'
import { diningOption, restaurant } from './account.ts'
import { toToastDate } from './api.ts'
import { type ItemRow, menus } from './menu.ts'

export async function toNative(call: WriteCall, record: Order, externalId: string) {
  const { currency } = await restaurant(call)
  if (currency && (record.currencyCode ?? currency) !== currency)
    throw refusal('currency', `The restaurant's currency is ${currency}, not ${record.currencyCode}`)
  const { restaurantGuid } = call.account.settings
  if ((record.locationExternalId ?? restaurantGuid) !== restaurantGuid)
    throw refusal('restaurant', `The account is connected only to restaurant ${restaurantGuid}`)
  const items = new Map((await menus(call)).items.map((item) => [item.guid, item]))
  const openedDate = record.processedAt && toToastDate(record.processedAt)
  return compact({
    entityType: 'Order',
    externalId,
    diningOption: { guid: await diningOption(call), entityType: 'DiningOption' },
    openedDate,
    // scheduled: both dates are the same.
    promisedDate: record.processedAt && compareInstants(record.processedAt, call.now) > 0 ? openedDate : undefined,
    checks: [
      compact({
        entityType: 'Check',
        displayNumber: record.orderNumber,
        tabName: record.note,
        selections: record.lineItems.map((line, n) =>
          toSelection(line, items.get(line.productExternalId ?? ''), currency ?? 'USD', `selections[${n}]`),
        ),
      }),
    ],
  })
}
/** Prices come from the menu, unless the item's price is open; a missing open price would be 0. */
export function toSelection(line: LineItem, item: ItemRow | undefined, currency: string, at: string) {
  if (!item) throw refusal(`${at}.item`, `No published menu of the restaurant has an item ${line.productExternalId}`)
  if (!Number.isInteger(line.quantity) && (item.unitOfMeasure ?? 'NONE') === 'NONE')
    throw refusal(`${at}.quantity`, 'The item is sold in whole units')
  const open = item.pricingStrategy === 'OPEN_PRICE'
  if (open && line.unitPrice === undefined)
    throw requirement(`${at}.openPriceAmount`, 'The item has an open price: send a unitPrice')
  if (open && line.unitPrice! < 0) throw refusal(`${at}.openPriceAmount`, 'The price of an item cannot be negative')
  return compact({
    entityType: 'MenuItemSelection',
    item: { guid: item.guid, entityType: 'MenuItem' },
    itemGroup: { guid: item.groupGuid, entityType: 'MenuGroup' },
    quantity: line.quantity,
    openPriceAmount: open ? Number(toDecimal(line.unitPrice!, currency, `${at}.openPriceAmount`)) : undefined,
    modifiers: [],
  })
}
