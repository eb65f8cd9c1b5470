import { address } from '../address.ts'
import { defineEntity } from '../define-entity.ts'
import { currency, flag, label, optional, text } from '../field.ts'

export const location = defineEntity('location', {
  names: { one: 'location', many: 'locations' },
  verticals: ['restaurant', 'retail_pos'],
  writable: false,
  personal: 'none',
  identity: [['name']],
  linked: true,
  fields: {
    name: label('Name of the restaurant, store or outlet'),
    address: optional(address),
    timezone: optional(text('Time zone, as the platform has it: mostly a name of the IANA database')),
    currencyCode: optional(currency('Currency of prices and orders')),
    active: optional(flag('Whether the location is open or not deleted')),
  },
  example: {
    externalId: 'LOC-1',
    name: 'Harbor Street',
    address: {
      line1: '12 Harbor Street',
      line2: 'Floor 2',
      city: 'Boston',
      state: 'MA',
      postalCode: '02210',
      country: 'US',
    },
    timezone: 'America/New_York',
    currencyCode: 'USD',
    active: true,
  },
})
