// Bytes on the disk per record of the change feed's index, after the first walk and after ten more, and the memory that
// walks take, on both databases.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { compareSeen, hashesOf } from '../src/changes/seen.ts'
import type { Feed, IndexRow, Watch } from '../src/store/changes.ts'
import { sqliteFileIn } from '../src/store/open-store.ts'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import { createSqliteStore } from '../src/store/sqlite/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { createVault } from '../src/store/vault.ts'
import { startPostgres } from '../test/postgres.ts'
import { addAccount } from '../test/store-on.ts'
import { table } from './report.ts'

const pageRows = 500
const walks = 10
/** Of the records, the share that changes between two walks. */
const changedShare = 0.01
const limits = { sqlite: 150, postgres: 200 }
/** Node.js lets garbage grow as long as the machine has memory. What a walk needs shows after a collection. */
const pagesPerCollection = 50
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

interface Line {
  database: Store['kind']
  bytesAtFirst: number
  bytesAfterWalks: number
  limit: number
  inUseAtTenth: number // MB that the process uses when a tenth of the first walk is read, without garbage
  inUseMost: number // MB, of all walks
  processMost: number // MB, with garbage that is not collected yet
}
export interface ChangesSizeResult {
  records: number
  lines: Line[]
}

const digest = (text: string, bytes: number) => createHash('sha256').update(text).digest().subarray(0, bytes)
/** Platforms' ids have no order, so the index is filled at random places. */
const idOf = (number: number): string => digest(`id ${number}`, 15).toString('base64url')
const rowOf = (number: number, version: number): IndexRow => ({
  nativeId: idOf(number),
  fingerprint: digest(`content ${number} ${version}`, 16),
  revision: 1,
  digest: digest(`row ${number} ${version}`, 8),
  modified: 1_760_000_000_000 + number * 1_000 + version,
})

/** As a worker does it: each page is compared with the index, and only rows that differ are stored. */
async function walk(
  { changes }: Store,
  feed: Feed,
  watch: Watch,
  records: number,
  round: number,
  onPage: (read: number) => void | Promise<void>,
): Promise<void> {
  const seed = randomBytes(16).toString('base64url')
  const versionOf = (number: number) => (round > 0 && number % (1 / changedShare) === round ? round : 0)
  for (let first = 0; first < records; first += pageRows) {
    const rows = Array.from({ length: Math.min(pageRows, records - first) }, (_, index) =>
      rowOf(first + index, versionOf(first + index)),
    )
    const ids = rows.map(({ nativeId }) => nativeId)
    const known = await changes.records(watch, ids)
    const put = rows.filter((row) => !known.get(row.nativeId)?.fingerprint.equals(row.fingerprint))
    const seen = hashesOf(seed, ids)
    await changes.commit(feed, { watches: [{ watch, put, seen, clearSeen: first === 0 }] })
    await onPage(first + ids.length)
  }
  for await (const { unseen } of compareSeen(changes, watch, { seed, seenBytes: records * 8 })) {
    if (unseen.length > 0) throw new Error('a walk has seen every record, and the comparison misses some')
    await onPage(records)
  }
  await changes.commit(feed, { watches: [{ watch, clearSeen: true }] })
}

async function measure(
  store: Store,
  records: number,
  { size, rest }: { size(): Promise<number>; rest(): Promise<unknown> },
): Promise<Line> {
  await store.migrate()
  await addAccount(store, 'a')
  await store.changes.ensure({ id: 'a', workspaceId: 'w' }, ['product'])
  const feed = await store.changes.takeFeed('a', 'bench', 3_600_000)
  const watch = feed?.watches[0]
  if (!watch) throw new Error('the feed is not free')
  const empty = await size()
  const perRecord = async () => ((await size()) - empty) / records
  const memory = { inUseAtTenth: 0, inUseMost: 0, processMost: 0 }
  let pages = 0
  const onPage = (read: number) => {
    memory.processMost = Math.max(memory.processMost, process.memoryUsage.rss() / 1e6)
    if (pages++ % pagesPerCollection > 0) return
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    memory.inUseMost = Math.max(memory.inUseMost, (heapUsed + external) / 1e6)
    if (pages < records / pageRows && read <= records / 10) memory.inUseAtTenth = memory.inUseMost
  }
  await walk(store, feed, watch, records, 0, async (read) => {
    onPage(read)
    if (read === Math.ceil(records / 10 / pageRows) * pageRows) await rest()
  })
  await rest()
  const bytesAtFirst = await perRecord()
  for (let round = 1; round <= walks; round++) {
    await walk(store, feed, watch, records, round, onPage)
    await rest()
  }
  const bytesAfterWalks = await perRecord()
  return { database: store.kind, bytesAtFirst, bytesAfterWalks, limit: limits[store.kind], ...memory }
}

async function onSqlite(records: number): Promise<Line> {
  const directory = await mkdtemp(join(tmpdir(), 'unified-records-bench-'))
  const file = sqliteFileIn(directory)
  const store = await createSqliteStore({ file, vault: createVault([randomBytes(32)]), durability: 'normal' })
  const checkpointer = new DatabaseSync(file)
  try {
    return await measure(store, records, {
      async size() {
        checkpointer.exec('pragma wal_checkpoint(truncate)')
        return (await stat(file)).size
      },
      rest: async () => {},
    })
  } finally {
    checkpointer.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function onPostgres(records: number): Promise<Line> {
  const server = await startPostgres()
  const store = await createPostgresStore({ url: server.url, vault: createVault([randomBytes(32)]) })
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    return await measure(store, records, {
      async size() {
        const { rows } = await client.query<{ size: string }>(
          `select sum(pg_total_relation_size(name)) as size
           from unnest(array['watch_records', 'walk_seen', 'watches', 'feeds']::regclass[]) as name`,
        )
        return Number(rows[0]?.size)
      },
      // What the server does by itself in the minutes of a first walk and the hours between two walks: it vacuums a
      // table whose rows are all dead, and counts a table that has grown. The index is not vacuumed: few of its rows
      // change.
      async rest() {
        await client.query('vacuum walk_seen')
        await client.query('analyze watch_records')
      },
    })
  } finally {
    await client.end()
    await store.close()
    await server.stop()
  }
}

export async function benchChangesSize(records: number): Promise<ChangesSizeResult> {
  return { records, lines: [await onSqlite(records), await onPostgres(records)] }
}

export function showChangesSize({ records, lines }: ChangesSizeResult): string {
  const rows = lines.map(({ database, bytesAtFirst, bytesAfterWalks, limit, ...memory }) => [
    database,
    bytesAtFirst.toFixed(0),
    bytesAfterWalks.toFixed(0),
    String(limit),
    memory.inUseAtTenth.toFixed(0),
    memory.inUseMost.toFixed(0),
    memory.processMost.toFixed(0),
  ])
  const head = [
    'database',
    'B/record, first walk',
    `B/record, ${walks} walks later`,
    'at most',
    'MB in use after a tenth',
    'MB in use, most',
    'MB of the process, most',
  ]
  return `${records} records with ids of 20 bytes\n\n${table(head, rows)}`
}
