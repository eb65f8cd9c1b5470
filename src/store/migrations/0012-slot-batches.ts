// One round trip reserves several slots and gives back others. Instances of the version before go on with `pace_slot`
// and `pace_late`, which are now built on the same function.
import type { Kysely, Migration } from 'kysely'
import type { Store } from '../store.ts'
import { installPaceSlots } from './pace-slots.ts'

export function slotBatches(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'postgres') await installPaceSlots(db)
    },
  }
}
