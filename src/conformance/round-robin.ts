// A minimal load balancer: each new connection goes to the next instance, byte for byte.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface RoundRobin {
  url: string
  close(): Promise<void>
}

export async function createRoundRobin(instances: () => readonly string[]): Promise<RoundRobin> {
  let turn = 0
  const open = new Set<() => void>()
  const server = createServer((caller) => {
    const up = instances()
    const { hostname, port } = new URL(up[turn++ % up.length] as string)
    const instance = connect(Number(port), hostname)
    const end = () => {
      caller.destroySoon() // data that the instance sent before it closed still arrives
      instance.destroySoon()
      open.delete(end)
    }
    open.add(end)
    for (const socket of [caller, instance]) socket.on('error', end).on('close', end)
    caller.pipe(instance)
    instance.pipe(caller)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      for (const end of open) end()
    },
  }
}
