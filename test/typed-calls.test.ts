// The dashboard and the command line call the management API by the names of its operations, so that path, query, body
// and answer are those of the API description. A type that is written next to a call, or a path, would be a hope.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Source {
  path: string
  text: string
}
const root = join(import.meta.dirname, '..')
/** Where the calls are made of requests, and, for the time being, the sections of `apply`, which are data. */
const makers =
  /^(packages\/dashboard\/src\/(api|manage|use-data)\.ts|src\/cli\/(command|manage)\.ts|src\/cli\/apply\/.*)$/
const sources: Source[] = globSync(['packages/dashboard/src/**/*.{ts,tsx}', 'src/cli/**/*.ts'], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !makers.test(path) && !/\.test\.ts$|\/generated\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
const calls = '(?:call|useManage|usePublicPage|listAll|firstPage|request)'
/** `call<Type>(`; nothing is claimed by `unknown`. */
const typed = new RegExp(`(?<!function )\\b${calls}<(?!unknown>|\\/)`)
const byPath = /\bcall\(\s*['"`](GET|POST|PUT|PATCH|DELETE)['"`]|['"`][^'"`\n]*\/manage\/v1\/(?!sessions')/
const begins = new RegExp(`\\b${calls}\\(`, 'g')
const asserted = /^(?:\s*\)|\s*!?\??\.\w+)*\s+as\s+(?!const\b)/

/** What follows the parenthesis that closes the one before `start`. */
function restOf(text: string, start: number): string {
  let depth = 1
  let at = start
  for (; at < text.length && depth > 0; at++)
    depth += '([{'.includes(text[at] as string) ? 1 : ')]}'.includes(text[at] as string) ? -1 : 0
  return text.slice(at)
}
function hopes({ path, text: whole }: Source): string[] {
  const text = withoutComments(whole)
  const isAsserted = [...text.matchAll(begins)].some((found) =>
    asserted.test(restOf(text, found.index + found[0].length)),
  )
  return [
    ...(typed.test(text) ? [`${path}: a type argument`] : []),
    ...(isAsserted ? [`${path}: an assertion`] : []),
    ...(byPath.test(text) ? [`${path}: a path`] : []),
  ]
}

it('no page and no command claims what an operation answers', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.flatMap(hopes)).toEqual([])
})

it.each([
  ["const made = await call<Made>('createApiKey', { body })", 'a type argument'],
  ["const list = useManage<Page<Account>>('listAccounts')", 'a type argument'],
  ["for await (const one of listAll<Shown>(manage, 'listAccounts')) show(one)", 'a type argument'],
  ["const made = (await call('createApiKey', { body: { name: f(x) } })) as Made", 'an assertion'],
  ["const { data } = (await manage.call('listAccounts')).data as Account[]", 'an assertion'],
  ["await manage.call('GET', '{workspace}/accounts')", 'a path'],
  ['await fetch(`/manage/v1/workspaces`)', 'a path'],
])('%s is refused', (text, reason) => {
  expect(hopes({ path: 'planted.ts', text })).toEqual([`planted.ts: ${reason}`])
})

it.each([
  "const made = await call('createApiKey', { body: { name } as const })",
  "const body = await request<unknown>('GET', path)",
  'const kind = kinds[flags.kind as Kind]; await call(kind.create, { body })',
])('%s is allowed', (text) => {
  expect(hopes({ path: 'planted.ts', text })).toEqual([])
})
