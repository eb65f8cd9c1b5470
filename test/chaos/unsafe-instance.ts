// The service with one safeguard off, to show that the checker fails. The product has no such switch.
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import type { Connector, Step, WriteCall } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../../src/sandbox-workspace.ts'
import { createService, type Service } from '../../src/service.ts'
import { withCalls } from './survey.ts'

export type Safeguard = 'journal' | 'recovery lookup' | 'derived key' | 'all recovery'
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
const wraps: Partial<Record<Safeguard, (call: WriteCall) => WriteCall>> = {
  'recovery lookup': resending,
  'derived key': random,
  'all recovery': blind,
}
function wrapped(connector: Connector): Connector {
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

const config = readConfig()
const response = await fetch(`${config.sandboxUrl}/_sandbox/accounts`)
const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
const service = await createService({
  config,
  connectors: Object.fromEntries(Object.entries(connectors).map(([id, connector]) => [id, wrapped(connector)])),
  originOverride: (account) => `${config.sandboxUrl}/${account.platform}`,
})
if (off === 'journal') forget(service)
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
console.log(`listening on ${address}`)
