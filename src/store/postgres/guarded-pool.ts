// Converts failures of PostgreSQL to DatabaseUnavailable and discards broken connections.
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
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

function guardClient(client: pg.PoolClient): PostgresPoolClient {
  let broken: DatabaseUnavailable | undefined
  const query = async (text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
    // A later query, such as a rollback, would wait for the one without a response.
    if (broken) throw broken
    try {
      return (await client.query(text, [...parameters])) as PostgresQueryResult<unknown>
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const failure = new DatabaseUnavailable(error)
      if ((error as { code?: string }).code !== statementTimedOut) broken = failure
      throw failure
    }
  }
  return { query: query as PostgresPoolClient['query'], release: () => client.release(broken !== undefined) }
}

export function guardPool(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(new DatabaseUnavailable(error)))
      return guardClient(client)
    },
    end: () => pool.end(),
  }
}
