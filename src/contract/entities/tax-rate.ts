import { defineEntity, type RecordOf } from '../define-entity.ts'
import { flag, label, money, number, oneOf, optional, parts, referenceTo, text } from '../field.ts'

export const taxRate = defineEntity('tax_rate', {
  names: { one: 'tax rate', many: 'tax rates' },
  verticals: ['restaurant', 'retail_pos'],
  writable: false,
  personal: 'none',
  onRequest: true,
  identity: [['code'], ['name', 'rate']],
  fields: {
    name: label('Display name'),
    rate: optional(number('Percent: 8.875 is 8.875 %')),
    type: optional(oneOf(['PERCENT', 'FIXED', 'TABLE'], 'How the tax is computed')),
    amount: optional(money('Amount of a fixed tax on one unit')),
    included: optional(flag('Whether prices contain it')),
    isDefault: optional(flag('Whether it applies where no other one is chosen')),
    active: optional(flag('Whether it can be used')),
    code: optional(text("The platform's code of the tax")),
    appliesTo: optional(oneOf(['SALES', 'PURCHASES', 'BOTH'], 'Which documents can have it')),
    components: optional(
      parts(
        {
          name: optional(text('Display name')),
          rate: optional(number('Percent')),
          compound: optional(flag('Whether it is on the price with the other components')),
        },
        'The taxes that it consists of',
        'Component',
      ),
    ),
    country: optional(text('Country')),
    region: optional(text('State, province or region')),
    locationExternalId: optional(referenceTo('location', 'Location, if it applies to one')),
  },
  example: {
    externalId: 'TAX-1',
    name: 'Sales tax',
    rate: 8.875,
    type: 'PERCENT',
    amount: 0,
    included: false,
    isDefault: true,
    active: true,
    code: 'NYC',
    appliesTo: 'SALES',
    components: [
      { name: 'State', rate: 4, compound: false },
      { name: 'City', rate: 4.875, compound: false },
    ],
    country: 'US',
    region: 'NY',
    locationExternalId: 'LOCATION-1',
  },
})
export type TaxRate = RecordOf<typeof taxRate>
