// The guard against duplicates: the same content under a fresh key is not written again without a confirmation. A
// caller that lost a response and made a new key is the reason.
import { Problem } from '../../contract/errors.ts'
import type { JournalEntry, WriteGuard } from '../../store/store.ts'
import type { Answer } from './attempt.ts'
import { contentHash } from './canonical.ts'

export interface DuplicateGuard {
  fingerprint: string
  isConfirmed: boolean
}
/** How long the content of a finished write counts. */
export const duplicateWindowMs = 60 * 60_000

export const guardOf = (guard: DuplicateGuard): WriteGuard => ({ ...guard, windowMs: duplicateWindowMs })

/** The fingerprint of the content as the caller means it, whatever its key. */
export function fingerprintOf(content: unknown): string {
  const { externalId: _, ...rest } = content as { externalId?: unknown }
  return contentHash(rest)
}

export function possibleDuplicate({ state, externalId, nativeId, answer }: JournalEntry): Problem {
  const isDone = state === 'done'
  const detail = isDone
    ? `The same content was written under externalId "${externalId}" within the last hour. Its platform id is ${nativeId}. Nothing was sent. If this is the same record, use that one. If it is another one, send it again with confirmDuplicate=true.`
    : `The same content is being written under externalId "${externalId}", and that write is not finished. Nothing was sent. Send the same record with externalId "${externalId}" to get its outcome. If this is another record, send it again with confirmDuplicate=true.`
  return new Problem('possible_duplicate', detail, {
    headers: isDone ? {} : { 'retry-after': '5' },
    extra: {
      reference: { externalId, outcome: state, ...(nativeId === undefined ? {} : { id: nativeId }) },
      ...(isDone ? { data: (answer as Answer | undefined)?.data } : {}),
    },
  })
}
