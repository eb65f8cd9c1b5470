// Group commit. Work that is queued in the same turn of the event loop, or while a batch runs, is one batch, and a
// batch is one transaction:
// its cost is mostly the wait for the disk, which does not depend on how much is committed.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Durability } from '../table-types.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { Connection, retryWhenBusy } from './connection.ts'
import { DatabaseDamaged } from './damaged.ts'

interface Call {
  work(connection: Connection): Promise<unknown>
  durability: Durability
  savepoint: boolean
  resolve(value: never): void
  reject(error: unknown): void
}

interface WorkOptions {
  durability?: Durability | undefined
  /**
   * Not needed for a single statement, which SQLite undoes itself if it fails. It would copy every page that the
   * statement changes.
   */
  savepoint?: boolean
}

export class WriteQueue {
  readonly #connection: Connection
  readonly #database: DatabaseSync
  readonly #durability: Durability
  #synchronous: Durability | undefined
  #queued: Call[] = []
  #running: Promise<void> | undefined

  constructor(database: DatabaseSync, durability: Durability = 'full') {
    this.#database = database
    this.#connection = new Connection(database)
    this.#durability = durability
  }

  /**
   * Resolves after the commit. If `work` fails, only its own changes are undone. If the commit fails, all work of the
   * batch fails.
   */
  run<T>(
    work: (connection: Connection) => Promise<T>,
    { durability = this.#durability, savepoint = true }: WorkOptions = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ work, durability, savepoint, resolve, reject })
      this.#running ??= this.#runBatches()
    })
  }

  /** Ends after all queued work. */
  async close(): Promise<void> {
    await this.#running
    if (this.#database.isOpen) this.#database.close()
  }

  async #runBatches(): Promise<void> {
    do {
      await nextTurn()
      await this.#runBatch(this.#queued.splice(0))
    } while (this.#queued.length > 0)
    this.#running = undefined
  }

  async #runBatch(calls: readonly Call[]): Promise<void> {
    try {
      await this.#begin(calls.some(({ durability }) => durability === 'full') ? this.#durability : 'normal')
      const settle: (() => void)[] = []
      for (const call of calls) settle.push(await this.#runCall(call))
      await retryWhenBusy(() => this.#connection.run('commit'))
      for (const done of settle) done()
    } catch (error) {
      const failure =
        error instanceof DatabaseUnavailable || error instanceof DatabaseDamaged
          ? error
          : new DatabaseUnavailable(error)
      this.#rollBack()
      for (const { reject } of calls) reject(failure)
    }
  }

  /** Immediate: a transaction that first reads and then writes would fail if another connection wrote in between. */
  #begin(durability: Durability): Promise<void> {
    return retryWhenBusy(() => {
      // Not a cached statement: SQLite runs this pragma when it is prepared. https://www.sqlite.org/pragma.html
      if (durability !== this.#synchronous) this.#database.exec(`pragma synchronous = ${durability}`)
      this.#synchronous = durability
      this.#connection.run('begin immediate')
    })
  }

  /**
   * Returns what to do after the commit. Throws if the failure has ended the whole transaction, as a full disk does.
   */
  async #runCall({ work, savepoint, resolve, reject }: Call): Promise<() => void> {
    if (savepoint) this.#connection.run('savepoint call')
    try {
      const value = await work(this.#connection)
      if (savepoint) this.#connection.run('release call')
      return () => resolve(value as never)
    } catch (error) {
      if (!this.#database.isTransaction) throw error
      if (savepoint) this.#connection.run('rollback to call')
      if (savepoint) this.#connection.run('release call')
      return () => reject(error)
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#connection.run('rollback')
    } catch {} // the next batch cannot begin, fails in the same way and tries again
  }
}
