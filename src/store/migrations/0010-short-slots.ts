// Calls that no window counts any more are forgotten: what is written again with every call is as short as the account
// is quiet, however high its limit.
import type { Kysely, Migration } from 'kysely'
import type { Store } from '../store.ts'
import { installPaceSlots } from './pace-slots.ts'

export function shortSlots(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'postgres') await installPaceSlots(db)
    },
  }
}
