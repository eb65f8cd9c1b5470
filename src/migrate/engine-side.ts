// One of the two accounts, seen through the engine: the same operations as the records API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { serviceProblem } from '../engine/failures.ts'
import type { RequestContext } from '../engine/options.ts'
import type { Target } from '../engine/target.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Account, MappingOverlay, Store } from '../store/store.ts'
import type { Failure } from './failure.ts'
import { type Patience, retryTemporary } from './retry.ts'
import { createPages, type Listed, pageSizeOf, rehearsed, type Side } from './side.ts'

/** A write, for the activity. */
export interface MigratedWrite {
  requestId: string
  account: Account
  caller: string
  entityType: EntityType
  operation: 'create' | 'update'
  externalId: string
  nativeId?: string
  totalMs: number
  error?: unknown
}
export interface EngineAccess {
  engine: Engine
  store: Pick<Store, 'accounts'>
  onWrite(write: MigratedWrite): void
}
type Work<T> = (target: Target, mapping: MappingOverlay | undefined, context: RequestContext) => Promise<T>

const maxWaitMs = 60_000

function failureOf(error: unknown): Failure {
  const { message, code, status, detail, errors, downstream, extra, headers } =
    error instanceof Problem ? error : serviceProblem(error)
  const { id, differences } = extra as Pick<Failure, 'id' | 'differences'>
  const seconds = headers['retry-after']
  return Object.assign(new Error(message, { cause: error }), {
    code,
    status,
    detail,
    errors: [...(errors ?? [])],
    downstream,
    id,
    differences,
    retryAfter: seconds === undefined ? undefined : Number(seconds),
  })
}

export async function openEngineSide(
  { engine, store, onWrite }: EngineAccess,
  accountId: string,
  caller: string,
  patience: Patience,
): Promise<Side> {
  const { signal, check } = patience
  /** Read for each call: a token may have been renewed. */
  async function accountOf(): Promise<Account> {
    const account = await store.accounts.get(accountId)
    if (!account) throw new Problem('unknown_account', `The account ${accountId} no longer exists.`)
    return account
  }
  const repeat = <T>(work: () => Promise<T>): Promise<T> =>
    retryTemporary(() => work().catch((error: unknown) => Promise.reject(failureOf(error))), patience)

  async function open(entity: EntityType, direction: 'read' | 'write', requestId: string) {
    const target = engine.target(await accountOf(), entity)
    check?.()
    const context: RequestContext = { requestId, caller, maxWaitMs, waitedMs: 0, signal, ...(check ? { check } : {}) }
    return { target, mapping: await engine.mappings.byDefault(target, direction), context }
  }
  const reading = <T>(entity: EntityType, work: Work<T>, direction: 'read' | 'write' = 'read') =>
    repeat(async () => {
      const { target, mapping, context } = await open(entity, direction, `migration_${randomUUID()}`)
      return work(target, mapping, context)
    })
  const writing = <T extends { id: string }>(
    entity: EntityType,
    operation: MigratedWrite['operation'],
    externalId: string,
    work: Work<T>,
  ) =>
    repeat(async () => {
      const requestId = createRequestId()
      const { target, mapping, context } = await open(entity, 'write', requestId)
      const began = performance.now()
      const ended = (more: Pick<MigratedWrite, 'nativeId' | 'error'>) =>
        onWrite({
          requestId,
          account: target.account,
          caller,
          entityType: entity,
          operation,
          externalId,
          totalMs: performance.now() - began,
          ...more,
        })
      try {
        const written = await work(target, mapping, context)
        ended({ nativeId: written.id })
        return written
      } catch (error) {
        ended({ error })
        throw error
      }
    })

  const account = await accountOf()
  const connector = engine.connectorOf(account)
  const place: Side['place'] = {
    accountId,
    platform: connector.id,
    name: connector.name,
    vertical: account.vertical,
    rateLimit: connector.limit,
    entities: engine.support(account),
  }
  return {
    place,
    pages: createPages((entity, cursor, updatedAfter) =>
      reading(entity, async (target, mapping, context) => {
        const query = cursor === undefined ? { updatedAfter } : { cursor }
        const pageSize = pageSizeOf(place, entity)
        const { body } = await engine.list(target, { pageSize, ...query }, mapping, context)
        return JSON.parse(String(body)) as Listed
      }),
    ),
    get: (entity, id) =>
      reading(entity, async (target, mapping, context) => {
        const { data } = await engine.get(target, id, mapping, context)
        return data as unknown as Awaited<ReturnType<Side['get']>>
      }).catch((error: Failure) => {
        if (error.status === 404 || error.code === 'method_not_allowed') return undefined
        throw error
      }),
    check: (entity, body) =>
      reading(
        entity,
        (target, mapping, context) =>
          engine.dryRun({ target, body, mapping, context, depth: 'check', references: 'source' }),
        'write',
      ).then(
        ({ missing, references, warnings }) => ({ missing, references, warnings }),
        (error: Failure) => {
          // The schema itself is not satisfied, as by an order without lines: the references are not looked at then.
          if (error.code === 'validation_failed')
            return { missing: error.errors, references: 'unknown' as const, warnings: [] }
          throw error
        },
      ),
    steps: async (entity, body) => {
      const { steps } = await reading(
        entity,
        (target, mapping, context) =>
          engine.dryRun({ target, body: rehearsed(body), mapping, context, depth: 'steps', references: 'source' }),
        'write',
      )
      return steps.map(({ name }) => name)
    },
    create: async (entity, body, onUnknown = undefined) => {
      const { id, replayed, warnings } = await writing(entity, 'create', body.externalId, (target, mapping, context) =>
        engine.create({ target, body, mapping, context, onUnknown, references: 'source' }),
      )
      return { id, replayed, warnings }
    },
    update: async (entity, id, body) => {
      const { warnings } = await writing(entity, 'update', body.externalId, (target, mapping, context) =>
        engine.update({ target, id, body, mapping, context, references: 'source' }),
      )
      return { id, replayed: false, warnings }
    },
  }
}
