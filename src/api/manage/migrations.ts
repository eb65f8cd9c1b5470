// Migrations between two accounts of a workspace: plan, run, report. They run in the background and survive a restart.

import { existingWorkspace, missing, missingIn, ofWorkspace } from '../../accounts/lookup.ts'
import { entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { listedMigration, migration, newMigration, runChoices } from '../../contract/manage/migrations.ts'
import { object, pageSchema } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { type MigrationOptions, noProgress } from '../../migrate/job.ts'
import { pluralOf } from '../../migrate/plurals.ts'
import { type Place, routeOf } from '../../migrate/route.ts'
import type { MigrationRunner } from '../../migrate/runner.ts'
import { createRequestId } from '../../store/request-id.ts'
import type { Account, ListedMigration, MigrationKey, MigrationState, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const stoppable: readonly MigrationState[] = ['planning', 'running']

export function migrationRoutes(store: Store, engine: Engine, runner: MigrationRunner): ManageRoute[] {
  const tag = 'Migrations'
  const base = '/workspaces/{workspaceId}/migrations'
  const keyOf = ({ workspaceId = '', migrationId = '' }: Record<string, string>): MigrationKey => ({
    workspaceId,
    id: migrationId,
  })
  async function existing(parameters: Record<string, string>) {
    const found = await store.migrations.get(keyOf(parameters))
    if (!found) throw missingIn('migrationId', 'migration', ofWorkspace('/migrations'))
    return found
  }
  async function accountOf(field: 'from' | 'to', workspaceId: string, id: string): Promise<Account> {
    const account = await store.accounts.get(id)
    if (account?.workspaceId !== workspaceId)
      throw missing('account', `Check ${field} in the body: GET /manage/v1${ofWorkspace('/accounts')} lists them.`)
    return account
  }
  const placeOf = (account: Account): Place => {
    const { id: platform, name, limit } = engine.connectorOf(account)
    const { id: accountId, vertical } = account
    return { accountId, platform, name, vertical, rateLimit: limit, entities: engine.support(account) }
  }
  /** What is wrong with it can be said before anything is read. */
  function check(from: Account, to: Account, { entities, defaults = {} }: MigrationOptions): void {
    if (from.id === to.id)
      throw new Problem('validation_failed', 'The body is not valid.', {
        errors: [{ pointer: '/to', message: 'must be another account than from' }],
      })
    const strange = Object.keys(defaults).find((name) => !(entityTypes as readonly string[]).includes(name))
    if (strange !== undefined)
      throw new Problem('validation_failed', 'The body is not valid.', {
        errors: [{ pointer: `/defaults/${strange}`, message: `must be one of ${entityTypes.join(', ')}` }],
      })
    const places = [placeOf(from), placeOf(to)] as const
    const { entities: moved, notMoved } = routeOf(...places, entities)
    if (moved.length > 0) return
    const reasons = notMoved.map(({ entity, reason }) => `${pluralOf(entity)}: ${reason}`).join('; ')
    throw new Problem('validation_failed', 'The body is not valid.', {
      errors: [
        {
          pointer: '/to',
          message: `nothing of ${places[0].name} can go to ${places[1].name} (${reasons || 'no entity was chosen'}); choose another account or other entities`,
        },
      ],
    })
  }
  async function show<T extends ListedMigration>({ workspaceId: _, from, to, ...shown }: T) {
    const named = async (id: string) => {
      const account = await store.accounts.get(id)
      return { accountId: id, name: account?.name ?? id, platform: account?.platform ?? '' }
    }
    return { ...shown, from: await named(from), to: await named(to) }
  }
  const inUse = (state: MigrationState, next: string) =>
    new Problem('resource_in_use', `The migration is ${state}. ${next}`)

  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listMigrations',
      role: 'viewer',
      summary: 'List migrations, newest first',
      tag,
      query: pageQuery,
      answer: pageSchema(listedMigration),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const { data, next } = await store.migrations.list(id, pageOf(query))
        return { data: await Promise.all(data.map(show)), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'planMigration',
      role: 'operator',
      summary: 'Plan a migration from one account to another; nothing is written',
      tag,
      body: newMigration,
      answer: migration,
      status: 202,
      result: 'getMigration',
      handle: async ({ parameters, body, request, recorded }) => {
        const { id: workspaceId } = await existingWorkspace(store, parameters.workspaceId)
        const { from, to, ...rest } = body
        const options = rest as MigrationOptions
        const accounts = [await accountOf('from', workspaceId, from), await accountOf('to', workspaceId, to)] as const
        check(...accounts, options)
        const id = createRequestId().replace('req_', 'mig_')
        const createdBy = request.operator?.user ?? 'management'
        const made = await recorded((inner) =>
          inner.migrations.create({ workspaceId, id, from, to, options, progress: noProgress, createdBy }),
        )
        runner.start(made)
        return show(made)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{migrationId}`,
      operationId: 'getMigration',
      role: 'viewer',
      summary: 'Read a migration with its progress, its plan and its report',
      tag,
      answer: migration,
      handle: async ({ parameters }) => show(await existing(parameters)),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{migrationId}/run`,
      operationId: 'runMigration',
      role: 'operator',
      summary: 'Write what was planned, or continue; what was written before is not written again',
      tag,
      body: object(runChoices),
      answer: migration,
      status: 202,
      result: 'getMigration',
      problems: ['resource_in_use'],
      handle: async ({ parameters, body, recorded }) => {
        const found = await existing(parameters)
        const { state, options, plan } = found
        if (!plan || stoppable.includes(state))
          throw inUse(
            state,
            plan ? 'Wait until it has ended, or stop it.' : 'It has no plan: plan a new one with POST …/migrations.',
          )
        const chosen = { update: undefined, resendUnknown: undefined, ...body }
        await recorded(async (inner) => {
          const change = { state: 'running' as const, options: { ...(options as object), ...chosen } }
          if (!(await inner.migrations.change(found, { ...change, error: null, progress: noProgress }, [state])))
            throw inUse(state, 'It has just been changed. Read it again.')
        })
        runner.start(found)
        return show(await existing(parameters))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{migrationId}/stop`,
      operationId: 'stopMigration',
      role: 'operator',
      summary: 'Stop planning or writing; running it again continues it',
      tag,
      answer: migration,
      problems: ['resource_in_use'],
      handle: async ({ parameters, recorded }) => {
        const found = await existing(parameters)
        await recorded(async (inner) => {
          if (!(await inner.migrations.change(found, { state: 'stopped' }, stoppable)))
            throw inUse(found.state, 'There is nothing to stop.')
        })
        runner.stop(found)
        return show(await existing(parameters))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{migrationId}`,
      operationId: 'deleteMigration',
      role: 'operator',
      summary: 'Delete a migration and its report; records at the platforms stay',
      tag,
      problems: ['resource_in_use'],
      handle: async ({ parameters, recorded }) => {
        const found = await existing(parameters)
        await recorded(async (inner) => {
          if (!(await inner.migrations.delete(found))) throw inUse(found.state, 'Stop it first.')
        })
      },
    }),
  ]
}
