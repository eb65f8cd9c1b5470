import { type Kysely, sql } from 'kysely'
import { associatedData, openJson, sealJson } from '../sealed-json.ts'
import { type Database, isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'
import type { UserChange, Users } from '../user.ts'

const associatedDataOf = (name: string) => associatedData('users', 'unprinted_password', [name])

export function createUsers({ reads, writes, vault }: StoreContext, kind: 'sqlite' | 'postgres'): Users {
  /** For decisions about all users. SQLite has only one writer at a time. */
  const alone = async (transaction: Kysely<Database>) => {
    if (kind === 'postgres') await sql`lock table users in share row exclusive mode`.execute(transaction)
  }
  /** Unless no installation admin would be left. */
  const changeAdmin = (name: string, change: (transaction: Kysely<Database>) => Promise<unknown>) =>
    transacted(writes, async (transaction): Promise<UserChange> => {
      await alone(transaction)
      const admins = await transaction.selectFrom('users').select(['name', 'is_admin']).execute()
      const user = admins.find((row) => row.name === name)
      if (!user) return 'missing'
      if (user.is_admin === 1 && admins.filter((row) => row.is_admin === 1).length === 1) return 'last'
      await change(transaction)
      return 'done'
    })
  return {
    async put({ name, passwordHash }) {
      const changed = { password_hash: passwordHash, unprinted_password: null }
      await writes
        .insertInto('users')
        .values({ name, ...changed, is_admin: 1 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(changed))
        .execute()
    },
    async create({ name, passwordHash, isAdmin }) {
      const created = await writes
        .insertInto('users')
        .values({ name, password_hash: passwordHash, unprinted_password: null, is_admin: isAdmin ? 1 : 0 })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('name')
        .executeTakeFirst()
      return created !== undefined
    },
    createFirst: ({ name, passwordHash, password }) =>
      transacted(writes, async (transaction) => {
        // Otherwise two instances could both find the table empty.
        await alone(transaction)
        if (await transaction.selectFrom('users').select('name').limit(1).executeTakeFirst()) return false
        const unprinted = password === undefined ? null : sealJson(vault, password, associatedDataOf(name))
        await transaction
          .insertInto('users')
          .values({ name, password_hash: passwordHash, unprinted_password: unprinted, is_admin: 1 })
          .execute()
        return true
      }),
    async printFirst(print) {
      const row = await reads
        .selectFrom('users')
        .select(['name', 'unprinted_password'])
        .where('unprinted_password', 'is not', null)
        .executeTakeFirst()
      if (!row?.unprinted_password) return
      const { name, unprinted_password: sealed } = row
      const password = openJson(vault, sealed, associatedDataOf(name)) as string
      await transacted(writes, async (transaction) => {
        // The row is locked until the password is printed: another instance waits here, and finds the password only if
        // this one crashed.
        const mine = await transaction
          .updateTable('users')
          .set({ unprinted_password: null })
          .where('name', '=', name)
          .where('unprinted_password', '=', sealed)
          .returning('name')
          .executeTakeFirst()
        if (mine) await print({ name, password })
      })
    },
    async get(name) {
      const row = await reads.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()
      return row && { name: row.name, passwordHash: row.password_hash, isAdmin: row.is_admin === 1 }
    },
    async list() {
      const rows = await reads
        .selectFrom('users')
        .select((column) => [
          'name',
          'is_admin',
          'password_hash',
          column
            .selectFrom('sessions')
            .select((inner) => inner.fn.countAll<number>().as('sessions'))
            .whereRef('sessions.user_name', '=', 'users.name')
            .where('sessions.expires_at', '>', isoNow())
            .as('sessions'),
          column
            .selectFrom('members')
            .select((inner) => inner.fn.countAll<number>().as('workspaces'))
            .whereRef('members.user_name', '=', 'users.name')
            .as('workspaces'),
        ])
        .orderBy('name')
        .execute()
      return rows.map((row) => ({
        name: row.name,
        isAdmin: row.is_admin === 1,
        hasPassword: row.password_hash !== '',
        workspaces: Number(row.workspaces),
        sessions: Number(row.sessions),
      }))
    },
    async count() {
      const row = await reads
        .selectFrom('users')
        .select((column) => column.fn.countAll<number>().as('users'))
        .executeTakeFirstOrThrow()
      return row.users
    },
    resetPassword: ({ name, passwordHash }) =>
      transacted(writes, async (transaction) => {
        const found = await transaction
          .updateTable('users')
          .set({ password_hash: passwordHash, unprinted_password: null })
          .where('name', '=', name)
          .returning('name')
          .executeTakeFirst()
        await transaction.deleteFrom('sessions').where('user_name', '=', name).execute()
        return found !== undefined
      }),
    setAdmin: (name, isAdmin) =>
      isAdmin
        ? transacted(writes, async (transaction) => {
            const row = await transaction
              .updateTable('users')
              .set({ is_admin: 1 })
              .where('name', '=', name)
              .returning('name')
              .executeTakeFirst()
            return row ? 'done' : 'missing'
          })
        : changeAdmin(name, (transaction) =>
            transaction.updateTable('users').set({ is_admin: 0 }).where('name', '=', name).execute(),
          ),
    delete: (name) =>
      changeAdmin(name, async (transaction) => {
        await transaction.deleteFrom('sessions').where('user_name', '=', name).execute()
        await transaction.deleteFrom('users').where('name', '=', name).execute()
      }),
    async byIdentity({ issuer, subject }) {
      const row = await reads
        .selectFrom('identities')
        .select('user_name')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.user_name
    },
    async addIdentity({ issuer, subject, user }) {
      const row = await writes
        .insertInto('identities')
        .values({ issuer, subject, user_name: user, created_at: isoNow() })
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
        .returning('subject')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
