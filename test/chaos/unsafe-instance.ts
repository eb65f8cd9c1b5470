// The service with one safeguard off, to show that the checker fails. The product has no such switch.
import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../src/config.ts'
import type { Connector, Step, WriteCall } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../../src/sandbox-workspace.ts'
import { createService, type Service } from '../../src/service.ts'
import type { EntryKey } from '../../src/store/store.ts'
import { withCalls } from './survey.ts'

export type Safeguard =
  | 'journal'
  | 'recovery lookup'
  | 'derived key'
  | 'all recovery'
  | 'fence'
  | 'absence bound'
  | 'shape check'
  | 'update lease'
const off = process.env.SAFEGUARD_OFF as Safeguard

/** Resends everything that was lost without a lookup on the platform. */
const resending = (call: WriteCall): WriteCall => ({
  ...call,
  write: <T>(name: string, step: Step<T>) =>
    call.write(name, typeof step.recovery === 'object' ? { ...step, recovery: 'repeat' } : step),
})
/** Keys and references that change each time a write is resumed. */
const random = (call: WriteCall): WriteCall => {
  const letters = (length: number) => randomBytes(length).toString('hex').slice(0, length)
  return { ...call, reference: `ur${letters(14)}`, key: () => letters(32) }
}
/** A platform that offers no way to find out what happened. */
const blind = (call: WriteCall): WriteCall => ({
  ...call,
  write: (name, step) => call.write(name, { ...step, recovery: 'none' }),
})
/** A lookup that does not find the record counts at once. */
const hasty = (call: WriteCall): WriteCall => ({
  ...call,
  write: <T>(name: string, step: Step<T>) =>
    call.write(
      name,
      typeof step.recovery === 'object' ? { ...step, recovery: { ...step.recovery, lagSeconds: -3600 } } : step,
    ),
})
const wraps: Partial<Record<Safeguard, (call: WriteCall) => WriteCall>> = {
  'recovery lookup': resending,
  'derived key': random,
  'all recovery': blind,
  'absence bound': hasty,
}
function wrapped(connector: Connector): Connector {
  if (off === 'shape check') return { ...connector, shapes: {} }
  const wrap = wraps[off]
  return wrap ? withCalls(connector, wrap) : connector
}

/** Lets every request begin and stores nothing. */
function forget({ store }: Service): void {
  Object.assign(store.journal, {
    begin: async () => ({ begun: true }),
    get: async () => undefined,
    takeOver: async () => undefined,
    renew: async () => true,
    steps: async () => [],
    stepSent: async () => {},
    stepDone: async () => {},
    stepForgotten: async () => {},
    done: async (
      key: { accountId: string; entityType: 'product'; externalId: string },
      _: string,
      { nativeId }: { nativeId: string },
    ) => {
      await store.links.put({
        accountId: key.accountId,
        entityType: key.entityType,
        sourceId: key.externalId,
        nativeId,
        origin: 'written',
      })
      return true
    },
    park: async () => {},
    remove: async () => {},
  } satisfies Partial<typeof store.journal>)
}

/** Every renewal succeeds, so a process that stood still takes the write for its own. */
function unfence({ store }: Service): void {
  store.journal.renew = async () => true
}

/** Every update begins at once and leaves no trace; creates are journaled as ever. */
function openUpdates({ store: { journal } }: Service): void {
  const known = { ...journal }
  const isUpdate = (key: EntryKey) => key.operation === 'update'
  Object.assign(journal, {
    begin: async (entry, leaseMs) => (isUpdate(entry) ? { begun: true } : known.begin(entry, leaseMs)),
    takeOver: async (key, ...rest) => (isUpdate(key) ? undefined : known.takeOver(key, ...rest)),
    renew: async (key, ...rest) => isUpdate(key) || known.renew(key, ...rest),
    restart: async (entry, ...rest) => isUpdate(entry) || known.restart(entry, ...rest),
    stepSent: async (key, ...rest) => (isUpdate(key) ? undefined : known.stepSent(key, ...rest)),
    stepDone: async (key, ...rest) => (isUpdate(key) ? undefined : known.stepDone(key, ...rest)),
    stepForgotten: async (key, ...rest) => (isUpdate(key) ? undefined : known.stepForgotten(key, ...rest)),
    done: async (key, ...rest) => isUpdate(key) || known.done(key, ...rest),
    park: async (key, ...rest) => (isUpdate(key) ? undefined : known.park(key, ...rest)),
    remove: async (key, ...rest) => (isUpdate(key) ? undefined : known.remove(key, ...rest)),
  } satisfies Partial<typeof journal>)
}

const config = readConfig()
const response = await fetch(`${config.sandboxUrl}/_sandbox/accounts`)
const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
const service = await createService({
  config,
  connectors: Object.fromEntries(Object.entries(connectors).map(([id, connector]) => [id, wrapped(connector)])),
  originOverride: (account) => `${config.sandboxUrl}/${account.platform}`,
})
if (off === 'journal') forget(service)
if (off === 'fence') unfence(service)
if (off === 'update lease') openUpdates(service)
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
flushCompileCache() // it ends with kill -9, and the next one starts faster
console.log(`listening on ${address}`)
