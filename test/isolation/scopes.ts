// Every operation × every scope, as an API key and as an access token; and every limit of a credential.
import { scopes } from '../../src/contract/scopes.ts'
import { fingerprint, type Matrix, missingSide, type Operation, parametersOf, withoutValuesOf } from './matrix.ts'
import { needOf, opensBy } from './needs.ts'
import type { Reply, ScopedCaller, Side, World } from './world.ts'

export interface ScopedCallers {
  byScope: Map<(typeof scopes)[number], ScopedCaller>
  otherAccount: ScopedCaller // limited to another account of the same workspace
  orders: ScopedCaller // limited to orders
  hiding: ScopedCaller // without names
}
export async function createScopedCallers({ createCaller, otherAccountId }: World): Promise<ScopedCallers> {
  const byScope = new Map<(typeof scopes)[number], ScopedCaller>()
  for (const scope of scopes) byScope.set(scope, await createCaller(scope, { scopes: [scope] }))
  const onAccounts = scopes.filter((scope) => scope !== 'manage' && scope !== 'connect:create')
  return {
    byScope,
    otherAccount: await createCaller('other account', { scopes: onAccounts, accounts: [otherAccountId] }),
    orders: await createCaller('orders', { entities: ['order'] }),
    hiding: await createCaller('hiding', { hiddenFields: ['name'] }),
  }
}

const forms = ['form A', 'form B'] as const

export const isRefusal = ({ status, text }: Reply) =>
  status === 403 && /"code":"(insufficient_scope|forbidden)"/.test(text)

/** Bodies of writes are never valid: what counts is whether the request gets that far. */
export async function askAs(
  { own, send }: World,
  matrix: Matrix,
  operation: Operation,
  bearer: string,
  side: Side,
): Promise<Reply> {
  matrix.cells++
  const parameters = parametersOf(operation, side)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] as string),
  )
  const mapped = operation.form === 'form B' && /\{accountId\}\/./.test(operation.path)
  const key = operation.method === 'GET' ? own.mappingKeys.read : own.mappingKeys.write
  const body = operation.method === 'GET' ? undefined : { neverValid: true }
  return send(
    operation.method,
    path + (mapped ? `?mappingKey=${key}` : ''),
    { authorization: `Bearer ${bearer}` },
    operation.body?.type === 'application/json' ? body : undefined,
  )
}

export async function runScopes(
  world: World,
  operations: readonly Operation[],
  { byScope, otherAccount, orders, hiding }: ScopedCallers,
): Promise<Matrix> {
  const { own, foreign } = world
  const missing = missingSide(foreign)
  const matrix: Matrix = { cells: 0, leaks: [] }
  const bare = withoutValuesOf(missing, foreign, own)

  const ask = (operation: Operation, bearer: string, side: Side) => askAs(world, matrix, operation, bearer, side)
  const leak = (operation: Operation, who: string, { status, text }: Reply, what: string) =>
    matrix.leaks.push(`${operation.operationId} with ${who}: ${what} (${status} ${text.slice(0, 200)})`)
  const bearersFor = ({ form }: Operation) => forms.filter((one) => form === 'manage' || form === one)

  for (const operation of operations) {
    if (operation.form === 'open') continue
    const need = needOf(operation)
    if ((operation.scope ?? (operation.form === 'manage' ? 'people' : 'any')) !== need)
      matrix.leaks.push(`${operation.operationId}: the document says ${operation.scope}, not ${need}`)
    for (const [scope, caller] of byScope)
      for (const form of bearersFor(operation)) {
        const who = `${form} with ${scope}`
        const opens = opensBy([scope], need)
        const reply = await ask(operation, caller[form], opens && operation.method !== 'GET' ? missing : own)
        if (!opens && !isRefusal(reply)) leak(operation, who, reply, 'it was not refused')
        if (opens && (reply.status === 401 || isRefusal(reply))) leak(operation, who, reply, 'it was refused')
        if (operation.form !== 'manage' || !operation.path.includes('{workspaceId}') || !opens) continue
        const there = await ask(operation, caller[form], { ...own, workspaceId: foreign.workspaceId })
        const nowhere = await ask(operation, caller[form], { ...own, workspaceId: 'urw_nowhere' })
        if (there.status !== 404 || fingerprint(there, bare) !== fingerprint(nowhere, bare))
          leak(operation, who, there, 'the other workspace differs from one that does not exist')
      }
    if (operation.form === 'manage') continue
    const form = operation.form
    if (operation.path.includes('{accountId}')) {
      const there = await ask(operation, otherAccount[form], own)
      const nowhere = await ask(operation, otherAccount[form], missing)
      if (there.status !== 404 || fingerprint(there, bare) !== fingerprint(nowhere, bare))
        leak(operation, `${form} limited to another account`, there, 'an account beyond the limit was reached')
    }
    const reply = await ask(operation, orders[form], own)
    if (
      /\/(product|customer|category|employee|time_entry|shift|location)(\/|$)/.test(operation.path) &&
      !isRefusal(reply)
    )
      leak(operation, `${form} limited to orders`, reply, 'it was not refused')
    if (reply.text.includes(own.recordId)) leak(operation, `${form} limited to orders`, reply, 'it shows a product')
    if (/changes\/status$/.test(operation.path) && reply.text.includes('"product"'))
      leak(operation, `${form} limited to orders`, reply, 'it shows what is watched of products')
    if (operation.method === 'GET' && /\/(product|customer)(\/|$)/.test(operation.path)) {
      const hidden = await ask(operation, hiding[form], own)
      if (hidden.status !== 200 && hidden.status !== 404) leak(operation, `${form} without names`, hidden, 'it failed')
      if (/"name":/.test(hidden.text)) leak(operation, `${form} without names`, hidden, 'a name is shown')
    }
  }
  return matrix
}
