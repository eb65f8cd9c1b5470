// Where connect links of a workspace may return to. Without a list, every valid URL is allowed.
import { isLocalHost } from '../base/local-host.ts'

/** An entry of the list allows its address and everything below it. */
export function entryFault(entry: string): string | undefined {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  const local = url?.protocol === 'http:' && isLocalHost(url.hostname)
  if (!url || (url.protocol !== 'https:' && !local) || url.username || url.password)
    return 'must be an https URL such as https://app.example.com/connected (http only on localhost)'
  return url.search || url.hash ? 'must not have a query or a fragment' : undefined
}

const below = (path: string, entry: string): boolean =>
  path === entry || path.startsWith(entry.endsWith('/') ? entry : `${entry}/`)

const advice = (list: readonly string[]) =>
  `The workspace allows ${list.slice(0, 5).join(', ')}${list.length > 5 ? ' and others' : ''}: use one of them, or add yours in the settings of the workspace`

export function returnUrlFault(address: string, list: readonly string[]): string | undefined {
  const { origin, pathname } = new URL(address)
  const allowed = list.map((entry) => new URL(entry))
  return list.length === 0 || allowed.some((url) => url.origin === origin && below(pathname, url.pathname))
    ? undefined
    : `is not an allowed return URL. ${advice(list)}`
}

export const popupOriginFault = (origin: string, list: readonly string[]): string | undefined =>
  list.length === 0 || list.some((entry) => new URL(entry).origin === origin)
    ? undefined
    : `is not the origin of an allowed return URL. ${advice(list)}`
