import { sql } from 'kysely'
import type { StoreContext } from '../schema.ts'
import { associatedData, openJson, sealJson } from '../sealed-json.ts'
import { transacted } from '../transaction.ts'
import type { Users } from '../user.ts'

const associatedDataOf = (name: string) => associatedData('users', 'unprinted_password', [name])

export function createUsers({ reads, writes, vault }: StoreContext, kind: 'sqlite' | 'postgres'): Users {
  return {
    async put({ name, passwordHash }) {
      const changed = { password_hash: passwordHash, unprinted_password: null }
      await writes
        .insertInto('users')
        .values({ name, ...changed })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(changed))
        .execute()
    },
    async create({ name, passwordHash }) {
      const created = await writes
        .insertInto('users')
        .values({ name, password_hash: passwordHash, unprinted_password: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('name')
        .executeTakeFirst()
      return created !== undefined
    },
    createFirst: ({ name, passwordHash, password }) =>
      transacted(writes, async (transaction) => {
        // Otherwise two instances could both find the table empty. SQLite has only one writer at a time.
        if (kind === 'postgres') await sql`lock table users in share row exclusive mode`.execute(transaction)
        if (await transaction.selectFrom('users').select('name').limit(1).executeTakeFirst()) return false
        const unprinted = password === undefined ? null : sealJson(vault, password, associatedDataOf(name))
        await transaction
          .insertInto('users')
          .values({ name, password_hash: passwordHash, unprinted_password: unprinted })
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
      return row && { name: row.name, passwordHash: row.password_hash }
    },
    async list() {
      const rows = await reads
        .selectFrom('users')
        .leftJoin('sessions', (join) =>
          join.onRef('sessions.user_name', '=', 'users.name').on('sessions.expires_at', '>', new Date().toISOString()),
        )
        .select((column) => ['users.name', column.fn.count<number>('sessions.token_hash').as('sessions')])
        .groupBy('users.name')
        .orderBy('users.name')
        .execute()
      return rows
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
  }
}
