// What is wrong with the settings of a webhook endpoint, and what to do about it.
import { isLocalHost } from '../base/local-host.ts'
import { nearestName } from '../base/nearest.ts'
import { type Egress, EgressRefused } from '../engine/outbound/egress.ts'
import { eventPatterns, lostEvent, testEvent } from './event-types.ts'

export interface EndpointRules {
  sandbox: boolean // then a receiver on this machine is allowed
  egress: Pick<Egress, 'check'>
}

export function urlFault(address: string, { sandbox, egress }: EndpointRules): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || [...address].some((character) => character <= ' ' || character === '\u007f')) return 'is not a URL'
  if (url.username || url.password) return 'must not contain a user or password: events are signed'
  if (url.hash) return 'must not have a fragment'
  if (sandbox && url.protocol === 'http:' && isLocalHost(url.hostname)) return undefined
  if (url.protocol !== 'https:')
    return sandbox ? 'must be an https URL (http only on localhost)' : 'must be an https URL'
  if (sandbox && isLocalHost(url.hostname)) return undefined
  try {
    egress.check(url)
    return undefined
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    return 'must have a public address and port 443. Use another URL, or add its host to ALLOWED_HOSTS'
  }
}

/** Of a type that is not in the list of patterns. */
export function eventFault(type: string): string {
  if (type === lostEvent)
    return 'cannot be selected: every endpoint with events of records receives it. Remove it from the list'
  if (type === testEvent)
    return 'cannot be selected: an endpoint receives it when you ask for a test. Remove it from the list'
  const near = nearestName(type, eventPatterns)
  const families = eventPatterns.filter((pattern) => pattern.endsWith('*'))
  return `is not a type of events${near ? `; did you mean "${near}"?` : '.'} Use ${families.join(', ')}, or one type, such as product.created`
}
