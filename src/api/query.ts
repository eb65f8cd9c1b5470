// Query parameters are read strictly: a misspelt one is an error, not silence.
import { Problem } from '../contract/errors.ts'

export type Query = Record<string, string | undefined>

export function readQuery(raw: unknown, known: readonly string[]): Query {
  const query: Query = {}
  for (const [name, value] of Object.entries(raw as Record<string, string | string[]>)) {
    if (!known.includes(name)) {
      const nearest = known.toSorted((left, right) => distance(name, left) - distance(name, right))[0]
      throw new Problem(
        'unknown_parameter',
        `There is no query parameter "${name.slice(0, 64)}"${nearest ? `; did you mean "${nearest}"?` : '; this route takes none.'}`,
      )
    }
    if (Array.isArray(value))
      throw new Problem('invalid_parameter', `The query parameter "${name}" was given more than once.`)
    query[name] = value
  }
  return query
}

export function positiveInteger(query: Query, name: string, fallback: number): number {
  const text = query[name]
  if (text === undefined) return fallback
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('invalid_parameter', `${name} must be a positive integer.`)
  return Number(text)
}

export function truth(query: Query, name: string, fallback: boolean): boolean {
  const text = query[name]
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw new Problem('invalid_parameter', `${name} must be true or false.`)
  return text === undefined ? fallback : text === 'true'
}

/** ISO 8601 with an offset; leaves as UTC. */
export function instant(query: Query, name: string): string | undefined {
  // A plus sign in a query means a space: a space before an offset is read as a plus sign.
  const text = query[name]?.replace(/ (?=\d\d:?\d\d$)/, '+')
  if (text === undefined) return undefined
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i.test(text) ||
    Number.isNaN(Date.parse(text))
  )
    throw new Problem(
      'invalid_parameter',
      `${name} must be an ISO 8601 timestamp with offset, such as 2026-11-10T18:30:00Z.`,
    )
  return new Date(text).toISOString()
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [i, a] of [...left.toLowerCase().slice(0, 64)].entries()) {
    const next = [i + 1]
    for (const [j, b] of [...right.toLowerCase()].entries())
      next.push(Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + (a === b ? 0 : 1)))
    row = next
  }
  return row.at(-1) as number
}
