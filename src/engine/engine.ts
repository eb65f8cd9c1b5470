// The engine: everything the unified routes do, for any platform, behind six operations.
import type { HookCall } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType, ReferenceMode } from '../contract/entity.ts'
import { Problem, type Warning } from '../contract/errors.ts'
import { isIdentifier } from '../contract/validation.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import { viewOf } from './account-view.ts'
import { createBackground } from './background.ts'
import { customChanges, customOf, customSchema, type Writable } from './custom.ts'
import { createExplore } from './explorer/explore.ts'
import { createFacts } from './facts.ts'
import { lookInto, ownRefusal } from './failures.ts'
import { notFound, notRefund, throwNamed, unknownExternalId } from './identity.ts'
import { compileOverlay, type Overlay } from './mapping.ts'
import { createMappingSelection } from './mapping-selection.ts'
import { nativeRequest } from './native-request.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { authorizeUrl } from './outbound/authorize.ts'
import { createChannel, slotOf } from './outbound/channel.ts'
import { createCredentials } from './outbound/credentials.ts'
import { reserveOf } from './outbound/pacing/daily-calls.ts'
import { createPlatformClocks } from './outbound/platform-clock.ts'
import { createOutbound } from './outbound/retry.ts'
import { createVerify, readAny } from './outbound/verify.ts'
import { createCompletedRows } from './read/completed-rows.ts'
import { createCursors } from './read/cursor.ts'
import { selecting } from './read/fields.ts'
import { createReading, type ListAnswer, type NativeOf, nativeOf, type Reading, unifying } from './read/list.ts'
import type { ListQuery } from './read/page.ts'
import { createReadAhead } from './read/read-ahead.ts'
import { readRow } from './read/read-row.ts'
import type { CreateReaders } from './read/readers.ts'
import { reconnectDetail } from './reconnect.ts'
import { testFault } from './settings.ts'
import { createStages } from './stages.ts'
import { accountSupport, allowed } from './support.ts'
import { createTargets, type Target } from './target.ts'
import { type Answer, createAttempts } from './write/attempt.ts'
import { contentHash } from './write/canonical.ts'
import { contentOf } from './write/content.ts'
import { type Created, createCreates } from './write/create.ts'
import { createDryRun, type DryRunDepth } from './write/dry-run.ts'
import { fingerprintOf } from './write/duplicates.ts'
import { contentErased } from './write/journaled.ts'
import { createLocationChoices } from './write/location-choices.ts'
import { type Called, createNativeCalls } from './write/native-calls.ts'
import { withPlaces } from './write/places.ts'
import { validated } from './write/requirements.ts'
import { createSettlement } from './write/settlement.ts'
import { createSweep, type Resume } from './write/sweep.ts'
import { createTurns } from './write/turns.ts'
import { createUpdates } from './write/update.ts'

export type Engine = ReturnType<typeof createEngine>
/** What a response has of each record. */
export type Selection = Pick<ListQuery, 'native' | 'fields'>
export interface DailyLimitView {
  limit: number | undefined // unknown if absent
  used: number
  remaining: number | undefined
  resetsAt: string | undefined // when the oldest calls no longer count
}

export function createEngine(options: EngineOptions, createReaders?: CreateReaders) {
  const { store } = options
  const credentials = createCredentials(options)
  const { connectorOf, ruleScope, target: targetOf } = createTargets(options.connectors)
  const clocks = createPlatformClocks()
  const onWrite = (accountId: string) => ahead?.forget(accountId)
  const channel = createChannel(options, credentials, { clocks, onWrite })
  const outbound = createOutbound(channel, options.paceScale)
  const facts = createFacts(120_000 * options.paceScale)
  const backgroundFacts = createFacts(120_000 * options.paceScale)
  const cursors = createCursors(options.vault)
  const mappings = createMappingSelection(store, cursors)
  const completed = createCompletedRows()
  const { now } = options
  const reading = createReading({ outbound, facts, cursors, completed, now })
  const readingInBackground = createReading({ outbound, facts: backgroundFacts, cursors, completed, now })
  const readers = createReaders?.({ ...channel, ...completed }, reading, facts)
  // Marks do not survive the way from a thread, nor the cache of completed rows.
  const markedFacts = createFacts(120_000 * options.paceScale)
  const marked = createReading({ outbound, facts: markedFacts, cursors, now, marks: true })
  const read: Reading['list'] = (target, query, ...rest) =>
    (query.native ? marked : (readers ?? reading)).list(target, query, ...rest)
  const ahead = options.readAhead === false ? undefined : createReadAhead(read, options)
  const attempts = createAttempts(options, outbound, facts)
  const turns = createTurns()
  const creates = createCreates(options, attempts, turns)
  const updates = createUpdates(options, attempts, turns, creates.awaitWrite)
  const natives = createNativeCalls(options, outbound, attempts, turns)
  const stages = createStages(options)
  const planWrite = createDryRun(store, attempts)
  const offerLocations = createLocationChoices(reading, targetOf, unifying)

  const resume: Resume = (account, key, context) =>
    key.operation === 'native'
      ? natives.resume({ account, connector: connectorOf(account) }, key, context)
      : (key.operation === 'update' ? updates : creates).resume(targetOf(account, key.entityType), key, context)

  function checkState({ account, connector }: Pick<Target, 'account' | 'connector'>): void {
    if (account.state === 'disabled')
      throw new Problem(
        'account_disabled',
        'The account is disabled. Enable it in the dashboard or the management API.',
      )
    if (account.state === 'reconnect_required')
      throw new Problem('reconnect_required', reconnectDetail(connector, account.stateReason), {
        downstream: { platform: connector.id },
      })
  }
  function usable(target: Target, operation: 'read' | 'write'): void {
    checkState(target)
    const { account, adapter, connector } = target
    if (!allowed(adapter, viewOf(account, connector), operation))
      throw new Problem(
        'forbidden',
        `The account's authorization at ${connector.name} does not cover this: it lacks ${(adapter.scopes?.[operation] ?? []).join(', ')}. Connect the account again with that scope.`,
        {
          downstream: { platform: connector.id },
        },
      )
  }
  /** The record as it is to be written, and the hash of what the caller sent. */
  async function checked(
    target: Target,
    body: unknown,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
    operation: 'create' | 'update',
  ): Promise<{ record: Writable; hash: string }> {
    const { adapter, connector, flavor } = target
    const { schema } = flavor.write
    const fields = await mappings.customFields(target, mapping)
    const { rest, custom, violations } = customOf(overlaid(body, overlayOf(mapping, target)), fields)
    const record = await stages.run(context, 'validation', async () =>
      validated(contentOf(rest, schema), flavor, operation, adapter[operation], violations),
    )
    const { refused } = customChanges(adapter.custom, custom, {}, connector)
    if (operation === 'create' && refused.length > 0) throw ownRefusal('target_refuses', connector, refused)
    const placed = withPlaces(record, adapter[operation]?.places)
    return { record: custom ? { ...placed, custom } : placed, hash: contentHash(contentOf(body, schema)) }
  }
  /**
   * The record of an earlier request with this key and content, else the error. Its mapping may have been changed or
   * removed: the request is still the same, and so is its response.
   */
  async function begunOr({ account, flavor }: Target, body: unknown, error: unknown) {
    const { externalId } = (body ?? {}) as { externalId?: unknown }
    // No other id has an entry, and a database may refuse to look for it.
    if (typeof externalId !== 'string' || !isIdentifier(externalId)) throw error
    const { entityType } = flavor.definition
    const entry = await store.journal.get({ accountId: account.id, entityType, externalId })
    const hash = contentHash(contentOf(body, flavor.write.schema))
    if (entry?.contentHash !== hash) throw error
    if (entry.erasedAt !== undefined) throw contentErased(entry)
    return { record: entry.record as Writable, hash }
  }
  const guardOn = ({ flavor }: Target, body: unknown, guard: 'duplicates' | 'confirmed') => ({
    fingerprint: fingerprintOf(contentOf(body, flavor.write.schema)),
    isConfirmed: guard === 'confirmed',
  })
  const overlayOf = (mapping: MappingOverlay | undefined, { flavor }: Target): Overlay | undefined =>
    mapping ? compileOverlay(mapping, flavor) : undefined

  /** The native rows of one page. */
  const pageOf: Reading['pageOf'] = async (target, query, ...asked) => {
    usable(target, 'read')
    return reading.pageOf(target, await withLink(target, query), ...asked)
  }
  /** A search with the platform id that its text is a source id of. */
  async function withLink({ account, flavor }: Target, query: ListQuery): Promise<ListQuery> {
    const { search, cursor } = query
    if (!search || cursor !== undefined || !isIdentifier(search.text)) return query
    const link = await store.links.get(account.id, flavor.definition.entityType, search.text)
    return { ...query, search: { ...search, linked: link?.nativeId } }
  }
  async function rowOf(target: Target, id: string, context: RequestContext, native?: true): Promise<unknown> {
    usable(target, 'read')
    const { adapter, flavor, connector } = target
    const get = adapter.get
    if (!get)
      throw new Problem(
        'method_not_allowed',
        `${connector.name} cannot read a single ${flavor.definition.entityType}. Read the list instead.`,
        { headers: { allow: adapter.update ? 'PUT, OPTIONS' : 'OPTIONS' } },
      )
    const row = await (native ? marked : reading)
      .through(target, context, (call) => readRow(get, call, id))
      .catch((error: unknown) => throwNamed(store, target, id, error))
    if (row === undefined) return throwNamed(store, target, id, notFound(target))
    notRefund(target, row)
    return row
  }

  return {
    target: targetOf,
    view: (account: Account) => viewOf(account, connectorOf(account)),
    support: (account: Account) => accountSupport(account, connectorOf(account), viewOf(account, connectorOf(account))),
    /** The JSON Schema of an entity's custom fields in the account's default mappings. Undefined: it has none. */
    async customSchema(account: Account, entityType: EntityType): Promise<object | undefined> {
      const target = targetOf(account, entityType)
      const [read, write] = await Promise.all([mappings.byDefault(target, 'read'), mappings.byDefault(target, 'write')])
      return customSchema(target.adapter.custom, read, write)
    },
    connectorOf,
    ruleScope,
    mappings,
    credentials,
    /** Where the customer of a draft account is sent to agree. */
    authorizeUrl: (draft: Account, values: Parameters<typeof authorizeUrl>[3]) =>
      authorizeUrl(options, connectorOf(draft), draft, values),
    /** Calls left and time to the next one, for the RateLimit headers. */
    rate(account: Account) {
      const connector = connectorOf(account)
      const slot = slotOf(connector, account)
      return { policies: connector.limit, daily: slot.daily?.limit, ...options.pacer.status(slot) }
    },

    /** The calls of the last 24 hours; undefined if the platform does not limit them. */
    async dailyLimit(account: Account): Promise<DailyLimitView | undefined> {
      const status = await options.pacer.daily(slotOf(connectorOf(account), account))
      if (!status) return undefined
      const { limit, used, resetMs } = status
      return {
        limit,
        used,
        remaining: limit === undefined ? undefined : Math.max(0, limit - used - reserveOf(limit)),
        resetsAt: resetMs === undefined ? undefined : new Date(Date.now() + resetMs).toISOString(),
      }
    },

    async list(
      target: Target,
      query: ListQuery,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
    ): Promise<ListAnswer> {
      usable(target, 'read')
      const walk = await mappings.ofWalk(target, query, mapping)
      return (ahead?.list ?? read)(target, await withLink(target, walk.query), walk.mapping, context)
    },

    async get(
      target: Target,
      id: string,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      { native, fields }: Selection = {},
    ): Promise<{ data: UnifiedRecord; native?: NativeOf | undefined; version?: string; warnings: Warning[] }> {
      const row = await rowOf(target, id, context, native)
      const warnings: Warning[] = []
      const data = unifying(target, mapping)(row, warnings)
      if (!data)
        throw new Problem('downstream_error', warnings.at(-1)?.message ?? 'The record could not be normalized.', {
          downstream: { platform: target.connector.id },
        })
      const version = lookInto(target.connector, () => target.adapter.version?.(row))
      const { record, isShown } = selecting(fields)
      return {
        data: record(data),
        native: native && nativeOf(target, [row]),
        warnings: warnings.filter(isShown),
        version,
      }
    },
    background: createBackground(readingInBackground, backgroundFacts, clocks, usable),
    /** Calls about webhooks of the platform. What they send is not journaled. */
    hooks: <T>(account: Account, context: RequestContext, run: (call: HookCall) => Promise<T>): Promise<T> =>
      readingInBackground.through({ account, connector: connectorOf(account) }, context, (call, operation) =>
        run({ ...call, send: (request) => outbound.send(operation, request, 'write') }),
      ),
    /** The same pages and records with the native rows beside them. */
    explore: createExplore({ pageOf, rowOf, unify: unifying }),

    /** The record written under a key of the caller, as it is now, and what became of the write. */
    async written(
      target: Target,
      externalId: string,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      selection: Selection = {},
    ) {
      const [accountId, { entityType }] = [target.account.id, target.flavor.definition]
      const entry = await store.journal.get({ accountId, entityType, externalId })
      const settled = entry === undefined || entry.state === 'done'
      const link = settled ? await store.links.get(accountId, entityType, externalId) : undefined
      // A source id that was linked after its write names the linked record, here and in references.
      const reference =
        link?.origin === 'linked' || !entry
          ? link && { externalId, outcome: 'linked' as const, id: link.nativeId }
          : { externalId, outcome: entry.state, id: entry.nativeId }
      if (!reference) return { data: [], warnings: [unknownExternalId(externalId)], reference }
      const found =
        reference.id === undefined
          ? undefined
          : await this.get(target, reference.id, mapping, context, selection).catch((error: unknown) => {
              if (error instanceof Problem && error.code === 'record_not_found') return undefined
              throw error
            })
      const { native } = found ?? {}
      return { data: found ? [found.data] : [], native, warnings: found?.warnings ?? [], reference }
    },

    async dryRun(
      target: Target,
      body: unknown,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      depth: DryRunDepth,
      id?: string,
      references: ReferenceMode = 'auto',
      guard?: 'duplicates' | 'confirmed',
    ) {
      usable(target, 'write')
      const operation = id === undefined ? 'create' : 'update'
      const { record, hash } = await checked(target, body, mapping, context, operation).catch((error: unknown) =>
        depth === 'steps' && id === undefined ? begunOr(target, body, error) : Promise.reject(error),
      )
      const replayed = depth === 'steps' && id === undefined ? await creates.settled(target, record, hash) : undefined
      if (replayed)
        return {
          ...nothingToSend,
          data: replayed.data,
          reference: { externalId: record.externalId, id: replayed.id, replayed: true },
          warnings: replayed.warnings,
          expectedWaitMs: 0,
        }
      if (guard && depth === 'steps' && id === undefined)
        await creates.refuseDuplicate(target, record, guardOn(target, body, guard))
      const plan = await planWrite(target, record, hash, context, { depth, id, references }).catch((error: unknown) =>
        offerLocations(target, context, error),
      )
      const { left, resetMs } = options.pacer.status(slotOf(target.connector, target.account))
      return { ...plan, expectedWaitMs: left > 0 ? 0 : Math.ceil(resetMs) }
    },

    async create(
      target: Target,
      body: unknown,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      onUnknown: 'report' | 'resend',
      references: ReferenceMode = 'auto',
      guard?: 'duplicates' | 'confirmed',
    ): Promise<Created> {
      usable(target, 'write')
      const { record, hash } = await checked(target, body, mapping, context, 'create').catch((error: unknown) =>
        begunOr(target, body, error),
      )
      return creates
        .create(target, record, hash, context, onUnknown, references, guard && guardOn(target, body, guard))
        .catch((error: unknown) => offerLocations(target, context, error))
    },

    async update(
      target: Target,
      id: string,
      body: unknown,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      ifVersion?: string,
      references: ReferenceMode = 'auto',
    ): Promise<Answer> {
      usable(target, 'write')
      const { record } = await checked(target, body, mapping, context, 'update')
      return updates
        .update(target, id, record, context, ifVersion, references)
        .catch((error: unknown) => offerLocations(target, context, error))
    },

    /** A call that the caller wrote, at the connector's own origin. */
    async native(account: Account, input: unknown, context: RequestContext): Promise<Called> {
      const owner = { account, connector: connectorOf(account) }
      checkState(owner)
      const { request, externalId } = nativeRequest(input, owner.connector, viewOf(account, owner.connector))
      if (externalId !== undefined) return natives.write(owner, externalId, request, context)
      return { answer: await natives.read(owner, request, context), replayed: false }
    },

    /** One cheap call that proves the connection of a stored account. */
    async test(account: Account, context: RequestContext): Promise<{ ok: true } | { ok: false; problem: Problem }> {
      try {
        await readAny(reading, targetOf, async () => ({ ...account, state: 'active' }), connectorOf(account), context)
        return { ok: true }
      } catch (error) {
        return { ok: false, problem: error as Problem }
      }
    },
    /** Why the account must not be called, because its workspace is for tests; undefined if it may be. */
    testFault: (account: Account) =>
      account.testOnly && !options.originOverride?.(account)
        ? testFault(connectorOf(account), account.settings)
        : undefined,
    /** Tests what is about to be stored. */
    verify: createVerify(options, targetOf, cursors),
    forgetFacts(accountId: string) {
      facts.forget(accountId)
      backgroundFacts.forget(accountId)
      markedFacts.forget(accountId)
      completed.forget(accountId)
      readers?.forgetFacts(accountId)
      ahead?.forget(accountId)
    },
    sweep: createSweep(store, resume),
    /** Open writes, settled by a person. */
    settlement: createSettlement(options, attempts, turns, resume),
    checkState,
    idle: turns.idle,
    writesUnderWay: turns.underWay,
    waiting: options.pacer.waiting,
    readThreads: () => readers?.status() ?? { threads: 0, reads: 0 },
    /** The shutdown begins: no walk goes on here. */
    stopReadingAhead: () => ahead?.close(),
    close: async () => readers?.close(),
  }
}

const nothingToSend = { steps: [], complete: true, references: [], missing: [] }

function overlaid(body: unknown, overlay: Overlay | undefined): unknown {
  if (!overlay || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const record = structuredClone(body) as Record<string, unknown>
  overlay.set(record, body)
  return record
}
