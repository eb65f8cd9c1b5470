// The platforms of a benchmark, in a separate process: the simulators behind a cache of GET responses, so that their
// own work is not measured. Each address in `slow` responds that many milliseconds later.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

const platforms = ['square', 'xero']
/** Without webhooks: the platforms would send one for each write of either side. `bench -- deliveries` measures them. */
const silent =
  (create: CreateSimulator): CreateSimulator =>
  (options) =>
    Object.assign(create(options), { enterWebhook: undefined })
const sandbox = await createSandbox({
  simulators: Object.fromEntries(platforms.map((name) => [name, silent(simulators[name] as CreateSimulator)])),
  size: 'full',
  strict: false,
})
/** Enough for a walk of 20 pages. */
const customers = 2_100
for (const name of platforms)
  for (const { records } of sandbox.simulator(name).tenants)
    records.customer?.add(Math.max(0, customers - records.customer.ids().length))

const direct = new Pool(sandbox.url, { connections: 64 })
const remembered = new Map<
  string,
  { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
>()

async function serve(request: IncomingMessage, response: ServerResponse, latency: number): Promise<void> {
  const key = `${request.url} ${request.headers.authorization}`
  let known = remembered.get(key)
  if (!known) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
    const sent = await direct.request({
      method: request.method as 'GET',
      path: request.url ?? '/',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    known = { status: sent.statusCode, headers: sent.headers, body: Buffer.from(await sent.body.arrayBuffer()) }
    if (request.method === 'GET' && known.status === 200 && !request.url?.startsWith('/_sandbox'))
      remembered.set(key, known)
  }
  if (latency > 0 && !request.url?.startsWith('/_sandbox')) await sleep(latency)
  const { connection: _, 'keep-alive': __, ...headers } = known.headers
  response.writeHead(known.status, headers as Record<string, string>).end(known.body)
}

function listen(latency: number): Promise<string> {
  const server = createServer(
    (request, response) => void serve(request, response, latency).catch(() => response.destroy()),
  )
  server.keepAliveTimeout = 60_000
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
process.send?.({
  front: await listen(0),
  slow: { 50: await listen(50), 200: await listen(200) },
  direct: sandbox.url,
})
process.on('disconnect', () => process.exit(0))
