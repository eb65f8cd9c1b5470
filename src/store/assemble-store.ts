import { type Kysely, sql } from 'kysely'
import { migrateToLatest, pendingMigrations } from './migrations/migrate.ts'
import { resealAll } from './reseal.ts'
import type { Database, StoreContext } from './schema.ts'
import type { Store } from './store.ts'
import { createAccounts } from './tables/accounts.ts'
import { createActivity } from './tables/activity.ts'
import { createAudit } from './tables/audit.ts'
import { createConnectLinks } from './tables/connect-links.ts'
import { createCredentials } from './tables/credentials.ts'
import { createJournal } from './tables/journal.ts'
import { createLeases } from './tables/leases.ts'
import { createLinks } from './tables/links.ts'
import { createMappingKeys } from './tables/mapping-keys.ts'
import { createMappings } from './tables/mappings.ts'
import { createPlatformApps } from './tables/platform-apps.ts'
import { createReferenceImports } from './tables/reference-imports.ts'
import { createSessions } from './tables/sessions.ts'
import { createUsers } from './tables/users.ts'
import { createWorkspaces } from './tables/workspaces.ts'

interface Own extends Pick<Store, 'kind' | 'ping' | 'close' | 'pacing'> {
  /** Connections without a time-out, closed again afterwards; the usual ones where there is none anyway. */
  forMigrations?(): Kysely<Database>
}

/** All tables over one database; what differs between the two databases is given. */
export function assembleStore(context: StoreContext, { forMigrations, ...own }: Own): Store {
  return {
    ...own,
    async migrate() {
      const patient = forMigrations?.()
      try {
        await migrateToLatest(patient ?? context.writes, own.kind)
      } finally {
        await patient?.destroy()
      }
    },
    async inspect() {
      const { rows } = await sql<{ now: number }>`select ${context.now} as now`.execute(context.reads)
      return { now: Number(rows[0]?.now), pendingMigrations: await pendingMigrations(context.reads, own.kind) }
    },
    reseal: () => resealAll(context),
    async endLeases() {
      await context.writes.updateTable('journal').set({ lease_until: 0 }).where('state', '<>', 'done').execute()
      await context.writes.deleteFrom('leases').execute()
    },
    workspaces: createWorkspaces(context),
    credentials: createCredentials(context),
    accounts: createAccounts(context),
    mappings: createMappings(context),
    mappingKeys: createMappingKeys(context),
    links: createLinks(context),
    journal: createJournal(context),
    leases: createLeases(context),
    users: createUsers(context, own.kind),
    sessions: createSessions(context),
    audit: createAudit(context),
    activity: createActivity(context, own.kind),
    connectLinks: createConnectLinks(context),
    platformApps: createPlatformApps(context),
    referenceImports: createReferenceImports(context),
  }
}
