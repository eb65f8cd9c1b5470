// Inventory counts: https://developer.squareup.com/docs/inventory-api/what-it-does
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import { refusal } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { post } from '../../kit/requests.ts'
import { homeLocation } from './account.ts'

export interface Count {
  catalog_object_id: string
  location_id?: string
  quantity?: string // a decimal string, up to five decimals
}
/** One count for each variation and location: many locations need more than one page. */
export async function readCounts(call: ReadCall, variationIds: readonly string[]): Promise<Count[]> {
  const counts: Count[] = []
  for (let cursor: string | undefined; ; ) {
    const { body } = await call.read(
      post('/v2/inventory/counts/batch-retrieve', {
        catalog_object_ids: variationIds,
        states: ['IN_STOCK'],
        limit: 1000,
        cursor,
      }),
    )
    counts.push(...list<Count>(body.counts))
    cursor = body.cursor
    if (!cursor) return counts
  }
}
const sum = (counts: readonly Count[]): number =>
  counts.reduce((total, { quantity }) => total + (fromDecimal(quantity) ?? 0), 0)

/** The sum over all locations in whole units; undefined if the variation was never counted. */
export const stockOf = (counts: readonly Count[]): number | undefined =>
  counts.length ? Math.round(sum(counts)) : undefined

/** The quantity to set at one location so that the sum over all locations is `target`. */
export function quantityAt(locationId: string, counts: readonly Count[], target: number): number {
  const elsewhere = sum(counts.filter(({ location_id }) => location_id !== locationId))
  const quantity = Number((target - elsewhere).toFixed(5))
  if (quantity < 0) throw refusal('stock', `Other locations already have ${elsewhere}, and a count cannot be negative`)
  return quantity
}
/**
 * The change that sets the stock to `target`, determined before anything is written, so that an impossible count leaves
 * nothing half done. `counts` are the current counts of the variation.
 */
export async function planStock(
  call: WriteCall,
  target: number | undefined,
  counts: readonly Count[],
): Promise<(variationId: string) => Promise<unknown>> {
  if (target === undefined || stockOf(counts) === target) return async () => undefined
  const { id: location_id } = await homeLocation(call)
  const quantity = String(quantityAt(location_id, counts, target))
  return (variationId) =>
    call.write('stock', {
      request: post('/v2/inventory/changes/batch-create', {
        // An update with the same content can come again later.
        idempotency_key: call.key(`stock ${call.now} ${quantity}`),
        changes: [
          {
            type: 'PHYSICAL_COUNT',
            physical_count: {
              reference_id: call.reference,
              catalog_object_id: variationId,
              state: 'IN_STOCK',
              location_id,
              quantity,
              occurred_at: call.now,
            },
          },
        ],
      }),
      read: () => variationId,
      recovery: 'key',
    })
}
