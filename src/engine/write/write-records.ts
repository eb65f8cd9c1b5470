// Writes of callers: the body is checked against the schema, the mapping and the platform, then written or planned.
import type { Pointer, ReferenceMode } from '../../contract/entity.ts'
import { isIdentifier } from '../../contract/validation.ts'
import type { MappingOverlay } from '../../store/store.ts'
import { customChanges, customOf, type Writable } from '../custom.ts'
import { ownRefusal } from '../failures.ts'
import { compileOverlay, type Overlay } from '../mapping.ts'
import type { createMappingSelection } from '../mapping-selection.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { slotOf } from '../outbound/channel.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { checkUsable } from '../usable.ts'
import type { Answer } from './attempt.ts'
import { contentHash } from './canonical.ts'
import { contentOf } from './content.ts'
import type { Created, Creates } from './create.ts'
import type { DryRunDepth, PlanWrite } from './dry-run.ts'
import { fingerprintOf } from './duplicates.ts'
import { contentErased } from './journaled.ts'
import { takeCleared } from './left-out.ts'
import type { LocationChoices } from './location-choices.ts'
import { withPlaces } from './places.ts'
import { validated } from './requirements.ts'
import type { Updates } from './update.ts'

type Guard = 'duplicates' | 'confirmed'
interface WriteRequest {
  target: Target
  body: unknown
  mapping?: MappingOverlay
  context: RequestContext
  references?: ReferenceMode // auto by default
  exactTotals?: boolean | undefined // refused, or named, if the platform makes another total
}
export interface CreateRequest extends WriteRequest {
  onUnknown?: 'report' | 'resend' // report by default
  guard?: Guard
}
export interface UpdateRequest extends WriteRequest {
  id: string
  ifVersion?: string
}
/** With `id` it plans an update, else a create. */
export interface DryRunRequest extends WriteRequest {
  depth: DryRunDepth
  id?: string
  guard?: Guard
}
/** A body that is ready to be written. */
interface Draft {
  record: Writable
  hash: string // of what the caller sent
  cleared?: readonly Pointer[] // by null, in an update
}

/** The parts of a write that has not begun: its record, and the earlier write that it repeats. */
function createDrafts(options: EngineOptions, mappings: ReturnType<typeof createMappingSelection>) {
  const stages = createStages(options)
  return {
    async draftOf({ target, body, mapping, context }: WriteRequest, operation: 'create' | 'update'): Promise<Draft> {
      const { adapter, connector, flavor } = target
      const { schema } = flavor.write
      const fields = await mappings.customFields(target, mapping)
      const overlay = mapping && compileOverlay(mapping, flavor)
      const { rest, custom, violations } = customOf(overlaid(body, overlay), fields)
      const content = contentOf(rest, schema)
      const cleared = operation === 'update' ? takeCleared(content, flavor.definition) : []
      const record = await stages.run(context, 'validation', async () =>
        validated(content, flavor, operation, adapter[operation], violations),
      )
      const { refused } = customChanges(adapter.custom, custom, {}, connector)
      if (operation === 'create' && refused.length > 0) throw ownRefusal('target_refuses', connector, refused)
      const placed = withPlaces(record, adapter[operation]?.places)
      return {
        record: custom ? { ...placed, custom } : placed,
        hash: contentHash(contentOf(body, schema)),
        ...(cleared.length > 0 ? { cleared } : {}),
      }
    },
    /**
     * The record of an earlier request with this key and content, else the error. Its mapping may have been changed or
     * removed: the request is still the same, and so is its response.
     */
    async begunOr({ target: { account, flavor }, body }: WriteRequest, error: unknown): Promise<Draft> {
      const { externalId } = (body ?? {}) as { externalId?: unknown }
      // No other id has an entry, and a database may refuse to look for it.
      if (typeof externalId !== 'string' || !isIdentifier(externalId)) throw error
      const { entityType } = flavor.definition
      const entry = await options.store.journal.get({ accountId: account.id, entityType, externalId })
      const hash = contentHash(contentOf(body, flavor.write.schema))
      if (entry?.contentHash !== hash) throw error
      if (entry.erasedAt !== undefined) throw contentErased(entry)
      return { record: entry.record as Writable, hash }
    },
  }
}

export function createWrites(
  options: EngineOptions,
  mappings: ReturnType<typeof createMappingSelection>,
  {
    creates,
    updates,
    planWrite,
    offerLocations,
  }: { creates: Creates; updates: Updates; planWrite: PlanWrite; offerLocations: LocationChoices },
) {
  const { draftOf, begunOr } = createDrafts(options, mappings)

  async function create(request: CreateRequest): Promise<Created> {
    const { target, body, context, onUnknown = 'report', references = 'auto', exactTotals, guard } = request
    checkUsable(target, 'write')
    const draft = await draftOf(request, 'create').catch((error: unknown) => begunOr(request, error))
    return creates
      .create(
        target,
        { ...draft, onUnknown, references, exactTotals, guard: guard && guardOn(target, body, guard) },
        context,
      )
      .catch((error: unknown) => offerLocations(target, context, error))
  }

  async function update(request: UpdateRequest): Promise<Answer> {
    const { target, id, context, ifVersion, references = 'auto', exactTotals } = request
    checkUsable(target, 'write')
    const { record, cleared } = await draftOf(request, 'update')
    return updates
      .update(
        target,
        id,
        {
          record,
          ifVersion,
          references,
          ...(cleared ? { cleared } : {}),
          ...(exactTotals ? { exactTotals: true } : {}),
        },
        context,
      )
      .catch((error: unknown) => offerLocations(target, context, error))
  }

  async function dryRun(request: DryRunRequest) {
    const { target, body, context, depth, id, references = 'auto', exactTotals, guard } = request
    checkUsable(target, 'write')
    const ofCreate = depth === 'steps' && id === undefined
    const { record, hash, cleared } = await draftOf(request, id === undefined ? 'create' : 'update').catch(
      (error: unknown) => (ofCreate ? begunOr(request, error) : Promise.reject(error)),
    )
    const replayed = ofCreate ? await creates.settled(target, record, hash) : undefined
    if (replayed)
      return {
        ...nothingToSend,
        data: replayed.data,
        reference: { externalId: record.externalId, id: replayed.id, replayed: true },
        warnings: replayed.warnings,
        expectedWaitMs: 0,
      }
    if (guard && ofCreate) await creates.refuseDuplicate(target, record, guardOn(target, body, guard))
    const plan = await planWrite(target, record, hash, context, { depth, id, references, cleared, exactTotals }).catch(
      (error: unknown) => offerLocations(target, context, error),
    )
    const { left, resetMs } = options.pacer.status(slotOf(target.connector, target.account))
    return { ...plan, expectedWaitMs: left > 0 ? 0 : Math.ceil(resetMs) }
  }

  return { create, update, dryRun }
}

const nothingToSend = { steps: [], complete: true, references: [], missing: [] }

const guardOn = ({ flavor }: Target, body: unknown, guard: Guard) => ({
  fingerprint: fingerprintOf(contentOf(body, flavor.write.schema)),
  isConfirmed: guard === 'confirmed',
})

function overlaid(body: unknown, overlay: Overlay | undefined): unknown {
  if (!overlay || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const record = structuredClone(body) as Record<string, unknown>
  overlay.set(record, body)
  return record
}
