import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { activityEntry } from '../../test/activity-entry.ts'
import { builtThread } from '../../test/built-thread.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../test/store-on.ts'
import { createPacker, type Packed } from '../store/activity-writer.ts'
import { openStore } from '../store/open-store.ts'
import type { RecordedActivity, Store } from '../store/store.ts'
import { createVault } from '../store/vault.ts'
import { createActivityThread } from './activity.ts'
import type { ThreadData } from './worker.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const encryptionKeys = [randomBytes(32)]
const entry = () => activityEntry({ trace: JSON.stringify({ body: 'Café 日本', calls: [{ path: '/v2/orders' }] }) })
function packed(one: RecordedActivity) {
  const packer = createPacker(100_000, () => {})
  packer.add(one)
  return (packer.take() as Packed).lines
}
const locationOf = (kind: Store['kind'], { place }: TestDatabase): ThreadData => ({
  encryptionKeys,
  ...(kind === 'postgres' ? { databaseUrl: place, dataDir: '' } : { dataDir: dirname(place) }),
})

function begin(location: ThreadData, file = builtThread('activity')) {
  const thread = createActivityThread(file, location)
  closing.push(() => thread.close())
  return thread
}

async function setUp(kind: Store['kind']) {
  const database = await createTestDatabase(kind)
  closing.push(() => database.remove())
  const store = await database.open(createVault(encryptionKeys))
  await store.migrate()
  await addAccount(store, 'a')
  return { store, thread: begin(locationOf(kind, database)) }
}

describe.each(storeKinds)('the thread that writes activity, on %s', (kind) => {
  it('writes entries that the store can read, and removes old ones', async () => {
    const { store, thread } = await setUp(kind)
    const entries = [entry(), entry()]
    await Promise.all(entries.map((one) => thread.write(packed(one))))
    for (const { requestId, trace } of entries)
      expect(await store.activity.get('w', requestId)).toMatchObject({ requestId, trace: JSON.parse(trace) })
    expect(await thread.prune(Date.now() + 60_000)).toBeGreaterThan(0)
    expect((await store.activity.list('w', {}, { limit: 10 })).data).toEqual([])
  })
  it('ends after its last call', async () => {
    const { store, thread } = await setUp(kind)
    await thread.write(packed(entry()))
    const writing = thread.write(packed(entry()))
    await turn() // sent
    await Promise.all([writing, thread.close()])
    expect((await store.activity.list('w', {}, { limit: 10 })).data).toHaveLength(2)
  })
})

it('passes the error of the database on, and continues when the database is ready', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-activity-'))
  const store = await openStore({ dataDir, vault: createVault(encryptionKeys) })
  closing.push(() => store.close())
  const thread = begin({ encryptionKeys, dataDir })
  await expect(thread.write(packed(entry()))).rejects.toThrow('no such table')
  await store.migrate()
  await addAccount(store, 'a')
  await thread.write(packed(entry()))
  expect((await store.activity.list('w', {}, { limit: 10 })).data).toHaveLength(1)
})

it('fails its calls when it cannot start', async () => {
  const thread = begin({ encryptionKeys, dataDir: '' }, join(import.meta.dirname, 'no-such-file.ts'))
  await expect(Promise.all([thread.write(packed(entry())), thread.prune(0)])).rejects.toThrow(/Cannot find module/)
  await expect(thread.write(packed(entry()))).rejects.toThrow(/Cannot find module/) // started again
})
