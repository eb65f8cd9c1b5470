// One migration of the service, from its stored options to its plan or report.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Store, StoredMigration } from '../store/store.ts'
import { type EngineAccess, openEngineSide } from './engine-side.ts'
import type { Defaults, Fitting } from './fit.ts'
import { createLocations } from './location.ts'
import type { Outcome } from './move.ts'
import { type Notebook, openScratch } from './notebook.ts'
import { type MigrationPlan, planMigration } from './plan.ts'
import { pluralOf } from './plurals.ts'
import type { Report } from './report.ts'
import { routeOf } from './route.ts'
import { runMigration } from './run.ts'
import { createSelection } from './selection.ts'
import { openStoredLedger } from './stored-ledger.ts'

export interface MigrationOptions {
  entities?: EntityType[]
  ordersSince?: string
  orderStates?: string[]
  location?: string
  prefix?: string
  defaults?: Defaults
  link?: boolean
  update?: boolean
  resendUnknown?: boolean
}
export interface MigrationProgress {
  stage: 'waiting' | 'planning' | 'preparing' | 'writing' | 'comparing' | 'ended'
  entityType?: EntityType
  records: number // that were read in this stage
  outcomes: Partial<Record<EntityType, Partial<Record<Outcome, number>>>>
  pause?: string // why it waits before it repeats a call
  complete?: boolean // of the last report
}
export const noProgress: MigrationProgress = { stage: 'waiting', records: 0, outcomes: {} }

export interface JobContext extends EngineAccess {
  store: Store
  signal: AbortSignal
  check?(): void // throws when the migration no longer belongs to this process
  progress: MigrationProgress // changed as it goes
}
const patienceMs = 15 * 60_000

/** What it contains is of no use to another job. */
async function withNotebook<T>(work: (notebook: Notebook) => Promise<T>): Promise<T> {
  const notebook = openScratch()
  try {
    return await work(notebook)
  } finally {
    notebook.close()
  }
}

async function prepare(context: JobContext, { from, to, createdBy, options: stored }: StoredMigration) {
  const { signal, check, progress } = context
  const options = stored as MigrationOptions
  const patience = {
    totalMs: patienceMs,
    signal,
    ...(check ? { check } : {}),
    onWait: ({ message }: Error) => {
      progress.pause = message
    },
  }
  const open = (accountId: string) => openEngineSide(context, accountId, createdBy, patience)
  const [source, target] = await Promise.all([open(from), open(to)])
  const route = routeOf(source.place, target.place, options.entities)
  if (route.entities.length === 0)
    throw new Problem(
      'invalid_parameter',
      `Nothing of ${source.place.name} can go to ${target.place.name}: ${route.notMoved.map(({ entity, reason }) => `${pluralOf(entity)}: ${reason}`).join('; ')}. Choose other accounts or entities.`,
    )
  const fitting: Fitting = {
    vertical: target.place.vertical,
    prefix: options.prefix ?? '',
    locationFor: createLocations(to, options.location, target.check),
    defaults: options.defaults ?? {},
    check: target.check,
  }
  return { options, source, target, route, fitting, selection: createSelection(source.place, options) }
}

export async function planJob(context: JobContext, migration: StoredMigration): Promise<MigrationPlan> {
  const { progress } = context
  const { source, target, route, fitting, selection } = await prepare(context, migration)
  Object.assign(progress, { ...noProgress, outcomes: {}, stage: 'planning' })
  const count = (records: number) => {
    progress.records += records
    delete progress.pause
  }
  return withNotebook((notebook) =>
    planMigration({ from: source, to: target, route, selection, fitting, notebook, count }),
  )
}

export async function runJob(context: JobContext, migration: StoredMigration): Promise<Report> {
  const { store, progress, signal } = context
  const { options, source, target, route, fitting, selection } = await prepare(context, migration)
  Object.assign(progress, { ...noProgress, outcomes: {}, stage: 'preparing' })
  const enter = (stage: MigrationProgress['stage'], entityType: EntityType) =>
    Object.assign(progress, { stage, entityType, records: 0 })
  const ledger = await openStoredLedger(store.migrations, migration)
  const { link, update = false, resendUnknown = false } = options
  return withNotebook((shelf) =>
    runMigration(
      { from: source, to: target, ledger, shelf, selection, fitting, update, resendUnknown, signal },
      route,
      {
        noting: () => ({
          on(records) {
            progress.records += records
            delete progress.pause
          },
          end() {},
        }),
        moving(entityType) {
          enter('writing', entityType)
          const counts: Partial<Record<Outcome, number>> = {}
          progress.outcomes[entityType] = counts
          return {
            on(outcome) {
              counts[outcome] = (counts[outcome] ?? 0) + 1
              progress.records++
              delete progress.pause
            },
            end() {},
          }
        },
        comparing(entityType) {
          enter('comparing', entityType)
          return {
            on(records) {
              progress.records += records
              delete progress.pause
            },
            end() {},
          }
        },
        onDifference() {},
      },
      link ? (reference) => store.links.put({ ...reference, accountId: migration.to, origin: 'linked' }) : undefined,
    ),
  )
}
