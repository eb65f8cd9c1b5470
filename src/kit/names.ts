// Names of people: some platforms store one string, some a given and a family name.
import { text } from './fields.ts'

export const fullName = (first: unknown, last: unknown): string | undefined =>
  text([text(first), text(last)].filter((part) => part !== undefined).join(' '))

/**
 * "Ludwig van Beethoven" -> "Ludwig van", "Beethoven"; one word is a first name. `fullName` of the parts is the name
 * again.
 */
export function splitName(name: string): { first: string; last?: string } {
  const whole = name.trim()
  const at = whole.lastIndexOf(' ')
  return at < 0 ? { first: whole } : { first: whole.slice(0, at).trimEnd(), last: whole.slice(at + 1) }
}

/**
 * First and last name for a platform that has only these, so that joining them gives the record's name as far as its
 * own first and last name allow.
 */
export function personName(record: { name: string; firstName?: string; lastName?: string }): {
  first?: string
  last?: string
} {
  const first = text(record.firstName)
  const last = text(record.lastName)
  const name = record.name.trim()
  if (first && last) return { first, last }
  if (first) return name.startsWith(`${first} `) ? { first, last: name.slice(first.length + 1).trim() } : { first }
  if (last) return name.endsWith(` ${last}`) ? { first: name.slice(0, -last.length - 1).trim(), last } : { last }
  return splitName(name)
}

/** The first candidate that is not empty. */
export function displayName(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const found = text(candidate)
    if (found) return found
  }
  return undefined
}
