// Tools that write, and the preview of a write. A create is always guarded against duplicates.
import { Type } from 'typebox'
import { Problem } from '../contract/errors.ts'
import { updatedReference } from '../engine/identity.ts'
import { isWritable, type Target } from '../engine/target.ts'
import { keepingHidden } from './hidden-fields.ts'
import { targetOf } from './read-tools.ts'
import {
  accountId,
  anyObject,
  defineTool,
  entityType,
  nativeId,
  objectOf,
  optional,
  references,
  type ToolCall,
  text,
  unifiedRecord,
  warnings,
  withWarnings,
} from './tool.ts'

const record = anyObject('As describe_entity says, without externalId')
const externalId = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Your id of the new record and the idempotency key. Derive it from what the record is, such as an order number, a ticket or a message id, never from the time or a random number. To retry, send the same externalId: the record is not written twice',
})
const written = objectOf({
  record: unifiedRecord,
  reference: anyObject("externalId: yours. id: the platform's. replayed: it was written before"),
  warnings: optional(warnings),
})

async function writableTarget(
  call: ToolCall,
  input: { accountId: string; entityType: string },
  operation: 'create' | 'update',
): Promise<Target> {
  const target = await targetOf(call, input)
  if (isWritable(target, operation)) return target
  throw new Problem(
    'method_not_allowed',
    `${target.connector.name} cannot ${operation} ${input.entityType} records. list_accounts names the operations of each entity.`,
  )
}
/** With its key, which is an argument of its own. One in the record can only be the same. */
function bodyOf(given: Record<string, unknown>, key: string): Record<string, unknown> {
  if (given.externalId !== undefined && given.externalId !== key)
    throw new Problem('validation_failed', 'The record has another externalId than the argument.', {
      errors: [{ pointer: '/record/externalId', message: 'must be absent or equal to the argument externalId' }],
    })
  return { ...given, externalId: key }
}

/** The record of an update, and the version that it replaces. */
async function replacing(call: ToolCall, target: Target, input: { id: string; record: object; ifVersion?: string }) {
  const { credential, engine } = call
  const body = { externalId: input.id, ...input.record }
  if (!credential.hiddenFields) return { body, ifVersion: input.ifVersion }
  const mapping = await engine.mappings.byDefault(target, 'read')
  const { data, version } = await engine.get(target, input.id, mapping, call.contextOf(target.account))
  return {
    body: keepingHidden(body, data, credential, target.flavor.definition),
    ifVersion: input.ifVersion ?? version,
  }
}

const previewWrite = defineTool({
  name: 'preview_write',
  title: 'Preview a write',
  description:
    'What create_record (with externalId) or update_record (with id) would do, without writing: native requests, missing fields, warnings and the expected wait. It fails as the write would, with possible_duplicate too.',
  scope: 'records:write',
  operation: 'dry_run',
  kind: 'read',
  input: objectOf({
    accountId,
    entityType,
    record,
    externalId: optional(text('For a create')),
    id: optional(text('For an update')),
    confirmDuplicate: optional(Type.Boolean()),
    references: optional(references),
  }),
  output: Type.Object({
    steps: Type.Array(anyObject('A native request')),
    complete: Type.Boolean({ description: 'False: later steps depend on the answers to these' }),
    missing: Type.Array(anyObject()),
    warnings: Type.Array(anyObject()),
    expectedWaitMs: Type.Number(),
    reference: optional(anyObject('It was written before under this externalId')),
  }),
  async run(call, input) {
    const key = input.id ?? input.externalId
    if (key === undefined || (input.id !== undefined && input.externalId !== undefined))
      throw new Problem('validation_failed', 'Send externalId for a create, or id for an update.', {
        errors: [
          { pointer: input.id === undefined ? '/externalId' : '/id', message: 'exactly one of the two is needed' },
        ],
      })
    call.subject.id = input.id
    call.subject.externalId = input.externalId
    const target = await writableTarget(call, input, input.id === undefined ? 'create' : 'update')
    const { id } = input
    const { body } =
      id === undefined ? { body: bodyOf(input.record, key) } : await replacing(call, target, { ...input, id })
    const mapping = await call.engine.mappings.byDefault(target, 'write')
    const context = call.contextOf(target.account)
    const guard = input.confirmDuplicate ? 'confirmed' : 'duplicates'
    const plan = await call.engine.dryRun({
      target,
      body,
      mapping,
      context,
      depth: 'steps',
      id,
      references: input.references,
      guard,
    })
    const { credential } = call
    return {
      // The requests of an update also have what the key hides.
      steps: id !== undefined && credential.hiddenFields ? [] : plan.steps,
      complete: plan.complete,
      missing: [...plan.missing],
      warnings: [...plan.warnings],
      expectedWaitMs: plan.expectedWaitMs,
      reference: 'reference' in plan ? plan.reference : undefined,
    }
  },
})

const createRecord = defineTool({
  name: 'create_record',
  title: 'Create a record',
  description:
    'Writes one record, once per externalId. If the response is lost, call it again with the same arguments. The same content under another externalId within an hour is possible_duplicate with the first record: use that record, and set confirmDuplicate only if a second one is really meant.',
  scope: 'records:write',
  operation: 'create',
  kind: 'create',
  input: objectOf({
    accountId,
    entityType,
    externalId,
    record,
    confirmDuplicate: optional(Type.Boolean({ description: 'Write it although the same content was just written' })),
    onUnknown: optional(
      Type.Unsafe<'resend'>({
        type: 'string',
        enum: ['resend'],
        description: 'Only after outcome_unknown, and after a look at the platform that the record is not there',
      }),
    ),
    references: optional(references),
  }),
  output: written,
  async run(call, input) {
    call.subject.externalId = input.externalId
    const target = await writableTarget(call, input, 'create')
    const mapping = await call.engine.mappings.byDefault(target, 'write')
    const created = await call.engine.create({
      target,
      body: bodyOf(input.record, input.externalId),
      mapping,
      context: call.contextOf(target.account),
      onUnknown: input.onUnknown,
      references: input.references,
      guard: input.confirmDuplicate ? 'confirmed' : 'duplicates',
    })
    call.subject.id = created.id
    call.subject.replayed = created.replayed
    return {
      record: created.data,
      reference: { externalId: input.externalId, id: created.id, replayed: created.replayed },
      ...withWarnings(created.warnings),
    }
  },
})

const updateRecord = defineTool({
  name: 'update_record',
  title: 'Replace a record',
  description:
    'Replaces one record: a field that you leave out is cleared. Read it with get_record, change it, send it whole. Calling it again with the same arguments is safe.',
  scope: 'records:write',
  operation: 'update',
  kind: 'update',
  input: objectOf({
    accountId,
    entityType,
    id: nativeId,
    record,
    ifVersion: optional(text('version of get_record: fails if the record has changed since')),
    references: optional(references),
  }),
  output: written,
  async run(call, input) {
    call.subject.id = input.id
    const target = await writableTarget(call, input, 'update')
    const { body, ifVersion } = await replacing(call, target, input)
    const mapping = await call.engine.mappings.byDefault(target, 'write')
    const context = call.contextOf(target.account)
    const updated = await call.engine.update({
      target,
      id: input.id,
      body,
      mapping,
      context,
      ifVersion,
      references: input.references,
    })
    return {
      record: updated.data,
      reference: updatedReference(body, updated),
      ...withWarnings(updated.warnings),
    }
  },
})

export const writeTools = [previewWrite, createRecord, updateRecord]
