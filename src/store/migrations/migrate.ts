import { type Kysely, Migrator } from 'kysely'
import type { Database } from '../schema.ts'
import type { Store } from '../store.ts'
import { firstTables } from './0001-first-tables.ts'
import { pacing } from './0002-pacing.ts'
import { activity } from './0003-activity.ts'
import { connect } from './0004-connect.ts'
import { audit } from './0005-audit.ts'
import { lateSlots } from './0008-late-slots.ts'
import { pacingLeeway } from './0009-pacing-leeway.ts'
import { shortSlots } from './0010-short-slots.ts'
import { firstPassword } from './0011-first-password.ts'
import { slotBatches } from './0012-slot-batches.ts'
import { updates } from './0013-updates.ts'
import { referenceMode } from './0014-reference-mode.ts'
import { businesses } from './0015-businesses.ts'
import { mappingDefaults } from './0016-mapping-defaults.ts'
import { slotArrivals } from './0017-slot-arrivals.ts'
import { callPermits } from './0018-call-permits.ts'
import { dailyCalls } from './0019-daily-calls.ts'
import { lookupVersion } from './0020-lookup-version.ts'
import { changes } from './0021-changes.ts'
import { backgroundSlots } from './0022-background-slots.ts'
import { webhooks } from './0023-webhooks.ts'
import { hooks } from './0024-hooks.ts'
import { erasures } from './0025-erasures.ts'
import { credentialScopes } from './0026-scopes.ts'
import { writeGuards } from './0028-write-guards.ts'
import { credentialLimits } from './0029-credential-limits.ts'
import { people } from './0030-people.ts'
import { partialWrites } from './0031-partial-writes.ts'
import { branding } from './0032-branding.ts'
import { accountMigrations } from './0033-migrations.ts'
import { accountDays } from './0034-account-days.ts'
import { workspaceSettings } from './0035-workspace-settings.ts'
import { personErasures } from './0036-person-erasures.ts'
import { testWorkspaces } from './0037-test-workspaces.ts'

function migratorOf(db: Kysely<Database>, kind: Store['kind']): Migrator {
  const provider = {
    getMigrations: async () => ({
      '0001-first-tables': firstTables(kind),
      '0002-pacing': pacing(kind),
      '0003-activity': activity(kind),
      '0004-connect': connect(kind),
      '0005-audit': audit(kind),
      '0008-late-slots': lateSlots(kind),
      '0009-pacing-leeway': pacingLeeway(kind),
      '0010-short-slots': shortSlots(kind),
      '0011-first-password': firstPassword(kind),
      '0012-slot-batches': slotBatches(kind),
      '0013-updates': updates(),
      '0014-reference-mode': referenceMode(kind),
      '0015-businesses': businesses(),
      '0016-mapping-defaults': mappingDefaults(kind),
      '0017-slot-arrivals': slotArrivals(kind),
      '0018-call-permits': callPermits(kind),
      '0020-lookup-version': lookupVersion(kind),
      '0019-daily-calls': dailyCalls(kind),
      '0021-changes': changes(kind),
      '0022-background-slots': backgroundSlots(kind),
      '0023-webhooks': webhooks(kind),
      '0024-hooks': hooks(kind),
      '0025-erasures': erasures(kind),
      '0026-scopes': credentialScopes(),
      '0028-write-guards': writeGuards(kind),
      '0029-credential-limits': credentialLimits(kind),
      '0030-people': people(kind),
      '0031-partial-writes': partialWrites(),
      '0032-branding': branding(kind),
      '0033-migrations': accountMigrations(kind),
      '0034-account-days': accountDays(kind),
      '0035-workspace-settings': workspaceSettings(kind),
      '0036-person-erasures': personErasures(kind),
      '0037-test-workspaces': testWorkspaces(kind),
    }),
  }
  return new Migrator({ db, provider })
}

/**
 * All missing migrations in one transaction, one instance at a time: SQLite by its write lock, Postgres by an advisory
 * lock.
 */
export async function migrateToLatest(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  const { error } = await migratorOf(db, kind).migrateToLatest()
  if (error) throw error
}

/** Names of those that have not run yet. */
export async function pendingMigrations(db: Kysely<Database>, kind: Store['kind']): Promise<string[]> {
  const migrations = await migratorOf(db, kind).getMigrations()
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
}
