// People and their addresses, as customers, contacts and employees have them.
import type { Address } from '../contract/address.ts'
import type { Pointer } from '../contract/entity.ts'
import { type Refused, tooLong } from './checks.ts'
import { text } from './fields.ts'
import { personName, splitName } from './names.ts'

type Parts = { readonly [P in keyof Address]?: string }
/** Entries of a `fieldTable` for an address: its native object, or '' where the fields are in the row itself. */
export const addressTable = <const At extends string, const P extends Parts>(
  at: At,
  parts: P,
): { readonly [K in keyof P & string as `/address/${K}`]: `${At}/${P[K] & string}` } =>
  Object.fromEntries(Object.entries(parts).map(([part, name]) => [`/address/${part}`, `${at}/${name}`])) as never

interface Named {
  externalId?: string
  name: string
  firstName?: string
  lastName?: string
}
interface NameParts {
  first?: string
  last?: string
}
/**
 * First and last name of a record, for a platform that has only these. A name that is already displayed keeps its
 * parts, and one that equals a field of `others`, such as the company, is not split into a person's name.
 */
export const nameParts =
  <Row extends object>({
    shown,
    first,
    last,
    others = [],
  }: {
    shown(row: Row): string
    first: keyof Row & string
    last: keyof Row & string
    others?: readonly ('companyName' | 'email' | 'phone')[]
  }) =>
  (record: Named & { [F in 'companyName' | 'email' | 'phone']?: string }, current?: Row): NameParts => {
    if (record.firstName || record.lastName) return personName(record)
    if (current && shown(current) === record.name) return stored({ first: current[first], last: current[last] })
    return others.some((field) => record[field] === record.name) ? {} : personName(record)
  }
const stored = ({ first, last }: { first: unknown; last: unknown }): NameParts => ({
  first: (first ?? undefined) as string | undefined,
  last: (last ?? undefined) as string | undefined,
})
/** The record with these parts in the place of its own: what a `fieldTable` of first and last name writes. */
export const withParts = <R extends object>(record: R, { first, last }: NameParts): R & Partial<Named> => ({
  ...record,
  firstName: first,
  lastName: last,
})

/** The limit of a first and a last name that are parts of `name`: `longest` of the table is for those that are given. */
export function longNames(record: Named, { first, last }: NameParts, most: number): Refused[] {
  const parts = [record.firstName ? undefined : first, record.lastName ? undefined : last]
  return parts.flatMap((part) => tooLong('/name', part, most)).slice(0, 1)
}
/** For platforms that need both parts of a name. */
export const twoNames =
  (message: string) =>
  ({ name }: Named): { pointer: Pointer; message: string }[] =>
    splitName(name).last ? [] : [{ pointer: '/name', message }]

/** The first text of several native fields, joined: two lines of a street in one unified line. */
export const joined = (separator: string, ...parts: readonly unknown[]): string | undefined =>
  text(
    parts
      .map(text)
      .filter((part) => part !== undefined)
      .join(separator),
  )
