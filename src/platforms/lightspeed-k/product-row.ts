// An item's description and sales limit: two more services, both queried by sku.
// https://api-docs.lsk.lightspeed.app/group/endpoint-rich-item
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import { madeOf } from '../../contract/made-of.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { businessOf, idNumber, locationOf, may } from './account.ts'

interface RichItem {
  sku: string
  descriptions?: { localeCode: string; description?: string | null; displayName?: string | null }[]
  allergenCodes?: string[]
}
export interface Extras {
  description?: string
  stock?: number
  [madeOf]?: readonly unknown[]
}
/** Items with longer skus exist, but can neither have a description nor be ordered. */
export const longestSku = 25

/** Descriptions have several languages: the business's first language is read and written. */
const localeOf = (call: ReadCall): Promise<string> =>
  call.cached(
    'locale',
    async () => list<string>((await call.read(get(path`/i/locales/${businessOf(call)}`))).body)[0] ?? 'en',
  )
const textIn = (rich: RichItem | undefined, locale: string): string | undefined =>
  text(list(rich?.descriptions).find(({ localeCode }) => localeCode === locale)?.description)

/** For at most 50 skus, the limit of the availability service. */
export async function readExtras(
  call: ReadCall,
  skus: readonly (string | undefined)[],
): Promise<(sku: string | undefined) => Extras> {
  const usable = [...new Set(skus)].filter((sku) => sku !== undefined && sku.length <= longestSku)
  if (usable.length === 0 || !may(call, 'orders-api')) return () => ({})
  const locale = await localeOf(call)
  const rich = list<RichItem>(
    (await call.read(post(path`/i/richItem/${businessOf(call)}/itemsBySkus`, usable))).body?._embedded?.richItemDtoList,
  )
  const availability = await call.read(
    post(
      '/o/op/1/itemAvailability',
      { skus: usable },
      { query: { businessLocationId: locationOf(call), page: 0, size: 100 } },
    ),
  )
  const limits = list<{ sku: string; count?: number | null }>(availability.body?.data)
  return (sku) => {
    const described = rich.find((entry) => entry.sku === sku)
    const limit = limits.find((entry) => entry.sku === sku)
    return {
      description: textIn(described, locale),
      stock: limit?.count ?? undefined, // none: no limit
      [madeOf]: [described, limit],
    }
  }
}

/** Replaces the text of one language; other languages, display names and allergens stay. */
export async function describe(call: WriteCall, sku: string, description: string | undefined): Promise<void> {
  const at = path`/i/richItem/${businessOf(call)}/${sku}`
  const locale = await localeOf(call)
  const read = async (): Promise<RichItem | undefined> => (await ifFound(call.read(get(at))))?.body
  const current = await read()
  if (textIn(current, locale) === description) return
  const others = list(current?.descriptions).filter(({ localeCode }) => localeCode !== locale)
  const own = list(current?.descriptions).find(({ localeCode }) => localeCode === locale)
  const body = {
    businessId: idNumber(businessOf(call), 'businessId'),
    sku,
    allergenCodes: list(current?.allergenCodes),
    descriptions: [{ ...own, localeCode: locale, description: description ?? '' }, ...others],
  }
  await call.write('description', {
    request: put(at, body),
    read: () => sku,
    recovery: { find: async () => (textIn(await read(), locale) === text(description) ? sku : undefined) },
  })
}
