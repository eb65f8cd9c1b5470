// What a tool is: data for the list of tools, and one function over the engine that the records API uses, too.
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { FeedReader } from '../changes/read-feed.ts'
import type { SearchField } from '../contract/connector.ts'
import { entityTypes, referenceModes } from '../contract/entity.ts'
import type { Need, Scope } from '../contract/scopes.ts'
import { createValidator, type Validator } from '../contract/validation.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestContext } from '../engine/options.ts'
import type { Account, Credential, Store } from '../store/store.ts'

export interface Services {
  store: Store
  permissions: {
    /** Throws if the credential may not do that. */
    check(credential: Credential, need: Need): void
    account(credential: Credential, accountId: string): Promise<Account>
    /** Throws if a search by these fields would tell what the credential hides. */
    search(credential: Credential, by: readonly SearchField[] | undefined): void
    /** Of an object by entity type: what the credential may use. */
    entities<T extends object>(credential: Credential, byType: T): T
  }
  engine: Engine
  feeds: FeedReader
}
/** What a call is about, for the activity and the audit log. */
export interface Subject {
  account?: Account
  entityType?: string
  id?: string // the platform's
  externalId?: string
  replayed?: boolean
}
/** The request that a tool runs in. */
export interface Calling {
  requestId: string
  credential: Credential
  address: string
  client: string // its name and version
  signal: AbortSignal // aborted when the caller has gone
  contextOf(account: Account): RequestContext
}
export interface ToolCall extends Services {
  credential: Credential
  subject: Subject
  signal: AbortSignal
  contextOf(account: Account): RequestContext
}
interface Declared<Input extends TObject> {
  name: string
  title: string
  description: string
  scope: Scope
  /** How the activity names it. */
  operation: string
  kind: 'read' | 'create' | 'update'
  input: Input
  output: TObject
  run(call: ToolCall, input: Static<Input>): Promise<object>
}
export interface Tool extends Omit<Declared<TObject>, 'run'> {
  validator: Validator
  run(call: ToolCall, input: unknown): Promise<object>
}
export const defineTool = <Input extends TObject>(tool: Declared<Input>): Tool => ({
  ...tool,
  validator: createValidator(tool.input),
  run: (call, input) => tool.run(call, input as Static<Input>),
})

/** As a client gets it. A platform answers differently at another time, so no tool is closed or without effect on it. */
export const listedTool = ({ name, title, description, kind, input, output }: Tool) => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    readOnlyHint: kind === 'read',
    ...(kind === 'read' ? {} : { destructiveHint: kind === 'update', idempotentHint: true }),
    openWorldHint: true,
  },
})

export const objectOf = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })
export const optional = Type.Optional
const choice = <const V extends readonly string[]>(values: V, description?: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })
export const text = (description?: string) => Type.String(description ? { description } : {})

export const accountId = Type.String({ minLength: 1, description: 'From list_accounts' })
export const entityType = choice(entityTypes)
export const entityTypesField = Type.Array(choice(entityTypes), { minItems: 1 })
export const nativeId = Type.String({ minLength: 1, description: "The platform's id: externalId of a record you read" })
export const cursor = text('nextCursor of the page before')
export const nextCursor = text('Absent on the last page')
export const pageSize = Type.Integer({ minimum: 1, maximum: 50, default: 10 })
export const defaultPageSize = 10
export const references = choice(
  referenceModes,
  "Whose ids the fields …ExternalId of the record hold: source (yours), platform, or auto (default): yours if known, else the platform's",
)
export const anyObject = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', ...(description ? { description } : {}) })
export const unifiedRecord = anyObject()
export const records = Type.Array(unifiedRecord)
/** The warnings of a result, if there are any. */
export const withWarnings = <T>(found: readonly T[]) => (found.length > 0 ? { warnings: [...found] } : {})
export const warnings = Type.Array(
  Type.Unsafe<object>({
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  }),
)
/** Without an entry that says nothing. */
