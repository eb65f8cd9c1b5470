// The least that a proxy must store to write exactly once: a row before the platform is called, and its outcome before
// the caller gets a response. No encryption, no leases, no steps, no links, no slots.
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Pool } from 'pg'

type Row = [key: string, content: string]
interface Batch {
  begun: Row[]
  done: Row[]
}
export interface BareJournal {
  begin(key: string, record: string): Promise<void>
  done(key: string, outcome: string): Promise<void>
}
const schema = 'create table if not exists bare_journal (key text primary key, record text not null, outcome text)'

/** As the service does it: what arrives while a batch is stored is the next batch, and one commit. */
function inBatches(store: (batch: Batch) => Promise<void>): BareJournal {
  let next: { batch: Batch; stored: PromiseWithResolvers<void> } | undefined
  let busy = false
  async function run(): Promise<void> {
    busy = true
    while (next) {
      const { batch, stored } = next
      next = undefined
      await store(batch).then(stored.resolve, stored.reject)
    }
    busy = false
  }
  function add(kind: keyof Batch, row: Row): Promise<void> {
    if (!next) {
      next = { batch: { begun: [], done: [] }, stored: Promise.withResolvers() }
      if (!busy) setImmediate(run)
    }
    next.batch[kind].push(row)
    return next.stored.promise
  }
  return { begin: (...row) => add('begun', row), done: (...row) => add('done', row) }
}

export async function openBareJournal(database: string): Promise<BareJournal> {
  return database.startsWith('postgres') ? openPostgres(database) : openSqlite(database)
}

async function openPostgres(url: string): Promise<BareJournal> {
  const pool = new Pool({ connectionString: url, max: 1 })
  await pool.query(schema)
  return inBatches(async ({ begun, done }) => {
    const columns = (rows: Row[]) => [rows.map(([key]) => key), rows.map(([, content]) => content)]
    await pool.query({
      name: 'journal',
      text: `with begun as (insert into bare_journal (key, record) select * from unnest($1::text[], $2::text[]))
        update bare_journal set outcome = changed.outcome
        from unnest($3::text[], $4::text[]) changed (key, outcome) where bare_journal.key = changed.key`,
      values: [...columns(begun), ...columns(done)],
    })
  })
}

async function openSqlite(file: string): Promise<BareJournal> {
  const worker = new Worker(new URL(import.meta.url), { workerData: file })
  return inBatches((batch) => {
    const stored = Promise.withResolvers<void>()
    worker.once('message', stored.resolve)
    worker.postMessage(batch)
    return stored.promise
  })
}

if (!isMainThread) {
  const database = new DatabaseSync(workerData as string)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; ${schema}`)
  const begin = database.prepare('insert into bare_journal (key, record) values (?, ?)')
  const end = database.prepare('update bare_journal set outcome = ? where key = ?')
  parentPort?.on('message', ({ begun, done }: Batch) => {
    database.exec('begin immediate')
    for (const row of begun) begin.run(...row)
    for (const [key, outcome] of done) end.run(outcome, key)
    database.exec('commit')
    parentPort?.postMessage(undefined)
  })
}
