// Query parameters are read strictly: a misspelt one is an error, not silence.

import { nearestName } from '../base/nearest.ts'
import { Problem } from '../contract/errors.ts'
import { instantFault, toInstant } from '../contract/instant.ts'
import { isIdentifier } from '../contract/validation.ts'

export type Query = Record<string, string | undefined>

export function readQuery(raw: unknown, names: readonly string[]): Query {
  const query: Query = {}
  for (const [name, value] of Object.entries(raw as Record<string, string | string[]>)) {
    if (!names.includes(name)) throw new Problem('unknown_parameter', unknown(name, names))
    if (Array.isArray(value))
      throw new Problem('invalid_parameter', `The query parameter "${name}" was given more than once.`)
    query[name] = value
  }
  return query
}

function unknown(name: string, names: readonly string[]): string {
  const shown = `There is no query parameter "${name.slice(0, 64)}" here`
  if (names.length === 0) return `${shown}. Remove it: this address has no query parameters.`
  const near = nearestName(name, names)
  return `${shown}${near ? `; did you mean "${near}"?` : '. Remove it.'} The query parameters are ${names.join(', ')}.`
}

/** Beyond any limit that applies to the parameter afterward. */
const hugeInteger = 999_999_999
export function positiveInteger(query: Query, name: string, fallback: number): number {
  const text = query[name]
  if (text === undefined) return fallback
  if (!/^[1-9]\d*$/.test(text))
    throw new Problem('invalid_parameter', `${name} must be a positive integer, such as ${fallback}.`)
  return Math.min(Number(text), hugeInteger)
}

export function truth(query: Query, name: string, fallback: boolean): boolean {
  const text = query[name]
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw new Problem('invalid_parameter', `${name} must be true or false.`)
  return text === undefined ? fallback : text === 'true'
}

export function choice<const V extends readonly string[]>(
  query: Query,
  name: string,
  values: V,
  fallback: V[number],
): V[number] {
  const text = query[name]
  if (text !== undefined && !values.includes(text))
    throw new Problem('invalid_parameter', `${name} must be one of ${values.join(', ')}.`)
  return text ?? fallback
}

export function includesNative({ include }: Query): true | undefined {
  if (include !== undefined && include !== 'native')
    throw new Problem('invalid_parameter', 'include can only be "native".')
  return include === undefined ? undefined : true
}

/** ISO 8601 with an offset; leaves as UTC. */
export function instant(query: Query, name: string): string | undefined {
  // A plus sign in a query means a space: a space before an offset is read as a plus sign.
  const text = query[name]?.replace(/ (?=\d\d:?\d\d$)/, '+')
  if (text === undefined) return undefined
  const found = toInstant(text)
  if (found === undefined) throw new Problem('invalid_parameter', `${name} ${instantFault(text)}.`)
  return found
}

const longestSearch = 200
/** The text of a search. */
export function searchText({ search, updatedAfter }: Query): { text: string } | undefined {
  if (search === undefined) return undefined
  const text = search.trim()
  if (text === '')
    throw new Problem('invalid_parameter', 'search must not be empty. Send a name, an email, a phone, a SKU or an id.')
  if (text.length > longestSearch)
    throw new Problem(
      'invalid_parameter',
      `search must have at most ${longestSearch} characters. Send a part of the text.`,
    )
  if (!isIdentifier(text))
    throw new Problem('invalid_parameter', 'search must be well-formed text without control characters. Remove them.')
  if (updatedAfter !== undefined)
    throw new Problem('invalid_parameter', 'search cannot be combined with updatedAfter. Remove one of them.')
  return { text }
}
