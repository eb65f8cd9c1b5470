// One of the two accounts, seen through the client.
import { type Client, UnifiedError } from '../../../packages/client/src/index.ts'
import type { EntityType } from '../../contract/entity.ts'
import { type Patience, retryTemporary } from '../../migrate/retry.ts'
import type { Place } from '../../migrate/route.ts'
import type { SourceRecord } from '../../migrate/shape.ts'
import { createPages, pageSizeOf, rehearsed, type Side } from '../../migrate/side.ts'
import { indexedRecords } from '../account-argument.ts'

const waitSeconds = 60

export interface ClientSide extends Side {
  /** How many records there are, if the entity is watched. */
  indexed(entity: EntityType): Promise<number | undefined>
}

export async function openSide(client: Client, accountId: string, patience: Patience): Promise<ClientSide> {
  const { signal } = patience
  const account = client.account(accountId)
  const place = (await retryTemporary(() => account.describe({ signal }), patience)) as unknown as Place
  const call = { signal, wait: waitSeconds }
  // What a record names was written or linked before it: no id of the source is ever taken for one of the target.
  const writing = { ...call, references: 'source' as const }

  async function page(entity: EntityType, cursor: string | undefined, updatedAfter: string | undefined) {
    const options = cursor === undefined ? { pageSize: pageSizeOf(place, entity), updatedAfter } : { cursor }
    return retryTemporary(async () => await account.entity(entity as string).list({ ...call, ...options }), patience)
  }
  return {
    place,
    pages: createPages(page),
    indexed: (entity) => indexedRecords(account, entity, signal),
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
      const { steps } = await retryTemporary(
        () => account.entity(entity as string).create(rehearsed(body), { ...writing, dryRun: true }),
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
