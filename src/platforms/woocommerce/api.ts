// What all endpoints share: paths, pages, dates and our mark in the metadata.
// https://woocommerce.github.io/woocommerce-rest-api-docs/#introduction
import type { NativeRequest, NativeResponse, ReadCall, WriteCall } from '../../contract/connector.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { addMs, clockToleranceMs, latestOf, toUtc } from '../../kit/time.ts'

export const api = '/wp-json/wc/v3'
export const perPage = 100 // the platform's maximum

export interface Meta {
  id?: number
  key: string
  value: unknown
}
export interface Marked {
  id: number
  meta_data?: Meta[]
}
/** Keys with a leading underscore do not appear in the shop's pages and emails. */
export const keys = {
  reference: '_unified_reference',
  update: '_unified_update',
  sku: '_unified_sku',
  image: '_unified_image',
  notes: '_unified_notes',
  processed: '_unified_processed',
} as const
export const isOwnMeta = (pointer: string): boolean => pointer.includes('[key=_unified_')
export const metaOf = (record: { meta_data?: Meta[] }, key: string): string | undefined =>
  text(list(record.meta_data).find((meta) => text(meta.key) === key)?.value)

export const isId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)
/**
 * A reference as the integer that the platform requires. Anything else would become null, which the platform silently
 * ignores.
 */
export function idNumber(value: string, native: string): number {
  if (!isId(value)) throw refusal(native, `WooCommerce has no record ${value}`)
  return Number(value)
}

/** `date_…_gmt` is UTC without an offset; the field without `_gmt` is the shop's wall clock. */
export const fromGmt = (value: string | null | undefined): string | undefined =>
  value ? toUtc(`${value}Z`) : undefined
export const modifiedAt = (...stamps: readonly (string | null | undefined)[]): string | undefined =>
  latestOf(...stamps.map(fromGmt))
/**
 * For filters: with `dates_are_gmt` and without a time zone, because WordPress converts a zoned time to the shop's wall
 * clock before it compares.
 */
const toGmt = (instant: string): string => instant.slice(0, 19)
/** From this instant on: `modified_after` is exclusive, and times are whole seconds. */
export const modifiedSince = (instant: string) => ({
  modified_after: toGmt(addMs(instant, -1)),
  dates_are_gmt: true,
})

export async function readPage<Row>(
  call: ReadCall,
  path: string,
  query: NonNullable<NativeRequest['query']>,
): Promise<{ rows: Row[]; more: boolean }> {
  const response = await call.read(get(path, query))
  const rows = [...list<Row>(response.body)]
  return { rows, more: morePages(response, Number(query.page ?? 1), rows.length === query.per_page) }
}
/** Some proxies drop the header: then a full page means that another may follow. */
function morePages({ headers }: NativeResponse, page: number, full: boolean): boolean {
  const pages = text(headers['x-wp-totalpages'])
  return pages === undefined ? full : page < Number(pages)
}

/**
 * The platform has no idempotency keys, and metadata cannot be filtered: our mark is searched among the candidates of
 * the query, newest first.
 */
export async function findMarked<Row extends Marked>(
  call: WriteCall,
  path: string,
  query: NonNullable<NativeRequest['query']>,
): Promise<Row | undefined> {
  for (let page = 1; ; page++) {
    const { rows, more } = await readPage<Row>(call, path, {
      orderby: 'id',
      order: 'desc',
      ...query,
      per_page: perPage,
      page,
    })
    const found = rows.find((row) => metaOf(row, keys.reference) === call.reference)
    if (found || !more) return found
  }
}
export const createdSince = (call: WriteCall) => ({
  after: toGmt(addMs(call.now, -clockToleranceMs)),
  dates_are_gmt: true,
})
/** A PHP request that lost its client may still be running, especially while it downloads an image. */
export const lagSeconds = 15

export const shopCurrency = (call: ReadCall): Promise<string> =>
  call.cached('currency', async () => (await call.read(get(`${api}/data/currencies/current`))).body.code as string)
