// Creates many records in sequence. A second run is safe: existing records are replayed by their keys.
import { UnifiedError } from './error.ts'
import type { CreateManyOptions, CreateManyResult, Written } from './types.ts'

/** Errors that would also fail every following record. */
const hopeless = new Set([
  'forbidden',
  'insufficient_scope',
  'unknown_account',
  'unknown_entity',
  'entity_not_offered',
  'method_not_allowed',
  'account_disabled',
  'reconnect_required',
  'mapping_key_required',
  'mapping_key_mismatch',
  'network_error',
  'unavailable',
])
const endsTheRun = (error: unknown) =>
  !(error instanceof UnifiedError) || error.status === 401 || error.status === 403 || hopeless.has(error.code)

export async function createMany<Input extends { externalId: string }>(
  create: (record: Input) => Promise<Written<unknown>>,
  records: Iterable<Input> | AsyncIterable<Input>,
  { onProgress, signal }: CreateManyOptions<Input>,
): Promise<CreateManyResult> {
  const result: CreateManyResult = { done: 0, replayed: 0, failed: [] }
  let index = 0
  for await (const record of records) {
    signal?.throwIfAborted()
    const outcome = await create(record).catch((error: unknown) => {
      if (endsTheRun(error)) throw error
      return { error }
    })
    if ('error' in outcome) result.failed.push({ index, externalId: record.externalId, error: outcome.error })
    else {
      result.done++
      if (outcome.reference.replayed) result.replayed++
    }
    const { done, replayed, failed } = result
    const about = 'error' in outcome ? outcome : { reference: outcome.reference, warnings: outcome.warnings }
    onProgress?.({ index, record, done, replayed, failed: failed.length, ...about })
    index++
  }
  return result
}
