// Kysely over node:sqlite: one connection that writes, one that reads, statements prepared once.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { BoundedMap } from '../../contract/bounded-map.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { DatabaseDamaged, isDamage } from './damaged.ts'

const giveUpAfterMs = 30_000
const keptStatements = 500
const sqliteBusy = 5
/** How long a change that nobody waits for may keep the others from writing. */
const unaskedMs = 5
/** Busy for too long, read-only, an I/O error, a full disk, a file that cannot be opened. https://www.sqlite.org/rescode.html */
const unavailable = new Set([sqliteBusy, 8, 10, 13, 14])

/** The low byte of the extended codes of the same family. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

/** Waits beside the event loop. SQLite's own busy timeout would stop the whole process while another one writes. */
export async function retryWhenBusy<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + giveUpAfterMs
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (isDamage(error)) throw new DatabaseDamaged(error.message, error)
      if (codeOf(error) !== sqliteBusy || Date.now() > deadline)
        throw unavailable.has(codeOf(error)) ? new DatabaseUnavailable(error) : error
    }
    await sleep(wait * (0.5 + Math.random()))
  }
}

const onlyReads = (sql: string) => sql.startsWith('select')

/** Lists in the place of values: the statement runs once for each of them. */
function runAll(statement: StatementSync, rows: readonly SQLInputValue[][]): bigint {
  let changed = 0
  for (const row of rows) changed += Number(statement.run(...row).changes)
  return BigInt(changed)
}

class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new BoundedMap<string, { statement: StatementSync; answersRows: boolean }>(keptStatements)

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  #prepare(sql: string) {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#database.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return retryWhenBusy(() => {
      const { statement, answersRows } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      if (Array.isArray(values[0]))
        return { rows: [], numAffectedRows: runAll(statement, parameters as SQLInputValue[][]) }
      if (answersRows) return { rows: statement.all(...values) as Row[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    })
  }
}

/**
 * Writes that come in the same turn of the event loop share one transaction: the disk is waited for once, and each of them is done when that is.
 * A statement that fails is undone alone; a failure that ends the transaction is the failure of all in it.
 */
class Group {
  readonly connection: Connection
  readonly #database: DatabaseSync
  #last: Promise<void> = Promise.resolve()
  #open = false
  #unasked: NodeJS.Timeout | undefined
  readonly #waiting: { resolve(): void; reject(error: unknown): void }[] = []

  constructor(database: DatabaseSync) {
    this.#database = database
    this.connection = new Connection(database)
  }

  /** First come, first served; ends with what it answers. */
  async lock(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
  run = (sql: string) => this.connection.executeQuery(CompiledQuery.raw(sql))

  /** Locked: from here on there is a transaction. Immediate: one that reads first and writes later would fail as soon as another process wrote in between. */
  async enter(): Promise<void> {
    if (this.#open) return
    await this.run('begin immediate')
    this.#open = true
    this.#unasked = setTimeout(this.commit, unaskedMs)
  }
  /** Locked: ends when all that was done up to here is on the disk. */
  kept(): Promise<void> {
    if (this.#waiting.length === 0) setImmediate(this.commit)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }
  /** Locked. Some failures (a full disk) have ended the whole transaction. */
  async ask<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.connection.executeQuery(query)
    } catch (error) {
      if (this.#open && !this.#database.isTransaction) this.#lost(error)
      throw error
    }
  }
  /** Where nobody waits until it is on the disk, it gets there with the next change that somebody waits for, or soon. */
  async alone<Row>(
    query: CompiledQuery,
    waits: boolean,
  ): Promise<{ result: QueryResult<Row>; kept: Promise<void> | undefined }> {
    const release = await this.lock()
    try {
      await this.enter()
      const result = await this.ask<Row>(query)
      return { result, kept: waits ? this.kept() : undefined }
    } finally {
      release()
    }
  }
  #lost(error: unknown): void {
    this.#open = false
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
  commit = async (): Promise<void> => {
    const release = await this.lock()
    try {
      if (!this.#open) return
      clearTimeout(this.#unasked)
      await this.run('commit')
      this.#open = false
      for (const { resolve } of this.#waiting.splice(0)) resolve()
    } catch (error) {
      this.#lost(error)
      if (this.#database.isTransaction) await this.run('rollback').catch(() => {}) // nobody waits for it any more
    } finally {
      release()
    }
  }
  async close(): Promise<void> {
    await this.commit()
    if (this.#database.isOpen) this.#database.close()
  }
}

/** What Kysely holds while it asks; only a transaction keeps others waiting. */
class Session implements DatabaseConnection {
  readonly #group: Group
  readonly #reader: Connection | undefined
  #release: (() => void) | undefined

  constructor(group: Group, reader: Connection | undefined) {
    this.#group = group
    this.#reader = reader
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#release) return this.#group.ask(query)
    if (this.#reader && onlyReads(query.sql)) return this.#reader.executeQuery(query)
    const { result, kept } = await this.#group.alone<Row>(query, true)
    await kept
    return result
  }
  async begin(): Promise<void> {
    const release = await this.#group.lock()
    try {
      await this.#group.enter()
      await this.#group.run('savepoint one')
      this.#release = release
    } catch (error) {
      release()
      throw error
    }
  }
  async commit(): Promise<void> {
    await this.#group.run('release one')
    const kept = this.#group.kept()
    this.#leave()
    await kept
  }
  async rollback(database: DatabaseSync): Promise<void> {
    if (!this.#release) return // it was released, and could not be kept
    if (database.isTransaction) {
      await this.#group.run('rollback to one')
      await this.#group.run('release one')
    }
    this.#leave()
  }
  #leave(): void {
    this.#release?.()
    this.#release = undefined
  }
  // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported')
  }
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #group: Group
  readonly #reader: Connection | undefined

  constructor({ database, reader, group }: SqliteParts) {
    this.#database = database
    this.#group = group
    this.#reader = reader && new Connection(reader)
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<Session> {
    return new Session(this.#group, this.#reader)
  }
  async releaseConnection(): Promise<void> {}

  beginTransaction = (session: DatabaseConnection): Promise<void> => (session as Session).begin()
  commitTransaction = (session: DatabaseConnection): Promise<void> => (session as Session).commit()
  rollbackTransaction = (session: DatabaseConnection): Promise<void> => (session as Session).rollback(this.#database)
  async destroy(): Promise<void> {
    await this.#group.close()
  }
}

/** Kysely's own says no, and would run migrations outside of a transaction; SQLite can. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** For look-ups outside of any transaction, on a connection of their own: no queue, nothing between the question and the answer. */
export const createSqliteReads = (database: DatabaseSync): Asked => new Connection(database)

interface SqliteParts {
  database: DatabaseSync
  /** For what is only read: it sees what is on the disk, and waits for nobody. */
  reader: DatabaseSync | undefined
  group: Group
}
export interface SqliteDialectOptions extends Pick<SqliteParts, 'database'> {
  reader?: DatabaseSync
}
type Asked = Pick<Connection, 'executeQuery'>
export interface SqliteDialect extends Dialect {
  /** As through Kysely, without it in between. */
  direct: Asked
  atomically<T>(work: (queries: Asked) => Promise<T>): Promise<T>
  /** Answers before it is on the disk: for a change that means nothing without one that comes after it and is waited for. */
  soon: Asked
  /** With all that was asked before. Kysely leaves alone what it has never used. */
  close(): Promise<void>
}
export function createSqliteDialect({ database, reader }: SqliteDialectOptions): SqliteDialect {
  const group = new Group(database)
  return {
    createDriver: () => new SqliteDriver({ database, reader, group }),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    direct: { executeQuery: <Row>(query: CompiledQuery) => new Session(group, undefined).executeQuery<Row>(query) },
    async atomically(work) {
      const session = new Session(group, undefined)
      await session.begin()
      try {
        const result = await work(session)
        await session.commit()
        return result
      } catch (error) {
        await session.rollback(database)
        throw error
      }
    },
    soon: {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        return (await group.alone<Row>(query, false)).result
      },
    },
    close: () => group.close(),
  }
}
