// Requests as data, so that a failing one can be shrunk and repeated: an operation of the document, and its mutations.
import fc from 'fast-check'
import { flattened } from '../api-documents.ts'
import type { ApiDocument, Json, Operation } from './document.ts'
import {
  brokenText,
  contentTypes,
  heavyValue,
  hostileHeader,
  hostileQuery,
  hostileSegment,
  hostileText,
  hostileValue,
  type RawJson,
} from './hostile.ts'
import { type HostileResponse, hostileResponse } from './hostile-responses.ts'
import { rawShapes } from './raw-shapes.ts'
import { fromSchema } from './schema-arbitrary.ts'

export const credentialNames = [
  'right',
  'none',
  'garbage',
  'wrong secret',
  'form A',
  'form B',
  'manage',
  'session',
  'basic',
  'long',
] as const
export type CredentialName = (typeof credentialNames)[number]
export const encodings = ['utf-16', 'latin-1', 'byte order mark', 'broken utf-8', 'gzip'] as const
export type Twist =
  | { twist: 'node'; at: number; value: RawJson | 'removed' }
  | { twist: 'extra'; name: string; value: RawJson }
  | { twist: 'body'; text: string | RawJson }
  | { twist: 'no body' }
  | { twist: 'segment'; at: number; text: string }
  | { twist: 'parameter'; at: number; text: string }
  | { twist: 'query'; text: string }
  | { twist: 'header'; header: [string, string] }
  | { twist: 'credential'; name: CredentialName }
  | { twist: 'content type'; type: string | undefined }
  | { twist: 'encoding'; name: (typeof encodings)[number] }
  | { twist: 'method'; method: string }
  | { twist: 'chunks'; count: number; pauseMs: number }
interface Planned {
  operation: string
  account: number
  query: Record<string, unknown>
  body: unknown
}
export type FuzzCase =
  | (Planned & { kind: 'valid' | 'near' | 'hostile'; twists: Twist[] })
  | (Planned & { kind: 'platform'; twists: Twist[]; script: HostileResponse[] })
  | { kind: 'page'; method: string; path: string; query: string; headers: [string, string][]; body?: string }
  | { kind: 'raw'; shape: string; account: number; number: number }

/** An account that requests are made for. */
export interface FuzzedAccount {
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  entities: readonly string[]
}

export function createCases(document: ApiDocument, accounts: readonly FuzzedAccount[]): fc.Arbitrary<FuzzCase> {
  const plan = createPlan(document, accounts)
  const platformWork = document.operations.filter(
    ({ form, operationId, path }) =>
      form === 'form A' &&
      path.startsWith('/unified/') &&
      !['getAccountSupport', 'listChanges', 'getChangesStatus'].includes(operationId),
  )
  const everyday = fc.oneof(
    ...(
      [
        ['form A', 5],
        ['form B', 4],
        ['manage', 4],
        ['open', 1],
      ] as const
    ).map(([form, weight]) => ({
      weight,
      arbitrary: fc.constantFrom(...document.operations.filter((operation) => operation.form === form)),
    })),
  )
  const twisted = <K extends 'valid' | 'near' | 'hostile'>(kind: K, twists: fc.Arbitrary<Twist[]>) =>
    fc.tuple(plan(everyday), twists).map(([planned, chosen]): FuzzCase => ({ kind, ...planned, twists: chosen }))
  return fc.oneof(
    { weight: 26, arbitrary: twisted('valid', fc.constant([])) },
    { weight: 34, arbitrary: twisted('near', fc.array(smallTwist, { minLength: 1, maxLength: 1 })) },
    { weight: 18, arbitrary: twisted('hostile', fc.array(anyTwist, { minLength: 1, maxLength: 3 })) },
    {
      weight: 12,
      arbitrary: fc
        .tuple(plan(fc.constantFrom(...platformWork)), fc.array(hostileResponse, { minLength: 1, maxLength: 4 }))
        .map(([planned, script]): FuzzCase => ({ kind: 'platform', ...planned, twists: [], script })),
    },
    { weight: 6, arbitrary: page },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('raw' as const),
        shape: fc.constantFrom(...Object.keys(rawShapes)),
        account: fc.nat(accounts.length - 1),
        number: fc.nat(64),
      }),
    },
  )
}

/** The request before any mutation. */
function createPlan(
  document: ApiDocument,
  accounts: readonly FuzzedAccount[],
): (operations: fc.Arbitrary<Operation>) => fc.Arbitrary<Planned> {
  const bodies = new Map<string, fc.Arbitrary<unknown>>()
  const queries = new Map<string, fc.Arbitrary<Record<string, unknown>>>()
  const bodyOf = (operation: Operation, { vertical }: FuzzedAccount) => {
    const name = `${operation.operationId} ${vertical}`
    let found = bodies.get(name)
    if (!found) {
      const isRecord = operation.path.includes('/unified/{accountId}/') && operation.body !== undefined
      found = isRecord ? recordBody(operation, vertical, document.schemas) : plainBody(operation, document.schemas)
      bodies.set(name, found)
    }
    return found
  }
  const queryOf = (operation: Operation) => {
    let found = queries.get(operation.operationId)
    if (!found) {
      found = queryArbitrary(operation)
      queries.set(operation.operationId, found)
    }
    return found
  }
  const all = accounts.map((_, index) => index)
  /** Usually one that has the entity, sometimes any. */
  const fitting = (operation: Operation, number: number): number => {
    const entity = /\/unified\/\{accountId\}\/(\w+)/.exec(operation.path)?.[1]
    const having = entity && number % 16 !== 0 ? all.filter((index) => accounts[index]?.entities.includes(entity)) : []
    const choice = having.length > 0 ? having : all // every account has changes
    return choice[number % choice.length] as number
  }
  return (operations) =>
    fc
      .tuple(operations, fc.nat(9999))
      .map(([operation, number]) => [operation, fitting(operation, number)] as const)
      .chain(([operation, account]) =>
        fc.record({
          operation: fc.constant(operation.operationId),
          account: fc.constant(account),
          query: queryOf(operation),
          body: operation.body ? bodyOf(operation, accounts[account] as FuzzedAccount) : fc.constant(undefined),
        }),
      )
}

const verticalNames = { restaurant: 'Restaurant', retail_pos: 'RetailPos', accounting: 'Accounting' }
/** A record of the account's flavor. Keys repeat sometimes, so that there are replays and conflicts. */
function recordBody(operation: Operation, vertical: FuzzedAccount['vertical'], schemas: Json): fc.Arbitrary<unknown> {
  const entity = operation.operationId.replace(/^(create|update)|WithToken$/g, '')
  const schema = flattened(
    (schemas[`${verticalNames[vertical]}${entity}Input`] ?? operation.body?.schema) as Json,
    schemas,
  )
  const key = fc.nat(3000).map((number) => `FUZZ-${number}`)
  const example = (operation.body?.examples.find(
    (_, index) => index === Object.keys(verticalNames).indexOf(vertical),
  ) ?? operation.body?.examples[0]) as Json
  const names = Object.keys(example).filter((name) => name !== 'externalId')
  const fromExample = fc
    .subarray(names)
    .map((chosen) =>
      Object.fromEntries(chosen.filter((name) => !name.endsWith('ExternalId')).map((name) => [name, example[name]])),
    )
  return fc
    .tuple(
      key,
      fc.oneof(
        { weight: 2, arbitrary: fromExample },
        { weight: 1, arbitrary: fromSchema(schema, schemas) as fc.Arbitrary<Json> },
      ),
    )
    .map(([externalId, record]) => {
      const required = Object.fromEntries(((schema.required ?? []) as string[]).map((name) => [name, example[name]]))
      return { ...required, ...record, externalId }
    })
}
function plainBody(operation: Operation, schemas: Json): fc.Arbitrary<unknown> {
  const { type, schema } = operation.body as NonNullable<Operation['body']>
  if (type === 'application/x-www-form-urlencoded')
    return fc.constant({
      grant_type: 'client_credentials',
      client_id: '{{accessId}}',
      client_secret: '{{accessSecret}}',
    })
  if (type === 'application/json') return fromSchema(schema, schemas)
  return fc
    .array(
      fc.constantFrom(
        'customer,A,B',
        'product,"x ""y""",z',
        'category,,',
        ',',
        '"',
        '{"entityType":"customer","sourceId":"A","nativeId":"B"}',
        '\u0000',
        'ä,ö,ü',
      ),
      {
        maxLength: 5,
      },
    )
    .map((lines) => `entityType,sourceId,nativeId\n${lines.join('\n')}`)
}
function queryArbitrary({ parameters }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const values: Record<string, fc.Arbitrary<unknown>> = {
    pageSize: fc.constantFrom(1, 2, 50, 1000, 999_999_999),
    limit: fc.constantFrom(1, 10, 500),
    updatedAfter: fc.constantFrom('2020-01-01T00:00:00Z', '2030-01-01T00:00:00%2B02:00'),
    since: fc.constantFrom('2020-01-01T00:00:00Z'),
    until: fc.constantFrom('2030-01-01T00:00:00Z'),
    cursor: fc.constantFrom('{{cursor}}', 'x'),
    externalId: fc.nat(3000).map((number) => `FUZZ-${number}`),
    mappingKey: fc.constantFrom('{{mappingKey}}'),
    entityType: fc.constantFrom('product', 'customer'),
    dryRun: fc.constantFrom('true', 'check'),
    onUnknown: fc.constant('resend'),
    references: fc.constantFrom('auto', 'source', 'platform'),
    guard: fc.constant('duplicates'),
    confirmDuplicate: fc.constantFrom('true', 'false'),
    search: fc.constantFrom('tea', 'FUZZ-1', 'ada@example.com'),
    include: fc.constant('native'),
    fields: fc.constantFrom('externalId', 'name', 'name,address.city', 'lineItems.quantity', 'nam'),
  }
  return fc
    .record(Object.fromEntries(known.map(({ name }) => [name, values[name] ?? fc.constantFrom('x', '1', '')])), {
      requiredKeys: known.filter(({ required }) => required).map(({ name }) => name),
    })
    .map((query) =>
      thinned(
        query,
        known.filter(({ required }) => required).map(({ name }) => name),
      ),
    )
}
/** Most parameters exclude each other, so two at a time are enough. */
const thinned = (query: Record<string, unknown>, required: readonly string[]) => {
  const free = Object.entries(query)
    .filter(([name]) => !required.includes(name))
    .slice(0, 2)
  return {
    ...Object.fromEntries(Object.entries(query).filter(([name]) => required.includes(name))),
    ...Object.fromEntries(free),
  }
}

const smallTwist: fc.Arbitrary<Twist> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      twist: fc.constant('node' as const),
      at: fc.nat(200),
      value: fc.oneof(
        { weight: 6, arbitrary: hostileValue },
        { weight: 1, arbitrary: fc.constant('removed' as const) },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      twist: fc.constant('extra' as const),
      name: fc.constantFrom('__proto__', 'constructor', 'unknown', 'toString', '', 'externalid', 'id', 'price'),
      value: hostileValue,
    }),
  },
  { weight: 4, arbitrary: fc.record({ twist: fc.constant('segment' as const), at: fc.nat(5), text: hostileSegment }) },
  { weight: 3, arbitrary: fc.record({ twist: fc.constant('parameter' as const), at: fc.nat(9), text: hostileText }) },
  { weight: 1, arbitrary: fc.record({ twist: fc.constant('query' as const), text: hostileQuery }) },
  { weight: 3, arbitrary: fc.record({ twist: fc.constant('header' as const), header: hostileHeader }) },
  {
    weight: 2,
    arbitrary: fc.record({ twist: fc.constant('credential' as const), name: fc.constantFrom(...credentialNames) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      twist: fc.constant('content type' as const),
      type: fc.option(fc.constantFrom(...contentTypes), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      twist: fc.constant('method' as const),
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    }),
  },
)
const anyTwist: fc.Arbitrary<Twist> = fc.oneof(
  { weight: 30, arbitrary: smallTwist },
  { weight: 6, arbitrary: fc.record({ twist: fc.constant('body' as const), text: brokenText }) },
  { weight: 1, arbitrary: fc.record({ twist: fc.constant('body' as const), text: heavyValue }) },
  { weight: 1, arbitrary: fc.record({ twist: fc.constant('node' as const), at: fc.nat(200), value: heavyValue }) },
  { weight: 1, arbitrary: fc.constant<Twist>({ twist: 'no body' }) },
  { weight: 2, arbitrary: fc.record({ twist: fc.constant('encoding' as const), name: fc.constantFrom(...encodings) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      twist: fc.constant('chunks' as const),
      count: fc.integer({ min: 1, max: 20 }),
      pauseMs: fc.constantFrom(0, 0, 0, 5),
    }),
  },
)

/** Pages that browsers open. They are not in the document, but exposed, too. */
const page: fc.Arbitrary<FuzzCase> = fc.record(
  {
    kind: fc.constant('page' as const),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
    path: fc
      .tuple(
        fc.constantFrom(
          '/dashboard',
          '/dashboard/',
          '/dashboard/assets/',
          '/reference',
          '/reference/',
          '/connect/',
          '/connect/{{connectToken}}',
          '/connect/{{connectToken}}/',
          '/connect/{{connectToken}}/square/',
          '/connect/callback',
          '/errors',
          '/metrics',
          '/healthz',
          '/readyz',
          '/openapi.json',
          '/schemas/restaurant/',
          '/',
          '/unified',
          '/manage/v1',
          '/manage/v1/',
          '/_sandbox/',
          '/.well-known/',
          '/favicon.ico',
        ),
        fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 4, arbitrary: hostileSegment }),
      )
      .map(([base, segment]) => base + segment),
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: hostileQuery },
      {
        weight: 1,
        arbitrary: fc.constantFrom('state=x&code=y', 'method=x&q=%3Cscript%3E', 'error=access_denied&state=%00'),
      },
    ),
    headers: fc.array(hostileHeader, { maxLength: 2 }),
    body: fc.constantFrom('csrf=x&method=oauth2', 'csrf=%00&accessToken=%ff', '{}', '', 'a'.repeat(70_000)),
  },
  { requiredKeys: ['kind', 'method', 'path', 'query', 'headers'] },
)
