// One business: its clients, and what may differ between FreshBooks accounts.

import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { createSerial, type Serial } from '../../../sandbox/world.ts'

export interface StoredClient extends Fields {
  id: number
  organization: string
  fname: string
  lname: string
  email: string
  note: string | null
  vis_state: 0 | 1 | 2
  signedUpAt: number // milliseconds, returned as signup_date
  updatedAt: number // milliseconds, returned as updated
}
/**
 * The default order of a list is not documented, and the documentation is contradictory about whether two clients may
 * share an email.
 */
export interface Habits {
  order?: 'newest' | 'oldest' | 'updated' | 'name'
  uniqueEmails?: boolean
  businesses?: number
  errors?: 'new'
}
export interface World {
  accountId: string
  businesses: readonly { id: number; name: string; accountId: string; uuid: string }[]
  clients: Collection<StoredClient>
  serial: Serial
  habits: Habits
  now(): number
}
const businesses: World['businesses'] = [
  { id: 2122866, name: 'Harbor Books & Co.', accountId: 'LJArJ4', uuid: '046e4001-0002-616d-710a-a451d4421b13' },
  { id: 2603988, name: 'Pier Seven Studio', accountId: '3xQ74o', uuid: '04710001-0002-ff38-0de2-a77e0c34a9a1' },
]
export const currencies = ['USD', 'CAD', 'EUR', 'GBP', 'JPY', 'AUD', 'MXN'] as const

export function createWorld(state: State, now: () => number, habits: Habits): World {
  const known = businesses.slice(0, habits.businesses ?? 1)
  return {
    accountId: 'LJArJ4',
    businesses: known,
    clients: state.collection('clients'),
    serial: createSerial(state),
    habits,
    now,
  }
}

export const nextId = (world: World): number => world.serial('client', 238_951)

/** A later change never has an earlier time, even if the clock goes back. */
export const changedAt = (world: World, current?: StoredClient): number =>
  Math.max(world.now(), (current?.updatedAt ?? 0) + 1)

const eastern = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
})
/** `updated` is in New York time, `signup_date` in UTC, both without an offset. */
export const easternTime = (milliseconds: number): string => eastern.format(milliseconds)
const utcTime = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')

export function shown({ signedUpAt, updatedAt, ...client }: StoredClient): Fields {
  return { ...client, userid: client.id, signup_date: utcTime(signedUpAt), updated: easternTime(updatedAt) }
}
