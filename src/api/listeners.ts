// The management port: a second listening socket in front of the same HTTP server, so that parser limits, timeouts,
// routes and shutdown are the same on both ports.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

export interface ManagementPort {
  /** True for a request that arrived on this port. */
  received(request: FastifyRequest): boolean
  /** Resolves with the address. */
  listen(server: HttpServer): Promise<string>
  /**
   * Stops listening; resolves when the last connection has ended. The HTTP server closes the connections together with
   * its own.
   */
  close(): Promise<void>
}

export function createManagementPort({ host, port }: { host: string; port: number }): ManagementPort {
  const sockets = new WeakSet<Socket>()
  const listener = createServer({ allowHalfOpen: true, noDelay: true }) // as node:http creates its own
  return {
    received: ({ raw }) => sockets.has(raw.socket),
    async listen(server) {
      listener.maxConnections = server.maxConnections
      listener.on('connection', (socket) => {
        // Starting or closing: the server does not track connections then.
        if (!server.listening) return void socket.destroy()
        sockets.add(socket)
        server.emit('connection', socket) // https://nodejs.org/api/http.html#event-connection
      })
      listener.listen({ host, port })
      await once(listener, 'listening').catch((error) => Promise.reject(listenError(error, { host, port }, 'MANAGE_')))
      return addressOf(listener.address() as AddressInfo)
    },
    close: () => new Promise((resolve) => listener.close(() => resolve())),
  }
}

/** Rejects what `listen` would reject, before the work of a start. The port is free again afterwards. */
export async function checkPort({ host, port }: { host: string; port: number }, prefix = ''): Promise<void> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening').catch((error) => Promise.reject(listenError(error, { host, port }, prefix)))
  await new Promise((resolve) => probe.close(resolve))
}

function addressOf({ address, family, port }: AddressInfo): string {
  if (family === 'IPv6') return `http://[${address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}

/** Names the variable to change. The prefix is that of the variables HOST and PORT. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
  prefix = '',
): Error {
  const portName = `${prefix}PORT`
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${portName} ${port} is already in use on ${host}. Stop the other process, or set ${portName} to a free port.`,
    EACCES: `this process is not allowed to listen on ${portName} ${port}. Set ${portName} to 1024 or higher, or give the process the permission.`,
    EADDRNOTAVAIL: `${prefix}HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `${prefix}HOST ${host} cannot be resolved to an address.`,
  }
  return new Error(messages[error.code ?? ''] ?? error.message, { cause: error })
}
