import { mappingKeys } from '../accounts-schema.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'

export function createMappingKeys({ reads, writes, lookups, vault }: StoreContext): Store['mappingKeys'] {
  const { toItem: toMappingKey, toRow } = mappingKeys.codec(vault)
  const byKey = compiledOnce(({ key }: { key: string }) =>
    reads.selectFrom('mapping_keys').selectAll().where('key', '=', key),
  )
  return {
    async create(key) {
      const row = toRow({ ...key, createdAt: isoNow() })
      await writes.insertInto('mapping_keys').values(row).execute()
      return toMappingKey(row)
    },
    get: lookups.lookup('mapping_keys', async (key) => {
      const row = await byKey(reads, { key })
      return row && toMappingKey(row)
    }),
    async list(accountId) {
      const rows = await reads
        .selectFrom('mapping_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('key')
        .execute()
      return rows.map(toMappingKey)
    },
    async delete(key) {
      const row = await lookups.changing(
        ['mapping_keys'],
        writes.deleteFrom('mapping_keys').where('key', '=', key).returning('key').executeTakeFirst(),
      )
      return row !== undefined
    },
  }
}
