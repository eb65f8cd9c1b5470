// A write that is planned and not sent: the create function runs on a call object whose steps only take notes.
import type { NativeRequest, ReadCall, Step, Write, WriteCall } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityType, Pointer, ReferenceMode } from '../../contract/entity.ts'
import type { Violation, Warning } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { viewOf } from '../account-view.ts'
import { customChanges, type Writable } from '../custom.ts'
import { ownRefusal, problemOf } from '../failures.ts'
import { ignoredExternalId, throwNamed } from '../identity.ts'
import type { EngineStore, RequestContext } from '../options.ts'
import { LostAnswer } from '../outbound/retry.ts'
import { toUnified } from '../read/normalize.ts'
import type { Target } from '../target.ts'
import { type Attempts, identityOf, memoryLog } from './attempt.ts'
import { complete, withoutComputed } from './left-out.ts'
import { assumedReferences, explainReferences, lookUpReferences, type Resolved } from './references.ts'
import { notStored, targetViolations } from './requirements.ts'
import { keyOf, referenceOf } from './steps.ts'
import { refuseOtherTotal } from './totals.ts'
import { currentRow } from './update-run.ts'

export interface PlannedStep {
  name: string
  request: NativeRequest // never with credentials: those are added on the way out
  recovery: 'key' | 'repeat' | 'find' | 'none'
}
interface Plan {
  steps: PlannedStep[]
  /** False when the later steps depend on answers that only the platform can give. */
  complete: boolean
}

/** The plan of a POST or a PUT. */
export interface DryRun extends Plan {
  references: Resolved['replaced']
  missing: readonly Violation[]
  warnings: readonly Warning[]
}
/**
 * `steps`: what would be sent, which may take calls that only read. `check`: what can be said without any call to the
 * platform.
 */
export type DryRunDepth = 'steps' | 'check'
export type PlanWrite = (
  target: Target,
  record: Writable,
  hash: string,
  context: RequestContext,
  options: {
    depth: DryRunDepth
    references: ReferenceMode
    id?: string | undefined
    cleared?: readonly Pointer[] | undefined
    exactTotals?: boolean | undefined
  },
) => Promise<DryRun>

export function createDryRun(store: EngineStore, attempts: Attempts): PlanWrite {
  return async (target, { custom, ...rest }, hash, context, { depth, references: mode, id, cleared, exactTotals }) => {
    const record = rest as UnifiedRecord
    const { account, connector, adapter, flavor } = target
    const { entityType } = flavor.definition
    const write = (id === undefined ? adapter.create : adapter.update) as Write<EntityType>
    const identity =
      id === undefined
        ? identityOf({ accountId: account.id, entityType, externalId: record.externalId })
        : JSON.stringify([account.id, entityType, 'put', id])
    const view = viewOf(account, connector)
    const missing = targetViolations(record, write, view, id === undefined ? 'none' : 'unread')
    const declared = notStored(record, write, connector)
    const resolving = { mode, awaitWrite: async () => 'none' as const }
    const found = await lookUpReferences(store, account.id, entityType, record, resolving)
    if (depth === 'check' || missing.length > 0 || (id === undefined && found.unknown.length > 0)) {
      // The record that an update replaces is not read here, so it is unknown which of its references are unchanged.
      const [unknown, assumed] = id === undefined ? [found.unknown, assumedReferences(found, connector)] : [[], []]
      const violations = [...missing, ...unknown]
      const warnings = [...assumed, ...declared]
      return { steps: [], complete: false, references: found.replaced, missing: violations, warnings }
    }
    const attempt = await attempts.begin(target, context, new Date().toISOString(), {
      identity,
      content: hash,
      log: memoryLog(),
      resumed: false,
      resendUnknown: false,
    })
    try {
      const { readCall } = attempt
      const row =
        id === undefined
          ? undefined
          : await currentRow(target, readCall, id).catch((error) => throwNamed(store, target, id, error))
      const ignored = id === undefined ? [] : await ignoredExternalId(store, target, readCall, id, record)
      const current = id === undefined ? undefined : toUnified(adapter, row, flavor, view, [])
      const resolved = current
        ? await lookUpReferences(store, account.id, entityType, record, { ...resolving, current })
        : found
      const { replaced, unknown, record: sent } = resolved
      const warnings = [...ignored, ...assumedReferences(resolved, connector), ...declared]
      const { values, refused } = customChanges(adapter.custom, custom, row ?? {}, connector)
      if (refused.length > 0) throw ownRefusal('target_refuses', connector, refused)
      if (unknown.length > 0) return { steps: [], complete: false, references: replaced, missing: unknown, warnings }
      if (exactTotals && id === undefined) await refuseOtherTotal(target, readCall, sent)
      const plan = await planSteps(
        readCall,
        referenceOf(identity),
        (step) => keyOf(identity, hash, step),
        async (call) => {
          const written = await (id === undefined
            ? adapter.create?.run(call, withoutComputed(sent, flavor.definition) as never)
            : adapter.update?.run(
                call,
                row,
                complete(sent, current, current, adapter.update, flavor.definition, cleared) as never,
              ))
          if (Object.keys(values).length > 0)
            await adapter.custom?.set(call, written?.row ?? row ?? placeholder('record'), values)
        },
      )
      return { ...plan, references: replaced, missing, warnings }
    } catch (error) {
      throw explainReferences(problemOf(error, connector, write, { sent: record }), found, connector)
    } finally {
      attempt.ending.ended = true
    }
  }
}

async function planSteps(
  readCall: ReadCall,
  reference: string,
  key: (step: string) => string,
  run: (call: WriteCall) => Promise<unknown>,
): Promise<Plan> {
  const steps: PlannedStep[] = []
  const call: WriteCall = {
    ...readCall,
    reference,
    key,
    async write<T>(name: string, step: Step<T>): Promise<T> {
      steps.push({
        name,
        request: JSON.parse(JSON.stringify(step.request)),
        recovery: typeof step.recovery === 'string' ? step.recovery : 'find',
      })
      return placeholder(name) as T
    },
  }
  try {
    await run(call)
    return { steps, complete: true }
  } catch (error) {
    // Before the first step it is the platform or the connector that refuses; after it, a placeholder was asked for
    // more than it can be.
    if (
      steps.length === 0 ||
      error instanceof LostAnswer ||
      (error instanceof NativeFailure && error.error.kind !== 'not_found')
    )
      throw error
    return { steps, complete: false }
  }
}

/** Stands for an answer that was never given: any part of it reads as `{step}`. */
function placeholder(name: string): unknown {
  const text = `{${name}}`
  return new Proxy(() => text, {
    get: (_, part) => {
      if (part === Symbol.toPrimitive || part === 'toString' || part === 'toJSON' || part === 'valueOf')
        return () => text
      if (part === 'then' || typeof part === 'symbol') return undefined
      return placeholder(name)
    },
  })
}
