// Sends cases concurrently, checks every response, and shrinks the cases that fail.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { createCases, type FuzzCase } from './cases.ts'
import type { HostilePlatform } from './hostile-platform.ts'
import { costlyResponses } from './hostile-responses.ts'
import { alwaysWrong, wrongWith, wrongWithPage } from './invariants.ts'
import { createPlatforms, type Platforms } from './platforms.ts'
import { rawShapes } from './raw-shapes.ts'
import { patienceMs, render } from './render.ts'
import { type FuzzedService, type Report, startFuzzedService } from './service-process.ts'
import { createWire, type Wire } from './wire.ts'
import { createWorld, type World } from './world.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  seconds?: number
  inFlight?: number
  /** An empty database of PostgreSQL; SQLite without it. */
  databaseUrl?: string | undefined
  /** One case of an earlier run, as it was printed: `seed:path`. */
  repeat?: string
  say?(line: string): void
}
export interface Violation {
  what: string
  repeat: string
  shrunk: string
}
export interface FuzzResult {
  requests: number
  kinds: Record<string, number>
  statuses: Record<string, number>
  violations: Violation[]
  before: Report
  after: Report
  seconds: number
  cpuSeconds: { service: number; callers: number }
}
const batchSize = 500
const maxShrunk = 15

export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const platforms = await createPlatforms()
  let service: FuzzedService | undefined
  let wire: Wire | undefined
  try {
    service = await startFuzzedService({
      HOSTILE_URL: platforms.hostile.url,
      SANDBOX_URL: platforms.honest.url,
      DATABASE_URL: options.databaseUrl ?? '',
    })
    const world = await createWorld(service, platforms)
    wire = createWire(Number(new URL(service.url).port))
    return await fuzz(options, service, world, platforms, wire)
  } finally {
    wire?.close()
    await service?.stop()
    await platforms.close()
  }
}

async function fuzz(
  { requests, seed, seconds, inFlight = 64, repeat, say = () => {} }: FuzzOptions,
  service: FuzzedService,
  world: World,
  platforms: Platforms,
  wire: Wire,
): Promise<FuzzResult> {
  const cases = createCases(world.document, world.accounts)
  const tally = { kinds: {} as Record<string, number>, statuses: {} as Record<string, number> }
  const acknowledged = new Set<string>()
  const judge = createJudge(world, platforms.hostile, wire, tally, acknowledged)
  const recordsBefore = platforms.records()
  const violations = new Map<string, Violation>()
  const before = await service.rest()
  const began = performance.now()
  const cpuBefore = process.cpuUsage()

  async function shrink(batchSeed: number, path: string, what: string): Promise<void> {
    const signature = signatureOf(what)
    if (violations.has(signature) || violations.size >= maxShrunk) return
    violations.set(signature, { what, repeat: `${batchSeed}:${path}`, shrunk: '' })
    let last = what
    await service.faults() // of other cases in the batch
    const property = fc.asyncProperty(cases, async (smaller) => {
      const wrong = await judge(smaller)
      // Only the same fault counts. Otherwise every case would shrink to the simplest fault.
      if (!wrong || signatureOf(wrong) !== signature) return true
      last = wrong
      return false
    })
    if (what.startsWith('no response')) return // each attempt would take as long
    const details = await fc.check(property, {
      seed: batchSeed,
      path,
      numRuns: 1,
      interruptAfterTimeLimit: 10_000,
      skipEqualValues: false,
    })
    const faults = await service.faults()
    const violation = {
      what: last,
      repeat: `${batchSeed}:${details.counterexamplePath ?? path}`,
      shrunk: `${fc.stringify(details.counterexample ?? fc.sample(cases, { seed: batchSeed, path, numRuns: 1 }))}${faults.length > 0 ? `\n${faults[0]}` : ''}`,
    }
    violations.set(signature, violation)
    say(`VIOLATION ${last}\n${violation.shrunk}\nrepeat: ${violation.repeat}`)
  }

  if (repeat) {
    const [batchSeed = '0', ...path] = repeat.split(':')
    const [only] = fc.sample(cases, { seed: Number(batchSeed), path: path.join(':'), numRuns: 1 }) as [FuzzCase]
    const wrong = await judge(only)
    const faults = await service.faults()
    if (wrong) violations.set(wrong, { what: wrong, repeat, shrunk: `${fc.stringify(only)}\n${faults.join('\n')}` })
  }
  let sent = 0
  for (
    let batch = 0;
    !repeat && sent < requests && (seconds === undefined || performance.now() - began < seconds * 1000);
    batch++
  ) {
    const batchSeed = (seed + batch) | 0
    const chosen = fc.sample(cases, { seed: batchSeed, numRuns: Math.min(batchSize, requests - sent) })
    const failed: [number, string][] = []
    await inParallel(chosen, inFlight, async (one, index) => {
      const wrong = await judge(one)
      if (wrong) failed.push([index, wrong])
    })
    for (const [index, what] of failed) await shrink(batchSeed, String(index), what)
    for (const fault of await service.faults()) shrinkless(fault)
    sent += chosen.length
    if (batch % 20 === 19) {
      await world.refresh()
      say(
        `${sent} requests, ${Math.round(sent / ((performance.now() - began) / 1000))} per second, ${violations.size} violations`,
      )
    }
  }
  /** An internal error also has a response, which is checked where it is read. */
  function shrinkless(what: string): void {
    const signature = what.slice(0, 200)
    if (!what.startsWith('internal_error') && !violations.has(signature) && violations.size < maxShrunk)
      violations.set(signature, { what, repeat: '', shrunk: '' })
  }
  if (!repeat) {
    for (const [index, script] of costlyResponses.entries()) {
      const wrong = await judge({
        kind: 'platform',
        operation: 'listCustomers',
        account: index,
        query: {},
        body: undefined,
        twists: [],
        script: [script],
      })
      if (wrong) shrinkless(`${JSON.stringify(script)}: ${wrong}`)
    }
    for (const wrong of unexplained(recordsBefore, platforms.records(), acknowledged)) shrinkless(wrong)
  }
  const spent = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  wire.close()
  const after = await atRest(service, before)
  if (after.connections > 0) shrinkless(`${after.connections} connections are still open`)
  if (requests >= longRun && (await outgoing(platforms.hostile)) > 0)
    shrinkless('connections to platforms are still open')
  if (after.heapUsed > before.heapUsed + heapAllowance)
    shrinkless(`the heap grew from ${megabytes(before.heapUsed)} to ${megabytes(after.heapUsed)} MB`)
  if (after.rss > before.rss + residentAllowance)
    shrinkless(`resident memory grew from ${megabytes(before.rss)} to ${megabytes(after.rss)} MB`)
  for (const fault of await service.faults()) shrinkless(fault)
  return {
    requests: sent,
    ...tally,
    violations: [...violations.values()],
    before,
    after,
    seconds: spent,
    cpuSeconds: { service: after.cpuSeconds - before.cpuSeconds, callers: (user + system) / 1e6 },
  }
}
const signatureOf = (what: string) =>
  what.replaceAll(/req_[\w-]+|127\.0\.0\.1:\d+|ur\w*_[\w-]+|(?<=detail":")[^"]*/g, '…').slice(0, 160)
/** Caches and the simulators' new records. Growth beyond that is a leak. */
const heapAllowance = 300 * 1024 * 1024
const residentAllowance = 800 * 1024 * 1024 // returned to the system only slowly
export const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

async function atRest(service: FuzzedService, before: Report): Promise<Report> {
  for (let tries = 0; ; tries++) {
    const report = await service.rest()
    if (tries >= 50 || (report.connections === 0 && report.heapUsed < before.heapUsed + heapAllowance)) return report
    await sleep(200)
  }
}

/** Kept open for ten seconds for the next call, which is too long for a short run. */
const longRun = 50_000
async function outgoing(hostile: HostilePlatform): Promise<number> {
  for (let tries = 0; tries < 100 && (await hostile.connections()) > 0; tries++) await sleep(200)
  return hostile.connections()
}

/** Records at the simulators that no acknowledged write accounts for. */
function unexplained(
  before: Record<string, string[]>,
  after: Record<string, string[]>,
  acknowledged: ReadonlySet<string>,
): string[] {
  return Object.entries(after).flatMap(([where, ids]) => {
    const known = new Set(before[where])
    const strange = ids.filter((id) => !known.has(id) && !acknowledged.has(`${where} ${id}`))
    return strange.length > 0
      ? [`${strange.length} records at ${where} were never acknowledged, such as ${strange[0]}`]
      : []
  })
}

const slowMs = 10_000
type Judge = (fuzzCase: FuzzCase) => Promise<string | undefined>
function createJudge(
  world: World,
  hostile: HostilePlatform,
  wire: Wire,
  tally: { kinds: Record<string, number>; statuses: Record<string, number> },
  acknowledged: Set<string>,
): Judge {
  const operations = new Map(world.document.operations.map((operation) => [operation.operationId, operation]))
  const count = (table: Record<string, number>, name: string) => {
    table[name] = (table[name] ?? 0) + 1
  }
  const busy = new Map<number, Promise<unknown>>()

  async function planned(
    fuzzCase: Extract<FuzzCase, { operation: string }>,
    seen: (status: number) => void = () => {},
  ): Promise<string | undefined> {
    const operation = operations.get(fuzzCase.operation)
    if (!operation) return `there is no operation ${fuzzCase.operation}`
    const account = fuzzCase.kind === 'platform' ? fuzzCase.account + world.accounts.length : fuzzCase.account
    const rendered = render({ ...fuzzCase, account }, operation, world)
    const { responses, ended } = await wire.send({
      ...rendered.sending,
      ...(fuzzCase.kind === 'platform' ? { timeoutMs: slowMs } : {}),
    })
    const [response] = responses
    if (!response) {
      count(tally.statuses, ended)
      // A started write waits as long as its platform requests.
      if (fuzzCase.kind === 'platform' && ended === 'silent') return undefined
      return ended === 'silent'
        ? `no response within ${patienceMs / 1000} s`
        : 'the connection was closed without a response'
    }
    count(tally.statuses, String(response.status))
    seen(response.status)
    if (response.status < 300 && /^(create|update)/.test(operation.operationId))
      remember(response.text, world, account, operation.path)
    return wrongWith(fuzzCase, operation, rendered, response, world.document)
  }
  function remember(text: string, { accounts, hostile: others }: World, index: number, path: string): void {
    const id = /"reference":\{"externalId":"(?:[^"\\]|\\.)*","id":("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
    const account = index >= accounts.length ? others[index - accounts.length] : accounts[index]
    if (id && account)
      acknowledged.add(
        `${account.platform}-${account.vertical} ${/\{accountId\}\/(\w+)/.exec(path)?.[1]} ${JSON.parse(id)}`,
      )
  }
  /** One at a time per account, because the script belongs to one request. */
  async function hostilely(fuzzCase: Extract<FuzzCase, { kind: 'platform' }>): Promise<string | undefined> {
    const { account, script } = fuzzCase
    const turn = (busy.get(account) ?? Promise.resolve()).then(async () => {
      const { id } = world.hostile[account] as { id: string }
      hostile.play(id, script)
      const began = performance.now()
      let throttled = false
      try {
        return await planned(fuzzCase, (status) => {
          throttled = status === 429
        })
      } finally {
        hostile.play(id, [])
        // A platform may ask an account to wait for hours.
        if (throttled || performance.now() - began > slowMs) await world.renew(account)
      }
    })
    busy.set(
      account,
      turn.catch(() => {}),
    )
    return turn
  }
  async function raw({ shape, account, number }: Extract<FuzzCase, { kind: 'raw' }>): Promise<string | undefined> {
    const [operation] = world.document.operations
    const path = `/unified/${world.accounts[account]?.id}`
    const { parts, requests, send } = (rawShapes[shape] as (typeof rawShapes)[string])({
      path,
      authorization: world.authorization('form A', operation) ?? '',
      number,
    })
    const exchange = await wire.send({
      parts: parts.map((part) => Buffer.from(part, 'latin1')),
      ...send,
      responses: requests + 1,
      timeoutMs: 300,
      fresh: true,
    })
    for (const { status } of exchange.responses) count(tally.statuses, String(status))
    if (exchange.responses.length > requests)
      return `${shape}: ${exchange.responses.length} responses to ${requests} requests`
    const wrong = exchange.responses
      .map(
        (response) =>
          alwaysWrong(response) ??
          (response.status > 500 && response.status !== 501 && response.status !== 505
            ? `status ${response.status}`
            : undefined),
      )
      .find(Boolean)
    return wrong ? `${shape}: ${wrong}` : undefined
  }
  async function page({
    method,
    path,
    query,
    headers,
    body,
  }: Extract<FuzzCase, { kind: 'page' }>): Promise<string | undefined> {
    const [operation] = world.document.operations as [never]
    const filled = path.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => world.value(name, 0, operation) ?? 'x')
    const content = body !== undefined && method === 'POST' ? Buffer.from(body) : undefined
    const lines = [
      `${method} ${filled}${query ? `?${query}` : ''} HTTP/1.1`,
      'host: x',
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ]
    if (content) lines.push('content-type: application/x-www-form-urlencoded', `content-length: ${content.length}`)
    const { responses, ended } = await wire.send({
      parts: [Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content ?? Buffer.alloc(0)])],
      responses: 1,
      timeoutMs: patienceMs,
      head: method === 'HEAD',
    })
    count(tally.statuses, String(responses[0]?.status ?? ended))
    return responses[0] ? wrongWithPage(responses[0]) : `no response (${ended})`
  }
  return async (fuzzCase) => {
    count(tally.kinds, fuzzCase.kind)
    if (fuzzCase.kind === 'raw') return raw(fuzzCase)
    if (fuzzCase.kind === 'page') return page(fuzzCase)
    return fuzzCase.kind === 'platform' ? hostilely(fuzzCase) : planned(fuzzCase)
  }
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < items.length; index = next++) await work(items[index] as T, index)
    }),
  )
}
