// One company: its customers, the names of vendors and employees, and the response to each request id.

import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { createSerial, type Serial } from '../../../sandbox/world.ts'

export interface StoredAddress extends Fields {
  Id: string
}
export interface StoredCustomer extends Fields {
  Id: string
  SyncToken: string
  DisplayName: string
  Active: boolean
  Balance: number
  CurrencyRef: { value: string; name: string }
  MetaData: { CreateTime: string; LastUpdatedTime: string }
  BillAddr?: StoredAddress
  ShipAddr?: StoredAddress
}
export interface World {
  realmId: string
  name: string
  customers: Collection<StoredCustomer>
  otherNames: Collection<string> // of vendors and employees: they share one namespace with the customers
  serial: Serial
  responses: Collection<WireResponse> // by request id
  now(): number
}
export const currencies: Readonly<Record<string, string>> = {
  USD: 'United States Dollar',
  CAD: 'Canadian Dollar',
  EUR: 'Euro',
  GBP: 'British Pound Sterling',
  JPY: 'Japanese Yen',
}
export const homeCurrency = 'USD'

export function createWorld(state: State, now: () => number): World {
  return {
    realmId: '9341455327810551',
    name: 'Harbor Books & Co.',
    customers: state.collection('customers'),
    otherNames: state.collection('other-names'),
    serial: createSerial(state),
    responses: state.collection('responses'),
    now,
  }
}

export const nextId = (world: World, kind: 'customer' | 'address'): string => String(world.serial(kind))

const offsets = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', timeZoneName: 'longOffset' })
/** In the company's own offset. Records have whole seconds, responses milliseconds. */
export function localTime(milliseconds: number, precise = false): string {
  const offset = offsets
    .formatToParts(milliseconds)
    .find(({ type }) => type === 'timeZoneName')!
    .value.slice(3)
  const shift =
    (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * (offset.startsWith('-') ? -60_000 : 60_000)
  return new Date(milliseconds + shift).toISOString().slice(0, precise ? 23 : 19) + offset
}

/** A later change never has an earlier time, even if the clock goes back. */
export const changedAt = (world: World, current?: StoredCustomer): string =>
  localTime(Math.max(world.now(), current ? Date.parse(current.MetaData.LastUpdatedTime) : 0))

export function isTaken(world: World, name: string, except?: string): boolean {
  const target = name.toLowerCase()
  return (
    world.customers.find(({ Id, DisplayName }) => Id !== except && DisplayName.toLowerCase() === target) !==
      undefined || world.otherNames.find((other) => other.toLowerCase() === target) !== undefined
  )
}
/** The name that QuickBooks gives a deactivated customer. */
export function deletedName(world: World, name: string, id: string): string {
  for (let copy = 0; ; copy += 1) {
    const candidate = `${name} (deleted${copy ? `-${copy}` : ''})`
    if (!isTaken(world, candidate, id)) return candidate
  }
}
