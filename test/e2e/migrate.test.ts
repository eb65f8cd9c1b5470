// A restaurant moves from Clover to Square while both fail in every way, the command is killed twice and the service
// once. The result is checked in the simulators' own stores.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { EntityType } from '../../src/contract/entity.ts'
import type { Report } from '../../src/migrate/report.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator, Fault } from '../../src/sandbox/simulator.ts'
import { freePort } from '../free-port.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { until } from '../until.ts'

const size = Number(process.env.MIGRATE_RECORDS ?? 12) // of each entity, in addition to the seeded records
const moved = ['category', 'product', 'customer', 'employee', 'order'] as const
/** Each of them happens at once, and then by chance. */
const faults: readonly Fault[] = [
  { kind: 'error_before', probability: 0.03 },
  { kind: 'error_after', probability: 0.03 },
  { kind: 'reset_before', probability: 0.03 },
  { kind: 'reset_after', probability: 0.03 },
  { kind: 'throttle', probability: 0.02 },
  { kind: 'truncated', probability: 0.02 },
].flatMap(({ kind, probability }) => [{ kind, times: 1 } as Fault, { kind, probability } as Fault])
const platforms = ['clover', 'square'] as const
/** What is not at Square as it was at Clover, by rules that the user is told. */
const changedOfOrders: readonly string[] = [
  'order derived /lineItems/*/externalId',
  'order derived /lineItems/*/lineTotal',
  'order derived /refundTotal',
  'order derived /subtotal',
  'order derived /tipIncluded',
  'order reference /lineItems/*/modifiers/*/modifierExternalId',
  'order reference /lineItems/*/taxes/*/taxRateExternalId',
  'order reference /taxes/*/taxRateExternalId',
  'order requirement /fulfillment/type',
  'order requirement /lineItems',
  'order requirement /lineItems/*/kind',
  'order requirement /lineItems/*/modifiers/*/name',
  'order requirement /lineItems/*/modifiers/*/price',
  'order requirement /lineItems/*/modifiers/*/quantity',
  'order requirement /tipTotal',
]

let answerWrite: () => Promise<void> | undefined = () => undefined
const patientSquare: CreateSimulator = (options) => {
  const simulator = (simulators.square as CreateSimulator)(options)
  return {
    ...simulator,
    async handle(request) {
      const response = await simulator.handle(request)
      if (request.method !== 'GET' && !request.path.endsWith('/search')) await answerWrite()
      return response
    },
  }
}

let sandbox: Sandbox
let service: ServiceProcess
let command: ChildProcess | undefined
afterEach(async () => {
  command?.kill('SIGKILL')
  await service?.kill('SIGKILL')
  await sandbox?.close()
})

const recordsOf = (platform: string, entity: EntityType) => {
  const records = sandbox.simulator(platform).tenants.find(({ vertical }) => vertical === 'restaurant')?.records[entity]
  if (!records) throw new Error(`${platform} has no ${entity}`)
  return records
}
const countsOf = (platform: string) =>
  Object.fromEntries(moved.map((entity) => [entity, recordsOf(platform, entity).ids().length])) as Record<
    (typeof moved)[number],
    number
  >

/** The response of the platform itself, requested without the service. */
async function native<T>(platform: string, path: string, body?: unknown): Promise<T> {
  const token = sandbox.simulator(platform).tenants.find(({ vertical }) => vertical === 'restaurant')
    ?.credentials.accessToken
  const response = await fetch(`${sandbox.origin(platform)}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

it('moves everything exactly once despite faults, two kills of the command and one of the service', async () => {
  sandbox = await createSandbox({
    simulators: { clover: simulators.clover!, square: patientSquare },
    size: 'small',
    paceScale: 0.005,
    strict: false,
  })
  for (const entity of moved) recordsOf('clover', entity).add(size)
  const source = countsOf('clover')
  const before = countsOf('square')
  const environment = {
    SANDBOX_URL: sandbox.url,
    PACE_SCALE: '0.005',
    PORT: String(await freePort()),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-migrate-')),
  }
  service = await startService(environment)
  const disturb = () => {
    for (const platform of platforms) for (const fault of faults) sandbox.fault(platform, fault)
  }
  disturb()
  const folder = mkdtempSync(join(tmpdir(), 'unirec-migrate-'))
  const words = [
    'dist/cli/main.mjs',
    'migrate',
    '--from',
    'sandbox-clover-restaurant',
    '--to',
    'sandbox-square-restaurant',
    '--report',
    folder,
  ]
  function start(): { output(): string; ended: Promise<number | null> } {
    const child = spawn(process.execPath, words, {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, UNIREC_URL: service.url, UNIREC_API_KEY: service.sandboxFile().apiKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    command = child
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    return { output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
  }
  /** From then on Square answers no write until it is let go: nothing can end before it is killed. */
  const written = async (entity: (typeof moved)[number], count: number, run: ReturnType<typeof start>) => {
    const letGo = Promise.withResolvers<void>()
    const isThere = () => countsOf('square')[entity] >= before[entity] + count
    answerWrite = () => (isThere() ? letGo.promise : undefined)
    await until(`${count} of ${entity}`, () => {
      if (command?.exitCode !== null) throw new Error(`the command ended too early: ${run.output()}`)
      return isThere()
    })
    return () => {
      answerWrite = () => undefined
      letGo.resolve()
    }
  }

  const first = start()
  const goOn = await written('product', Math.ceil(size / 2), first)
  command?.kill('SIGKILL')
  await first.ended
  goOn()
  const second = start()
  const goOnAgain = await written('order', 3, second)
  command?.kill('SIGKILL')
  await second.ended
  goOnAgain()
  expect(existsSync(join(folder, 'report.json'))).toBe(false)

  const third = start()
  const finish = await written('order', Math.ceil(size / 2), third)
  await service.kill('SIGKILL')
  finish()
  service = await startService(environment)
  const exitCode = await third.ended
  expect(exitCode, third.output()).toBe(0)

  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  expect(report.complete).toBe(true)
  sandbox.clearFaults()
  const merchant = sandbox.simulator('clover').tenants[0]?.settings.merchantId
  const orders = await native<{ elements: { paymentState?: string; payments?: { elements: unknown[] } }[] }>(
    'clover',
    `/v3/merchants/${merchant}/orders?limit=1000&expand=payments`,
  )
  // Money that was given back without a sale is an order at Clover, and no order of Square.
  const givenBack = orders.elements.filter(
    ({ paymentState, payments }) => paymentState === 'CREDITED' && !payments?.elements.length,
  ).length
  expect(givenBack).toBeGreaterThan(0)
  for (const entity of moved) {
    const {
      source: read,
      matched,
      leftOut,
      missing,
      doubled,
      outdated,
      unexplained,
      extraBefore,
      extraSince,
    } = report.entities.find((one) => one.entity === entity)!
    expect({
      entity,
      read,
      matched,
      leftOut,
      missing,
      doubled,
      outdated,
      unexplained,
      extraBefore,
      extraSince,
    }).toEqual({
      entity,
      read: source[entity] + (entity === 'order' ? givenBack : 0),
      matched: source[entity],
      leftOut: entity === 'order' ? givenBack : 0,
      missing: 0,
      doubled: 0,
      outdated: 0,
      unexplained: 0,
      extraBefore: before[entity],
      extraSince: 0,
    })
  }
  const explanations = new Set(
    report.entities.flatMap(({ entity, differences }) =>
      differences
        .filter(({ explanation }) => !['not_stored', 'state_rule', 'added'].includes(explanation))
        .map(({ pointer, explanation }) => `${entity} ${explanation} ${pointer}`),
    ),
  )
  expect([...explanations].toSorted()).toEqual(changedOfOrders)
  expect(report.notMoved.find(({ entity }) => entity === 'payment')?.reason).toContain('money of today')
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<svg')

  // The stores themselves, and the platforms' responses.
  for (const entity of moved)
    expect({ entity, count: countsOf('square')[entity] }).toEqual({ entity, count: before[entity] + source[entity] })
  expect(sandbox.calls('square').filter(({ fault }) => fault).length).toBeGreaterThan(0)
  const people = await native<{ elements: { firstName?: string; lastName?: string }[] }>(
    'clover',
    `/v3/merchants/${merchant}/customers?limit=1000`,
  )
  const customers = await native<{ customers: { given_name?: string; family_name?: string }[] }>(
    'square',
    '/v2/customers/search',
    { limit: 100 },
  )
  const names = (list: readonly (string | undefined)[][]) => list.map((parts) => parts.filter(Boolean).join(' ')).sort()
  const there = names(customers.customers.map(({ given_name, family_name }) => [given_name, family_name]))
  for (const name of names(people.elements.map(({ firstName, lastName }) => [firstName, lastName]))) {
    expect(there).toContain(name)
    there.splice(there.indexOf(name), 1)
  }
})
