// The webhooks of one platform: what its simulator really sends, and the calls that register them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../test/until.ts'
import type { Connector, HookCall, RawHook } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { connectors } from '../platforms/registry.ts'
import { simulators } from '../platforms/simulators.ts'
import type { NativeRecords } from '../sandbox/simulator.ts'
import { createHarness, type Harness } from './harness.ts'

export interface HookKit extends Harness {
  connector: Connector & { hooks: NonNullable<Connector['hooks']> }
  /** The URL that is registered. It accepts everything, with the status of `respondWith`. */
  receiver: string
  received: RawHook[]
  respondWith(status: number | ((hook: RawHook) => number)): void
  /** Runs calls for a tenant as the service does. */
  run<T>(vertical: Vertical, calls: (call: HookCall) => Promise<T>): Promise<T>
  records(vertical: Vertical, entityType: EntityType): NativeRecords
  /** The webhooks that the platform sends because of `change`, once there are at least `count`. */
  sentBy(change: () => unknown, count?: number): Promise<RawHook[]>
}

export async function createHookKit(platform: string): Promise<HookKit> {
  const harness = await createHarness({ connectors, simulators, platform, ownDisk: true })
  const received: RawHook[] = []
  let status: number | ((hook: RawHook) => number) = 200
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const hook = {
        url: kit.receiver,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts),
      }
      received.push(hook)
      response.writeHead(typeof status === 'number' ? status : status(hook)).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const kit: HookKit = {
    ...harness,
    connector: harness.connector as HookKit['connector'],
    receiver: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/${platform}/kit`,
    received,
    respondWith(next) {
      status = next
    },
    async run(vertical, calls) {
      const account = await harness.service.store.accounts.get(harness.accountId(vertical))
      if (!account) throw new Error(`no account for ${vertical}`)
      return harness.service.engine.hooks(account, { requestId: 'hooks', caller: 'hooks', maxWaitMs: 30_000 }, calls)
    },
    records(vertical, entityType) {
      const records = harness.tenants.find((tenant) => tenant.vertical === vertical)?.records[entityType]
      if (!records) throw new Error(`the ${vertical} tenant has no ${entityType}`)
      return records
    },
    async sentBy(change, count = 1) {
      const before = received.length
      await change()
      await until(`${count} requests to the webhook`, () => received.length >= before + count)
      return received.slice(before)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await harness.close()
    },
  }
  return kit
}

/** The same webhook with one byte of its body changed. */
export function withChangedByte(hook: RawHook): RawHook {
  const body = Buffer.from(hook.body)
  const place = Math.floor(body.length / 2)
  body[place] = body[place]! ^ 1
  return { ...hook, body }
}
export function withoutHeader(hook: RawHook, name: string): RawHook {
  const { [name]: _, ...headers } = hook.headers
  return { ...hook, headers }
}
