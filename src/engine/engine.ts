// The engine: everything the unified routes do, for any platform, behind six operations.
import type { Connector } from '../contract/connector.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { Problem, type Warning } from '../contract/errors.ts'
import type { UnifiedRecord } from '../contract/unified.ts'
import { flavorOf } from '../contract/validation.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import { type Answer, createAttempts, type Target } from './attempt.ts'
import { authorizeUrl } from './authorize.ts'
import { createReadCall, type Ending, viewOf } from './call.ts'
import { contentHash } from './canonical.ts'
import { createCredentials } from './credentials.ts'
import { type CursorState, createCursors } from './cursor.ts'
import { createDryRun, type DryRunDepth } from './dry-run.ts'
import { createExplore } from './explore.ts'
import { createFacts } from './facts.ts'
import { lookInto, problemOf } from './failures.ts'
import { toUnified } from './finish.ts'
import { compileOverlay, type Overlay } from './mapping.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { createOutbound, type Operation, slotOf } from './outbound.ts'
import { type ListQuery, present, readPage } from './reads.ts'
import { validate } from './requirements.ts'
import { createStages } from './stages.ts'
import { accountSupport, adapterOf, allowed } from './support.ts'
import { createSweep } from './sweep.ts'
import { createUpdate } from './updates.ts'
import { type Created, createWrites } from './writes.ts'

export interface ListAnswer {
  data: UnifiedRecord[]
  cursor?: string
  warnings: Warning[]
}
export type Engine = ReturnType<typeof createEngine>

export function createEngine(options: EngineOptions) {
  const { connectors, store } = options
  const credentials = createCredentials(options)
  const outbound = createOutbound(options, credentials)
  const facts = createFacts(120_000 * options.paceScale)
  const cursors = createCursors(options.vault)
  const attempts = createAttempts(options, outbound, facts)
  const writes = createWrites(options, attempts)
  const stages = createStages(options)
  const update = createUpdate(store, attempts, stages, (accountId, entityType, externalId) => writes.awaitWrite({ accountId, entityType, externalId }))
  const planWrite = createDryRun(store, attempts)

  const connectorOf = (account: Account): Connector => {
    const connector = connectors[account.platform]
    if (!connector) throw new Problem('entity_not_offered', `This service has no connector for ${account.platform}.`)
    return connector
  }

  /** The adapter behind an account's entity type, when the account may use it. */
  function target(account: Account, entityType: string): Target {
    if (!(entityTypes as readonly string[]).includes(entityType)) throw new Problem('unknown_entity', `There is no entity type "${entityType.slice(0, 64)}".`)
    const connector = connectorOf(account)
    const adapter = adapterOf(connector, account.vertical, entityType as EntityType)
    const flavor = flavorOf(account.vertical, entityType as EntityType)
    if (!adapter || !flavor) throw new Problem('entity_not_offered', `${connector.name} offers no ${entityType} in the ${account.vertical} vertical.`)
    return { account, connector, adapter, flavor }
  }
  function usable({ account, adapter, connector }: Target, operation: 'read' | 'write'): void {
    if (account.state === 'disabled') throw new Problem('account_disabled', 'The account is disabled.')
    if (account.state === 'reconnect_required')
      throw new Problem('reconnect_required', `The connection to ${connector.name} must be authorised again. ${account.stateReason ?? ''}`.trim(), {
        downstream: { platform: connector.id },
      })
    if (!allowed(adapter, viewOf(account, connector), operation))
      throw new Problem('forbidden', `The account's authorisation at ${connector.name} does not cover this: it lacks ${(adapter.scopes?.[operation] ?? []).join(', ')}.`, {
        downstream: { platform: connector.id },
      })
  }
  /** The record as it is to be written. */
  async function checked(wanted: Target, body: unknown, mapping: MappingOverlay | undefined, context: RequestContext): Promise<UnifiedRecord> {
    const record = overlaid(body, overlayOf(mapping, wanted))
    await stages.run(context, 'validation', async () => validate(record, wanted.flavor))
    return record as UnifiedRecord
  }
  const overlayOf = (mapping: MappingOverlay | undefined, { flavor }: Target): Overlay | undefined => (mapping ? compileOverlay(mapping, flavor) : undefined)

  async function reading<T>(
    { account, connector }: Target,
    context: RequestContext,
    run: (call: ReturnType<typeof createReadCall>, operation: Operation) => Promise<T>,
  ): Promise<T> {
    const ending: Ending = { ended: false }
    const operation: Operation = { account, connector, context, waitedMs: 0, patient: false }
    try {
      return await run(createReadCall(operation, outbound, facts, new Date().toISOString(), ending), operation)
    } catch (error) {
      throw problemOf(error, connector)
    } finally {
      ending.ended = true
    }
  }

  /** The native rows of one page. */
  async function pageOf(wanted: Target, query: ListQuery, mapping: MappingOverlay | undefined, context: RequestContext): Promise<{ rows: unknown[]; cursor?: string }> {
    usable(wanted, 'read')
    const { account, adapter, flavor, connector } = wanted
    if (query.updatedAfter !== undefined && adapter.list.updatedAfter === 'none')
      throw new Problem('filter_unsupported', `${connector.name} tells no modification time for ${flavor.definition.entityType}.`)
    const scope = { accountId: account.id, entityType: flavor.definition.entityType, mapping: mapping ? `${mapping.id} ${mapping.version}` : '' }
    const fresh: CursorState = {
      size: Math.min(query.pageSize, adapter.list.pageLimit),
      ...(query.updatedAfter === undefined ? {} : { updatedAfter: query.updatedAfter }),
      place: {},
    }
    const state = query.cursor === undefined ? fresh : cursors.open(query.cursor, scope)
    if (query.cursor !== undefined && query.updatedAfter !== undefined && query.updatedAfter !== state.updatedAfter)
      throw new Problem('invalid_cursor', 'The cursor was made with another updatedAfter.')
    // Nothing was modified in the future; several platforms refuse to look there.
    if (state.updatedAfter !== undefined && Date.parse(state.updatedAfter) > Date.now()) return { rows: [] }
    const { rows, next } = await reading(wanted, context, (call, operation) => readPage(adapter, call, state, { freeNow: () => outbound.freeNow(operation) }))
    return { rows, ...(next ? { cursor: cursors.seal(next, scope) } : {}) }
  }
  async function rowOf(wanted: Target, id: string, context: RequestContext): Promise<unknown> {
    usable(wanted, 'read')
    const { adapter, flavor, connector } = wanted
    const get = adapter.get
    if (!get)
      throw new Problem('method_not_allowed', `${connector.name} cannot read a single ${flavor.definition.entityType}.`, { headers: { allow: adapter.update ? 'PUT' : '' } })
    const row = await reading(wanted, context, (call) => get(call, id))
    if (row === undefined) throw new Problem('record_not_found', `${connector.name} has no ${flavor.definition.entityType} with this id.`)
    return row
  }
  const unify = (wanted: Target, mapping: MappingOverlay | undefined) => {
    const view = viewOf(wanted.account, wanted.connector)
    const overlay = overlayOf(mapping, wanted)
    return (row: unknown, warnings: Warning[]) => toUnified(wanted.adapter, row, wanted.flavor, view, warnings, overlay)
  }

  return {
    target,
    view: (account: Account) => viewOf(account, connectorOf(account)),
    support: (account: Account) => accountSupport(account, connectorOf(account), viewOf(account, connectorOf(account))),
    connectorOf,
    credentials,
    /** Where the customer of a draft account is sent to agree. */
    authorizeUrl: (draft: Account, values: Parameters<typeof authorizeUrl>[3]) => authorizeUrl(options, connectorOf(draft), draft, values),
    /** Calls left and time to the next one, for the RateLimit headers. */
    rate(account: Account) {
      const connector = connectorOf(account)
      return { policies: connector.limit, ...options.pacer.status(slotOf(connector, account.id)) }
    },

    async list(wanted: Target, query: ListQuery, mapping: MappingOverlay | undefined, context: RequestContext): Promise<ListAnswer> {
      const { rows, cursor } = await pageOf(wanted, query, mapping, context)
      return { ...present(rows, unify(wanted, mapping)), ...(cursor === undefined ? {} : { cursor }) }
    },

    async get(wanted: Target, id: string, mapping: MappingOverlay | undefined, context: RequestContext): Promise<{ data: UnifiedRecord; version?: string; warnings: Warning[] }> {
      const row = await rowOf(wanted, id, context)
      const warnings: Warning[] = []
      const data = unify(wanted, mapping)(row, warnings)
      if (!data) throw new Problem('downstream_error', warnings.at(-1)?.message ?? 'The record could not be normalised.', { downstream: { platform: wanted.connector.id } })
      const version = lookInto(wanted.connector, () => wanted.adapter.version?.(row))
      return { data, warnings, ...(version === undefined ? {} : { version }) }
    },
    /** The same pages and records with the native rows beside them. */
    explore: createExplore({ pageOf, rowOf, unify }),

    /** The record written under a key of the caller, as it is now, and what became of the write. */
    async written(wanted: Target, externalId: string, mapping: MappingOverlay | undefined, context: RequestContext) {
      const entry = await store.journal.get({ accountId: wanted.account.id, entityType: wanted.flavor.definition.entityType, externalId })
      const reference = entry && { externalId, outcome: entry.state, ...(entry.nativeId === undefined ? {} : { id: entry.nativeId }) }
      const found =
        entry?.nativeId === undefined
          ? undefined
          : await this.get(wanted, entry.nativeId, mapping, context).catch((error: unknown) => {
              if (error instanceof Problem && error.code === 'record_not_found') return undefined
              throw error
            })
      return { data: found ? [found.data] : [], warnings: found?.warnings ?? [], ...(reference ? { reference } : {}) }
    },

    async dryRun(wanted: Target, body: unknown, mapping: MappingOverlay | undefined, context: RequestContext, depth: DryRunDepth, id?: string) {
      usable(wanted, 'write')
      const record = await checked(wanted, body, mapping, context)
      const plan = await planWrite(wanted, record, contentHash(body), context, depth, id)
      const { left, resetMs } = options.pacer.status(slotOf(wanted.connector, wanted.account.id))
      return { ...plan, expectedWaitMs: left > 0 ? 0 : Math.ceil(resetMs) }
    },

    async create(wanted: Target, body: unknown, mapping: MappingOverlay | undefined, context: RequestContext, onUnknown: 'report' | 'resend'): Promise<Created> {
      usable(wanted, 'write')
      const record = await checked(wanted, body, mapping, context)
      return writes.create(wanted, record, contentHash(body), context, onUnknown)
    },

    async update(wanted: Target, id: string, body: unknown, mapping: MappingOverlay | undefined, context: RequestContext, ifVersion?: string): Promise<Answer> {
      usable(wanted, 'write')
      const record = await checked(wanted, body, mapping, context)
      return update(wanted, id, record, context, ifVersion)
    },

    /** One cheap call that proves the connection: the first record of the first entity. */
    async test(account: Account, context: RequestContext): Promise<{ ok: true } | { ok: false; problem: Problem }> {
      const connector = connectorOf(account)
      const entityType = entityTypes.find((type) => adapterOf(connector, account.vertical, type)) as EntityType
      const wanted = target({ ...account, state: 'active' }, entityType)
      try {
        await reading(wanted, context, (call) => wanted.adapter.list.page(call, { size: 1 }))
        return { ok: true }
      } catch (error) {
        return { ok: false, problem: error as Problem }
      }
    },

    /** Settings that the platform itself can tell, asked once the account has credentials. */
    async discover(account: Account, context: RequestContext): Promise<Readonly<Record<string, string>>> {
      const connector = connectorOf(account)
      const entityType = entityTypes.find((type) => adapterOf(connector, account.vertical, type)) as EntityType
      return connector.discover ? reading(target(account, entityType), context, connector.discover) : {}
    },
    forgetFacts: facts.forget,
    sweep: createSweep(store, target, writes),
    idle: writes.idle,
    waiting: options.pacer.waiting,
  }
}

function overlaid(body: unknown, overlay: Overlay | undefined): unknown {
  if (!overlay || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const record = structuredClone(body) as Record<string, unknown>
  overlay(record, body)
  return record
}
