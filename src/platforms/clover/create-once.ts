// Clover has no idempotency keys, and most of its records have no field for a reference.
import type { NativeRequest, WriteCall } from '../../contract/connector.ts'
import { del, get, path } from '../../kit/requests.ts'
import { below, rowsIn } from './account.ts'
import { largestPage } from './listing.ts'

export interface Creation<Row> {
  collection: string
  filter: readonly string[] // finds the record by its future content; similar records may match too
  expand?: string
  request: NativeRequest
  same(row: Row): boolean
}
/**
 * A separate step journals the similar records that exist before the call, so that after a lost response the new record
 * can be distinguished from older ones, independent of clocks.
 */
export async function createOnce<Row extends { id: string }>(
  call: WriteCall,
  { collection, filter, expand, request, same }: Creation<Row>,
): Promise<string> {
  const search = get(below(call, collection), { filter, expand, limit: largestPage })
  const before = await call.write('before', {
    request: search,
    read: (response) => rowsIn<Row>(response).map(({ id }) => id),
    recovery: 'repeat',
    undo: 'nothing',
  })
  return call.write('record', {
    request,
    read: ({ body }) => body.id as string,
    undo: (id) => del(below(call, collection + path`/${id}`)),
    recovery: {
      find: async (unclaimed) => {
        // Oldest first: a similar record of a write that is still under way is newer.
        for (const row of rowsIn<Row>(await call.read(search)).toReversed())
          if (!before.includes(row.id) && same(row) && (await unclaimed(row.id))) return row.id
        return undefined
      },
    },
  })
}
