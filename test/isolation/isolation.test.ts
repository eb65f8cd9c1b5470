import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopes } from '../../src/contract/scopes.ts'
import type { Account } from '../../src/store/store.ts'
import { readDocuments } from '../api-documents.ts'
import { type Operation, operationsOf, runMatrix, runNames } from './matrix.ts'
import { runRoles } from './roles.ts'
import { createScopedCallers, runScopes, type ScopedCallers } from './scopes.ts'
import { createWorld, type World } from './world.ts'

let world: World
let operations: Operation[]
let callers: ScopedCallers
beforeAll(async () => {
  world = await createWorld()
  callers = await createScopedCallers(world)
  operations = operationsOf(await readDocuments(async (path) => (await world.send('GET', path, {})).text))
})
afterAll(() => world.close())

/** Routes with the same response for every caller, so there is nothing to isolate. */
const forEverybody = [
  '/',
  '/docs',
  '/docs*',
  '/docs/reference',
  '/errors',
  '/healthz',
  '/llms.txt',
  '/manage/openapi.json',
  '/metrics',
  '/openapi.json',
  '/platforms',
  '/readyz',
  '/schemas/:vertical/:file',
]

describe('two workspaces', () => {
  it('share nothing: no operation with any credential reads, changes or detects objects of the other one', async () => {
    const before = await world.snapshot()
    const { cells, leaks } = await runMatrix(world, operations)
    const names = await runNames(world)
    console.log(
      `isolation matrix: ${operations.length} operations, ${world.credentials.length} credentials, ${cells + names.cells} cells, ${leaks.length + names.leaks.length} leaks`,
    )
    expect([...leaks, ...names.leaks]).toEqual([])
    expect(await world.snapshot()).toEqual(before)
    expect(cells).toBeGreaterThan(1000)
  })

  it('give a credential what its scopes and limits allow, and nothing else', async () => {
    const { cells, leaks } = await runScopes(world, operations, callers)
    console.log(`scope matrix: ${operations.length} operations, ${cells} cells, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
    expect(cells).toBeGreaterThan(1000)
  })

  it('give a person what the role allows, and nothing else', async () => {
    const { cells, leaks } = await runRoles(world, operations)
    console.log(`role matrix: ${world.people.length} people, ${cells} cells, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
    expect(cells).toBeGreaterThan(500)
  })

  it('are isolated on every route: none is missing in the document', () => {
    const described = new Set(
      operations.map(({ path }) =>
        path
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .replace(/\/(product|order|customer|category|employee|time_entry|shift|location)(?=\/|$)/, '/:entityType'),
      ),
    )
    const undescribed = routesOf(world.service.app.printRoutes({ commonPrefix: false })).filter(
      (route) =>
        !described.has(route) &&
        !forEverybody.includes(route) &&
        !/^\/(reference|dashboard|connect|hooks|mcp)\b/.test(route),
    )
    expect(undescribed).toEqual([])
  })
})

describe('the matrix detects', () => {
  const only = (pattern: RegExp) => operations.filter(({ operationId }) => pattern.test(operationId))
  /** One method of the store returns a different result, as if a check were missing. */
  async function leaksWith<Table extends 'accounts' | 'mappings' | 'mappingKeys' | 'credentials' | 'sessions'>(
    table: Table,
    change: (found: never) => unknown,
    pattern: RegExp,
    method: 'get' | 'lookup' = 'get',
  ): Promise<string[]> {
    const owner = world.service.store[table] as unknown as Record<
      string,
      (...parameters: unknown[]) => Promise<unknown>
    >
    const original = owner[method] as (...parameters: unknown[]) => Promise<unknown>
    owner[method] = async (...parameters) => {
      const found = await original.apply(owner, parameters)
      return found === undefined ? undefined : change(found as never)
    }
    try {
      const found = [
        await runMatrix(world, only(pattern)),
        await runNames(world),
        await runScopes(world, only(pattern), callers),
        await runRoles(world, only(pattern)),
      ]
      return found.flatMap(({ leaks }) => leaks)
    } finally {
      owner[method] = original
    }
  }
  it('an account that is not compared with the workspace of its caller', async () => {
    const leaks = await leaksWith(
      'accounts',
      (account: Account) => ({ ...account, workspaceId: world.own.workspaceId }),
      /^(getProduct|listCustomers|getAccountSupport|getAccount)/,
    )
    expect(leaks.filter((leak) => /^getAccountSupport|^listCustomers/.test(leak)).length).toBeGreaterThan(1)
    expect(leaks.some((leak) => leak.startsWith('getAccount with admin token'))).toBe(true)
  })
  it('a mapping key that is not compared with the account', async () => {
    const leaks = await leaksWith(
      'mappingKeys',
      (key: object) => ({ ...key, accountId: world.own.accountId }),
      /^listProductsWithToken$/,
    )
    expect(leaks.some((leak) => leak.startsWith('a mapping key'))).toBe(true)
  })
  it('a mapping that is not compared with the account', async () => {
    const leaks = await leaksWith(
      'mappings',
      (mapping: object) => ({ ...mapping, accountId: world.own.accountId, workspaceId: world.own.workspaceId }),
      /^getMapping$/,
    )
    expect(leaks.length).toBeGreaterThan(0)
    const shared = await leaksWith(
      'mappings',
      (mapping: object) => ({ ...mapping, accountId: undefined, workspaceId: world.own.workspaceId }),
      /^getSharedMapping$/,
    )
    expect(shared.length).toBeGreaterThan(0)
  })
  it('a credential whose revocation or rotation is not checked', async () => {
    const leaks = await leaksWith(
      'credentials',
      (found: { revokedAt?: string }) => ({ ...found, revokedAt: undefined, generation: 1 }),
      /^getAccountSupport/,
      'lookup',
    )
    expect(leaks.some((leak) => leak.includes('revoked API key'))).toBe(true)
    expect(leaks.some((leak) => leak.includes('from before a rotation'))).toBe(true)
  })
  it.each<[string, object, RegExp, RegExp]>([
    ['scopes', { scopes }, /^(listProducts|createProductWithToken|rotateApiKey|changeAccount)$/, /it was not refused/],
    ['accounts', { accounts: undefined }, /^(listProducts|listChanges|getAccountWithKey)$/, /beyond the limit/],
    ['entities', { entities: undefined }, /^(listProducts|getChangesStatusWithToken)$/, /limited to orders/],
    ['hidden fields', { hiddenFields: undefined }, /^(listProducts|getProductWithToken)$/, /a name is shown/],
    ['expiry', { expiresAt: undefined }, /^(listProducts|listProductsWithToken)$/, /expired/],
  ])('a credential without a check of its %s', async (_, removed, pattern, expected) => {
    const leaks = await leaksWith('credentials', (found: object) => ({ ...found, ...removed }), pattern, 'lookup')
    const found = new Set(leaks.filter((leak) => expected.test(leak)).map((leak) => leak.split(' ')[0]))
    expect([...found].length, leaks.join('\n')).toBeGreaterThan(1)
  })
  it.each<[string, object, RegExp, RegExp[]]>([
    ['role', { role: 'admin' }, /^(createApiKey|disableAccount|setMember)$/, [/viewer of .* not refused/, /differs/]],
    ['place', { isAdmin: true }, /^(listAudit|listUsers|listMembers)$/, [/user without a role/, /admin of the own/]],
  ])('a person whose %s is not checked', async (_, removed, pattern, expected) => {
    const leaks = await leaksWith('sessions', (found: object) => ({ ...found, ...removed }), pattern)
    for (const one of expected)
      expect(
        leaks.some((leak) => one.test(leak)),
        leaks.join('\n'),
      ).toBe(true)
  })
})

/** Fastify prints a tree: four columns of indentation per level. */
function routesOf(tree: string): string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const match = /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, -]+)\))?$/.exec(line)
    if (!match) return []
    const [, indentation = '', segment = '', methods] = match
    const depth = Math.round(indentation.length / 4)
    parents.length = depth
    const path = (parents.at(-1) ?? '') + segment
    parents[depth] = path
    return methods ? [path] : []
  })
}
