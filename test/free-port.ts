import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** UDP sockets of the same numbers. They hold the ports against every other process that looks for one in this way. */
const reservations: Socket[] = []
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  const isOurs = await new Promise<boolean>((resolve) => {
    socket
      .once('error', () => resolve(false))
      .bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
  })
  if (isOurs) reservations.push(socket)
  return isOurs
}

/**
 * Only for a program that must be told its port, or one that is to start again at the same address; everything else
 * listens on port 0. The port stays reserved until this process ends, and is below those that a system gives out itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(12_000)
    if (!(await reserve(port))) continue
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
