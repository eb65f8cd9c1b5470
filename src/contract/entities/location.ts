import { type Static, Type } from 'typebox'
import { address } from '../address.ts'
import { defineEntity } from '../entity.ts'
import { currency, flag, identifier, optional, text } from '../field.ts'

const fields = Type.Object({
  externalId: identifier("The platform's id of the location"),
  name: Type.String({ description: 'Name of the restaurant, store or outlet', minLength: 1 }),
  address: optional(address),
  timezone: optional(text('Time zone, as the platform has it: mostly a name of the IANA database')),
  currencyCode: optional(currency('Currency of prices and orders')),
  active: optional(flag('Whether the location is open or not deleted')),
})
export type Location = Static<typeof fields>

export const location = defineEntity<Location>({
  entityType: 'location',
  title: 'Location',
  verticals: ['restaurant', 'retail_pos'],
  writable: false,
  fields,
  only: {},
  references: {},
  money: [],
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
