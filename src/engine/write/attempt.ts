// One attempt to write: the call object with its steps, and the answer made of what the platform then has.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, NativeRequest, ReadCall, Write, WriteCall, Written } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityDefinition, EntityType } from '../../contract/entity.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import { valueAt } from '../../contract/pointer.ts'
import type { EntryKey } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { createReadCall, type Ending } from '../call.ts'
import { type CustomValues, customWarnings, namedRefusal } from '../custom.ts'
import type { Facts } from '../facts.ts'
import { retryLater } from '../failures.ts'
import { compileOverlay } from '../mapping.ts'
import { defaultMapping } from '../mapping-selection.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import type { Operation } from '../outbound/channel.ts'
import { outside } from '../outbound/outside.ts'
import { LostAnswer, type Outbound } from '../outbound/retry.ts'
import { toUnified } from '../read/normalize.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { canonical } from './canonical.ts'
import type { Lease } from './lease.ts'
import { invented, keptWarnings } from './left-out.ts'
import { assumedReferences, type Resolved } from './references.ts'
import { notStored, unexpected } from './requirements.ts'
import { createSteps, type StepLog, type Steps } from './steps.ts'
import { otherTotal } from './totals.ts'

export interface Answer {
  data: UnifiedRecord
  id: string
  version?: string | undefined // of the row that `data` is made of
  warnings: Warning[]
}
export interface Attempt {
  steps: Steps
  readCall: ReadCall
  ending: Ending
  /** How the references of the record were read, from then on. */
  references?: Resolved
}
interface Writing {
  lease?: Lease
  unclaimed?(id: string): Promise<boolean>
  identity: string
  content: string
  log: StepLog
  resumed: boolean
  resendUnknown: boolean
  send?: Outbound['send'] // by default that of the outbound channel
}
export interface Attempts {
  begin(
    target: Pick<Target, 'account' | 'connector'>,
    context: RequestContext,
    now: string,
    writing: Writing,
  ): Promise<Attempt>
  /**
   * What the caller gets: the record as the platform now has it, and a warning for everything it did not store. `before`
   * is what an update replaced.
   */
  answer(
    target: Target,
    attempt: Attempt,
    write: Write<EntityType>,
    content: {
      sent: UnifiedRecord
      asked: UnifiedRecord
      custom: CustomValues | undefined
      before?: UnifiedRecord | undefined
      exactTotals?: boolean | undefined
    },
    written: Written<unknown>,
  ): Promise<Answer & { stored: UnifiedRecord }> // `stored`: without the default mapping
}

/** Keys and references at the platform are derived from it. */
export const identityOf = ({ accountId, entityType, externalId }: EntryKey) =>
  JSON.stringify([accountId, entityType, externalId])

/** The platform's ids in a record, which a body may have and which say nothing: those of lines. */
const ownIdsIn = ({ computed }: EntityDefinition) => computed.filter((pointer) => pointer.endsWith('/externalId'))

const notShown = ({ id, name }: Connector) =>
  new Problem('downstream_error', `${name} took the record but does not show it yet.`, {
    downstream: { platform: id },
    headers: retryLater,
  })

/** Writes a record, and then the custom fields that differ from what the platform has. */
export async function withCustom(
  { adapter, connector }: Target,
  call: WriteCall,
  custom: CustomValues | undefined,
  values: Readonly<Record<string, unknown>>, // those that differ, by native pointer
  run: () => Promise<Written<unknown>>,
): Promise<Written<unknown>> {
  const written = await run()
  if (!custom || !adapter.custom || Object.keys(values).length === 0) return written
  const row = written.row ?? (await adapter.get?.(call, written.id))
  if (row === undefined) throw notShown(connector)
  try {
    return { id: written.id, row: await adapter.custom.set(call, row, values) }
  } catch (error) {
    throw namedRefusal(error, custom, values)
  }
}

/** For writes that can be repeated as a whole: their steps need no journal. */
export const memoryLog = (): StepLog => ({
  load: async () => [],
  sent: async () => {},
  done: async () => {},
  forgotten: async () => {},
})

export function createAttempts(options: EngineOptions, outbound: Outbound, facts: Facts): Attempts {
  const stages = createStages(options)
  return {
    async begin(target, context, now, write) {
      const ending: Ending = { ended: false }
      const operation: Operation = {
        account: target.account,
        connector: target.connector,
        context,
        patient: write.resumed,
        fence: write.lease,
      }
      const readCall = createReadCall(operation, outbound, facts, now, ending)
      const send = async (request: NativeRequest) => {
        const patient = operation.patient
        try {
          const response = await (write.send ?? outbound.send)(operation, request, 'write')
          operation.patient = true
          return response
        } catch (error) {
          operation.patient = patient || error instanceof LostAnswer
          throw error
        }
      }
      const steps = await createSteps({
        log: write.log,
        send,
        readCall,
        identity: write.identity,
        content: write.content,
        ending,
        resendUnknown: write.resendUnknown,
        lease: write.lease,
        unclaimed: write.unclaimed,
        callTimeoutMs: options.callTimeoutMs,
        now: () => performance.now(),
        pause: (milliseconds) => outside(context, () => sleep(milliseconds)),
        scale: options.paceScale,
        onRecovery: (name, how) => stages.say(context, 'recovery', `"${name}": ${how}`),
      })
      return { steps, readCall, ending }
    },

    async answer(target, { readCall, references }, write, { sent, asked, custom, before, exactTotals }, written) {
      const { adapter, flavor, connector, account } = target
      if (typeof written.id !== 'string' || written.id === '')
        throw new Problem('downstream_error', `${connector.name} took the record but did not say its id.`, {
          downstream: { platform: connector.id },
        })
      const row = written.row ?? (await adapter.get?.(readCall, written.id))
      if (row === undefined) throw notShown(connector)
      const view = viewOf(account, connector)
      const builtIn: Warning[] = []
      const fallback = { ...sent, externalId: written.id } as UnifiedRecord
      const read = toUnified(adapter, row, flavor, view, builtIn)
      const stored = read ?? fallback
      // A write responds with what a read by default returns.
      const mapping = await defaultMapping(options.store, target, 'read')
      const mapped: Warning[] = []
      const data = mapping
        ? (toUnified(adapter, row, flavor, view, mapped, compileOverlay(mapping, flavor)) ?? fallback)
        : stored
      // A value that the platform has anyway, as after a read, is not missing.
      const declared = notStored(asked, write, connector).filter(
        ({ pointer }) =>
          pointer === undefined || canonical(valueAt(asked, pointer)) !== canonical(valueAt(stored, pointer)),
      )
      const differing = exactTotals ? otherTotal(asked, stored, target) : []
      const assumed = (references ? assumedReferences(references, connector) : []).filter(
        ({ pointer }) => !declared.some((one) => one.pointer === pointer),
      )
      return {
        data,
        stored,
        id: written.id,
        version: read && adapter.version?.(row),
        // Compared without the mapping: it says what the platform stored.
        warnings: [
          ...assumed,
          ...differing,
          ...declared.filter(({ pointer }) => !differing.some((one) => one.pointer === pointer)),
          ...unexpected(sent, stored, [...differing, ...declared, ...builtIn], connector, ownIdsIn(flavor.definition)),
          ...invented(sent, before, stored, connector),
          ...(before ? keptWarnings(sent, before, stored, target) : []),
          ...customWarnings(custom, row, connector),
          ...(mapping ? mapped : builtIn),
        ],
      }
    },
  }
}
