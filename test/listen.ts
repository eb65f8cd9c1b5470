import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'

/** Listens on a port that the system chooses, and returns its number. */
export async function listenHere(server: Server): Promise<number> {
  // Node.js ends an idle connection after five seconds. A busy client may send a request into that end.
  if (server instanceof HttpServer || server instanceof HttpsServer) server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
