// verifyWebhook accepts and rejects what the library of Standard Webhooks accepts and rejects.
import { createServer, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type UnifiedError, verifyWebhook, type WebhookEvent } from '../../packages/client/src/index.ts'
import { eventPatterns, lostEvent, testEvent } from '../../src/deliveries/event-types.ts'
import { createSecret, signatureHeaders } from '../../src/deliveries/signature.ts'
import { listenHere } from '../listen.ts'

const secret = createSecret()
const event = { type: 'product.updated', timestamp: '2026-11-16T08:00:00.123Z', data: { name: 'Crème brûlée 🍮' } }
const body = JSON.stringify(event)
const id = 'msg_1'
const signed = (options: { now?: number; secrets?: string[]; text?: string } = {}): Record<string, string> => {
  const { now = Date.now(), secrets = [secret], text = body } = options
  return signatureHeaders(
    secrets.map((one) => ({ secret: one })),
    { id, body: text, now },
  )
}

const headers = signed()
const other = createSecret()
const minutes = 60_000
const cases: [name: string, headers: Record<string, string>, body: string, isValid: boolean][] = [
  ['a signed body', headers, body, true],
  ['two signatures, one of them by the secret', signed({ secrets: [other, secret] }), body, true],
  ['a signature of a newer version next to ours', bothVersions(headers), body, true],
  ['headers of the library', { ...headers, ...byLibrary() }, body, true],
  ['a body that was changed', headers, body.replace('Crème', 'Creme'), false],
  ['a body that was parsed and written again', headers, JSON.stringify(event, null, 2), false],
  ['another secret', signed({ secrets: [other] }), body, false],
  ['another id', { ...headers, 'webhook-id': 'msg_2' }, body, false],
  ['a timestamp that is too old', signed({ now: Date.now() - 6 * minutes }), body, false],
  ['a timestamp in the future', signed({ now: Date.now() + 6 * minutes }), body, false],
  ['a timestamp that is not a number', { ...headers, 'webhook-timestamp': 'today' }, body, false],
  ['a signature that is not base64', { ...headers, 'webhook-signature': 'v1,***' }, body, false],
  ['no signature', { ...headers, 'webhook-signature': '' }, body, false],
  ['an empty signature', { ...headers, 'webhook-signature': 'v1,' }, body, false],
]
function bothVersions(given: Record<string, string>): Record<string, string> {
  return { ...given, 'webhook-signature': `v2,abc ${given['webhook-signature']}` }
}
function byLibrary(): Record<string, string> {
  const now = new Date()
  const signature = new Webhook(secret).sign(id, now, body)
  return { 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)), 'webhook-signature': signature }
}
const byStandard = (given: Record<string, string>, text: string): boolean => {
  try {
    new Webhook(secret).verify(text, given)
    return true
  } catch {
    return false
  }
}

let server: Server
let url: string
const verify = async (request: Parameters<typeof verifyWebhook>[0]) =>
  verifyWebhook<unknown>(request, secret).catch((error: UnifiedError) => error.code)
beforeAll(async () => {
  server = createServer(async (request, response) => response.end(JSON.stringify(await verify(request))))
  url = `http://127.0.0.1:${await listenHere(server)}/`
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

describe.each(cases)('%s', (_, given, text, isValid) => {
  const expected = isValid ? event : 'invalid_webhook'
  it(`is ${isValid ? 'accepted' : 'rejected'}, however the request is passed`, async () => {
    expect(byStandard(given, text)).toBe(isValid)
    expect(await verify({ headers: given, body: text })).toEqual(expected)
    expect(await verify({ headers: given, body: Buffer.from(text) })).toEqual(expected)
    const request = { method: 'POST', headers: given, body: text }
    expect(await verify(new Request('http://receiver.example/', request))).toEqual(expected)
    expect(await (await fetch(url, request)).json()).toEqual(expected)
  })
})

it('accepts any of several secrets', async () => {
  expect(await verifyWebhook({ headers, body }, [other, secret])).toEqual(event)
  await expect(verifyWebhook({ headers, body }, [other])).rejects.toMatchObject({ code: 'invalid_webhook' })
  await expect(verifyWebhook({ headers, body }, [])).rejects.toMatchObject({ code: 'invalid_webhook' })
})

it('names a secret that cannot be one, and does not repeat it', async () => {
  const error = await verifyWebhook({ headers, body }, 'whsec_***').catch((one: UnifiedError) => one)
  expect(error).toMatchObject({ code: 'invalid_client' })
  expect(String(error)).not.toContain('***')
})

it('stops reading a body that is too large', async () => {
  let read = 0
  const endless = {
    headers,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        read++
        yield new Uint8Array(1024 * 1024)
      }
    },
  }
  await expect(verifyWebhook(endless, secret)).rejects.toMatchObject({ code: 'invalid_webhook' })
  expect(read).toBe(17)
})

it('has a type for every event that the service sends', () => {
  const entity = { created: true, updated: true, deleted: true } as const
  const nested = {
    product: entity,
    order: entity,
    customer: entity,
    category: entity,
    employee: entity,
    time_entry: entity,
    shift: entity,
    location: entity,
    payment: entity,
    refund: entity,
    tax_rate: entity,
    payment_method: entity,
    account: { connected: true, reconnect_required: true, recovered: true, renewal_failing: true, disabled: true },
    watch: { remapped: true },
    write: { settled: true },
    changes: { lost: true },
    endpoint: { failing: true, disabled: true, test: true },
    delivery: { failed: true },
  } satisfies Nested<WebhookEvent['type']>
  const typed = Object.entries(nested).flatMap(([name, kinds]) => Object.keys(kinds).map((kind) => `${name}.${kind}`))
  const sent = [...eventPatterns.filter((type) => !type.includes('*')), lostEvent, testEvent]
  expect(typed.toSorted()).toEqual(sent.toSorted())
})
type Nested<Type extends string> = {
  [Name in Type extends `${infer First}.${string}` ? First : never]: {
    [Kind in Extract<Type, `${Name}.${string}`> extends `${string}.${infer Rest}` ? Rest : never]: true
  }
}
