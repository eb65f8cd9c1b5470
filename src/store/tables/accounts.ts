import { type Kysely, sql } from 'kysely'
import { BoundedMap } from '../../base/bounded-map.ts'
import { type AccountRow, accounts } from '../accounts-schema.ts'
import { compiledOnce } from '../compiled-once.ts'
import { pageOf } from '../paging.ts'
import { openJson } from '../sealed-json.ts'
import type { Account, Store } from '../store.ts'
import { type Database, isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'
import type { Vault } from '../vault.ts'
import { appendEvent } from './deliveries/events.ts'
import { forgetAccount } from './deliveries/positions.ts'

type OpenCredentials = (row: AccountRow) => Account['credentials']
/** Caches decrypted credentials by account and sealed value: the same account is used again and again. */
function createOpener(vault: Vault): OpenCredentials {
  const opened = new BoundedMap<string, Account['credentials']>(1_000)
  return ({ id, credentials: sealed }) => {
    const name = `${id} ${sealed}`
    let credentials = opened.get(name)
    if (!credentials) {
      credentials = Object.freeze(
        openJson(vault, sealed, accounts.bound('credentials', { id })) as Account['credentials'],
      )
      opened.set(name, credentials)
    }
    return credentials
  }
}

/** The event of a new state. */
const eventOf = {
  active: 'account.recovered',
  disabled: 'account.disabled',
  reconnect_required: 'account.reconnect_required',
}

export function createAccounts({ reads, writes, lookups, vault, now, wakes }: StoreContext): Store['accounts'] {
  const open = createOpener(vault)
  const { toRow, changed } = accounts.codec(vault)
  const { toItem } = accounts.without('credentials').codec(vault)
  const toAccount = (row: AccountRow): Account => ({ ...toItem(row), credentials: open(row) })
  async function tell(db: Kysely<Database>, type: string, row: Omit<AccountRow, 'created_at'>): Promise<void> {
    const { id, workspace_id: workspaceId, platform, vertical, name, state, state_reason: reason } = row
    const data = { platform, vertical, name, state, ...(reason === null ? {} : { reason }) }
    await appendEvent(db, { vault, now }, { workspaceId, type, subject: `account ${id}`, accountId: id, data })
    await wakes.committing(db, id)
  }
  const byId = compiledOnce(({ id }: { id: string }) => reads.selectFrom('accounts').selectAll().where('id', '=', id))
  return {
    async create(account) {
      const at = isoNow()
      const row = toRow({ ...account, testOnly: undefined, revision: 1, createdAt: at, updatedAt: at })
      const isNew = await transacted(writes, async (transaction) => {
        // Changes nothing, and waits for a change of the mark.
        const workspace = await transaction
          .updateTable('workspaces')
          .set((column) => ({ is_test: column.ref('is_test') }))
          .where('id', '=', row.workspace_id)
          .returning('is_test')
          .executeTakeFirst()
        row.test_only = workspace?.is_test ?? 0
        const inserted = await transaction
          .insertInto('accounts')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted) await tell(transaction, 'account.connected', row)
        return inserted !== undefined
      })
      if (!isNew) return 'exists'
      wakes.committed(row.id)
      return toAccount(row)
    },
    get: lookups.lookup('accounts', async (id) => {
      const row = await byId(reads, { id })
      return row && toAccount(row)
    }),
    async list(workspaceId, page, { search, platform, state, ids } = {}) {
      let query = reads.selectFrom('accounts').selectAll().where('workspace_id', '=', workspaceId)
      if (platform !== undefined) query = query.where('platform', '=', platform)
      if (state !== undefined) query = query.where('state', '=', state)
      if (ids) query = query.where('id', 'in', ids)
      if (search) {
        const part = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
        query = query.where((column) =>
          column.or(
            (['id', 'name'] as const).map(
              (name) => sql<boolean>`${column.fn('lower', [name])} like ${part} escape '\\'`,
            ),
          ),
        )
      }
      return pageOf(query, page, toAccount)
    },
    async counts(workspaceId) {
      return reads
        .selectFrom('accounts')
        .select((column) => ['platform', 'state', column.fn.countAll<number>().as('accounts')])
        .where('workspace_id', '=', workspaceId)
        .groupBy(['platform', 'state'])
        .orderBy('platform')
        .orderBy('state')
        .execute()
    },
    async update(id, { event, ...change }, ifRevision) {
      const updated = (db: Kysely<Database>) =>
        db
          .updateTable('accounts')
          .set((column) => ({
            ...changed({ id }, change),
            // The reason belongs to the state: a new state never keeps the reason of the last one.
            ...(change.state !== undefined || 'stateReason' in change
              ? { state_reason: change.stateReason ?? null }
              : {}),
            revision: column('revision', '+', 1),
            updated_at: isoNow(),
          }))
          .where('id', '=', id)
          .$if(ifRevision !== undefined, (query) => query.where('revision', '=', ifRevision as number))
          .returningAll()
          .executeTakeFirst()
      /** The state and its event, in one transaction. */
      const withEvent = () =>
        transacted(writes, async (transaction) => {
          const before = await transaction
            .selectFrom('accounts')
            .select('state')
            .where('id', '=', id)
            .executeTakeFirst()
          const row = await updated(transaction)
          if (row && before?.state !== row.state) await tell(transaction, eventOf[row.state], row)
          if (row && event) await tell(transaction, event, row)
          return row
        })
      const row = await lookups.changing(
        ['accounts'],
        change.state === undefined && !event ? updated(writes) : withEvent(),
      )
      if (row && (change.state !== undefined || event)) wakes.committed(id)
      return row && toAccount(row)
    },
    async sameBusiness({ id, workspaceId, business }) {
      if (!business) return []
      const rows = await reads
        .selectFrom('accounts')
        .select('id')
        .where('business', '=', business)
        .where('workspace_id', '=', workspaceId)
        .where('id', '<>', id)
        .orderBy('created_at')
        .limit(10)
        .execute()
      return rows.map((row) => row.id)
    },
    async withoutBusiness(limit) {
      const rows = await reads.selectFrom('accounts').selectAll().where('business', 'is', null).limit(limit).execute()
      return rows.map(toAccount)
    },
    async setBusiness(id, business = '') {
      const update = writes.updateTable('accounts').set({ business }).where('id', '=', id).where('business', 'is', null)
      await lookups.changing(['accounts'], update.execute())
    },
    async delete(id) {
      const remove = transacted(writes, async (transaction) => {
        // Every table of an account cascades, so one statement also deletes rows that are written at the same time.
        const row = await transaction
          .deleteFrom('accounts')
          .where('id', '=', id)
          .returning('workspace_id')
          .executeTakeFirst()
        if (row) await forgetAccount(transaction, { id, workspaceId: row.workspace_id })
        return row
      })
      const row = await lookups.changing(['accounts', 'mappings', 'mapping_keys', 'mapping_defaults'], remove)
      return row !== undefined
    },
  }
}
