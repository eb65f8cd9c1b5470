// The common parts of creates and updates: a holder per operation, a lease that is renewed and checked, and what
// becomes of an entry that is not done.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Connector } from '../../contract/connector.ts'
import { Problem, sentence } from '../../contract/errors.ts'
import type { EntryKey, JournalEntry, JournalStep } from '../../store/store.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import type { Stages } from '../stages.ts'
import { createLease, type Lease, leaseMs } from './lease.ts'
import { type OutcomeUnknown, quietMs } from './steps.ts'

export type OpenEntry = Pick<
  JournalEntry,
  keyof EntryKey | 'writeId' | 'startedAt' | 'contentHash' | 'holder' | 'references' | 'exactTotals'
>

/** Per operation, not per process: an operation that lost its lease must not pass for the one that took over. */
export const createHolder = ({ instance }: EngineOptions) => `${instance} ${randomUUID()}`

/** How long a request waits for another write of the same key. */
export const joinMs = 60_000
/** How long such a request waits until it looks again: a quarter of its time so far. Many can wait at once. */
export const lookAgainMs = (began: number) => Math.min(Math.max((Date.now() - began) / 4, 50), 1000)

export function leaseOf(
  { store: { journal } }: EngineOptions,
  stages: Stages,
  entry: OpenEntry,
  granted: Clock,
  context: RequestContext,
): Lease {
  const { holder, writeId } = entry
  return createLease({
    granted,
    renew: (waiting) =>
      journal.renew(entry, holder, leaseMs, waiting === undefined ? undefined : { writeId, name: waiting }),
    onFailure: () => stages.say(context, 'journal', 'the lease could not be renewed: the database does not respond'),
  })
}

/** The longest lag that a step declares: then the platform shows all that an interrupted write did. */
const longestLagSeconds = 30
/** How long a call of an interrupted write may still take effect; not positive if none can. */
export const effectiveForMs = (
  { callTimeoutMs, paceScale: scale }: EngineOptions,
  steps: readonly Pick<JournalStep, 'done' | 'ageMs'>[],
): number =>
  quietMs({ callTimeoutMs, scale }, longestLagSeconds) -
  Math.min(...steps.filter(({ done }) => !done).map(({ ageMs }) => ageMs))

const minBackoffMs = 2_000
const maxBackoffMs = 600_000
/** When the sweep takes an entry up again: the longer it has been open, the later. */
export function retryIn({ paceScale }: EngineOptions, { startedAt }: { startedAt: string }, dueMs = 0): number {
  const age = Math.max(0, Date.now() - Date.parse(startedAt))
  return Math.ceil(Math.max(dueMs, Math.min(Math.max(age / 4, minBackoffMs * paceScale), maxBackoffMs)))
}

export const inProgress = (detail: string, retryInMs: number, cause?: unknown) =>
  new Problem('write_in_progress', detail, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryInMs / 1000))) },
    cause,
  })
export const takenOver = (cause?: unknown) =>
  inProgress('Another instance took this write over. Send the same request again.', 1000, cause)
export const stillEffective = ({ message, retryInMs = 0 }: OutcomeUnknown, cause: unknown) =>
  inProgress(`${message} Send the same request again after the number of seconds in Retry-After.`, retryInMs, cause)
/** The write is done, and is never made again. What was stored of it is gone. */
export const contentErased = ({ externalId, nativeId, erasedAt }: JournalEntry) =>
  new Problem(
    'content_erased',
    `This was already written${nativeId ? `; its platform id is ${nativeId}` : ''}. The service erased what it had stored of it at ${erasedAt}, because it is about a person. Nothing was sent. Do not send it again.`,
    {
      headers: { 'idempotent-replayed': 'true' },
      extra: { erasedAt, reference: { externalId, ...(nativeId ? { id: nativeId } : {}) } },
    },
  )
/** A part of the record is written, and the rest is refused: only a PUT can correct it. `detail`: what the platform said. */
export const partial = (
  connector: Connector,
  entry: { externalId: string; nativeId?: string | undefined; detail?: string | undefined },
  cause?: Problem,
) =>
  new Problem(
    'partially_written',
    `${sentence(`${connector.name} took only a part of this record and refused the rest: ${entry.detail ?? 'see downstream'}`)} Correct the record with PUT to the platform id.`,
    {
      extra: { externalId: entry.externalId, ...(entry.nativeId === undefined ? {} : { id: entry.nativeId }) },
      ...(cause?.errors ? { errors: cause.errors } : {}),
      ...(cause?.downstream ? { downstream: cause.downstream } : {}),
      cause,
    },
  )
