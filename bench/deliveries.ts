// From a platform's webhook to the receiver of an outgoing webhook: the time from the signed request that comes in to the
// delivery, then what one endpoint that does not respond costs the others, in rounds with and without it.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SandboxProcess, startSandbox } from '../test/chaos/sandbox-process.ts'
import { startService } from '../test/service-process.ts'
import { table } from './report.ts'

export interface DeliveryOptions {
  accounts: number
  perSecond: number // events
  seconds: number
  rounds: number // with and without the endpoint that does not respond
  roundSeconds: number
}
export interface Latencies {
  events: number
  arrived: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  cpuMs: number // of the service, per event
}
export interface DeliveriesResult {
  perSecond: number
  accounts: number
  one: Latencies // one endpoint
  ten: { perSecond: number; rounds: number; withoutP99Ms: number; withP99Ms: number; ratio: number }
}
/** Its webhooks are registered for each account, and signed with the secret of the application. */
const platform = 'shopify'
const vertical = 'retail_pos'
const entityType = 'customer'
/** Of ten endpoints, this one does not respond. */
const dead = 'endpoint-9'
const endpointNames = Array.from({ length: 10 }, (_, index) => `endpoint-${index}`)
/** So that ten endpoints receive as many events as one does. */
const eventsPerSecondOfTen = 20

/** Sends the webhook of the platform, as it does when the record of an account has changed. */
async function sendHook({ hookUrl, clientSecret, nativeId }: Watched): Promise<void> {
  const body = JSON.stringify({ id: Number(nativeId), admin_graphql_api_id: `gid://shopify/Customer/${nativeId}` })
  const response = await fetch(hookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'customers/update',
      'x-shopify-hmac-sha256': createHmac('sha256', clientSecret).update(body).digest('base64'),
    },
    body,
  })
  if (response.status !== 200) throw new Error(`a webhook returned ${response.status}: ${await response.text()}`)
}

interface Receiver {
  url(name: string): string
  onEvent(name: string, accountId: string): void
  close(): Promise<void>
}
async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const name = request.url?.slice(1) ?? ''
      if (name === dead) return
      response.writeHead(204).end()
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { data: { accountId: string } }
      receiver.onEvent(name, data.accountId)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    onEvent: () => {},
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

export async function benchDeliveries(options: DeliveryOptions): Promise<DeliveriesResult> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-bench-'))
  const sandbox = await startSandbox({ seed: 1, platforms: [platform], paceScale: 1 })
  const adminToken = randomBytes(24).toString('hex')
  const receiver = await startReceiver()
  // All accounts are of one shop, which would send each webhook to all of them: the benchmark sends them.
  await sandbox.inject([platform], [{ kind: 'webhook_lost' }])
  const service = await startService({
    SANDBOX_URL: sandbox.url,
    DATA_DIR: folder,
    DATABASE_URL: '',
    ADMIN_TOKEN: adminToken,
    PACE_SCALE: '1',
    PLATFORM_LIMITS: `${platform}=1000000/1`,
  })
  try {
    const manage = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${service.url}/manage/v1/workspaces/sandbox${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
      return response.status === 204 ? {} : ((await response.json()) as Record<string, string>)
    }
    const accounts = await connect(
      options.accounts,
      sandbox,
      manage,
      `${service.url}/unified`,
      service.sandboxFile().apiKey,
    )
    const add = async (name: string) => {
      const settings = { url: receiver.url(name), events: [`${entityType}.*`], concurrency: 32 }
      return (await manage('POST', '/webhook-endpoints', settings)).id as string
    }
    const measure = (names: readonly string[], perSecond: number, seconds: number) =>
      measureLatencies({ accounts, receiver, sandbox, names, perSecond, seconds, cpuSeconds })
    const cpuSeconds = async () =>
      Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])

    const first = await add('endpoint-0')
    await measure(['endpoint-0'], options.perSecond, Math.min(5, options.seconds)) // warmed up
    const one = await measure(['endpoint-0'], options.perSecond, options.seconds)
    const ids = new Map([['endpoint-0', first]])
    for (const name of endpointNames.slice(1)) ids.set(name, await add(name))
    const live = endpointNames.filter((name) => name !== dead)
    const found: { on: number; off: number }[] = []
    for (let round = 0; round < options.rounds; round++) {
      const run = async (isThere: boolean) => {
        await manage('POST', `/webhook-endpoints/${ids.get(dead)}/${isThere ? 'enable' : 'disable'}`)
        await sleep(1000)
        return (await measure(live, eventsPerSecondOfTen, options.roundSeconds)).p99Ms
      }
      const isThereFirst = round % 2 === 0
      const before = await run(isThereFirst)
      const after = await run(!isThereFirst)
      found.push(isThereFirst ? { on: before, off: after } : { on: after, off: before })
    }
    return {
      perSecond: options.perSecond,
      accounts: options.accounts,
      one,
      ten: {
        perSecond: eventsPerSecondOfTen,
        rounds: options.rounds,
        withP99Ms: median(found.map(({ on }) => on)),
        withoutP99Ms: median(found.map(({ off }) => off)),
        ratio: median(found.map(({ on, off }) => on / off)),
      },
    }
  } finally {
    await service.kill('SIGKILL')
    await sandbox.stop()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Watched {
  accountId: string
  nativeId: string // the record that changes
  clientSecret: string
  hookUrl: string
}
/** Accounts of one shop, each with a record of its own, whose first walk has ended and whose webhooks are registered. */
async function connect(
  count: number,
  sandbox: SandboxProcess,
  manage: (method: string, path: string, body?: unknown) => Promise<Record<string, string>>,
  base: string,
  apiKey: string,
): Promise<Watched[]> {
  const tenant = (await sandbox.tenants()).find((one) => one.vertical === vertical)
  if (!tenant) throw new Error(`no tenant of ${vertical}`)
  const { credentials, settings } = tenant
  const place = { platform, vertical, entityType } as const
  for (let lacking = count - (await sandbox.ids(platform, vertical, entityType)).length; lacking > 0; lacking--)
    await sandbox.change({ ...place, operation: 'add' })
  const ids = await sandbox.ids(platform, vertical, entityType)
  const accountIds = Array.from({ length: count }, (_, index) => `fleet-${index}`)
  for (const id of accountIds)
    await manage('POST', '/accounts?test=false', { id, platform, vertical, credentials, settings })
  await manage('PUT', '/watches', { entities: { [entityType]: { pollSeconds: 86_400, walkHours: 168 } } })
  const headers = { authorization: `Bearer ${apiKey}` }
  const watched: Watched[] = []
  for (const [index, accountId] of accountIds.entries()) {
    while ((await fetch(`${base}/${accountId}/changes`, { headers })).status !== 200) await sleep(200)
    const hook = `/accounts/${accountId}/hook`
    while ((await manage('GET', hook)).url === undefined) await sleep(200)
    const { state, url = '', error } = await manage('POST', `${hook}/check`)
    if (state !== 'active') throw new Error(`the webhooks of ${accountId} are ${state}: ${error}`)
    watched.push({
      accountId,
      nativeId: ids[index] as string,
      clientSecret: credentials.clientSecret as string,
      hookUrl: url,
    })
  }
  return watched
}

async function measureLatencies({
  accounts,
  receiver,
  sandbox,
  names,
  perSecond,
  seconds,
  cpuSeconds,
}: {
  accounts: readonly Watched[]
  receiver: Receiver
  sandbox: SandboxProcess
  names: readonly string[]
  perSecond: number
  seconds: number
  cpuSeconds(): Promise<number>
}): Promise<Latencies> {
  const pending = new Map<string, number>() // by endpoint and account: when the platform sent its webhook
  const latencies: number[] = []
  receiver.onEvent = (name, accountId) => {
    const key = `${name} ${accountId}`
    const sent = pending.get(key)
    if (sent === undefined) return
    pending.delete(key)
    latencies.push(performance.now() - sent)
  }
  const cpuBefore = await cpuSeconds()
  const sending: Promise<void>[] = []
  const began = performance.now()
  let events = 0
  for (let number = 0; number < perSecond * seconds; number++) {
    await sleep(Math.max(0, began + (number * 1000) / perSecond - performance.now()))
    const account = accounts[number % accounts.length] as Watched
    const { accountId, nativeId } = account
    if (names.some((name) => pending.has(`${name} ${accountId}`))) continue // two changes would be one event
    events++
    await sandbox.change({ platform, vertical, entityType, operation: 'touch', id: nativeId })
    const sent = performance.now()
    for (const name of names) pending.set(`${name} ${accountId}`, sent)
    sending.push(sendHook(account))
  }
  await Promise.all(sending)
  for (const end = performance.now() + 60_000; pending.size > 0 && performance.now() < end; ) await sleep(20)
  const sorted = latencies.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    events: events * names.length,
    arrived: latencies.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
    cpuMs: (((await cpuSeconds()) - cpuBefore) * 1000) / events,
  }
}
const median = (values: number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

export function showDeliveries({ accounts, perSecond, one, ten }: DeliveriesResult): string {
  const ms = (value: number) => value.toFixed(0)
  return [
    table(
      [
        'from a platform to the receiver',
        'events',
        'arrived',
        'p50 ms',
        'p99 ms',
        'max ms',
        'p99 at most',
        'CPU ms per event',
      ],
      [
        [
          `${perSecond} events/s, ${accounts} accounts`,
          String(one.events),
          String(one.arrived),
          ms(one.p50Ms),
          ms(one.p99Ms),
          ms(one.maxMs),
          '1000',
          one.cpuMs.toFixed(1),
        ],
      ],
    ),
    table(
      ['nine of ten endpoints', 'p99 ms, one is dead', 'p99 ms, without it', 'ratio', 'at most'],
      [[`${ten.perSecond} events/s`, ms(ten.withP99Ms), ms(ten.withoutP99Ms), ten.ratio.toFixed(2), '1.10']],
    ),
    `medians of ${ten.rounds} rounds; an event whose account still waits for the last one is left out`,
  ].join('\n\n')
}
