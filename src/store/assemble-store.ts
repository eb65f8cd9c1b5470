import { createAccounts } from './accounts.ts'
import { createCredentials } from './credentials.ts'
import { createJournal } from './journal.ts'
import { createLeases } from './leases.ts'
import { createLinks } from './links.ts'
import { createMappingKeys } from './mapping-keys.ts'
import { createMappings } from './mappings.ts'
import { migrateToLatest } from './migrate.ts'
import { resealAll } from './reseal.ts'
import type { StoreContext } from './schema.ts'
import { createSessions } from './sessions.ts'
import type { Store } from './store.ts'
import { createUsers } from './users.ts'
import { createWorkspaces } from './workspaces.ts'

/** All tables over one database; what differs between the two databases is given. */
export function assembleStore(context: StoreContext, own: Pick<Store, 'kind' | 'ping' | 'close' | 'pacing'>): Store {
  return {
    ...own,
    migrate: () => migrateToLatest(context.db, own.kind),
    reseal: () => resealAll(context),
    async endLeases() {
      await context.db.updateTable('journal').set({ lease_until: 0 }).where('state', '<>', 'done').execute()
      await context.db.deleteFrom('leases').execute()
    },
    workspaces: createWorkspaces(context),
    credentials: createCredentials(context),
    accounts: createAccounts(context),
    mappings: createMappings(context),
    mappingKeys: createMappingKeys(context),
    links: createLinks(context),
    journal: createJournal(context),
    leases: createLeases(context),
    users: createUsers(context),
    sessions: createSessions(context),
  }
}
