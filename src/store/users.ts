import type { StoreContext } from './schema.ts'
import type { Store } from './store.ts'

export function createUsers({ db }: StoreContext): Store['users'] {
  return {
    async put({ name, passwordHash }) {
      await db
        .insertInto('users')
        .values({ name, password_hash: passwordHash })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ password_hash: passwordHash }))
        .execute()
    },
    async get(name) {
      const row = await db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()
      return row && { name: row.name, passwordHash: row.password_hash }
    },
    async count() {
      const row = await db
        .selectFrom('users')
        .select((column) => column.fn.countAll<number>().as('users'))
        .executeTakeFirstOrThrow()
      return row.users
    },
  }
}
