// Writes that are not done: in progress, with an unknown outcome, or written in part. A person can settle them.

import { existingAccount, existingWorkspace, missing, ofWorkspace } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import { identifier, oneOf } from '../../contract/field.ts'
import { openWrite, openWriteWithSteps, writeStateNames, writeStates } from '../../contract/manage/writes.ts'
import { named, object, optional, pageSchema, text } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { settlingsOf } from '../../engine/write/settlement.ts'
import type { OpenWrite, Store } from '../../store/store.ts'
import { platformProblems } from '../openapi-problems.ts'
import type { Query } from '../query.ts'
import { timed } from './explorer-call.ts'
import { defineRoute, type ManageCall, type ManageRoute, pageOf, pageQuery } from './route.ts'

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** The sweep takes up what may be found out later, and nothing that is final or partial. */
const isRetried = ({ state, detail: why }: OpenWrite) => state !== 'partial' && why !== 'final'

const wrongBody = (nativeId: string | undefined) =>
  new Problem('validation_failed', 'The body is not valid.', {
    errors: [
      nativeId === undefined
        ? { pointer: '/nativeId', message: 'is required: the platform id of the record' }
        : { pointer: '/nativeId', message: 'is not for a native call, which has no record; remove it' },
    ],
  })

export function writeRoutes(store: Store, engine: Engine): ManageRoute[] {
  const tag = 'Writes'
  const base = '/workspaces/{workspaceId}/accounts/{accountId}/writes/{writeId}'

  async function show(write: OpenWrite) {
    const { writeId, accountId, entityType, externalId, operation = 'create', nativeId, startedAt } = write
    return {
      writeId,
      accountId,
      platform: (await store.accounts.get(accountId))?.platform ?? '',
      operation,
      ...(operation === 'native' ? {} : { entityType }),
      externalId,
      nativeId,
      state: writeStateNames.find((name) => writeStates[name] === write.state) as keyof typeof writeStates,
      reason: write.state === 'partial' ? write.detail : undefined,
      startedAt,
      nextAttemptAt: !write.isHeld && isRetried(write) ? inMs(write.dueInMs) : undefined,
      settlings: write.isHeld ? [] : settlingsOf(write),
    }
  }
  function filterOf({ accountId, state, externalId }: Query) {
    if (state && !Object.hasOwn(writeStates, state))
      throw new Problem('invalid_parameter', `state must be one of ${writeStateNames.join(', ')}.`)
    return {
      accountId: accountId || undefined,
      state: state ? writeStates[state as keyof typeof writeStates] : undefined,
      externalId: externalId || undefined,
    }
  }
  async function found(parameters: Record<string, string>) {
    const account = await existingAccount(store, parameters)
    const { data } = await store.journal.openWrites(
      account.workspaceId,
      { accountId: account.id, writeId: parameters.writeId },
      { limit: 1 },
    )
    const [write] = data
    if (!write)
      throw missing(
        'open write: it is settled, or it never began',
        `Check writeId in the path: GET /manage/v1${ofWorkspace('/writes')} lists them.`,
      )
    return { account, write }
  }
  /** The action is in the audit log before anything is done. Calls to the platform need a usable account. */
  async function begun(
    { parameters, request, started }: Pick<ManageCall<never>, 'parameters' | 'request' | 'started'>,
    calls: boolean,
  ) {
    const { account, write } = await found(parameters)
    if (calls) engine.checkState({ account, connector: engine.connectorOf(account) })
    await started()
    return { account, write, context: timed(request).context }
  }
  const outcome = named('SettledWrite', {
    outcome: oneOf(['written', 'not_written'], 'What the write is now'),
    externalId: text(),
    nativeId: optional(text('Platform id of the record')),
  })
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/writes',
      operationId: 'listOpenWrites',
      role: 'viewer',
      summary: 'List writes that are in progress, have an unknown outcome, or were written in part, newest first',
      tag,
      query: {
        ...pageQuery,
        accountId: 'Writes of this account',
        state: `${writeStateNames.join(', ')}; all by default`,
        externalId: 'Writes with this externalId, or updates of the record with this platform id',
      },
      answer: pageSchema(named('OpenWrite', openWrite)),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const { data, next } = await store.journal.openWrites(id, filterOf(query), pageOf(query))
        return { data: await Promise.all(data.map(show)), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'getOpenWrite',
      role: 'viewer',
      summary: 'Read an open write with its content and steps',
      tag,
      scope: 'people',
      answer: openWriteWithSteps,
      handle: async ({ parameters }) => {
        const { write } = await found(parameters)
        const { record, steps, effectiveForMs } = await engine.settlement.about(write, write.writeId)
        return {
          ...(await show(write)),
          record,
          steps: steps.map(({ ageMs, ...rest }) => ({ ...rest, sentAt: inMs(-ageMs) })),
          effectiveUntil: effectiveForMs > 0 ? inMs(effectiveForMs) : undefined,
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/resend`,
      operationId: 'resendWrite',
      role: 'operator',
      problems: platformProblems,
      summary: 'Finish an open write: find out what the platform has, and send only what is missing',
      tag,
      answer: outcome,
      handle: async (call) => {
        const { account, write, context } = await begun(call, true)
        await engine.settlement.resend({ account }, write, write.writeId, context)
        const { nativeId } = (await store.journal.get(write)) ?? {}
        return { outcome: 'written', externalId: write.externalId, nativeId }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/written`,
      operationId: 'confirmWrite',
      role: 'operator',
      problems: platformProblems,
      summary: 'Settle an open create with the platform id of its record, which must exist, or a native call',
      tag,
      body: object({ nativeId: optional(identifier('Platform id of the record; none of a native call')) }),
      answer: outcome,
      handle: async (call) => {
        const { operation } = (await found(call.parameters)).write
        const { nativeId } = call.body
        if ((operation === 'native') !== (nativeId === undefined)) throw wrongBody(nativeId)
        const { account, write, context } = await begun(call, nativeId !== undefined)
        if (nativeId === undefined) {
          await engine.settlement.called(write, write.writeId, context)
          return { outcome: 'written', externalId: write.externalId }
        }
        const target = engine.target(account, write.entityType)
        const { id } = await engine.settlement.written(target, write, write.writeId, nativeId, context)
        return { outcome: 'written', externalId: write.externalId, nativeId: id }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/not-written`,
      operationId: 'discardWrite',
      role: 'operator',
      problems: platformProblems,
      summary: 'Settle an open write as not written; its key is free again',
      tag,
      answer: outcome,
      handle: async (call) => {
        const { write, context } = await begun(call, false)
        await engine.settlement.notWritten(write, write.writeId, context)
        return { outcome: 'not_written', externalId: write.externalId }
      },
    }),
  ]
}
