// The order of the layers, seen from what each of them does to a call.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Connector } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import type { EngineOptions, NativeCallEvent, RequestContext } from '../options.ts'
import { createChannel, type Operation } from './channel.ts'
import type { Credentials } from './credentials.ts'
import type { Outcome } from './pacing/account-queue.ts'
import type { WireCall } from './transport.ts'

const connector = {
  id: 'demo',
  name: 'Demo',
  limit: [{ requests: 10, seconds: 1 }],
  origins: { api: 'https://{shop}.example.com' },
  settings: { properties: { shop: { type: 'string', pattern: '^[a-z]+$' } } },
  auth: [{ kind: 'static', fields: ['accessToken'] }],
  frame: { headers: { 'X-Token': '{accessToken}' } },
} as unknown as Connector

interface Given {
  tokens?: (string | Error)[] // returned by each check of the token
  slot?: Outcome | Error
  settings?: Record<string, string>
}
function setUp({ tokens = ['first', 'second'], slot = { waitedMs: 7 }, settings = { shop: 'corner' } }: Given = {}) {
  const order: string[] = []
  const waits: number[] = []
  const sent: WireCall[] = []
  const events: NativeCallEvent[] = []
  const account = { id: 'a', platform: 'demo', auth: 'static', settings, credentials: {} } as unknown as Account
  const context = {
    requestId: 'r',
    caller: 'c',
    maxWaitMs: 1000,
    load: { outside: () => void order.push('outside'), inside: () => void order.push('inside') },
  }
  const operation: Operation = { account, connector, context, patient: false }
  const checks = tokens.values()
  const credentials = {
    async ready(given: Account) {
      order.push('token')
      const token = checks.next().value
      if (token instanceof Error) throw token
      return { ...given, credentials: { accessToken: token } }
    },
  } as unknown as Credentials
  const options = {
    pacer: {
      async take({ maxWaitMs }: { maxWaitMs: number }) {
        order.push('slot')
        waits.push(maxWaitMs)
        if (slot instanceof Error) throw slot
        return slot
      },
      release() {},
      sent() {},
      responded() {},
      async hold() {},
      status: () => ({ left: 5, limit: 10 }),
    },
    callTimeoutMs: 1234,
    observe(event: NativeCallEvent) {
      order.push('trace')
      events.push(event)
    },
    transport: {
      async exchange(call: WireCall) {
        order.push('transport')
        sent.push(call)
        call.onSent?.()
        return { status: 200, headers: {}, bytes: Buffer.from('{}') }
      },
    },
  } as unknown as EngineOptions
  const channel = createChannel(options, credentials)
  const attempt = () => channel.attempt(operation, { method: 'GET', path: '/x', query: { page: 2 } }, 'read', 1)
  const throttled = () => channel.hold(operation, 1, true)
  return { attempt, throttled, order, waits, sent, events, context }
}
const layersOf = (order: readonly string[]) => order.filter((step) => step !== 'outside' && step !== 'inside')

it('checks the token, waits for a slot, checks the token again, and only then sends and reports the call', async () => {
  const { attempt, order, sent, events, context } = setUp()
  expect(await attempt()).toMatchObject({ status: 200 })
  expect(layersOf(order)).toEqual(['token', 'slot', 'token', 'transport', 'trace'])
  expect(sent).toMatchObject([
    {
      method: 'GET',
      origin: 'https://corner.example.com',
      path: '/x?page=2',
      headers: { 'x-token': 'second' },
      timeoutMs: 1234,
    },
  ])
  expect(events).toMatchObject([{ path: '/x', status: 200, attempt: 1, waitedMs: 7, used: 0.5 }])
  expect(context).toMatchObject({ waitedMs: 7 })
})

it('counts the time in which several calls wait once', async () => {
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const slot = { waitedMs: 0 }
  const { attempt, context } = setUp({ tokens: Array(12).fill('token'), slot })
  const totals: unknown[] = []
  for (const [from, until] of [
    [100, 110],
    [130, 140],
    [135, 150], // meets one
    [90, 160], // covers all of them
    [160, 160],
    [200, 205],
  ] as const) {
    slot.waitedMs = until - from
    clock.mockReturnValue(until)
    await attempt()
    totals.push((context as RequestContext).waitedMs)
  }
  expect(totals).toEqual([10, 20, 30, 70, 70, 75])
})

it('is no load on the process while it waits for a token, a slot or the platform', async () => {
  const { attempt, order } = setUp()
  await attempt()
  const waits = ['outside', 'token', 'inside', 'outside', 'slot', 'inside', 'outside', 'token', 'inside']
  expect(order).toEqual([...waits, 'transport', 'outside', 'inside', 'trace'])
})

it('takes no slot without a token, and sends nothing without a slot', async () => {
  const withoutToken = setUp({ tokens: [new Error('refused')] })
  await expect(withoutToken.attempt()).rejects.toThrow('refused')
  expect(layersOf(withoutToken.order)).toEqual(['token'])

  const withoutSlot = setUp({ slot: { wouldWaitMs: 4200 } })
  await expect(withoutSlot.attempt()).rejects.toMatchObject({
    code: 'too_many_requests',
    headers: { 'retry-after': '5' },
  })
  expect(layersOf(withoutSlot.order)).toEqual(['token', 'slot'])
})

it("applies the caller's wait to the first call of a request, also when calls start together", async () => {
  const { attempt, waits } = setUp({ tokens: Array(6).fill('token') })
  await Promise.all([attempt(), attempt(), attempt()])
  expect(waits).toEqual([1000, 120_000, 120_000])
})

it("repeats a first call that the platform throttles within the rest of the caller's wait", async () => {
  const { attempt, throttled, waits } = setUp({ tokens: Array(8).fill('token') })
  await attempt()
  await throttled()
  await attempt()
  await attempt()
  await throttled()
  await attempt()
  expect(waits).toEqual([1000, 1000 - 7, 120_000, 120_000])
})

it('reports a call whose address is rejected, and does not send it', async () => {
  const { attempt, order, events, context } = setUp({ settings: { shop: 'evil.example.net/' } })
  await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
  expect(layersOf(order)).toEqual(['token', 'slot', 'token', 'trace'])
  expect(events).toMatchObject([{ error: "forbidden: The account's settings do not give an https address for Demo." }])
  expect(context).toMatchObject({ nativeCalls: 1 })
})

it('reports a database that fails before the call is sent as a problem: the outcome of the call is known', async () => {
  const down = new DatabaseUnavailable(new Error('down'))
  for (const given of [{ tokens: [down] }, { slot: down }, { tokens: ['first', down] }]) {
    const { attempt, sent } = setUp(given)
    await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' })
    expect(sent).toEqual([])
  }
})
