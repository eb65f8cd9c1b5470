// The ledger of a migration that the service runs: every instance can continue it.
import type { MigrationKey, MigrationStore } from '../store/store.ts'
import type { Acknowledged, Failed, Ledger } from './ledger.ts'

export async function openStoredLedger(migrations: MigrationStore, key: MigrationKey): Promise<Ledger> {
  const meta = await migrations.meta(key)
  const setMeta = async (name: string, value: string) => {
    meta[name] = value
    await migrations.setMeta(key, meta)
  }
  return {
    meta: (name) => meta[name],
    setMeta,
    async acknowledge(entity, sourceId, { targetId, sourceHash, ...more }) {
      // Written before this migration began: what was there before the first write is no longer known.
      if (await migrations.removeBefore(key, entity, targetId)) await setMeta('begunLate', 'yes')
      await migrations.putRecord(key, entity, sourceId, { written: { targetId, sourceHash, more } })
    },
    async acknowledged(entity, sourceId) {
      const { written } = await migrations.record(key, entity, sourceId)
      if (!written) return undefined
      const { more, ...known } = written
      return { ...known, ...(more as Omit<Acknowledged, 'targetId' | 'sourceHash'>) }
    },
    async fail(entity, sourceId, kind, reason) {
      const { written } = await migrations.record(key, entity, sourceId)
      await migrations.putRecord(key, entity, sourceId, { written, failed: { kind, reason } })
    },
    failed: async (entity, sourceId) => (await migrations.record(key, entity, sourceId)).failed as Failed | undefined,
    async forget(entity, sourceId) {
      const { failed } = await migrations.record(key, entity, sourceId)
      await migrations.putRecord(key, entity, sourceId, { failed })
    },
    sourcesOf: (entity, targetId) => migrations.sourcesOf(key, entity, targetId),
    putBefore: (entity, ids) => migrations.putBefore(key, entity, ids),
    wasBefore: (entity, id) => migrations.wasBefore(key, entity, id),
  }
}
