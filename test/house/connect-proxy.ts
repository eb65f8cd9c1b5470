// An HTTP proxy over sockets, as companies have one. Names lead to one port of this machine.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface ConnectProxy {
  port: number
  /** `host:port` of each tunnel that was asked for, allowed or not. */
  asked: string[]
  credentials: Set<string | undefined>
  /** The first byte of each tunnel: 22 begins TLS. */
  firstBytes: Set<number | undefined>
  /** Requests that were no CONNECT. */
  plain: string[]
  /** Refuses every tunnel with this status. */
  refuseWith(status: number | undefined): void
  /** Ends everything; `open` starts it again at the same port. */
  close(): Promise<void>
  open(): Promise<void>
}

export async function startConnectProxy(target: number): Promise<ConnectProxy> {
  const asked: string[] = []
  const credentials = new Set<string | undefined>()
  const firstBytes = new Set<number | undefined>()
  const plain: string[] = []
  const sockets = new Set<Socket>()
  let refusal: number | undefined
  const server = createServer((request, response) => {
    plain.push(`${request.method} ${request.url}`)
    response.writeHead(501).end()
  })
  const watch = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  server.on('connection', watch)
  server.on('connect', (request, near: Socket) => {
    asked.push(request.url ?? '')
    credentials.add(request.headers['proxy-authorization'])
    if (refusal !== undefined) return void near.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`)
    const far = connect(target, '127.0.0.1', () => near.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    watch(far)
    near.once('data', (bytes) => firstBytes.add(bytes[0]))
    near.pipe(far).pipe(near)
  })
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await open(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    credentials,
    firstBytes,
    plain,
    refuseWith(status) {
      refusal = status
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    open: () => open(port),
  }
}
