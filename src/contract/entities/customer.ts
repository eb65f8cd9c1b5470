import { address } from '../address.ts'
import { defineEntity, type RecordOf } from '../define-entity.ts'
import { currency, digits, email, flag, label, optional, text } from '../field.ts'

export const customer = defineEntity('customer', {
  names: { one: 'customer', many: 'customers' },
  verticals: ['restaurant', 'retail_pos', 'accounting'],
  writable: true,
  personal: 'person',
  identity: [['email'], ['phone', 'name'], ['name']],
  fields: {
    name: label('Best available display or contact name; the stable cross-system anchor'),
    firstName: optional(text('Given name; some write targets require it'), { partOfName: true }),
    lastName: optional(text('Family name; some write targets require it'), { partOfName: true }),
    email: optional(email('Primary email address')),
    phone: optional(digits('Primary phone number')),
    companyName: optional(text('Business or company name')),
    notes: optional(text('Customer note or memo')),
    address: optional(address),
    active: optional(flag('Whether the customer or contact is active'), {
      only: 'accounting',
      leftOut: 'keeps',
      default: true,
    }),
    currencyCode: optional(currency('Preferred currency'), { only: 'accounting', leftOut: 'keeps' }),
    marketingAllowed: optional(flag('Whether the customer permits marketing, when the source exposes it'), {
      only: 'restaurant',
    }),
  },
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
export type Customer = RecordOf<typeof customer>
