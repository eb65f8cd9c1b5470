// Common parts of `Connector.hooks`: signatures of webhooks, and hints from their bodies.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HookHint, RawHook } from '../contract/connector.ts'

interface Signing {
  hash?: 'sha256' | 'sha1' // sha256 by default
  encoding: 'base64' | 'hex'
}
/** Whether `signature` is the HMAC of the content under the secret. In constant time; an absent one is never valid. */
export function isSigned(
  content: string | Uint8Array,
  secret: string | Uint8Array,
  signature: string | undefined,
  { hash = 'sha256', encoding }: Signing,
): boolean {
  if (!signature || secret.length === 0) return false
  const expected = Buffer.from(createHmac(hash, secret).update(content).digest(encoding))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The body as JSON; throws if it is anything else. */
export const jsonOf = ({ body }: Pick<RawHook, 'body'>): unknown => JSON.parse(new TextDecoder().decode(body))

/** A member of an object that somebody else has made: never one that is inherited. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
/** An id of a record, which vendors send as text or as a number. */
export function idIn(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined
  return typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined
}

const mostHints = 1000
/** Each record once. If there are too many, only that something in these entities has changed. */
export function distinctHints(hints: readonly HookHint[]): readonly HookHint[] {
  const distinct = unique(hints)
  if (distinct.length <= mostHints) return distinct
  return unique(distinct.map(({ entityType, business }) => ({ entityType, ...(business && { business }) })))
}
const unique = (hints: readonly HookHint[]): HookHint[] => [
  ...new Map(hints.map((hint) => [JSON.stringify([hint.entityType, hint.id, hint.business]), hint])).values(),
]
