// The log keeps that something of an erased person has changed, and no content.
import type { Kysely } from 'kysely'
import { isPersonType, peopleIn } from '../../../contract/person.ts'
import type { NewChange } from '../../changes.ts'
import type { Database } from '../../table-types.ts'
import { inLists } from '../changes/records.ts'
import { personHash } from './person.ts'

function personHashes(accountId: string, { watch: { entityType }, nativeId, record }: NewChange): string[] {
  const named = peopleIn(entityType, (record as { data?: unknown } | undefined)?.data)
  const own = isPersonType(entityType) ? [{ entityType, id: nativeId }] : []
  return [...own, ...named].map((person) => personHash(accountId, person.entityType, person.id))
}

/** In the transaction that logs the changes. */
export async function withoutErased(
  db: Kysely<Database>,
  accountId: string,
  changes: readonly NewChange[],
): Promise<readonly NewChange[]> {
  const hashes = changes.map((change) => personHashes(accountId, change))
  const erased = new Set<string>()
  await inLists([...new Set(hashes.flat())], async (list) => {
    const rows = await db
      .selectFrom('erased_people')
      .select('person')
      .where('account_id', '=', accountId)
      .where('person', 'in', list)
      .execute()
    for (const { person } of rows) erased.add(person)
  })
  if (erased.size === 0) return changes
  return changes.map((change, index) =>
    hashes[index]?.some((person) => erased.has(person)) ? { ...change, record: undefined, changed: undefined } : change,
  )
}
