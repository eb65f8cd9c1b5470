// One connection listens, from the first listener on. A lost one is replaced; what was sent meanwhile is lost. A
// connection pooler may give the server's connection, which listens, to another client: there, none listens.
import { sql } from 'kysely'
import pg from 'pg'
import { type ChangeWakes, createListeners } from '../change-wakes.ts'

const retryMs = 1_000

/** `onPooled` is called once if the address is that of a connection pooler. */
export function createNotifiedWakes(
  config: pg.ClientConfig,
  onPooled: () => void,
): ChangeWakes & { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let pooled = false
  function connect(): void {
    if (client || closed || pooled) return
    const listener = new pg.Client(config)
    client = listener
    const lost = () => {
      if (client !== listener) return
      client = undefined
      listener.end().catch(() => {})
      if (closed) return
      timer = setTimeout(connect, retryMs)
      timer.unref()
    }
    listener.on('error', lost)
    listener.on('end', lost)
    listener.on('notification', ({ payload }) => tell(payload ?? ''))
    listener
      .connect()
      .then(async () => {
        pooled = await isPooled(listener)
        if (!pooled) return listener.query('listen changes')
        onPooled()
        await listener.end()
      })
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

/** A server tells each new connection the number of its process. A pooler invents one. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID
}
