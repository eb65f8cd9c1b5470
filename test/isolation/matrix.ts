// Every operation × every credential × every target: its own, the other workspace's, and one that does not exist. The
// responses for the last two must be identical.
import { randomBytes } from 'node:crypto'
import { formBPrefix } from '../../src/api/record-operations.ts'
import { defaultScopes } from '../../src/contract/scopes.ts'
import { needOf, opensBy } from './needs.ts'
import type { Credential, Reply, Side, World } from './world.ts'

export interface Operation {
  operationId: string
  method: string
  path: string
  form: 'form A' | 'form B' | 'manage' | 'open'
  scope?: string // as the document declares it
  role?: string
  body?: { type: string; example?: unknown }
}
export interface Matrix {
  cells: number
  leaks: string[]
}
type Target = 'own' | 'foreign' | 'missing' | 'foreign below own' | 'missing below own'

export function operationsOf(document: Record<string, unknown>): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Described>>))
    for (const [method, described] of Object.entries(item)) {
      const security = described.security?.[0] ?? {}
      const form =
        'apiKey' in security
          ? 'form A'
          : 'accessToken' in security
            ? 'form B'
            : 'management' in security
              ? 'manage'
              : 'open'
      const [type, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
      const example = Object.values(content?.examples ?? {})[0]?.value
      const body = type && content ? { body: { type, example } } : {}
      operations.push({
        operationId: described.operationId,
        method: method.toUpperCase(),
        path,
        form,
        scope: scopeIn(described),
        role: roleIn(described),
        ...body,
      })
    }
  return operations
}
const scopeIn = ({ description = '' }: Described) => /needs the scope `([\w:]+)`/.exec(description)?.[1]
const roleIn = ({ description = '' }: Described) =>
  /every signed-in user/.test(description)
    ? 'person'
    : /must be an installation admin/.test(description)
      ? 'installation'
      : /needs the role `(\w+)`/.exec(description)?.[1]
interface Described {
  description?: string
  operationId: string
  security?: Record<string, unknown>[]
  requestBody?: {
    content: Record<string, { examples?: Record<string, { value: unknown }> }>
  }
}

export const like = (text: string) =>
  text.replaceAll(/[A-Za-z0-9]/g, () => 'abcdefghkmnpqrstuvwxyz'.charAt((randomBytes(1)[0] ?? 0) % 21))
/** The same shape, but nothing that exists. */
export function missingSide(side: Side): Side {
  const entries = Object.entries(side).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? like(value)
      : Object.fromEntries(Object.entries(value).map(([key, text]) => [key, like(String(text))])),
  ])
  return { ...(Object.fromEntries(entries) as Side), workspaceId: side.workspaceId }
}

/** The values of a path parameter. A route with a parameter that is missing here needs a decision first. */
export function parametersOf({ path, operationId }: Operation, side: Side): Record<string, string> {
  const all: Record<string, string> = {
    workspaceId: side.workspaceId,
    accountId: side.accountId,
    mappingId: side.mappingId,
    key: side.ownKey,
    sourceId: side.sourceId,
    importId: side.importId,
    migrationId: side.migrationId,
    erasureId: side.erasureId,
    requestId: side.requestId,
    entityType: path.includes('/references/') ? 'customer' : 'product',
    id: path.includes('/api-keys/') ? side.apiKey.id : path.includes('/access-ids/') ? side.accessId.id : side.recordId,
    direction: 'read',
    linkId: side.linkId,
    endpointId: side.endpointId,
    deliveryId: side.deliveryId,
    // Users and sessions belong to the installation, not to a workspace.
    user: path.includes('/members/') ? side.member : 'no such user',
    invitationId: side.invitationId,
    sessionId: 'uss_none',
    writeId: side.writeId,
    platform: 'square',
    vertical: 'restaurant',
    file: 'product.json',
  }
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      if (all[name] === undefined)
        throw new Error(
          `${operationId} has a path parameter {${name}} that the isolation matrix does not know: add it to parametersOf`,
        )
      return [name, all[name]]
    }),
  )
}

export async function runMatrix(
  world: World,
  operations: readonly Operation[],
  credentials: readonly Credential[] = world.credentials,
): Promise<Matrix> {
  const { own, foreign, send } = world
  const missing = missingSide(foreign)
  const below = { workspaceId: own.workspaceId, accountId: own.accountId }
  const sides: Record<Target, Side> = {
    own,
    foreign,
    missing,
    'foreign below own': { ...foreign, ...below },
    'missing below own': { ...missing, ...below },
  }
  const matrix: Matrix = { cells: 0, leaks: [] }
  const foreignValues = valuesOf(foreign)
  const bare = withoutValuesOf(missing, foreign, own)

  async function ask(operation: Operation, credential: Credential, target: Target, query = ''): Promise<Reply> {
    matrix.cells++
    // In the management API the caller chooses the workspace, so foreign objects are below it.
    const side = operation.form === 'manage' ? { ...sides[target], workspaceId: own.workspaceId } : sides[target]
    const parameters = parametersOf(operation, side)
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(parameters[name] as string),
    )
    const { body } = operation
    const given =
      body &&
      (body.type === 'application/json'
        ? {
            ...(body.example as object),
            ...(namesMapping(operation) ? { mappingId: side.mappingId } : {}),
          }
        : 'x')
    return send(
      operation.method,
      path + query,
      { ...credential.headers, ...(body ? { 'content-type': body.type } : {}) },
      given,
    )
  }
  const leak = (operation: Operation, credential: Credential, what: string) =>
    matrix.leaks.push(`${operation.operationId} with ${credential.name}: ${what}`)
  const same = (left: Reply, right: Reply) => fingerprint(left, bare) === fingerprint(right, bare)

  async function compare(
    operation: Operation,
    credential: Credential,
    foreignTarget: Target,
    missingTarget: Target,
  ): Promise<Reply> {
    const [there, nowhere] = await Promise.all([
      ask(operation, credential, foreignTarget),
      ask(operation, credential, missingTarget),
    ])
    const shown = ({ status, text }: Reply) => `${status} ${text.slice(0, 200)}`
    if (!same(there, nowhere))
      leak(
        operation,
        credential,
        `what is ${foreignTarget} (${shown(there)}) differs from what is ${missingTarget} (${shown(nowhere)})`,
      )
    if (there.status < 400) leak(operation, credential, `what is ${foreignTarget} returned ${there.status}`)
    return there
  }
  for (const operation of operations) {
    if (operation.form === 'open') continue
    const named = /\{(?!workspaceId\b|platform\b)\w+\}/.test(operation.path)
    const inAccount =
      operation.form === 'manage' &&
      /\{accountId\}.*\{(mappingId|key|sourceId|importId)\}/.test(
        operation.path + (namesMapping(operation) ? '{mappingId}' : ''),
      )
    for (const credential of credentials) {
      const opens =
        credential.opens === operation.form &&
        (operation.form === 'manage' || opensBy(defaultScopes, needOf(operation)))
      // Entity types share one route, and credentials are checked before the path.
      if (
        !opens &&
        credential.name !== 'none' &&
        /^\S*\/unified\/\{accountId\}\/(?!product|changes|native)/.test(operation.path)
      )
        continue
      const there = named ? await compare(operation, credential, 'foreign', 'missing') : undefined
      if (inAccount && opens) await compare(operation, credential, 'foreign below own', 'missing below own')
      if (destructive(operation, credential)) continue
      const mine = await ask(operation, credential, 'own', opens ? queryFor(operation, own) : '')
      if (!opens && mine.status < 400) leak(operation, credential, `it opened its own (${mine.status})`)
      if (!opens && there && !same(there, mine))
        leak(
          operation,
          credential,
          `without a right to either, own (${mine.status}) and foreign (${there.status}) differ`,
        )
      if (opens && operation.method === 'GET' && !reached(operation, mine))
        leak(operation, credential, `its own was refused with ${mine.status} ${mine.text.slice(0, 200)}`)
      if (opens && operation.form !== 'manage' && foreignValues.some((value) => mine.text.includes(value)))
        leak(operation, credential, 'its own response contains something of the other workspace')
    }
  }
  return matrix
}
/**
 * Its own object exists, or is at least not forbidden: an admin token is not a user, and a record of the same id need
 * not be a product.
 */
const reached = ({ operationId }: Operation, { status }: Reply) =>
  status < 400 || status === 404 || operationId === 'getSession'

/** A valid credential would delete or change what the rest of the matrix needs. */
const destructive = ({ form, method }: Operation, { opens }: Credential) =>
  form === 'manage' && method !== 'GET' && opens === 'manage'

/** In its body. */
const namesMapping = ({ operationId }: Operation) => /^(createMappingKey|set(Shared)?MappingDefault)$/.test(operationId)

const queryFor = ({ form, method, path }: Operation, side: Side) =>
  form === 'form B' && /\{accountId\}\/./.test(path)
    ? `?mappingKey=${method === 'GET' ? side.mappingKeys.read : side.mappingKeys.write}`
    : ''

/** Objects of the other workspace that are not in the path: mapping keys, cursors, keys of writes, references. */
export async function runNames(world: World): Promise<Matrix> {
  const { own, foreign, credentials, send } = world
  const missing = missingSide(foreign)
  const matrix: Matrix = { cells: 0, leaks: [] }
  const bare = withoutValuesOf(missing, foreign, own)
  const caller = (form: Credential['opens']) => credentials.find(({ opens }) => opens === form)?.headers ?? {}
  const b = `${formBPrefix}/unified/${own.accountId}`
  const a = `/unified/${own.accountId}`
  const dryRun = (side: Side) => ({
    externalId: 'probe',
    customerExternalId: side.sourceId,
    currencyCode: 'USD',
    lineItems: [{ name: 'x', quantity: 1, price: 1 }],
  })
  const asks: [string, (side: Side) => Promise<Reply>][] = [
    [
      'a mapping key, reading a page',
      (side) => send('GET', `${b}/product?mappingKey=${side.mappingKeys.read}`, caller('form B')),
    ],
    [
      'a mapping key, reading a record',
      (side) => send('GET', `${b}/product/${own.recordId}?mappingKey=${side.ownKey}`, caller('form B')),
    ],
    [
      'a mapping key, writing',
      (side) =>
        send('POST', `${b}/product?mappingKey=${side.mappingKeys.write}`, caller('form B'), {
          externalId: 'probe',
          name: 'x',
          price: 1,
          currencyCode: 'USD',
        }),
    ],
    [
      'a mapping key, replacing',
      (side) =>
        send('PUT', `${b}/product/${own.recordId}?mappingKey=${side.mappingKeys.write}`, caller('form B'), {
          externalId: own.recordId,
          name: 'x',
        }),
    ],
    ['a cursor, form A', (side) => send('GET', `${a}/product?cursor=${side.cursor}`, caller('form A'))],
    [
      'a cursor, form B',
      (side) => send('GET', `${b}/product?cursor=${side.cursor}&mappingKey=${own.mappingKeys.read}`, caller('form B')),
    ],
    ['a cursor of changes, form A', (side) => send('GET', `${a}/changes?cursor=${side.feedCursor}`, caller('form A'))],
    [
      'a cursor of changes, form B',
      (side) =>
        send('GET', `${b}/changes?cursor=${side.feedCursor}&mappingKey=${own.mappingKeys.read}`, caller('form B')),
    ],
    [
      'a mapping key, reading changes',
      (side) => send('GET', `${b}/changes?mappingKey=${side.mappingKeys.read}`, caller('form B')),
    ],
    ['a cursor for another entity', (side) => send('GET', `${a}/customer?cursor=${side.cursor}`, caller('form A'))],
    ['the key of a write', (side) => send('GET', `${a}/product?externalId=${side.externalId}`, caller('form A'))],
    ['a record', (side) => send('GET', `${a}/product/${side.recordId}`, caller('form A'))],
    ['a reference in a record', (side) => send('POST', `${a}/order?dryRun=true`, caller('form A'), dryRun(side))],
  ]
  for (const [what, ask] of asks) {
    matrix.cells += 2
    const [there, nowhere] = [await ask(foreign), await ask(missing)]
    if (fingerprint(there, bare) !== fingerprint(nowhere, bare))
      matrix.leaks.push(
        `${what}: foreign ${there.status} ${there.text.slice(0, 300)} / missing ${nowhere.status} ${nowhere.text.slice(0, 300)}`,
      )
  }
  return matrix
}

const valuesOf = (side: Side): string[] =>
  Object.values(side)
    .flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value).map(String)))
    .filter((value) => value.length >= 6)
/** Hides the values of these sides, encoded or not. A longer one is hidden before its part. */
export function withoutValuesOf(...sides: readonly Side[]): (text: string) => string {
  const values = sides.flatMap(valuesOf).flatMap((value) => [value, encodeURIComponent(value)])
  const longestFirst = [...new Set(values)].sort((left, right) => right.length - left.length)
  const pattern = new RegExp(longestFirst.map((value) => value.replaceAll(/[^\w]/g, '\\$&')).join('|'), 'g')
  return (text) => text.replaceAll(pattern, '…')
}

/** The response without values that always differ. */
export function fingerprint({ status, headers, text }: Reply, bare: (text: string) => string): string {
  const {
    date: _,
    'x-request-id': __,
    'content-length': ___,
    ratelimit: ____,
    'x-queue-wait-ms': _____,
    ...rest
  } = headers
  const plain = bare(
    text
      .replaceAll(/req_[\w-]+/g, '…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replaceAll(/"(expectedWaitMs|ms)":\d+/g, '…'),
  )
  return JSON.stringify([status, Object.entries(rest).sort(), plain])
}
