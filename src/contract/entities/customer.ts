import { type Static, Type } from 'typebox'
import { address } from '../address.ts'
import { defineEntity } from '../entity.ts'
import { currency, email, flag, optional, ownId, text } from '../field.ts'

const fields = Type.Object({
  externalId: ownId('customer'),
  name: Type.String({
    description: 'Best available display or contact name; the stable cross-system anchor',
    minLength: 1,
  }),
  firstName: optional(text('Given name; some write targets require it')),
  lastName: optional(text('Family name; some write targets require it')),
  email: optional(email('Primary email address')),
  phone: optional(text('Primary phone number')),
  companyName: optional(text('Business or company name')),
  notes: optional(text('Customer note or memo')),
  address: optional(address),
  active: optional(flag('Whether the customer or contact is active')),
  currencyCode: optional(currency('Preferred currency')),
  marketingAllowed: optional(flag('Whether the customer permits marketing, when the source exposes it')),
})
export type Customer = Static<typeof fields>

export const customer = defineEntity<Customer>({
  entityType: 'customer',
  title: 'Customer',
  verticals: ['restaurant', 'retail_pos', 'accounting'],
  writable: true,
  fields,
  only: { accounting: ['/active', '/currencyCode'], restaurant: ['/marketingAllowed'] },
  references: {},
  money: [],
  example: {
    externalId: 'SRC-CUSTOMER-1',
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+14155550123',
    companyName: 'Analytical Engines',
    notes: 'Prefers the window table',
    address: {
      line1: '12 St James Square',
      line2: 'Floor 2',
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94103',
      country: 'US',
    },
    active: true,
    currencyCode: 'USD',
    marketingAllowed: true,
  },
})
