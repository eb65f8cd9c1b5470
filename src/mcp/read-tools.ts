// Tools that read.
import { type TSchema, Type } from 'typebox'
import { Problem, type Warning } from '../contract/errors.ts'
import { flavorExample } from '../contract/example.ts'
import { instantFault, toInstant } from '../contract/instant.ts'
import { isIdentifier, publishedSchema } from '../contract/validation.ts'
import type { ListQuery } from '../engine/read/page.ts'
import { isTest } from '../engine/settings.ts'
import type { EntitySupport } from '../engine/support.ts'
import type { Target } from '../engine/target.ts'
import type { Account } from '../store/store.ts'
import {
  accountId,
  anyObject,
  cursor,
  defaultPageSize,
  defineTool,
  entityType,
  entityTypesField,
  nativeId,
  nextCursor,
  objectOf,
  optional,
  pageSize,
  records,
  type ToolCall,
  text,
  unifiedRecord,
  warnings,
  withWarnings,
} from './tool.ts'

async function accountOf(call: ToolCall, id: string): Promise<Account> {
  const account = await call.permissions.account(call.credential, id)
  call.engine.connectorOf(account)
  call.subject.account = account
  return account
}
export async function targetOf(call: ToolCall, input: { accountId: string; entityType: string }): Promise<Target> {
  call.subject.entityType = input.entityType
  const account = await accountOf(call, input.accountId)
  call.permissions.check(call.credential, { scope: 'any', entityType: input.entityType })
  return call.engine.target(account, input.entityType)
}
const operationsOf = ({ read, write, update }: EntitySupport): string[] => [
  ...(read ? ['read'] : []),
  ...(write ? ['create'] : []),
  ...(update ? ['update'] : []),
]

const listAccounts = defineTool({
  name: 'list_accounts',
  title: 'List accounts',
  description: 'Connected businesses, each with its platform and what can be done with each entity. Start here.',
  scope: 'records:read',
  operation: 'accounts',
  kind: 'read',
  input: objectOf({
    search: optional(text('Start of the id or name')),
    cursor: optional(cursor),
    pageSize: optional(pageSize),
  }),
  output: objectOf({
    accounts: Type.Array(
      Type.Object({
        accountId: text(),
        name: text(),
        platform: text(),
        vertical: text(),
        state: text('Only an active account can be used'),
        test: optional(Type.Boolean({ description: 'A sandbox of the platform' })),
        entities: anyObject('Operations per entity'),
      }),
    ),
    nextCursor: optional(nextCursor),
  }),
  async run({ store, engine, permissions, credential }, { search, cursor: after, pageSize: limit = defaultPageSize }) {
    const show = (account: Account) => ({
      accountId: account.id,
      name: account.name,
      platform: account.platform,
      vertical: account.vertical,
      state: account.state,
      test: isTest(engine.connectorOf(account), account.settings) || undefined,
      entities: Object.fromEntries(
        Object.entries(permissions.entities(credential, engine.support(account))).map(([name, support]) => [
          name,
          operationsOf(support),
        ]),
      ),
    })
    const { accounts: limited } = credential
    if (!limited) {
      const query = { limit, ...(after === undefined ? {} : { after }) }
      const { data, next } = await store.accounts.list(credential.workspaceId, query, search ? { search } : {})
      return { accounts: data.map(show), nextCursor: next }
    }
    const found = await Promise.all([...limited].sort().map((id) => store.accounts.get(id, credential)))
    const shown = found.flatMap((account) =>
      account?.workspaceId === credential.workspaceId &&
      account.id > (after ?? '') &&
      (!search || account.id.startsWith(search) || account.name.toLowerCase().startsWith(search.toLowerCase()))
        ? [show(account)]
        : [],
    )
    return {
      accounts: shown.slice(0, limit),
      nextCursor: shown.length > limit ? shown[limit - 1]?.accountId : undefined,
    }
  },
})

const describeEntity = defineTool({
  name: 'describe_entity',
  title: 'Describe an entity',
  description:
    'Fields of an entity in this account: JSON Schema, an example, what the platform requires, which values it takes and what it does not store. Call it before you write.',
  scope: 'records:read',
  operation: 'support',
  kind: 'read',
  input: objectOf({ accountId, entityType }),
  output: Type.Object({
    platform: text(),
    operations: Type.Array(text()),
    schema: anyObject('Of `record` in create_record and update_record; externalId is an argument of its own there'),
    example: unifiedRecord,
    requires: Type.Array(text('JSON pointer')),
    requiresWhen: Type.Array(anyObject()),
    values: anyObject('Allowed values by JSON pointer'),
    longest: anyObject('Characters by JSON pointer'),
    notStored: Type.Array(text()),
    hiddenFields: optional(Type.Array(text('Your key does not show it; updates keep it'))),
  }),
  async run(call, input) {
    const { account, connector, flavor } = await targetOf(call, input)
    const support = call.engine.support(account)[input.entityType] as EntitySupport
    const { requires, requiresWhen, values, longest, notStored } = support
    const { externalId: _, ...example } = flavorExample(flavor.definition, flavor.vertical)
    const custom = await call.engine.customSchema(account, input.entityType)
    return {
      platform: connector.id,
      operations: operationsOf(support),
      schema: schemaOf(publishedSchema(flavor.write.schema, { ofBody: true }), custom),
      example,
      requires,
      requiresWhen,
      values,
      longest,
      notStored,
      hiddenFields: call.credential.hiddenFields,
    }
  },
})
/** Without externalId, and with the custom fields of the account. */
function schemaOf(schema: TSchema, custom: object | undefined): object {
  const { properties, required, ...rest } = schema as { properties: Record<string, unknown>; required?: string[] }
  const { externalId: _, ...others } = properties
  return {
    ...rest,
    properties: custom ? { ...others, custom } : others,
    required: required?.filter((name) => name !== 'externalId'),
  }
}

const listRecords = defineTool({
  name: 'list_records',
  title: 'List records',
  description: 'One page of records. Follow nextCursor only if you need more.',
  scope: 'records:read',
  operation: 'list',
  kind: 'read',
  input: objectOf({
    accountId,
    entityType,
    pageSize: optional(pageSize),
    cursor: optional(cursor),
    updatedAfter: optional(text('Modified after this instant: ISO 8601 with offset')),
  }),
  output: objectOf({ records, nextCursor: optional(nextCursor), warnings: optional(warnings) }),
  async run(call, input) {
    const target = await targetOf(call, input)
    const { pageSize: size = defaultPageSize, cursor: position } = input
    const updatedAfter = instantIn(input.updatedAfter)
    const query = { pageSize: size, cursor: position, updatedAfter }
    const { data, warnings: found, next } = await listed(call, target, query)
    return {
      records: data,
      nextCursor: next,
      ...withWarnings(found),
    }
  },
})
function instantIn(value: string | undefined): string | undefined {
  const found = value === undefined ? undefined : toInstant(value)
  if (value !== undefined && found === undefined)
    throw new Problem('validation_failed', 'An argument is not valid.', {
      errors: [{ pointer: '/updatedAfter', message: instantFault(value) }],
    })
  return found
}

const getRecord = defineTool({
  name: 'get_record',
  title: 'Get a record',
  description: "One record by the platform's id, with its version for update_record.",
  scope: 'records:read',
  operation: 'get',
  kind: 'read',
  input: objectOf({ accountId, entityType, id: nativeId }),
  output: objectOf({ record: unifiedRecord, version: optional(text()), warnings: optional(warnings) }),
  async run(call, input) {
    call.subject.id = input.id
    const target = await targetOf(call, input)
    const mapping = await call.engine.mappings.byDefault(target, 'read')
    const found = await call.engine.get(target, input.id, mapping, call.contextOf(target.account))
    return {
      record: found.data,
      version: found.version,
      ...withWarnings(found.warnings),
    }
  },
})

const findRecord = defineTool({
  name: 'find_record',
  title: 'Find records',
  description:
    'With externalId: the record that was created or linked under your id, and what became of that write (done, in_flight, unknown, partial, linked). Use it after a lost response. No record and no reference: nothing was written under it. With search: records by id, and by name, email, phone, SKU or number where the platform can search; a warning says if it cannot.',
  scope: 'records:read',
  operation: 'find',
  kind: 'read',
  input: objectOf({
    accountId,
    entityType,
    externalId: optional(Type.String({ minLength: 1 })),
    search: optional(Type.String({ minLength: 1, maxLength: 200, description: 'Instead of externalId' })),
  }),
  output: objectOf({
    records,
    reference: optional(anyObject()),
    nextCursor: optional(text('Of a search: for list_records')),
    warnings: optional(warnings),
  }),
  async run(call, input) {
    if ((input.externalId === undefined) === (input.search === undefined))
      throw new Problem('validation_failed', 'Send externalId, or search.', {
        errors: [{ pointer: '/search', message: 'exactly one of externalId and search is needed' }],
      })
    call.subject.externalId = input.externalId
    const target = await targetOf(call, input)
    const found = await (input.externalId === undefined
      ? searched(call, target, input.search as string)
      : written(call, target, input.externalId))
    return {
      records: found.data,
      reference: found.reference,
      nextCursor: found.next,
      ...withWarnings(found.warnings),
    }
  },
})
interface Found {
  data: object[]
  reference?: object | undefined
  next?: string | undefined
  warnings: Warning[]
}
async function written(call: ToolCall, target: Target, key: string): Promise<Found> {
  const mapping = await call.engine.mappings.byDefault(target, 'read')
  const found = await call.engine.written(target, key, mapping, call.contextOf(target.account))
  if (found.reference?.id !== undefined) call.subject.id = found.reference.id
  return found
}
async function searched(call: ToolCall, target: Target, given: string): Promise<Found> {
  const sought = given.trim()
  if (!isIdentifier(sought))
    throw new Problem('validation_failed', 'An argument is not valid.', {
      errors: [{ pointer: '/search', message: 'must be text without control characters' }],
    })
  call.permissions.search(call.credential, target.adapter.search?.by)
  return listed(call, target, { search: { text: sought } })
}
async function listed(call: ToolCall, target: Target, query: Partial<ListQuery>): Promise<Found> {
  const mapping = await call.engine.mappings.byDefault(target, 'read')
  const { body, cursor: next } = await call.engine.list(
    target,
    { pageSize: defaultPageSize, ...query },
    mapping,
    call.contextOf(target.account),
  )
  const { data, warnings: found = [] } = JSON.parse(String(body)) as { data: object[]; warnings?: Warning[] }
  return { data, warnings: found, next }
}

const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Records of watched entities that were created, updated or deleted at the platform since a cursor. The first call without a cursor returns the cursor to start from.',
  scope: 'changes',
  operation: 'changes',
  kind: 'read',
  input: objectOf({
    accountId,
    entityTypes: optional(entityTypesField),
    cursor: optional(text('cursor of the last call')),
    pageSize: optional(pageSize),
  }),
  output: Type.Object({ changes: Type.Array(anyObject()), cursor: text(), hasMore: Type.Boolean() }),
  async run(call, input) {
    const { feeds, engine, credential, signal } = call
    const account = await accountOf(call, input.accountId)
    const named = input.entityTypes
    for (const entityType of named ?? []) {
      call.permissions.check(credential, { scope: 'any', entityType })
      engine.target(account, entityType)
    }
    const { data, pagination } = await feeds.read(
      account,
      {
        entityTypes: named,
        cursor: input.cursor,
        pageSize: input.pageSize ?? defaultPageSize,
        within: credential.entities,
      },
      {
        waitMs: 0,
        signal,
        mappingOf: (target) => engine.mappings.byDefault(target, 'read'),
        context: () => call.contextOf(account),
      },
    )
    return { changes: [...data], ...pagination }
  },
})

const readNative = defineTool({
  name: 'read_native',
  title: "Read from the platform's own API",
  description:
    "GET a path of the platform's API, for what the unified records do not have. The host and the credentials are added; only reads are possible.",
  scope: 'native',
  operation: 'native',
  kind: 'read',
  input: objectOf({
    accountId,
    path: Type.String({ minLength: 1, maxLength: 2000, description: 'Without host and query, such as /v2/locations' }),
    query: optional(anyObject('Query parameters')),
  }),
  output: Type.Object({ status: Type.Integer(), body: Type.Unknown() }),
  async run(call, { accountId: id, path, query }) {
    const account = await accountOf(call, id)
    const input = { method: 'GET', path, ...(query ? { query } : {}) }
    const { answer } = await call.engine.native(account, input, call.contextOf(account))
    return { status: answer.status, body: JSON.parse(answer.body) as unknown }
  },
})

export const readTools = [listAccounts, describeEntity, listRecords, getRecord, findRecord, listChanges, readNative]
