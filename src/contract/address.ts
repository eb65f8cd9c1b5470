import { type Static, Type } from 'typebox'
import { optional, shared, text } from './field.ts'

export const address = shared(
  'Address',
  Type.Object(
    {
      line1: optional(text('Street address, first line')),
      line2: optional(text('Street address, second line')),
      city: optional(text('City or locality')),
      state: optional(text('State, province or region: a name or an ISO 3166-2 code, with or without the country')),
      postalCode: optional(text('ZIP or postal code')),
      country: optional(text('Country: an English name or an ISO 3166-1 code of two or three letters')),
    },
    { description: 'Primary address' },
  ),
)
export type Address = Static<typeof address>
