// Updates replace a record. They set absolute values under the version just read, so they are repeated as a whole and need no journal.
import type { Connector, ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { UnifiedRecord } from '../../contract/unified.ts'
import { viewOf } from '../call.ts'
import { problemOf } from '../failures.ts'
import type { EngineStore, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import type { Stages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempts, memoryLog } from './attempt.ts'
import { contentHash } from './canonical.ts'
import { type AwaitWrite, resolveReferences, saidOf } from './references.ts'
import { targetLacks } from './requirements.ts'
import { OutcomeUnknown } from './steps.ts'

export type Update = (
  target: Target,
  id: string,
  record: UnifiedRecord,
  context: RequestContext,
  ifVersion?: string,
) => Promise<Answer>

export function createUpdate(store: EngineStore, attempts: Attempts, stages: Stages, awaitWrite: AwaitWrite): Update {
  return async (target, id, record, context, ifVersion) => {
    const lacking = targetLacks(
      record,
      target.adapter.update ?? {},
      viewOf(target.account, target.connector),
      target.connector,
    )
    if (lacking) throw lacking
    const { adapter, account, connector, flavor } = target
    const { entityType } = flavor.definition
    const write = adapter.update as NonNullable<typeof adapter.update>
    const { record: resolved } = await stages.run(
      context,
      'references',
      () =>
        resolveReferences(store, account.id, entityType, record, (...key) =>
          outside(context, () => awaitWrite(...key)),
        ),
      saidOf,
    )
    for (let round = 1; ; round++) {
      const attempt = await attempts.begin(target, context, new Date().toISOString(), {
        identity: JSON.stringify([account.id, entityType, 'put', id]),
        content: contentHash(resolved),
        log: memoryLog(),
        resumed: false,
        resendUnknown: false,
      })
      try {
        const current = await currentRow(target, attempt.readCall, id)
        if (ifVersion !== undefined && adapter.version?.(current) !== ifVersion) throw changed(connector)
        const written = await write.run(attempt.steps.call, current, resolved as never)
        return await attempts.answer(target, attempt, write, resolved, record, written)
      } catch (error) {
        if (error instanceof NativeFailure && error.error.kind === 'stale' && ifVersion !== undefined)
          throw changed(connector)
        if (error instanceof NativeFailure && error.error.kind === 'stale' && round === 1) continue
        if (error instanceof OutcomeUnknown)
          throw error.lost
            ? problemOf(error.lost, connector)
            : new Problem('outcome_unknown', error.message, { cause: error })
        if (error instanceof NativeFailure && error.error.kind === 'not_found' && !error.error.fields?.length)
          throw problemOf(error, connector)
        throw problemOf(error, connector, write)
      } finally {
        attempt.ending.ended = true
      }
    }
  }
}

const changed = (connector: Connector) =>
  new Problem('precondition_failed', `The record at ${connector.name} is no longer the one that If-Match names.`)

/** The row that an update starts from. Whatever the platform does not find while it is read, it is this record. */
export async function currentRow({ adapter, connector, flavor }: Target, call: ReadCall, id: string): Promise<unknown> {
  const missing = (cause?: unknown) =>
    new Problem('record_not_found', `${connector.name} has no ${flavor.definition.entityType} with this id.`, { cause })
  const read = adapter.update?.current ?? adapter.get
  try {
    const row = await read?.(call, id)
    if (row !== undefined) return row
  } catch (error) {
    throw error instanceof NativeFailure && error.error.kind === 'not_found' ? missing(error) : error
  }
  throw missing()
}
