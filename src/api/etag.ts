// The version of a record as an entity tag, and back.
import { Problem } from '../contract/errors.ts'

/** A platform's version can be any text: characters that a header cannot contain are percent-encoded. */
export const etagOf = (version: string): string =>
  `"${version.toWellFormed().replace(/[^\x21\x23\x24\x26-\x7e]/gu, encodeURIComponent)}"`

/** The version that the record must still have; `*` only requires that it exists, which an update does anyway. */
export function ifMatch(header: string | undefined): string | undefined {
  const tag = header?.trim()
  if (tag === undefined || tag === '*') return undefined
  const match = /^"([^"]*)"$/.exec(tag)
  try {
    if (match) return decodeURIComponent(match[1] as string)
  } catch {}
  throw new Problem('malformed_request', 'If-Match takes one strong entity tag, as ETag gave it.')
}
