// The journal. Of an erased write its key, its hash and its platform id stay, so that it is never made again.
import { sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import type { OpenWritesOfPerson } from '../../erasure-store.ts'
import { openJson, openOptional, sealJson } from '../../sealed-json.ts'
import type { JournalRow, StoreContext } from '../../table-types.ts'
import { isoNow } from '../../table-types.ts'
import { erasedAtOf, journalData, tombstone } from '../journal-content.ts'
import { keyIn } from '../journal-steps.ts'
import { isAbout, type Person } from './person.ts'
import { batchOf, type Search } from './search.ts'

type Row = Pick<JournalRow, 'account_id' | 'entity_type' | 'external_id' | 'native_id' | 'record' | 'answer'>
const columns = ['account_id', 'entity_type', 'external_id', 'native_id', 'record', 'answer', 'state'] as const
const rowsAtOnce = 200

const typesOf = ({ related }: Person): EntityType[] =>
  [...related.flatMap((type) => [type, `${type}.update`]), '.native'] as EntityType[]

function isOfPerson({ vault }: StoreContext, person: Person, row: Row): boolean {
  const key = keyIn(row)
  const columnKey = { accountId: row.account_id, entityType: row.entity_type, externalId: row.external_id }
  if (key.operation !== 'native' && key.entityType === person.entityType) {
    const id = key.operation === 'update' ? key.externalId : row.native_id
    if (id !== null) return id === person.nativeId
    return person.ids.has(key.externalId)
  }
  const record = openJson(vault, row.record, journalData('record', columnKey))
  const answer = openOptional(vault, row.answer, journalData('answer', columnKey))
  if (key.operation === 'native') return person.mentionedIn([record, answer])
  const contents = [
    ...(key.operation === 'update' ? [partOf(record, 'record'), partOf(record, 'before')] : [record]),
    partOf(answer, 'data'),
  ]
  return contents.some((content) => isAbout(person, key.entityType, content))
}
const partOf = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null | undefined)?.[name]

export const searchWrites: Search = async (context, person, after) => {
  const { reads, vault } = context
  let query = reads
    .selectFrom('journal')
    .select(columns)
    .where('account_id', '=', person.accountId)
    .where('entity_type', 'in', typesOf(person))
    .where('state', '=', 'done')
  if (after) query = query.where(sql<boolean>`(entity_type, external_id) > (${after[0]}, ${after[1]})`)
  const rows = await query.orderBy('entity_type').orderBy('external_id').limit(rowsAtOnce).execute()
  const found = rows
    .filter((row) => {
      const key = { accountId: row.account_id, entityType: row.entity_type, externalId: row.external_id }
      const isErased = erasedAtOf(openJson(vault, row.record, journalData('record', key))) !== undefined
      return !isErased && isOfPerson(context, person, row)
    })
    .map((row) => {
      const key = { accountId: row.account_id, entityType: row.entity_type, externalId: row.external_id }
      const record = sealJson(vault, tombstone(isoNow()), journalData('record', key))
      return (db: typeof reads) =>
        db
          .updateTable('journal')
          .set({ record, answer: null })
          .where('account_id', '=', key.accountId)
          .where('entity_type', '=', key.entityType)
          .where('external_id', '=', key.externalId)
          .where('state', '=', 'done')
          .where('record', '=', row.record)
          .execute()
    })
  return batchOf(rows, rowsAtOnce, (row) => [row.entity_type, row.external_id], found)
}

/**
 * `about`: writes that are not done; their content is needed to finish them. `unsettled`: creates of such people whose
 * outcome is not known, so that there is no platform id to recognize them by.
 */
export async function openWritesOf(context: StoreContext, person: Person): Promise<OpenWritesOfPerson> {
  // As in the partial indexes. An expression: the key of the journal would find every write of the account.
  const parts = ["state in ('in_flight', 'unknown')", "state = 'partial'"].map((condition) =>
    context.writes
      .selectFrom('journal')
      .select(columns)
      .where(sql<boolean>`${sql.raw(condition)}`)
      .where(sql<boolean>`account_id || '' = ${person.accountId}`)
      .where('entity_type', 'in', typesOf(person))
      .execute(),
  )
  const rows = (await Promise.all(parts)).flat()
  const about = rows.filter((row) => isOfPerson(context, person, row))
  const unsettled = rows.filter(
    (row) => row.entity_type === person.entityType && row.native_id === null && !about.includes(row),
  )
  return { about: about.map((row) => ({ ...keyIn(row), state: row.state })), unsettled: unsettled.length }
}
