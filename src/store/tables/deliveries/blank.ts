// Removes the record from deliveries, also from those that wait or can be resent.
import type { Kysely } from 'kysely'
import type { Database } from '../../table-types.ts'
import type { Vault } from '../../vault.ts'
import { inLists } from '../changes/records.ts'
import { openBody, sealBody } from './deliveries.ts'

export async function blankDeliveries(
  db: Kysely<Database>,
  vault: Vault,
  accountId: string,
  changes: readonly { sequence: number }[],
): Promise<void> {
  await inLists(
    changes.map(({ sequence }) => sequence),
    async (list) => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(['place', 'endpoint_id', 'id', 'body'])
        .where('account_id', '=', accountId)
        .where('sequence', 'in', list)
        .execute()
      for (const { place, endpoint_id: endpointId, id, body } of rows) {
        const event = JSON.parse(openBody(vault, endpointId, id, body)) as { data?: Record<string, unknown> }
        if (event.data?.record === undefined) continue
        delete event.data.record
        await db
          .updateTable('webhook_deliveries')
          .set({ body: sealBody(vault, endpointId, id, JSON.stringify(event)) })
          .where('place', '=', place)
          .execute()
      }
    },
  )
}
