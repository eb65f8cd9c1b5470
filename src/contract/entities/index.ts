// The list of entity types. Everything else follows from their declarations.
import type { Declared, RecordOf } from '../define-entity.ts'
import { category } from './category.ts'
import { customer } from './customer.ts'
import { employee } from './employee.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shift } from './shift.ts'
import { taxRate } from './tax-rate.ts'
import { timeEntry } from './time-entry.ts'

const declared = {
  product,
  order,
  customer,
  category,
  employee,
  time_entry: timeEntry,
  shift,
  location,
  payment,
  refund,
  tax_rate: taxRate,
  payment_method: paymentMethod,
}
export type EntityType = keyof typeof declared
export type Records = { [E in EntityType]: RecordOf<(typeof declared)[E]> }
export type UnifiedRecord<E extends EntityType = EntityType> = Records[E]

export const entities = checked(declared)

/** A reference to a type that does not exist would never be resolved. */
function checked(types: typeof declared): { readonly [E in EntityType]: Declared<EntityType, Records[E]> } {
  for (const [name, { entityType, references, identity, fields }] of Object.entries(types)) {
    if (name !== entityType) throw new Error(`${entityType} is listed as ${name}`)
    for (const [pointer, target] of Object.entries(references))
      if (!Object.hasOwn(types, target))
        throw new Error(`${name} ${pointer} refers to ${target}, which is no entity type`)
    for (const field of identity.flat())
      if (!Object.hasOwn(fields.properties, field)) throw new Error(`${name} has no ${field}, which identifies it`)
  }
  return types as unknown as ReturnType<typeof checked>
}
