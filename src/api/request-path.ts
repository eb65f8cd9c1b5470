// The path of a request as logs and the activity keep it: without anything that could authenticate a caller.
import type { FastifyRequest } from 'fastify'

const struck = '•••'
/**
 * The service's own credentials by their form (secrets.ts): API keys, access secrets and tokens, sessions, connect
 * links and their signing secrets, invitations.
 */
const credentials = /\b(urk_\w+\.|ur(?:s|t|ses|cl|cs|inv)_)[\w.-]{16,}/g
/** Parameters whose values are kept. All others are dropped by name and value: a caller can put a secret in either. */
const keptParameters = new Set([
  'confirmDuplicate',
  'cursor',
  'dryRun',
  'entityType',
  'externalId',
  'fields',
  'guard',
  'include',
  'mappingKey',
  'onUnknown',
  'pageSize',
  'references',
  'totals',
  'updatedAfter',
])
const longest = 2000

export const withoutCredentials = (text: string): string => text.replace(credentials, `$1${struck}`)

/**
 * Without the query. The path of a connect page contains the token of its link, and that of a webhook of a platform its
 * id, so only the route is shown.
 */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  const [, folder] = (routeOptions.url ?? url).split('/', 2)
  if (folder === 'connect' || folder === 'hooks') return routeOptions.url ?? `/${folder}`
  const end = url.indexOf('?')
  return withoutCredentials(end < 0 ? url : url.slice(0, end)).slice(0, longest)
}

/** As the router reads it, for a request without a route: `/%6Danage` is `/manage`. */
export function decodedPath(url: string): string {
  const path = url.split('?', 1)[0] as string
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * With the parameters that are known to be harmless; `…` replaces the others. Connect pages have none: a platform sends
 * its authorization code there.
 */
export function pathAndQueryOf(request: FastifyRequest): string {
  const { url } = request
  const start = url.indexOf('?')
  const path = pathOf(request)
  if (start < 0 || path.startsWith('/connect')) return path
  const parts = url.slice(start + 1).split('&')
  const kept = parts.filter((part) => keptParameters.has(part.split('=', 1)[0] as string))
  const shown = [...kept, ...(kept.length < parts.length ? ['…'] : [])].join('&')
  return `${path}?${withoutCredentials(shown)}`.slice(0, longest)
}
