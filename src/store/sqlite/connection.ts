// A connection of node:sqlite: each statement is prepared once, and a locked database is waited for without blocking.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { BoundedMap } from '../../base/bounded-map.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { DatabaseDamaged, isDamage } from './damaged.ts'

const giveUpAfterMs = 30_000
const maxStatements = 500
const sqliteBusy = 5
/**
 * Busy for too long, read-only, an I/O error, a full disk, a file that cannot be opened.
 * https://www.sqlite.org/rescode.html
 */
const unavailable = new Set([sqliteBusy, 8, 10, 13, 14])

/** The low byte of the extended codes of the same family. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

/**
 * Waits without blocking the event loop. SQLite's own busy timeout would block the thread while another connection
 * writes.
 */
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

/** A list of parameter lists: the statement runs once for each of them. */
function runAll(statement: StatementSync, rows: readonly SQLInputValue[][]): bigint {
  let changed = 0
  for (const row of rows) changed += Number(statement.run(...row).changes)
  return BigInt(changed)
}

export class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new BoundedMap<string, { statement: StatementSync; returnsRows: boolean }>(maxStatements)

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  #prepare(sql: string) {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }

  /** A statement without parameters and rows. */
  run(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return retryWhenBusy(() => {
      const { statement, returnsRows } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      if (Array.isArray(values[0]))
        return { rows: [], numAffectedRows: runAll(statement, parameters as SQLInputValue[][]) }
      if (returnsRows) return { rows: statement.all(...values) as Row[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    })
  }
}
