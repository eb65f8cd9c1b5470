// A slot with leeway: where less than half of every window is used, the call may leave a little late, and the slot is
// kept as if it did. No busy instance has to ask again then.
import type { Kysely, Migration } from 'kysely'
import type { Store } from '../store.ts'
import { installPaceSlots } from './pace-slots.ts'

/** Instances of before go on with `pace`, over the same rows. */
export function pacingLeeway(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'postgres') await installPaceSlots(db)
    },
  }
}
