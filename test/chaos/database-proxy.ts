// A TCP proxy between one instance and its database, so that a test can separate the two.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  url: string
  /** `reset` closes the connections and refuses new ones; `silent` lets no byte through, as a lost network does. */
  cut(how: 'reset' | 'silent'): void
  mend(): void
  /** From now on it leads to another server. */
  redirect(databaseUrl: string): void
  close(): void
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let { hostname, port } = new URL(databaseUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'reset' | 'silent' = 'open'
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'reset') return void near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
    if (state === 'silent') far.pause()
    else near.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  url.hostname = '127.0.0.1'
  const closeAll = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
  }
  return {
    url: url.href,
    cut(how) {
      state = how
      if (how === 'reset') closeAll()
      else for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    mend() {
      state = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    redirect(other) {
      ;({ hostname, port } = new URL(other))
      closeAll()
    },
    close() {
      server.close()
      closeAll()
    },
  }
}
