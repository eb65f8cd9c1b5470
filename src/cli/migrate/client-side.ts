// One of the two accounts, seen through the client.
import { type Client, UnifiedError } from '../../../packages/client/src/index.ts'
import type { EntityType } from '../../contract/entity.ts'
import { type Patience, retryTemporary } from '../../migrate/retry.ts'
import type { Place } from '../../migrate/route.ts'
import type { SourceRecord } from '../../migrate/shape.ts'
import type { Side, SourcePage } from '../../migrate/side.ts'

const largestPage = 250
const waitSeconds = 60
const maxRestarts = 3

export async function openSide(client: Client, accountId: string, patience: Patience): Promise<Side> {
  const { signal } = patience
  const account = client.account(accountId)
  const place = (await retryTemporary(() => account.describe({ signal }), patience)) as unknown as Place
  const call = { signal, wait: waitSeconds }
  // What a record names was written or linked before it: no id of the source is ever taken for one of the target.
  const writing = { ...call, references: 'source' as const }

  async function page(entity: EntityType, cursor: string | undefined, updatedAfter: string | undefined) {
    const pageSize = Math.min(place.entities[entity]?.pageLimit ?? largestPage, largestPage)
    const options = cursor === undefined ? { pageSize, updatedAfter } : { cursor }
    return retryTemporary(async () => await account.entity(entity as string).list({ ...call, ...options }), patience)
  }
  async function* walk(
    entity: EntityType,
    updatedAfter: string | undefined,
  ): AsyncGenerator<SourcePage, void, undefined> {
    for (let next: ReturnType<typeof page> | undefined = page(entity, undefined, updatedAfter); next; ) {
      const { data, pagination, warnings = [] }: Awaited<ReturnType<typeof page>> = await next
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
  return {
    place,
    async *pages(entity, updatedAfter) {
      for (let restarts = 0; ; restarts++) {
        try {
          yield* walk(entity, updatedAfter)
          return
        } catch (error) {
          // Writing a page takes its time, and some platforms' cursors end meanwhile: records that come again are known
          // by their id.
          if (!(error instanceof UnifiedError && error.code === 'invalid_cursor') || restarts === maxRestarts)
            throw error
        }
      }
    },
    get: (entity, id) =>
      retryTemporary(
        async () => (await account.entity(entity as string).get(id, call)).data as SourceRecord,
        patience,
      ).catch((error) => {
        if (error instanceof UnifiedError && (error.status === 404 || error.code === 'method_not_allowed'))
          return undefined
        throw error
      }),
    check: (entity, body) =>
      retryTemporary(
        () => account.entity(entity as string).create(body, { ...writing, dryRun: 'check' }),
        patience,
      ).then(
        ({ missing, references, warnings }) => ({ missing, references, warnings }),
        (error) => {
          // The schema itself is not satisfied, as by an order without lines: the references are not looked at then.
          if (error instanceof UnifiedError && error.code === 'validation_failed')
            return { missing: error.errors, references: 'unknown' as const, warnings: [] }
          throw error
        },
      ),
    steps: async (entity, body) => {
      // A key of its own: a dry run of a key that is in use responds with that write.
      const rehearsed = { ...body, externalId: `${body.externalId.slice(0, 480)} (dry run)` }
      const { steps } = await retryTemporary(
        () => account.entity(entity as string).create(rehearsed, { ...writing, dryRun: true }),
        patience,
      )
      return steps.map(({ name }) => name)
    },
    create: async (entity, body, onUnknown) => {
      const { reference, warnings = [] } = await retryTemporary(
        () => account.entity(entity as string).create(body, { ...writing, onUnknown }),
        patience,
      )
      return { id: reference.id, replayed: reference.replayed, warnings }
    },
    update: async (entity, id, body) => {
      const { reference, warnings = [] } = await retryTemporary(
        () => account.entity(entity as string).update(id, body, writing),
        patience,
      )
      return { id: reference.id, replayed: false, warnings }
    },
  }
}
