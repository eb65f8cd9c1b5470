// The engine: everything the unified routes do, for any platform. This file connects its use cases.
import type { HookCall } from '../contract/connector.ts'
import type { Account } from '../store/store.ts'
import { createAccountFacts } from './account-facts.ts'
import { viewOf } from './account-view.ts'
import { createBackground } from './background.ts'
import { createExplore } from './explorer/explore.ts'
import { createMappingSelection } from './mapping-selection.ts'
import { nativeRequest } from './native-request.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { createChannel } from './outbound/channel.ts'
import { createCredentials } from './outbound/credentials.ts'
import { createPlatformClocks } from './outbound/platform-clock.ts'
import { createOutbound, type Outbound } from './outbound/retry.ts'
import { createVerify } from './outbound/verify.ts'
import { createCursors } from './read/cursor.ts'
import { unifying } from './read/list.ts'
import { createReads, createRows } from './read/read-records.ts'
import type { CreateReaders } from './read/readers.ts'
import { createReadings, type Readings } from './read/readings.ts'
import { createTargets, type Targets } from './target.ts'
import { checkState } from './usable.ts'
import { createAttempts } from './write/attempt.ts'
import { createCreates } from './write/create.ts'
import { createDryRun } from './write/dry-run.ts'
import { createLocationChoices } from './write/location-choices.ts'
import { type Called, createNativeCalls } from './write/native-calls.ts'
import { createSettlement } from './write/settlement.ts'
import { createSweep, type Resume } from './write/sweep.ts'
import { createTurns } from './write/turns.ts'
import { createUpdates } from './write/update.ts'
import { createWrites } from './write/write-records.ts'

export type { Selection } from './read/read-records.ts'
export type Engine = ReturnType<typeof createEngine>

export function createEngine(options: EngineOptions, createReaders?: CreateReaders) {
  const { store } = options
  const credentials = createCredentials(options)
  const targets = createTargets(options.connectors)
  const { connectorOf, ruleScope, target } = targets
  const clocks = createPlatformClocks()
  const channel = createChannel(options, credentials, {
    clocks,
    onWrite: (accountId) => readings.forgetPages(accountId),
  })
  const outbound = createOutbound(channel, options.paceScale)
  const cursors = createCursors(options.vault)
  const readings = createReadings(options, { channel, outbound, cursors }, createReaders)
  const { forget: forgetFacts, readThreads, stopReadingAhead, close } = readings
  const mappings = createMappingSelection(store, cursors)
  const rows = createRows(store, readings)
  const verify = createVerify(options, target, cursors)

  return {
    target,
    connectorOf,
    ruleScope,
    mappings,
    credentials,
    checkState,
    ...createAccountFacts(options, targets, mappings, readings.request, verify),
    ...createReads(store, readings, rows, mappings),
    ...createWriting(options, { targets, outbound, readings, mappings }),
    background: createBackground(readings.background, readings.facts.background, clocks),
    /** Calls about webhooks of the platform. What they send is not journaled. */
    hooks: <T>(account: Account, context: RequestContext, run: (call: HookCall) => Promise<T>): Promise<T> =>
      readings.background.through({ account, connector: connectorOf(account) }, context, (call, operation) =>
        run({ ...call, send: (request) => outbound.send(operation, request, 'write') }),
      ),
    /** The same pages and records with the native rows beside them. */
    explore: createExplore({ ...rows, unify: unifying }),
    /** Tests what is about to be stored. */
    verify,
    forgetFacts,
    waiting: options.pacer.waiting,
    readThreads,
    stopReadingAhead,
    close,
  }
}

/** Everything that writes: records, native calls, and what an interrupted write still needs. */
function createWriting(
  options: EngineOptions,
  {
    targets,
    outbound,
    readings,
    mappings,
  }: {
    targets: Targets
    outbound: Outbound
    readings: Readings
    mappings: ReturnType<typeof createMappingSelection>
  },
) {
  const { store } = options
  const { connectorOf, target } = targets
  const attempts = createAttempts(options, outbound, readings.facts.request)
  const turns = createTurns()
  const creates = createCreates(options, attempts, turns)
  const updates = createUpdates(options, attempts, turns, creates.awaitWrite)
  const natives = createNativeCalls(options, outbound, attempts, turns)
  const planWrite = createDryRun(store, attempts)
  const offerLocations = createLocationChoices(readings.request, target, unifying)
  const resume: Resume = (account, key, context) =>
    key.operation === 'native'
      ? natives.resume({ account, connector: connectorOf(account) }, key, context)
      : (key.operation === 'update' ? updates : creates).resume(target(account, key.entityType), key, context)

  return {
    ...createWrites(options, mappings, { creates, updates, planWrite, offerLocations }),
    /** A call that the caller wrote, at the connector's own origin. */
    async native(account: Account, input: unknown, context: RequestContext): Promise<Called> {
      const owner = { account, connector: connectorOf(account) }
      checkState(owner)
      const { request, externalId } = nativeRequest(input, owner.connector, viewOf(account, owner.connector))
      if (externalId !== undefined) return natives.write(owner, externalId, request, context)
      return { answer: await natives.read(owner, request, context), replayed: false }
    },
    sweep: createSweep(store, resume),
    /** Open writes, settled by a person. */
    settlement: createSettlement(options, attempts, turns, resume),
    idle: turns.idle,
    writesUnderWay: turns.underWay,
  }
}
