// A two-way table of order states.
import type { Mapping } from '../contract/connector.ts'
import type { OrderState } from '../contract/entities/order.ts'
import { text } from './fields.ts'

export interface StateTable {
  /** An unknown native state is a warning; the record is served without its state. */
  read(native: unknown, mapping: Pick<Mapping, 'warn'>): OrderState | undefined
  /** The first native state of the table that means it; undefined when there is none. */
  write(state: OrderState | undefined): string | undefined
}
/**
 * Native states, upper or lower case as the platform writes them, to unified ones. Where several natives mean the same,
 * the first is the one that is written.
 */
export function stateTable(states: Readonly<Record<string, OrderState>>): StateTable {
  const byNative = new Map(Object.entries(states).map(([native, state]) => [native.toLowerCase(), state]))
  return {
    read(native, mapping) {
      const name = text(native)
      if (name === undefined) return undefined
      const state = byNative.get(name.toLowerCase())
      if (!state) mapping.warn('/state', `The platform's state "${name}" has no unified counterpart`)
      return state
    },
    write: (state) => Object.entries(states).find(([, unified]) => unified === state)?.[0],
  }
}
