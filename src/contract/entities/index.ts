// The unified contract in one place: entity type -> definition, record type, schema per flavor.

import type { EntityDefinition, EntityType } from '../entity.ts'
import { type Category, category } from './category.ts'
import { type Customer, customer } from './customer.ts'
import { type Employee, employee } from './employee.ts'
import { type Location, location } from './location.ts'
import { type Order, order } from './order.ts'
import { type Product, product } from './product.ts'
import { type Shift, shift } from './shift.ts'
import { type TimeEntry, timeEntry } from './time-entry.ts'

export interface Records {
  product: Product
  order: Order
  customer: Customer
  category: Category
  employee: Employee
  time_entry: TimeEntry
  shift: Shift
  location: Location
}
export type UnifiedRecord<E extends EntityType = EntityType> = Records[E]

export const entities: { readonly [E in EntityType]: EntityDefinition<Records[E]> } = {
  product,
  order,
  customer,
  category,
  employee,
  time_entry: timeEntry,
  shift,
  location,
}
