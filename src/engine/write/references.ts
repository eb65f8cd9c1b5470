// References in a record that is written: source ids are looked up among all that was written or linked before. The
// mode of the request says what becomes of the others.
import type { Connector } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { entities } from '../../contract/entities/index.ts'
import type { EntityType, ReferenceMode } from '../../contract/entity.ts'
import { Problem, type Violation, type Warning } from '../../contract/errors.ts'
import { placesOf, valueAt } from '../../contract/pointer.ts'
import type { EntryKey } from '../../store/store.ts'
import type { EngineStore } from '../options.ts'

interface Reference {
  entityType: EntityType
  sourceId: string
}
type Placed = Reference & { pattern: string; pointer: string }

export interface Resolved {
  mode: ReferenceMode
  record: UnifiedRecord
  /** Source id by the pointer that named it, where the platform's id differs. */
  replaced: { pointer: string; sourceId: string; nativeId: string }[]
  /** Sent as the platform's ids: no source id is known, or the mode is `platform`. */
  passed: readonly Placed[]
}
/** Waits a while for a write of that key that is under way. `open`: the journal has it, and it is not done. */
export type AwaitWrite = (key: EntryKey) => Promise<'none' | 'open' | 'done'>

export interface Resolving {
  mode: ReferenceMode
  awaitWrite: AwaitWrite
  /** The record that an update replaces: a reference that it holds in the same place stays as it is. */
  current?: UnifiedRecord | undefined
}

export async function resolveReferences(
  store: Pick<EngineStore, 'links'>,
  accountId: string,
  entityType: EntityType,
  record: UnifiedRecord,
  resolving: Resolving,
): Promise<Resolved> {
  const { unknown, ...resolved } = await lookUpReferences(store, accountId, entityType, record, resolving)
  if (unknown.length > 0)
    throw new Problem(
      'unknown_reference',
      "The record refers to source ids under which nothing was written or linked. Write those records first, or link their platform ids (dashboard: account, References; or the management API). If the values are the platform's ids, send references=platform.",
      { errors: unknown },
    )
  return resolved
}

/** Reports unknown source ids instead of refusing the record. */
export async function lookUpReferences(
  store: Pick<EngineStore, 'links'>,
  accountId: string,
  entityType: EntityType,
  record: UnifiedRecord,
  { mode, awaitWrite, current }: Resolving,
): Promise<Resolved & { unknown: Violation[] }> {
  const resolved = structuredClone(record)
  const references = Object.entries(entities[entityType].references).flatMap(([pattern, target]) =>
    placesOf(resolved, pattern)
      .filter(({ pointer, value }) => current === undefined || valueAt(current, pointer) !== value)
      .map(({ pointer, value, set }) => ({ pattern, pointer, set, entityType: target, sourceId: String(value) })),
  )
  const result = { mode, record: resolved, replaced: [] as Resolved['replaced'], passed: [], unknown: [] }
  if (references.length === 0 || mode === 'platform') return { ...result, passed: references }
  let links = await store.links.find(accountId, references)
  const isSelf = (reference: Reference) =>
    reference.entityType === entityType && reference.sourceId === record.externalId
  const unlinked = new Map(
    references
      .filter(
        (reference) => !links.has(nameOf(reference)) && entities[reference.entityType].writable && !isSelf(reference),
      )
      .map((reference) => [nameOf(reference), reference]),
  )
  const states = await Promise.all(
    [...unlinked.values()].map(async (reference) => ({
      ...reference,
      state: await awaitWrite({
        accountId,
        entityType: reference.entityType,
        externalId: reference.sourceId,
      }),
    })),
  )
  const open = states.filter(({ state }) => state === 'open')
  if (open.length > 0) throw pending(open)
  const written = new Set(states.filter(({ state }) => state === 'done').map(nameOf))
  if (written.size > 0) links = await store.links.find(accountId, references)
  const left: Placed[] = []
  for (const { set, ...reference } of references) {
    const { pointer, sourceId } = reference
    const nativeId = links.get(nameOf(reference))
    if (nativeId === undefined) left.push(reference)
    else {
      set(nativeId)
      result.replaced.push({ pointer, sourceId, nativeId })
    }
  }
  if (mode !== 'source') return { ...result, passed: left }
  return { ...result, unknown: left.map((reference) => violationOf(reference, written.has(nameOf(reference)))) }
}

/** A key whose write is not done is never taken for a platform id: the record would go to a stranger. */
const pending = (references: readonly (Reference & { pointer: string })[]) =>
  new Problem(
    'reference_pending',
    'The record refers to a record whose write is not finished. Send this request again after the number of seconds in Retry-After, or finish that write first.',
    {
      headers: { 'retry-after': '5' },
      errors: references.map(({ pointer, entityType, sourceId }) => ({
        pointer,
        message: `The ${entityType} with the externalId ${sourceId} is still being written, or its outcome is unknown.`,
      })),
    },
  )
const violationOf = ({ pointer, entityType, sourceId }: Placed, deleted: boolean): Violation => ({
  pointer,
  message: deleted
    ? `The reference of the ${entityType} with the source id ${JSON.stringify(sourceId)} was deleted. Repeat its POST to restore it, or link its platform id.`
    : `No ${entityType} was written or linked under the source id ${JSON.stringify(sourceId)}.`,
})

const mostNamed = 3
/** One per field: the lines of an order share theirs. */
export const assumedReferences = ({ mode, passed }: Resolved, connector: Connector): Warning[] =>
  mode === 'platform'
    ? []
    : [...Map.groupBy(passed, ({ pattern }) => pattern).values()].map((places) => {
        const [{ pointer, entityType }] = places as [Placed]
        const values = [...new Set(places.map(({ sourceId }) => JSON.stringify(sourceId)))]
        const more = values.length > mostNamed ? ` and ${values.length - mostNamed} more` : ''
        return {
          code: 'reference_assumed',
          pointer,
          message: `${values.slice(0, mostNamed).join(', ')}${more}: no ${entityType} was written or linked under this source id, so it was sent as the id of a ${entityType} at ${connector.name}.`,
        }
      })

/** A refusal that names a reference says what was tried, and what the caller can do. */
export function explainReferences(problem: Problem, resolved: Resolved | undefined, connector: Connector): Problem {
  const { errors = [], downstream } = problem
  if (!resolved || problem.status !== 422) return problem
  const refused = resolved.passed.filter(
    ({ pointer, sourceId }) =>
      errors.some((error) => error.pointer === pointer) ||
      (errors.every((error) => error.pointer === '') && downstream?.message?.includes(sourceId)),
  )
  if (refused.length === 0) return problem
  const reasonAt = (pointer: string) =>
    errors.find((error) => error.pointer === pointer)?.message ?? downstream?.message ?? problem.detail
  const explained = refused.map(({ pointer, entityType, sourceId }) => {
    const value = JSON.stringify(sourceId)
    const unlinked = `No ${entityType} was written or linked under the source id ${value}, and ${connector.name} does not take it`
    const start = resolved.mode === 'platform' ? `${connector.name} does not take ${value}` : unlinked
    return { pointer, message: `${start} as the id of a ${entityType}: ${reasonAt(pointer)}` }
  })
  const others = errors.filter(({ pointer }) => pointer !== '' && !refused.some((one) => one.pointer === pointer))
  const writable = refused.every(({ entityType }) => connector.entities[entityType]?.create)
  const first = writable
    ? 'Write the referenced records first, link their platform ids'
    : 'Link the platform ids of the referenced records'
  const remedy =
    resolved.mode === 'platform'
      ? 'Send the ids that the platform has, or source ids without references=platform.'
      : `${first} (dashboard: account, References; or the management API), or send the platform's own ids.`
  return new Problem(problem.code, `${problem.detail.replace(/([^.!?])$/, '$1.')} ${remedy}`, {
    errors: [...explained, ...others],
    downstream,
    headers: problem.headers,
    extra: problem.extra,
    cause: problem.cause,
  })
}

/** For the trace of a request. */
export function summaryOf({ replaced, passed }: Resolved): string {
  const words = [
    ...replaced.map(({ pointer, sourceId, nativeId }) => `${pointer}: ${sourceId} is ${nativeId}`),
    ...passed.map(({ pointer, sourceId }) => `${pointer}: ${sourceId} is sent as the platform's id`),
  ]
  return words.length === 0 ? 'none to replace' : words.join(', ')
}

const nameOf = ({ entityType, sourceId }: Reference) => `${entityType} ${sourceId}`
