// Writing from the explorer: the same engine functions as the unified routes, so that key, journal and references work
// the same.

import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import { draft, forRecord, plan, verdict, withVersion, written } from '../../contract/manage/explorer.ts'
import { object, optional } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { updatedReference } from '../../engine/identity.ts'
import type { Target } from '../../engine/target.ts'
import type { Store } from '../../store/store.ts'
import { platformProblems } from '../openapi-problems.ts'
import { explorerBase } from './explorer.ts'
import { callerRequest, callSummary, createAsking } from './explorer-call.ts'
import { defineRoute, type ManageRoute } from './route.ts'

function mustWrite({ adapter, connector, flavor }: Target, operation: 'create' | 'update'): void {
  const { writable, entityType } = flavor.definition
  if (!writable || !adapter[operation])
    throw new Problem(
      'method_not_allowed',
      `${connector.name} does not support ${operation} for ${entityType}. GET /unified/{accountId} lists what it supports.`,
      {
        headers: { allow: 'GET' },
      },
    )
}
const externalIdOf = (record: unknown): string => (record as { externalId: string }).externalId

export function explorerWriteRoutes(store: Store, engine: Engine): ManageRoute[] {
  const tag = 'Explorer'
  const ask = createAsking(store, engine)
  return [
    defineRoute({
      method: 'POST',
      path: `${explorerBase}/{entityType}/validation`,
      operationId: 'validateRecord',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Validate a record without calling the platform',
      tag,
      body: object({ ...draft, ...forRecord }),
      answer: verdict,
      handle: async (call) => {
        const { record, id, mappingKey } = call.body
        const { target, mapping, context } = await ask(call, 'write', mappingKey)
        mustWrite(target, id === undefined ? 'create' : 'update')
        try {
          const { missing, warnings, references } = await engine.dryRun({
            target,
            body: record,
            mapping,
            context,
            id,
            depth: 'check',
          })
          return { valid: missing.length === 0, errors: missing, warnings, references }
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error
          return { valid: false, errors: error.errors ?? [], warnings: [], references: [] }
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${explorerBase}/{entityType}/dry-run`,
      operationId: 'planRecord',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Show the native requests of a write without sending them',
      tag,
      body: object({ ...draft, ...forRecord }),
      answer: plan,
      handle: async (call) => {
        const { record, id, mappingKey } = call.body
        const asking = await ask(call, 'write', mappingKey)
        mustWrite(asking.target, id === undefined ? 'create' : 'update')
        const planned = await engine.dryRun({ ...asking, body: record, id, depth: 'steps' })
        const callersRequest =
          id === undefined
            ? callerRequest(asking, { method: 'POST', query: { dryRun: 'true' }, body: record })
            : callerRequest(asking, { method: 'PUT', id, body: record })
        return { ...planned, ...callSummary(asking, callersRequest) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${explorerBase}/{entityType}/records`,
      operationId: 'writeRecord',
      role: 'operator',
      problems: platformProblems,
      summary: 'Write a record by its externalId; the same record is replayed, not written again',
      tag,
      body: object({ ...draft, onUnknown: optional(Type.Literal('resend')) }),
      answer: written,
      handle: async (call) => {
        const { record, mappingKey, onUnknown } = call.body
        const asking = await ask(call, 'write', mappingKey)
        mustWrite(asking.target, 'create')
        await call.started()
        const { data, id, version, warnings, replayed } = await engine.create({ ...asking, body: record, onUnknown })
        const callersRequest = callerRequest(asking, { method: 'POST', query: { onUnknown }, body: record })
        return {
          data,
          version,
          reference: { externalId: externalIdOf(record), id, replayed },
          warnings,
          ...callSummary(asking, callersRequest),
        }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${explorerBase}/{entityType}/records/{id}`,
      operationId: 'replaceRecord',
      role: 'operator',
      problems: platformProblems,
      summary: 'Replace a record',
      tag,
      body: object({ ...draft, ...withVersion }),
      answer: written,
      handle: async (call) => {
        const { record, mappingKey, ifMatch: version } = call.body
        const asking = await ask(call, 'write', mappingKey)
        mustWrite(asking.target, 'update')
        await call.started()
        const updated = await engine.update({
          ...asking,
          id: call.parameters.id as string,
          body: record,
          ifVersion: version,
        })
        const callersRequest = callerRequest(asking, { method: 'PUT', id: updated.id, body: record, version })
        return {
          data: updated.data,
          version: updated.version,
          reference: updatedReference(record, updated),
          warnings: updated.warnings,
          ...callSummary(asking, callersRequest),
        }
      },
    }),
  ]
}
