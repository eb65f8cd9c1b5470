import { randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { resealAll } from './reseal.ts'
import { migrateToLatest, pendingMigrations } from './schema/migrate.ts'
import type { Store } from './store.ts'
import type { Database, StoreContext } from './table-types.ts'
import { createAccounts } from './tables/accounts.ts'
import { createActivity } from './tables/activity.ts'
import { createAudit } from './tables/audit.ts'
import { createBranding } from './tables/branding.ts'
import { createChanges } from './tables/changes/changes.ts'
import { createConnectLinks } from './tables/connect-links.ts'
import { createCredentials } from './tables/credentials.ts'
import { createDailyCalls } from './tables/daily-calls.ts'
import { createWebhooks } from './tables/deliveries/webhooks.ts'
import { createErasures } from './tables/erasures/erasures.ts'
import { createInvitations } from './tables/invitations.ts'
import { createJournal } from './tables/journal.ts'
import { createLeases } from './tables/leases.ts'
import { createLinks } from './tables/links.ts'
import { createMappingDefaults } from './tables/mapping-defaults.ts'
import { createMappingKeys } from './tables/mapping-keys.ts'
import { createMappings } from './tables/mappings.ts'
import { createMembers } from './tables/members.ts'
import { createMigrations } from './tables/migrations.ts'
import { createPlatformApps } from './tables/platform-apps.ts'
import { createHooks } from './tables/platform-webhooks.ts'
import { createReferenceImports } from './tables/reference-imports.ts'
import { createSessions } from './tables/sessions.ts'
import { createUsers } from './tables/users.ts'
import { createWorkspaceSettings } from './tables/workspace-settings.ts'
import { createWorkspaces } from './tables/workspaces.ts'
import { inTransaction } from './transaction.ts'

/** More than most writes need. Random, because PostgreSQL compresses long values. */
const probeBytes = 12 * 1024

interface Specific extends Pick<Store, 'kind' | 'ping' | 'close' | 'pacing'> {
  /** Connections without a timeout, closed after the migration. By default `writes`. */
  forMigrations?(): Kysely<Database>
  /** Calls the function if the database was restored since the last start. */
  noticeRestore?(db: Kysely<Database>, onRestored: (transaction: Kysely<Database>) => Promise<void>): Promise<void>
}

/** All tables of one database. The caller passes what differs between the two kinds. */
export function assembleStore(context: StoreContext, { forMigrations, noticeRestore, ...specific }: Specific): Store {
  return {
    ...specific,
    async migrate() {
      const dedicated = forMigrations?.()
      const db = dedicated ?? context.writes
      try {
        await migrateToLatest(db, specific.kind)
        await noticeRestore?.(db, (transaction) =>
          createChanges({ ...context, reads: transaction, writes: transaction }, specific.kind).raiseEpochs(),
        )
      } finally {
        await dedicated?.destroy()
      }
    },
    async inspect() {
      const { rows } = await sql<{ now: number }>`select ${context.now} as now`.execute(context.reads)
      return { now: Number(rows[0]?.now), pendingMigrations: await pendingMigrations(context.reads, specific.kind) }
    },
    async probe() {
      const name = `probe ${randomUUID()}`
      const content = randomBytes(probeBytes).toString('base64')
      await context.writes.transaction().execute(async (transaction) => {
        await transaction.insertInto('leases').values({ name, holder: content, lease_until: 0 }).execute()
        await transaction.deleteFrom('leases').where('name', '=', name).execute()
      })
    },
    reseal: () => resealAll(context),
    transaction: (work) => inTransaction(context, (inner) => work(assembleStore(inner, specific))),
    async endLeases() {
      await context.writes.updateTable('journal').set({ lease_until: 0 }).where('state', '<>', 'done').execute()
      await context.writes.updateTable('feeds').set({ lease_until: 0 }).execute()
      await context.writes.updateTable('webhook_endpoints').set({ lease_until: 0 }).execute()
      await context.writes.updateTable('hooks').set({ lease_until: 0 }).execute()
      await context.writes.deleteFrom('leases').execute()
    },
    workspaces: createWorkspaces(context),
    credentials: createCredentials(context),
    accounts: createAccounts(context),
    mappings: createMappings(context),
    mappingKeys: createMappingKeys(context),
    mappingDefaults: createMappingDefaults(context),
    links: createLinks(context),
    journal: createJournal(context),
    leases: createLeases(context),
    dailyCalls: createDailyCalls(context),
    users: createUsers(context, specific.kind),
    members: createMembers(context),
    invitations: createInvitations(context),
    sessions: createSessions(context),
    audit: createAudit(context, specific.kind),
    activity: createActivity(context, specific.kind),
    changes: createChanges(context, specific.kind),
    webhooks: createWebhooks(context, specific.kind),
    hooks: createHooks(context),
    erasures: createErasures(context),
    connectLinks: createConnectLinks(context),
    branding: createBranding(context),
    workspaceSettings: createWorkspaceSettings(context),
    migrations: createMigrations(context),
    platformApps: createPlatformApps(context),
    referenceImports: createReferenceImports(context),
  }
}
