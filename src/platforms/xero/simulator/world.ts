// One organization of the sandbox.
import type { Collection, State } from '../../../sandbox/collection.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { type Clock, createClock } from '../../../sandbox/world.ts'

export const phoneTypes = ['DEFAULT', 'DDI', 'FAX', 'MOBILE'] as const
export const addressTypes = ['STREET', 'POBOX'] as const
export const addressTexts = [
  'AddressLine1',
  'AddressLine2',
  'AddressLine3',
  'AddressLine4',
  'City',
  'Region',
  'PostalCode',
  'Country',
  'AttentionTo',
] as const
export const phoneTexts = ['PhoneNumber', 'PhoneAreaCode', 'PhoneCountryCode'] as const

export type StoredAddress = { AddressType: string } & Partial<Record<(typeof addressTexts)[number], string>>
export type StoredPhone = { PhoneType: string } & Partial<Record<(typeof phoneTexts)[number], string>>
export interface StoredContact {
  ContactID: string
  ContactStatus: 'ACTIVE' | 'ARCHIVED' | 'GDPRREQUEST'
  Name: string
  ContactNumber?: string
  AccountNumber?: string
  FirstName?: string
  LastName?: string
  EmailAddress?: string
  CompanyNumber?: string
  TaxNumber?: string
  BankAccountDetails?: string
  DefaultCurrency?: string
  addresses: StoredAddress[] // only those that were set
  phones: StoredPhone[]
  ContactPersons: { FirstName?: string; LastName?: string; EmailAddress?: string; IncludeInEmails?: boolean }[]
  MergedToContactID?: string
  IsSupplier: boolean
  IsCustomer: boolean
  updated: number
}
export interface World extends Clock {
  tenantId: string
  connectionId: string
  name: string
  currencies: readonly string[] // the organization's base currency first
  contacts: Collection<StoredContact>
  keys: Collection<{ body: string; response: WireResponse }>
}

export function createWorld(state: State, now: () => number): World {
  return {
    tenantId: '45e4708e-d862-4111-ab3a-dd8cd03913e1',
    connectionId: '7cb59f93-2964-421d-bb5e-a0f7a4572a44',
    name: 'Kōwhai & Sons Ltd',
    currencies: ['NZD', 'AUD', 'USD', 'GBP', 'EUR', 'JPY'],
    contacts: state.collection('contacts'),
    keys: state.collection('keys'),
    ...createClock(now, state),
  }
}
