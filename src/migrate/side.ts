// One of the two accounts: what a migration asks of it, and no more. The command line asks through the client, the
// service through its engine.
import type { EntityType } from '../contract/entity.ts'
import type { Warning } from './compare.ts'
import { isFailure } from './failure.ts'
import type { Check } from './fit.ts'
import type { Place } from './route.ts'
import type { SourceRecord } from './shape.ts'

export interface SourcePage {
  records: SourceRecord[]
  unreadable: { id: string; message: string }[]
  refunds: { id: string; message: string }[] // not orders, so they are not written
}
export interface Written {
  id: string
  replayed: boolean
  warnings: readonly Warning[]
}
export interface Side {
  place: Place
  /** All records; one that came already may come again. */
  pages(entity: EntityType, updatedAfter?: string): AsyncGenerator<SourcePage, void, undefined>
  get(entity: EntityType, id: string): Promise<SourceRecord | undefined>
  check(entity: EntityType, body: SourceRecord): Promise<Check>
  /** Names of the steps that a write would take, as far as they are known. */
  steps(entity: EntityType, body: SourceRecord): Promise<string[]>
  create(entity: EntityType, body: SourceRecord, onUnknown?: 'resend'): Promise<Written>
  update(entity: EntityType, id: string, body: SourceRecord): Promise<Written>
}

const largestPage = 250
const maxRestarts = 3
export const pageSizeOf = ({ entities }: Place, entity: EntityType): number =>
  Math.min(entities[entity]?.pageLimit ?? largestPage, largestPage)

/** A key of its own: a dry run of a key that is in use responds with that write. */
export const rehearsed = (body: SourceRecord): SourceRecord => ({
  ...body,
  externalId: `${body.externalId.slice(0, 480)} (dry run)`,
})

/** One page, as the records API returns it. */
export interface Listed {
  data: readonly unknown[]
  pagination: { cursor?: string | undefined }
  warnings?: readonly { code: string; id?: string | undefined; message: string }[] | undefined
}

export function createPages(
  page: (entity: EntityType, cursor: string | undefined, updatedAfter: string | undefined) => Promise<Listed>,
): Side['pages'] {
  async function* walk(
    entity: EntityType,
    updatedAfter: string | undefined,
  ): AsyncGenerator<SourcePage, void, undefined> {
    for (let next: Promise<Listed> | undefined = page(entity, undefined, updatedAfter); next; ) {
      const { data, pagination, warnings = [] }: Listed = await next
      // The next page is requested while this one is processed; never more than one ahead.
      next = pagination.cursor === undefined ? undefined : page(entity, pagination.cursor, updatedAfter)
      next?.catch(() => {})
      const named = (wanted: string) =>
        warnings.flatMap(({ code, id, message }) => (code === wanted && id !== undefined ? [{ id, message }] : []))
      yield {
        records: data as SourceRecord[],
        unreadable: named('not_normalized'),
        refunds: named('refund_left_out'),
      }
    }
  }
  return async function* pages(entity, updatedAfter) {
    for (let restarts = 0; ; restarts++) {
      try {
        yield* walk(entity, updatedAfter)
        return
      } catch (error) {
        // Writing a page takes its time, and some platforms' cursors end meanwhile: records that come again are known
        // by their id.
        if (!(isFailure(error) && error.code === 'invalid_cursor') || restarts === maxRestarts) throw error
      }
    }
  }
}
