// Events of webhooks: their types, and the check of their signature (Standard Webhooks).
import { UnifiedError } from './error.ts'
import type { EntityChange, EntityName } from './types.ts'

type Operation = EntityChange['operation']
type ChangeOf<Name extends EntityName> = Extract<EntityChange, { entityType: Name }>
interface EventOf<Type extends string, Data> {
  type: Type
  timestamp: string
  data: Data
}

/** A watched record has changed. `record` and `changed` are absent if the endpoint sends thin data. */
export type RecordEvent = {
  [Name in EntityName]: {
    [Kind in Operation]: EventOf<
      `${Name}.${Kind}`,
      Omit<ChangeOf<Name>, 'operation'> & { operation: Kind; accountId: string }
    >
  }[Operation]
}[EntityName]

export interface AccountEventData {
  accountId: string
  platform: string
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  state: 'active' | 'reconnect_required' | 'disabled'
  /** Why the account is in this state. */
  reason?: string
}
/**
 * The state of an account has changed. `renewal_failing`: it has not yet, but the platform does not renew its token.
 */
export type AccountEvent = {
  [State in 'connected' | 'reconnect_required' | 'recovered' | 'renewal_failing' | 'disabled']: EventOf<
    `account.${State}`,
    AccountEventData
  >
}['connected' | 'reconnect_required' | 'recovered' | 'renewal_failing' | 'disabled']

/** An update of the service or a mapping changes how the records of a watched entity look. None of them has changed. */
export type WatchRemappedEvent = EventOf<'watch.remapped', { accountId: string; entityType: EntityName }>
/** The service has finished a write without its caller. `externalId` is your own id of the record. */
export type WriteSettledEvent = EventOf<
  'write.settled',
  { accountId: string; entityType: EntityName; externalId: string }
>
/** Changes were lost before they were delivered: copy the records again. */
export type ChangesLostEvent = EventOf<
  'changes.lost',
  {
    /** Absent: all accounts of the endpoint. */
    accountId?: string
    /** Absent: all entities of the account. */
    entityType?: EntityName
    from?: number
    to?: number
    reason: 'restored' | 'pruned' | 'watched again'
  }
>

interface EndpointData {
  endpointId: string
  url: string
}
/** Another endpoint of the workspace has trouble. */
export type EndpointEvent =
  | EventOf<'endpoint.failing', EndpointData & { failures: number }>
  | EventOf<'endpoint.disabled', EndpointData & { reason: string }>
  | EventOf<'delivery.failed', EndpointData & { attempts: number; status?: number; error?: string }>
export type TestEvent = EventOf<'endpoint.test', { endpointId: string; message: string }>

export type WebhookEvent =
  | RecordEvent
  | AccountEvent
  | WatchRemappedEvent
  | WriteSettledEvent
  | ChangesLostEvent
  | EndpointEvent
  | TestEvent

/** A `Request`, a request of Node's http server, or headers with the raw body. */
export type WebhookRequest = {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
} & ({ body: string | Uint8Array } | { text(): Promise<string> } | AsyncIterable<Uint8Array>)

const toleranceSeconds = 300
const maxBytes = 16 * 1024 * 1024
const prefix = 'whsec_'

/**
 * Returns the event if the request is signed with the secret and not older than five minutes, and throws a
 * `UnifiedError` with the code `invalid_webhook` if not. `secret` can be a list. The body must be the raw one: parsed
 * and written again, it has another signature.
 */
export async function verifyWebhook<Event = WebhookEvent>(
  request: WebhookRequest,
  secret: string | readonly string[],
): Promise<Event> {
  const keys = await Promise.all([secret].flat().map(keyOf))
  const id = headerOf(request, 'webhook-id')
  const timestamp = headerOf(request, 'webhook-timestamp')
  const signatures = headerOf(request, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw invalid('its timestamp is not within five minutes of the clock of this computer')
  const body = await bodyOf(request)
  const content = joined([new TextEncoder().encode(`${id}.${timestamp}.`), body])
  for (const key of keys)
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content)))
        return JSON.parse(new TextDecoder().decode(body)) as Event
  throw invalid('no signature is from this secret')
}

const invalid = (reason: string): UnifiedError =>
  new UnifiedError('invalid_webhook', 0, `The request is not a valid webhook: ${reason}.`)

async function keyOf(secret: string) {
  const bytes = bytesOf(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (!bytes?.length)
    throw new UnifiedError('invalid_client', 0, 'The secret of a webhook endpoint is whsec_ followed by base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw invalid(`it has no header ${name}`)
  return value
}

async function bodyOf(request: WebhookRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (Symbol.asyncIterator in request) {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of request) {
      length += chunk.length
      if (length > maxBytes) throw invalid('its body is too large')
      chunks.push(chunk)
    }
    return joined(chunks)
  }
  // A Request has a body, too: a stream.
  const body = 'text' in request ? await request.text() : request.body
  return typeof body === 'string' ? new TextEncoder().encode(body) : joined([body])
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** Undefined if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
