// Clover publishes neither an SDK for webhooks nor a signature: the static code and the sample message of its guide,
// https://docs.clover.com/dev/docs/webhooks, are the witnesses.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { RawHook } from '../../contract/connector.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { createCloverSimulator } from './simulator/simulator.ts'
import { hooks } from './webhooks.ts'

const auth = 'x-clover-auth'
const business = 'H4RB0VRK1TCHN'
let kit: HookKit
let secret: string
beforeAll(async () => {
  kit = await createHookKit('clover')
})
afterAll(() => kit.close())

const simulator = () => kit.sandbox.simulator('clover')
const hook = (body: string): RawHook => ({ url: kit.receiver, headers: {}, body: Buffer.from(body) })
const read = (merchants: unknown) => hooks.read(hook(JSON.stringify({ appId: 'APP', merchants })))
const hintsOf = (sent: readonly RawHook[]) => sent.flatMap((one) => hooks.read(one))

it('shows the code that verifies the URL, and nothing is sent before it is entered', async () => {
  const [challenge] = await kit.sentBy(() => {
    secret = simulator().enterWebhook!(kit.receiver).secret!
  })
  const { code, ...rest } = hooks.challenge!(challenge!)!
  expect([code, rest]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), {}])
  kit.records('restaurant', 'customer').add(1)
  await new Promise(setImmediate) // the simulator is told of it
  expect(simulator().enterCode!('another code')).toBe(false)
  expect(simulator().enterCode!(code!)).toBe(true)
  expect(simulator().enterCode!(code!)).toBe(false)
  const sent = await kit.sentBy(() => kit.records('restaurant', 'employee').add(1))
  expect(sent.map((one) => hooks.challenge!(one))).toEqual([undefined])
  expect(hintsOf(kit.received).map(({ entityType }) => entityType)).toEqual(['employee'])
})
it.each([
  '',
  'no JSON',
  'null',
  '{"verificationCode":7}',
  '{"verificationCode":"<script>"}',
  '{"__proto__":{"verificationCode":"x"}}',
  `{"verificationCode":"${'x'.repeat(2000)}"}`,
])('takes %.60j for no challenge', (body) => {
  expect(hooks.challenge!(hook(body))).toBeUndefined()
})

it('accepts only the code of the app, which does not cover the body', async () => {
  const [sent] = await kit.sentBy(() => kit.records('restaurant', 'product').add(1))
  const verify = (request: RawHook, code = secret) => hooks.verify!(request, code, Date.now())
  expect(sent!.headers[auth]).toBe(secret)
  expect(verify(sent!)).toBe(true)
  expect(verify(withChangedByte(sent!))).toBe(true)
  expect(verify({ ...sent!, headers: { ...sent!.headers, [auth]: secret.replace(/.$/, '!') } })).toBe(false)
  expect(verify({ ...sent!, headers: { ...sent!.headers, [auth]: `${secret} ` } })).toBe(false)
  expect(verify(withoutHeader(sent!, auth))).toBe(false)
  expect(verify(sent!, 'the code of another app')).toBe(false)
  expect(verify(withoutHeader(sent!, auth), '')).toBe(false)
})

describe('what the merchant changes', () => {
  it.each(['product', 'category', 'order', 'customer', 'employee'] as const)(
    'names an added, changed and removed %s',
    async (entityType) => {
      const records = kit.records('restaurant', entityType)
      const get = (id: string) => kit.run('restaurant', (call) => kit.connector.entities[entityType]!.get!(call, id))
      let id = ''
      const added = await kit.sentBy(() => {
        id = records.add(1)[0]!
      })
      // An order that was paid comes with its payment.
      expect(hintsOf(added).filter((one) => one.entityType === entityType)).toEqual([{ entityType, id, business }])
      expect(hintsOf(await kit.sentBy(() => records.touch(id)))).toEqual([{ entityType, id, business }])
      expect(await get(id)).toBeDefined()
      const removed = hintsOf(await kit.sentBy(() => records.remove!(id)))
      expect(removed).toContainEqual({ entityType, id, gone: true, business })
    },
  )
  it('names a payment that is added or changed, and that there may be a refund, which has no key', async () => {
    const records = kit.records('restaurant', 'payment')
    let id = ''
    const added = await kit.sentBy(() => {
      id = records.add(1)[0]!
    })
    const both = [
      { entityType: 'refund', business },
      { entityType: 'payment', id, business },
    ]
    expect(hintsOf(added)).toEqual(expect.arrayContaining(both))
    expect(hintsOf(await kit.sentBy(() => records.touch(id)))).toEqual(expect.arrayContaining(both))
    const refunds = kit.records('restaurant', 'refund')
    expect(hintsOf(await kit.sentBy(() => refunds.touch(refunds.ids()[0]!)))).toContainEqual(both[0])
  })
  it('is one message for all changes that happen together', async () => {
    let ids: string[] = []
    const sent = await kit.sentBy(() => {
      ids = kit.records('restaurant', 'customer').add(3)
    })
    expect(sent).toHaveLength(1)
    expect(hintsOf(sent).map(({ id }) => id)).toEqual(ids)
  })
  it('has no shifts and no counts of stock: the next one tells something else', async () => {
    const path = `/unified/${kit.accountId('restaurant')}/product/${kit.records('restaurant', 'product').ids()[0]}`
    const { body } = await kit.call('GET', path)
    const record = { ...body.data, stockOnHand: (body.data.stockOnHand ?? 0) + 1 }
    const put = await kit.call('PUT', path, record, { prefer: 'wait=60' })
    expect([put.status, put.body.data.stockOnHand]).toEqual([200, record.stockOnHand])
    kit.records('restaurant', 'time_entry').add(1)
    const before = kit.received.length
    await kit.sentBy(() => kit.records('restaurant', 'employee').add(1))
    expect(hintsOf(kit.received.slice(before)).map(({ entityType }) => entityType)).toEqual(['employee'])
  })
  it('includes what the service writes', async () => {
    let id = ''
    const sent = await kit.sentBy(async () => {
      const { body } = await kit.call(
        'POST',
        `/unified/${kit.accountId('restaurant')}/category`,
        { externalId: 'hooks-1', name: 'Soups' },
        { prefer: 'wait=60' },
      )
      id = body.data.externalId
    })
    expect(hintsOf(sent)).toContainEqual({ entityType: 'category', id, business })
  })
})

describe('a message', () => {
  it("is read as in Clover's guide, for several merchants", () => {
    const sample =
      '{"appId":"DRKVJT2ZRRRSC","merchants":{"XYZVJT2ZRRRSC":[{"objectId":"O:GHIVJT2ABCRSC","type":"CREATE","ts":1537970958000},{"objectId":"O:ABCVJTABCRRSC","type":"UPDATE","ts":1536156558000}],"MNOVJT2ZRRRSC":[{"objectId":"IC:ABCVJTABCRRSC","type":"DELETE","ts":1536156558000}]}}'
    expect(hooks.read(hook(sample))).toEqual([
      { entityType: 'order', id: 'GHIVJT2ABCRSC', business: 'XYZVJT2ZRRRSC' },
      { entityType: 'order', id: 'ABCVJTABCRRSC', business: 'XYZVJT2ZRRRSC' },
      { entityType: 'category', id: 'ABCVJTABCRRSC', gone: true, business: 'MNOVJT2ZRRRSC' },
    ])
  })
  it('about anything else gives no hints', () => {
    const ids = ['A:1', 'CA:1', 'IG:1', 'IM:1', 'M:1', 'SH:1', '__proto__:1', ':1', 'O', '', 7, null]
    expect(read({ [business]: ids.map((objectId) => ({ objectId, type: 'UPDATE' })) })).toEqual([])
    for (const merchants of [undefined, null, [], 'x', { [business]: 'x' }, { [business]: [null, 1, [], {}] }])
      expect(read(merchants)).toEqual([])
    for (const body of ['null', '7', '[]', '{"__proto__":{"merchants":{}}}']) expect(hooks.read(hook(body))).toEqual([])
  })
  it('without a usable id says that something has changed', () => {
    expect(read({ [business]: [{ objectId: 'O:', type: 'DELETE' }] })).toEqual([{ entityType: 'order', business }])
  })
  it('with too many ids says only that something has changed', () => {
    const updates = Array.from({ length: 10_000 }, (_, n) => ({
      objectId: `${n % 2 ? 'O' : 'I'}:${n}`,
      type: 'UPDATE',
    }))
    expect(read({ [business]: updates })).toEqual([
      { entityType: 'product', business },
      { entityType: 'order', business },
    ])
  })
  it.each(['', 'a=b', '{"merchants":'])('is refused if its body is %j', (body) => {
    expect(() => hooks.read(hook(body))).toThrow()
  })
})

it('keeps the verified URL when the sandbox is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clover-hooks-'))
  const simulators = { clover: createCloverSimulator }
  const start = () => createSandbox({ simulators, size: 'small', file: join(folder, 'state.jsonl') })
  const first = await start()
  let code = ''
  const [challenge] = await kit.sentBy(() => {
    code = first.simulator('clover').enterWebhook!(kit.receiver).secret!
  })
  expect(first.simulator('clover').enterCode!(hooks.challenge!(challenge!)!.code!)).toBe(true)
  await first.close()
  const second = await start()
  const { customer } = second.simulator('clover').tenants[0]!.records
  const [sent] = await kit.sentBy(() => customer!.touch(customer!.ids()[0]!))
  expect(hooks.verify!(sent!, code, 0)).toBe(true)
  await second.close()
  rmSync(folder, { recursive: true })
})
