// Converts failures of PostgreSQL to DatabaseUnavailable and discards broken connections.
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { preparedNameOf } from '../prepared.ts'
import { DatabaseUnavailable } from '../unavailable.ts'

const statementTimedOut = '57014'
/**
 * Lost connections, no resources, operator intervention, system errors; and a server that has become a read-only
 * replica. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unavailable = /^(08|53|57|58)|^25(006|P03)$/

/** An error that does not come from the server comes from the connection or a timeout. A TypeError is a bug. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? unavailable.test(error.code ?? '') : !(error instanceof TypeError)

/** A migration has added a column to what a prepared statement returns. */
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

function guardClient(client: pg.PoolClient, prepared: boolean): PostgresPoolClient {
  let broken: DatabaseUnavailable | undefined
  let stale = false
  const send = async (text: string, values: unknown[]): Promise<unknown> => {
    const name = prepared && !stale ? preparedNameOf(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStale(error)) throw error
      stale = true
      return client.query(text, values)
    }
  }
  const query = async (text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
    // A later query, such as a rollback, would wait for the one without a response.
    if (broken) throw broken
    try {
      return (await send(text, [...parameters])) as PostgresQueryResult<unknown>
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const failure = new DatabaseUnavailable(error)
      if ((error as { code?: string }).code !== statementTimedOut) broken = failure
      throw failure
    }
  }
  return { query: query as PostgresPoolClient['query'], release: () => client.release(broken !== undefined || stale) }
}

export function guardPool(pool: pg.Pool, { prepared = true } = {}): PostgresPool {
  return {
    async connect() {
      try {
        return guardClient(await pool.connect(), prepared)
      } catch (error) {
        throw new DatabaseUnavailable(error)
      }
    },
    end: () => pool.end(),
  }
}
