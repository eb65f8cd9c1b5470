// Kysely over node:sqlite: one dialect for the connection that reads, one for the queue of the connection that writes.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { DurableQuery } from '../table-types.ts'
import type { Connection } from './connection.ts'
import type { WriteQueue } from './write-queue.ts'

abstract class Session implements DatabaseConnection {
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported')
  }
}

class ReadSession extends Session {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super()
    this.#connection = connection
  }
  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery(query)
  }
}

/**
 * A transaction of Kysely is one piece of work in the queue: it starts with `begin` and lasts until `commit` or
 * `rollback`.
 */
class WriteSession extends Session {
  readonly #queue: WriteQueue
  #transaction:
    | { connection: Connection; end: PromiseWithResolvers<void>; committed: Promise<void>; failure?: unknown }
    | undefined

  constructor(queue: WriteQueue) {
    super()
    this.#queue = queue
  }
  executeQuery<Row>(query: DurableQuery): Promise<QueryResult<Row>> {
    const transaction = this.#transaction
    if (transaction)
      return transaction.connection.executeQuery<Row>(query).catch((error: unknown) => {
        transaction.failure = error
        throw error
      })
    return this.#queue.run((connection) => connection.executeQuery<Row>(query), {
      durability: query.durability,
      savepoint: Array.isArray(query.parameters[0]), // the statement runs several times
    })
  }
  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = Promise.withResolvers<void>()
      const committed = this.#queue.run((connection) => {
        this.#transaction = { connection, end, committed }
        resolve()
        return end.promise
      })
      committed.catch(reject) // it never began
    })
  }
  async commit(): Promise<void> {
    const transaction = this.#take()
    transaction?.end.resolve()
    await transaction?.committed
  }
  /** Nothing is left to do if the commit has failed. */
  async rollback(): Promise<void> {
    const transaction = this.#take()
    // A full disk ends the transaction of the whole batch: the other calls in it learn why.
    transaction?.end.reject(transaction.failure ?? new Error('rolled back'))
    await transaction?.committed.catch(() => {})
  }
  #take() {
    const transaction = this.#transaction
    this.#transaction = undefined
    return transaction
  }
}

/** Kysely's own adapter runs migrations outside of a transaction. SQLite can change a schema inside of one. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const createDialect = (driver: Omit<Driver, 'init' | 'releaseConnection' | 'destroy'>): Dialect => ({
  createDriver: () => ({ ...driver, init: async () => {}, releaseConnection: async () => {}, destroy: async () => {} }),
  createAdapter: () => new TransactionalAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

async function refuse(): Promise<never> {
  throw new Error('this connection only reads')
}
/** Reads what is committed, without a transaction. */
export const createReadDialect = (connection: Connection): Dialect =>
  createDialect({
    acquireConnection: async () => new ReadSession(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  })

/** A statement outside of a transaction is a transaction of its own. */
export const createWriteDialect = (queue: WriteQueue): Dialect =>
  createDialect({
    acquireConnection: async () => new WriteSession(queue),
    beginTransaction: (session) => (session as WriteSession).begin(),
    commitTransaction: (session) => (session as WriteSession).commit(),
    rollbackTransaction: (session) => (session as WriteSession).rollback(),
  })
