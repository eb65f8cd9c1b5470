// One native call: its request, its response or error, and the shape that a response must have to be believed.
import type { Pointer } from './define-entity.ts'

export interface NativeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string // never a host: hosts are Connector.origins
  query?: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: unknown // JSON, unless it is a string: then sent as it is
  origin?: string // a name in Connector.origins; 'api' by default
  lane?: string // a name in Connector.lanes: an extra limit for this call
}
export interface NativeResponse {
  status: number
  headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's response has any shape; the adapter that requested it knows which
  body: any // parsed JSON, or text
}
export type NativeErrorKind =
  | 'invalid' // the record or a field of it was refused
  | 'not_found'
  | 'stale' // the version sent is no longer the newest: the update is run again once
  | 'duplicate' // a unique value is taken
  | 'throttled' // refused before it ran: the one error after which a write is sent again freely
  | 'token' // the access token is no longer valid: it is refreshed and the call sent again once
  | 'reconnect' // the authorization was revoked
  | 'forbidden'
  | 'cursor' // the vendor's cursor is no longer valid
  | 'unavailable' // 5xx and the like: a write may or may not have happened
export interface NativeError {
  kind: NativeErrorKind
  code?: string
  message: string
  fields?: readonly { native: string; message: string }[] // of the record; of a refused token: the name of a credential
  retryAfterMs?: number
}
/**
 * What a successful response must have to be believed: JSON pointer (`*`: every element) -> what is there. Anything
 * else is a lost response, never an empty page or a record without an id.
 * With `?` the member may be absent or null; a body that has none of the declared members is believed only where it is
 * `{}`, and in the place of a bare list only where it is a 204 without a body.
 *  'anything': the call is over with its status. 'nothing': the response is a 204.
 * Several shapes: one of them is enough. With 'header name' an empty page that anything could send is believed only
 * with a header of the platform.
 */
export type Shape = ShapeMembers | readonly ShapeMembers[] | 'anything' | 'nothing'
export type ShapeMembers = Readonly<Record<Pointer | `header ${string}`, ShapeKind | `${ShapeKind}?`>>
/** `id`: text that is not empty, or a number. `position`: text that the request for the next page has by this name. */
export type ShapeKind = 'array' | 'object' | 'id' | 'string' | 'number' | 'boolean' | 'position'
