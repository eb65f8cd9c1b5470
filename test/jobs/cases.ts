// One piece of work for every job: how it becomes due, where an instance is stopped in the middle of it, how one sees
// that it is done, and how often.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { followSettings } from '../../src/changes/settings.ts'
import type { Customer } from '../../src/contract/entities/customer.ts'
import { createSecret } from '../../src/deliveries/signature.ts'
import type { JobName } from '../../src/jobs/jobs.ts'
import { noProgress } from '../../src/migrate/job.ts'
import { hookUrl } from '../../src/platform-webhooks/address.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Account, Store } from '../../src/store/store.ts'
import type { Receiver } from '../deliveries/receiver.ts'
import type { HookedPlatform } from '../platform-webhooks/platform-with-webhooks.ts'
import { until } from '../until.ts'
import { baseUrl, type Gate, type Instance } from './instance.ts'

export interface World {
  store: Store // of the test itself
  sandbox: Sandbox
  platform: HookedPlatform
  receiver: Receiver
  open(): Promise<Instance>
  /** An account in the sandbox, whose id no other test has. */
  account(platform: 'square' | 'clover'): Promise<Account>
  /** All calls of all instances that succeeded. */
  done(): string[]
  /** Turns of all instances that are over. */
  turns(): number
}
export interface Prepared {
  gate: Gate
  /** What the job has to do is done. */
  isDone(): Promise<boolean>
  /** How often it was done, seen from outside. */
  count?(): Promise<number>
  /** The rows that the work changes. */
  state?(): Promise<unknown>
}
export interface Case {
  prepare(world: World): Promise<Prepared>
  /** Its parts have leases of their own, or each instance does it: there is no lease to lose. */
  unleased?: true
  /** What was sent before its outcome could be stored is sent again, as is promised to receivers. */
  repeatsWithoutDatabase?: true
  /** It waits for the database, until its lease ends. */
  waitsForDatabase?: true
}

const customers = (sandbox: Sandbox, platform: string) => {
  const tenant = sandbox.simulator(platform).tenants.find(({ vertical }) => vertical === 'restaurant')
  return tenant?.records.customer ?? expect.fail(`${platform} has no customers`)
}
const rarely = { pollSeconds: 86_400, walkHours: 168 }
async function watch({ store, open }: World, account: Account): Promise<void> {
  const { engine } = await open()
  await store.changes.settings.setAccount(account, 'customer', rarely)
  await followSettings(store, engine, account)
}
/** What a task calls is all that one sees of it. */
const taskCase = (call: string, more: Pick<Case, 'unleased'> = {}): Case => ({
  ...more,
  prepare: async ({ done, turns }) => ({
    gate: more.unleased ? { before: new RegExp(`^${call}$`) } : { after: /^leases\.acquire$/ },
    isDone: async () => done().includes(call) && turns() > 0, // one that is shut down before is repeated
    ...(more.unleased ? {} : { count: async () => done().filter((name) => name === call).length }),
  }),
})

export const cases: Record<JobName, Case> = {
  'change feeds': {
    async prepare(world) {
      const { store, sandbox, open } = world
      const account = await world.account('square')
      await watch(world, account)
      const first = await open()
      await first.loop.run(account.id) // the first walk reports nothing
      expect((await store.changes.watches(account.id))[0]?.state.phase).toBe('ready')
      const [nativeId = ''] = customers(sandbox, 'square').ids()
      customers(sandbox, 'square').touch(nativeId)
      await store.changes.addHints(account.id, [{ entityType: 'customer', nativeId, origin: 'hint' }])
      const log = async () =>
        (await store.changes.page(account.id, { after: { sequence: 0 }, entityTypes: ['customer'], limit: 100 }))
          ?.rows ?? []
      return {
        gate: { before: new RegExp(`^GET /v2/customers/${nativeId}`) },
        isDone: async () => (await log()).length > 0,
        count: async () => (await log()).length,
        state: async () => [await log(), await store.changes.watches(account.id)],
      }
    },
  },
  'webhook endpoints': {
    repeatsWithoutDatabase: true,
    async prepare({ store, receiver }) {
      const secret = createSecret()
      receiver.secrets.push(secret)
      const id = randomUUID()
      await store.webhooks.create({
        ...{ workspaceId: 'w', id, url: receiver.url, secrets: [{ secret }] },
        ...{ events: ['*'], data: 'full', format: 'standard', coalesce: false, concurrency: 1 },
      })
      await store.webhooks.events.append({ workspaceId: 'w', type: 'account.connected', subject: id, data: {} })
      return {
        gate: { before: /^POST \/hooks/ },
        isDone: async () => receiver.received.length > 0 && (await store.webhooks.waiting(id)).count === 0,
        count: async () => receiver.received.length,
        state: async () => (await store.webhooks.deliveries(id, { limit: 10 })).data,
      }
    },
  },
  'webhooks of platforms': {
    async prepare(world) {
      const { store, platform } = world
      const account = await world.account('square')
      await watch(world, account)
      const owner = { workspaceId: 'w', platform: 'square', accountId: account.id }
      return {
        gate: { before: /^POST \/test-hooks$/ },
        isDone: async () => (await store.hooks.get(owner))?.state === 'active',
        async count() {
          const hook = await store.hooks.get(owner)
          return [...platform.subscriptions.values()].filter(({ url }) => hook && url === hookUrl(baseUrl, hook)).length
        },
        state: () => store.hooks.get(owner),
      }
    },
  },
  'interrupted writes': {
    unleased: true,
    async prepare({ store, sandbox, open, account }) {
      const { id } = await account('square')
      const before = customers(sandbox, 'square').ids().length
      const gate = { before: /^POST \/v2\/customers$/ }
      const process = await open()
      process.hands.stopAt(gate)
      const target = process.engine.target((await store.accounts.get(id)) as Account, 'customer')
      const record = { externalId: randomUUID(), name: 'Ada Lovelace' } as Customer
      const context = { requestId: randomUUID(), caller: 'a test', maxWaitMs: 60_000 }
      const writing = process.engine.create({ target, body: record, context })
      writing.catch(() => {}) // it is killed
      await until('the write at the platform', process.hands.hasStopped)
      process.hands.kill()
      await store.endLeases()
      return {
        gate,
        isDone: async () => (await store.journal.open()).inFlight + (await store.journal.open()).unknown === 0,
        count: async () => customers(sandbox, 'square').ids().length - before,
        state: async () =>
          store.journal.get({ accountId: id, entityType: 'customer', externalId: record.externalId as string }),
      }
    },
  },
  migrations: {
    waitsForDatabase: true,
    async prepare({ store, sandbox, account }) {
      const [from, to] = [await account('clover'), await account('square')]
      const key = { workspaceId: 'w', id: randomUUID() }
      const options = { entities: ['customer'] }
      const made = { ...key, from: from.id, to: to.id, options, progress: noProgress, createdBy: 'a test' }
      await store.migrations.create(made)
      await store.migrations.change(key, { state: 'running' }, ['planning'])
      const source = customers(sandbox, 'clover').ids().length
      const before = customers(sandbox, 'square').ids().length
      return {
        gate: { before: /^POST \/v2\/customers$/ },
        isDone: async () => (await store.migrations.get(key))?.state === 'done',
        count: async () => (customers(sandbox, 'square').ids().length - before) / source,
        state: async () => [await store.migrations.get(key), await store.migrations.meta(key)],
      }
    },
  },
  erasures: {
    async prepare({ store, account }) {
      const { id: accountId } = await account('square')
      const key = { accountId, id: `era_${randomUUID()}` }
      const person = { entityType: 'customer', nativeId: 'c1' } as const
      await store.erasures.create({ ...key, ...person, isPlan: true, openWrites: 0, unsettled: 0, createdBy: 'a test' })
      return {
        gate: { before: /^erasures\.step$/ },
        isDone: async () => (await store.erasures.get(key))?.state === 'done',
        state: () => store.erasures.get(key),
      }
    },
  },
  'imports of references': {
    async prepare({ store, account }) {
      const { id: accountId } = await account('square')
      const id = randomUUID()
      const lines = Array.from({ length: 450 }, (_, index) => ({
        ...{ entityType: 'customer', sourceId: `s${index}`, nativeId: `n${index}` },
      }))
      const content = lines.map((line) => JSON.stringify(line)).join('\n')
      await store.referenceImports.create({ accountId, id, format: 'ndjson', total: lines.length, content })
      return {
        gate: { before: /^transaction$/ },
        isDone: async () => (await store.referenceImports.get(accountId, id))?.state === 'done',
        count: async () => ((await store.referenceImports.get(accountId, id))?.linked ?? 0) / lines.length,
        state: () => store.referenceImports.get(accountId, id),
      }
    },
  },
  'settings of change feeds': taskCase('changes.settings.workspaces'),
  'old changes': taskCase('changes.prune'),
  'old deliveries': taskCase('webhooks.prune'),
  'old activity': taskCase('activity.prune'),
  'finished updates': taskCase('journal.forgetUpdates'),
  'businesses of accounts': taskCase('accounts.withoutBusiness'),
  'memory of erased people': taskCase('erasures.recent', { unleased: true }),
  'sizes of change feeds': taskCase('changes.sizes', { unleased: true }),
  'sizes of deliveries': taskCase('webhooks.sizes', { unleased: true }),
  'open writes': taskCase('journal.open', { unleased: true }),
}
