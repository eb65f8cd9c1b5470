// The change log, its hints, and the deliveries that were made of it. Rows stay, so sequences have no gap.
import { sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import { openHint } from '../changes/hints.ts'
import { openRecord } from '../changes/log.ts'
import { openBody, openLog, sealBody, sealLog } from '../deliveries/deliveries.ts'
import { isAbout, type Person } from './person.ts'
import { type Blank, batchOf, type Search } from './search.ts'

const rowsAtOnce = 200

const isOwn = ({ entityType, nativeId }: Person, of: { entity_type: string; native_id: string }): boolean =>
  of.entity_type === entityType && of.native_id === nativeId

export const searchChanges: Search = async ({ reads, vault }, person, after) => {
  const rows = await reads
    .selectFrom('change_log')
    .select(['sequence', 'entity_type', 'native_id', 'record', 'changed'])
    .where('account_id', '=', person.accountId)
    .where('sequence', '>', Number(after?.[0] ?? 0))
    .where('entity_type', 'in', person.related)
    .where((column) => column.or([column('record', 'is not', null), column('changed', 'is not', null)]))
    .orderBy('sequence')
    .limit(rowsAtOnce)
    .execute()
  const isFound = (row: (typeof rows)[number]): boolean => {
    if (isOwn(person, row)) return true
    const kept = openRecord(vault, person.accountId, row.sequence, row.record) as { data?: unknown } | undefined
    return isAbout(person, row.entity_type, kept?.data)
  }
  const found = rows.filter(isFound).map(
    ({ sequence }): Blank =>
      (db) =>
        db
          .updateTable('change_log')
          .set({ record: null, changed: null })
          .where('account_id', '=', person.accountId)
          .where('sequence', '=', sequence)
          .execute(),
  )
  return batchOf(rows, rowsAtOnce, ({ sequence }) => [sequence], found)
}

/** The record is read at the platform instead. */
export const searchHints: Search = async ({ reads, vault }, person, after) => {
  let query = reads
    .selectFrom('change_hints')
    .select(['account_id', 'entity_type', 'native_id', 'counter', 'record'])
    .where('account_id', '=', person.accountId)
    .where('entity_type', 'in', person.related)
    .where('record', 'is not', null)
  if (after) query = query.where(sql<boolean>`(entity_type, native_id) > (${after[0]}, ${after[1]})`)
  const rows = await query.orderBy('entity_type').orderBy('native_id').limit(rowsAtOnce).execute()
  const found = rows
    .filter((row) => isOwn(person, row) || isAbout(person, row.entity_type, openHint(vault, row)))
    .map(
      (row): Blank =>
        (db) =>
          db
            .updateTable('change_hints')
            .set({ origin: 'hint', record: null, written_by: null })
            .where('account_id', '=', person.accountId)
            .where('entity_type', '=', row.entity_type)
            .where('native_id', '=', row.native_id)
            .where('counter', '=', row.counter)
            .execute(),
    )
  return batchOf(rows, rowsAtOnce, (row) => [row.entity_type, row.native_id], found)
}

interface Event {
  data?: { entityType?: string; externalId?: string; record?: unknown; changed?: unknown }
}
export const searchDeliveries: Search = async ({ reads, vault }, person, after) => {
  let query = reads
    .selectFrom('webhook_deliveries')
    .select(['place', 'sequence', 'endpoint_id', 'id', 'body', 'log'])
    .where('account_id', '=', person.accountId)
  if (after) query = query.where(sql<boolean>`(sequence, place) > (${after[0]}, ${after[1]})`)
  const rows = await query.orderBy('sequence').orderBy('place').limit(rowsAtOnce).execute()
  const found: Blank[] = []
  for (const { place, endpoint_id: endpointId, id, body, log } of rows) {
    const event = JSON.parse(openBody(vault, endpointId, id, body)) as Event
    const { entityType = '', externalId = '', record, changed } = event.data ?? {}
    const attempts = openLog(vault, endpointId, id, log)
    const hasContent =
      record !== undefined || changed !== undefined || attempts.some(({ response }) => response !== undefined)
    const isFound =
      isOwn(person, { entity_type: entityType, native_id: externalId }) ||
      (record !== undefined &&
        (person.related as readonly string[]).includes(entityType) &&
        isAbout(person, entityType as EntityType, record))
    if (!hasContent || !isFound) continue
    const blanked = { ...event, data: { ...event.data, record: undefined, changed: undefined } }
    const sealed = sealBody(vault, endpointId, id, JSON.stringify(blanked))
    // A receiver's response can repeat what it was sent. A newer log is of an attempt since, and is found next time.
    const withoutAnswers = attempts.map(({ response: _, ...attempt }) => attempt)
    const answers = sealLog(vault, endpointId, id, withoutAnswers)
    found.push(async (db) => {
      const of = db.updateTable('webhook_deliveries').where('place', '=', place)
      await of.set({ body: sealed }).execute()
      await of.set({ log: answers }).where('log', '=', log).execute()
    })
  }
  return batchOf(rows, rowsAtOnce, ({ sequence, place }) => [sequence, place], found)
}
