// Kysely over node:sqlite: one connection, one user of it at a time, statements prepared once.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { DatabaseDamaged, isDamage } from './damaged.ts'
import { DatabaseUnavailable } from './unavailable.ts'

const giveUpAfterMs = 30_000
const keptStatements = 500
const sqliteBusy = 5
/** Busy for too long, read-only, an I/O error, a full disk, a file that cannot be opened. https://www.sqlite.org/rescode.html */
const unavailable = new Set([sqliteBusy, 8, 10, 13, 14])

/** The low byte of the extended codes of the same family. */
const codeOf = (error: unknown): number => (error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0)

/** Waits beside the event loop. SQLite's own busy timeout would stop the whole process while another one writes. */
export async function retryWhenBusy<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + giveUpAfterMs
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (isDamage(error)) throw new DatabaseDamaged(error.message, error)
      if (codeOf(error) !== sqliteBusy || Date.now() > deadline) throw unavailable.has(codeOf(error)) ? new DatabaseUnavailable(error) : error
    }
    await sleep(wait * (0.5 + Math.random()))
  }
}

class Connection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; answersRows: boolean; onlyReads: boolean }>()

  readonly #written: () => void

  /** `written` is called in the moment of every change and every commit. */
  constructor(database: DatabaseSync, written: () => void) {
    this.#database = database
    this.#written = written
  }

  #prepare(sql: string) {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#database.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0, onlyReads: sql.startsWith('select') }
    if (this.#statements.size >= keptStatements) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return retryWhenBusy(() => {
      const { statement, answersRows, onlyReads } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      try {
        if (answersRows) return { rows: statement.all(...values) as Row[] }
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
      } finally {
        if (!onlyReads) this.#written()
      }
    })
  }

  // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported')
  }
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: Connection
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(database: DatabaseSync, written: () => void) {
    this.#database = database
    this.#connection = new Connection(database, written)
  }

  async init(): Promise<void> {}

  /** First come, first served. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    this.#release = resolve
    return this.#connection
  }
  async releaseConnection(): Promise<void> {
    this.#release()
  }

  /** Immediate: a transaction that reads first and writes later would fail as soon as another process wrote in between. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Some failures (a full disk) have already ended it.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
  async destroy(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Kysely's own says no, and would run migrations outside of a transaction; SQLite can. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** For look-ups outside of any transaction, on a connection of their own: no queue, nothing between the question and the answer. */
export const createSqliteReads = (database: DatabaseSync): Pick<Connection, 'executeQuery'> => new Connection(database, () => {})

export function createSqliteDialect(database: DatabaseSync, written: () => void): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, written),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}
