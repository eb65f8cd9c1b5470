// Who is erased, and how content is recognized as being about that person.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { EntityType } from '../../../contract/entity.ts'
import { peopleIn, referringTo } from '../../../contract/person.ts'
import type { PersonKey } from '../../erasure-store.ts'
import type { StoreContext } from '../../table-types.ts'

export interface Person extends PersonKey {
  workspaceId: string
  /** The platform's id, and the ids of callers that are linked to it. */
  ids: ReadonlySet<string>
  /** Entities with content that can be about the person. */
  related: readonly EntityType[]
  /** Whether any text in the value has one of the ids as a whole word. */
  mentionedIn(value: unknown): boolean
}

/** The hash of an id whose content must not be stored again. */
export const personHash = (accountId: string, entityType: EntityType, nativeId: string): string =>
  hash('sha256', JSON.stringify([accountId, entityType, nativeId]), 'base64url')

export async function personOf({ reads }: StoreContext, key: PersonKey): Promise<Person> {
  const { accountId, entityType, nativeId } = key
  const links = await reads
    .selectFrom('links')
    .select('source_id')
    .where('account_id', '=', accountId)
    .where('entity_type', '=', entityType)
    .where('native_id', '=', nativeId)
    .execute()
  const account = await reads
    .selectFrom('accounts')
    .select('workspace_id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  const ids = new Set([nativeId, ...links.map((link) => link.source_id)])
  return {
    accountId,
    entityType,
    nativeId,
    workspaceId: account?.workspace_id ?? '',
    ids,
    related: [entityType, ...referringTo(entityType)],
    mentionedIn: mentions(ids),
  }
}

/** An id that is also known as one of the platform is not mistaken for the caller's. */
export async function linkedTo(
  { reads }: StoreContext,
  { accountId, entityType, nativeId: id }: PersonKey,
): Promise<string | undefined> {
  const { rows } = await sql<{ native_id: string }>`
    select native_id from links
    where account_id = ${accountId} and entity_type = ${entityType} and source_id = ${id} and native_id <> ${id}
      and not exists (select 1 from links as own
        where own.account_id = ${accountId} and own.entity_type = ${entityType} and own.native_id = ${id})
      and not exists (select 1 from change_log
        where change_log.account_id = ${accountId} and change_log.entity_type = ${entityType}
          and change_log.native_id = ${id})
      and not exists (select 1 from journal
        where journal.account_id = ${accountId} and journal.entity_type = ${`${entityType}.update`}
          and journal.external_id = ${id})`.execute(reads)
  return rows[0]?.native_id
}

/** Whether the record names the person. */
export const isAbout = ({ entityType: type, ids }: Person, entityType: EntityType, record: unknown): boolean =>
  peopleIn(entityType, record).some((named) => named.entityType === type && ids.has(named.id))

/** Part of another number or name, it is another id. */
function mentions(ids: ReadonlySet<string>): (value: unknown) => boolean {
  const spellings = new Set([...ids].flatMap((id) => [id, encodeURIComponent(id)]))
  const words = [...spellings]
    .map((id) => id.replaceAll(/[^\w]/g, (character) => `\\u{${codeOf(character)}}`))
    .join('|')
  const pattern = new RegExp(`(?<![\\w\\-])(?<!\\d\\.)(?:${words})(?![\\w\\-])(?!\\.\\d)`, 'u')
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return pattern.test(value)
    if (typeof value === 'number') return ids.has(String(value))
    return typeof value === 'object' && value !== null && Object.values(value).some(isIn)
  }
  return isIn
}
const codeOf = (character: string): string => (character.codePointAt(0) as number).toString(16)
