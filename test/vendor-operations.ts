// What a connector calls, compared with the vendor's own specification: operations, hosts and token endpoints.
import type { Connector, TokenCall } from '../src/contract/connector.ts'
import type { Exceptions } from './vendor-exceptions.ts'

export interface Specification {
  servers?: readonly { url: string }[]
  oauth?: readonly string[]
  paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const methods = ['get', 'post', 'put', 'patch', 'delete']
const blank = (template: string): string => template.replace(/\{[^}]*\}/g, '{}')
/** `METHOD /path` without the names of parameters and the case, which no vendor depends on. */
const normalized = (operation: string): string => blank(operation).toLowerCase()
const parts = (url: string): { origin: string; path: string } => {
  const [, origin = '', path = ''] = /^(https:\/\/[^/]+)(\/.*)?$/.exec(blank(url)) ?? []
  return { origin, path }
}

const operationsOf = ({ servers = [], paths = {} }: Specification): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.includes(method))
      .flatMap((method) =>
        (servers.length > 0 ? servers : [{ url: '' }]).map(({ url }) =>
          normalized(`${method} ${parts(url).path}${path}`),
        ),
      ),
  )
/** The conformance suite requires a shape for every call, so the shapes are the calls that a connector makes. */
function unspecifiedCalls(
  { shapes = {} }: Pick<Connector, 'shapes'>,
  files: readonly Specification[],
  { called = '', described = '' }: { called?: string; described?: string } = {},
): string[] {
  const known = new Set(files.flatMap(operationsOf))
  return Object.keys(shapes)
    .filter((call) => !known.has(normalized(call)) && !known.has(normalized(call.replace(called, described))))
    .toSorted()
}

/** Every origin of the connector, in every region, without the names of settings. */
function originsOf({ origins, regions = [] }: Pick<Connector, 'origins' | 'regions'>): string[] {
  const filled = Object.values(origins).flatMap((template) =>
    (regions.length > 0 ? regions : [{ settings: {} }]).map(({ settings }) =>
      template.replace(/\{(\w+)\}/g, (_, name: string) => (settings as Record<string, string>)[name] ?? '{}'),
    ),
  )
  return [...new Set(filled)].toSorted()
}
const originsIn = (files: readonly Specification[]): string[] =>
  files
    .flatMap(({ servers = [], oauth = [] }) => [...servers.map(({ url }) => url), ...oauth])
    .map((url) => parts(url).origin)
const unspecifiedOrigins = (
  connector: Pick<Connector, 'origins' | 'regions'>,
  files: readonly Specification[],
): string[] => originsOf(connector).filter((origin) => !originsIn(files).includes(origin))

/** The paths of consent and token calls. */
const tokenPaths = ({ auth }: Pick<Connector, 'auth'>): string[] => [
  ...new Set(
    auth.flatMap((one) =>
      Object.values(one).flatMap((value) => {
        const { path } = (value ?? {}) as Partial<TokenCall>
        return typeof path === 'string' ? [blank(path)] : []
      }),
    ),
  ),
]
function unspecifiedTokenPaths(connector: Pick<Connector, 'auth'>, files: readonly Specification[]): string[] {
  const known = [
    ...files.flatMap(({ oauth = [] }) => oauth.map((url) => parts(url).path)),
    ...files.flatMap(operationsOf).map((operation) => operation.replace(/^\w+ /, '')),
  ]
  return tokenPaths(connector)
    .filter((path) => !known.includes(path))
    .toSorted()
}

interface Unspecified {
  calls: readonly string[] | 'all'
  origins: readonly string[]
  tokens: readonly string[]
}
/** What the vendor's files lack of what the connector calls. */
export const unspecified = (
  connector: Pick<Connector, 'shapes' | 'origins' | 'regions' | 'auth'>,
  files: readonly Specification[],
  { version }: Exceptions = {},
): Unspecified => ({
  calls: files.length > 0 ? unspecifiedCalls(connector, files, version) : 'all',
  origins: unspecifiedOrigins(connector, files),
  tokens: unspecifiedTokenPaths(connector, files),
})
/** What they lack according to the exceptions. */
export const excepted = ({ specification, calls = [], origins, tokens }: Exceptions = {}): Unspecified => ({
  calls: specification ? 'all' : calls.flatMap(({ operations }) => operations).toSorted(),
  origins: (origins?.urls ?? []).toSorted(),
  tokens: (tokens?.paths ?? []).toSorted(),
})
