import { entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { warning } from '../../contract/manage/explorer.ts'
import { ruleEffect } from '../../contract/manage/mappings.ts'
import { anything, listOf, object, optional, text } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { previewMapping } from '../../engine/explorer/mapping-preview.ts'
import type { Store } from '../../store/store.ts'
import { platformProblems } from '../openapi-problems.ts'
import { createAsking } from './explorer-call.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export function mappingPreviewRoutes(store: Store, engine: Engine): ManageRoute[] {
  const ask = createAsking(store, engine)
  return [
    defineRoute({
      method: 'POST',
      path: '/workspaces/{workspaceId}/accounts/{accountId}/mappings/preview',
      operationId: 'previewMapping',
      role: 'viewer',
      problems: platformProblems,
      summary: 'Preview rules on one record; invalid rules are rejected with a reason',
      tag: 'Mappings',
      body: object({
        entityType: oneOf(entityTypes, 'Unified entity type'),
        direction: oneOf(['read', 'write'], 'Direction of the mapping'),
        rules: anything('Unified pointer -> rule'),
        native: optional(anything('For reads: a native row from an explorer response')),
        recordId: optional(text('For reads, instead of `native`: the platform id')),
        record: optional(anything("For writes: the caller's record")),
      }),
      answer: object({
        before: optional(anything('The record without the rules')),
        after: optional(anything('The record with the rules; absent if it is no longer valid')),
        rules: listOf(ruleEffect),
        warnings: listOf(warning),
      }),
      handle: async (call) => {
        const { entityType, direction, rules, native, recordId, record } = call.body
        const { target, context } = await ask(
          { ...call, parameters: { ...call.parameters, entityType } },
          direction,
          undefined,
        )
        const given =
          direction === 'write'
            ? record
            : (native ??
              (recordId === undefined
                ? undefined
                : (await engine.explore.record(target, recordId, undefined, context)).native))
        if (typeof given !== 'object' || given === null)
          throw new Problem('validation_failed', 'A preview requires a record.', {
            errors: [{ pointer: direction === 'write' ? '/record' : '/native', message: 'is required' }],
          })
        return previewMapping(target, direction, rules, given)
      },
    }),
  ]
}
