// One connection listens, from the first listener on. A lost one is replaced; what was sent meanwhile is lost.
import { sql } from 'kysely'
import pg from 'pg'
import { type ChangeWakes, createListeners } from '../change-wakes.ts'

const retryMs = 1_000

export function createNotifiedWakes(config: pg.ClientConfig): ChangeWakes & { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  function connect(): void {
    if (client || closed) return
    const own = new pg.Client(config)
    client = own
    const lost = () => {
      if (client !== own) return
      client = undefined
      own.end().catch(() => {})
      if (closed) return
      timer = setTimeout(connect, retryMs)
      timer.unref()
    }
    own.on('error', lost)
    own.on('end', lost)
    own.on('notification', ({ payload }) => tell(payload ?? ''))
    own
      .connect()
      .then(() => own.query('listen changes'))
      .catch(lost)
  }
  const { subscribe, tell } = createListeners(connect)
  return {
    subscribe,
    async committing(db, accountId) {
      await sql`select pg_notify('changes', ${accountId})`.execute(db)
    },
    committed: () => {},
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
