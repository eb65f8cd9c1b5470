import { defineEntity, type RecordOf } from '../define-entity.ts'
import { flag, label, oneOf, optional, referenceTo } from '../field.ts'
import { methodTypes } from '../money-words.ts'

export const paymentMethod = defineEntity('payment_method', {
  names: { one: 'payment method', many: 'payment methods' },
  verticals: ['restaurant', 'retail_pos'],
  writable: false,
  personal: 'none',
  onRequest: true,
  identity: [['name']],
  fields: {
    name: label('Display name'),
    type: optional(oneOf(methodTypes, 'Kind of money')),
    active: optional(flag('Whether it can be used')),
    acceptsTips: optional(flag('Whether it can have a tip')),
    opensDrawer: optional(flag('Whether it opens the cash drawer')),
    locationExternalId: optional(referenceTo('location', 'Location, if it exists at one only')),
  },
  example: {
    externalId: 'METHOD-1',
    name: 'Cash',
    type: 'CASH',
    active: true,
    acceptsTips: false,
    opensDrawer: true,
    locationExternalId: 'LOCATION-1',
  },
})
export type PaymentMethod = RecordOf<typeof paymentMethod>
