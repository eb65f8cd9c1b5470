// Square with webhooks of a made-up form, which tests can vary: registered by an API or entered by a person.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Connector, HookCall, HookHint, Hooks, RawHook } from '../../src/contract/connector.ts'
import { connectors as known } from '../../src/platforms/registry.ts'
import { simulators as simulated } from '../../src/platforms/simulators.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

export interface Subscription {
  id: string
  url: string
  secret: string
  vertical: string
}
const signatureOf = (url: string, body: Uint8Array, secret: string) =>
  createHmac('sha256', secret).update(url).update(body).digest('hex')

/** The request of a webhook, as the platform signs it. */
export function signed(
  url: string,
  hints: readonly HookHint[],
  secret: string,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ hints })
  return {
    body,
    headers: { 'content-type': 'text/x-hook', 'x-hook-signature': signatureOf(url, Buffer.from(body), secret) },
  }
}

function verify({ url, headers, body }: RawHook, secret: string): boolean {
  const given = Buffer.from(headers['x-hook-signature'] ?? '')
  const expected = Buffer.from(signatureOf(url, body, secret))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
const address = '/test-hooks'
const list = async (call: HookCall): Promise<Subscription[]> =>
  (await call.read({ method: 'GET', path: address })).body.subscriptions

const read: Hooks['read'] = ({ body }) => {
  const { hints } = JSON.parse(Buffer.from(body).toString('utf8')) as { hints: HookHint[] }
  if (!Array.isArray(hints)) throw new Error('no hints')
  return hints
}
const reports = { customer: ['created', 'updated', 'deleted'] } as const
export const registered: Hooks = {
  scope: 'account',
  secret: { from: 'own' },
  verify,
  read,
  reports,
  async register(call, { url, secret }) {
    const found = (await list(call)).find((one) => one.url === url)
    if (found) return { id: found.id }
    const { body } = await call.send({ method: 'POST', path: address, body: { url, secret } })
    return { id: body.id }
  },
  registered: async (call, { url }, registration) =>
    (await list(call)).some((one) => one.id === (registration as { id: string }).id && one.url === url),
  async unregister(call, registration) {
    await call.send({ method: 'POST', path: `${address}/remove`, body: registration })
  },
}
export const ofApplication: Hooks = {
  scope: 'application',
  business: 'merchantId',
  secret: { from: 'entered', words: { label: 'Signature key' } },
  verify,
  read,
  reports,
  steps: ['Enter {url} in the console.'],
}
export const ofAccount: Hooks = { ...ofApplication, scope: 'account' }
export const unsigned: Hooks = { scope: 'account', read, reports, steps: ['Enter {url} in the console.'] }

export interface HookedPlatform {
  connectors: Record<string, Connector>
  simulators: Record<string, CreateSimulator>
  platform: 'square'
  /** What is registered at the platform. */
  subscriptions: Map<string, Subscription>
}
/** `sendsCode`: the console waits for a code that is sent to the URL. */
export function hookedPlatform(hooks: Hooks, { sendsCode = false } = {}): HookedPlatform {
  const subscriptions = new Map<string, Subscription>()
  const square = known.square as Connector
  const connector: Connector = {
    ...square,
    hooks,
    shapes: {
      ...square.shapes,
      [`GET ${address}`]: { '/subscriptions': 'array' },
      [`POST ${address}`]: { '/id': 'id' },
      [`POST ${address}/remove`]: 'anything',
    },
  }
  const createSimulator: CreateSimulator = (options) => {
    const { webhooks: _, ...rest } = options
    const simulator = (simulated.square as CreateSimulator)(rest)
    let last = 0
    options.webhooks?.onChange(({ collection, id, record }) => {
      const [vertical, name] = collection.split('/')
      if (name !== 'customers') return
      for (const one of subscriptions.values())
        if (one.vertical === vertical && one.secret)
          options.webhooks?.send({
            url: one.url,
            retrySeconds: [1, 2, 4],
            ...signed(
              one.url,
              [{ entityType: 'customer', id, ...(record === undefined ? { gone: true } : {}) }],
              one.secret,
            ),
          })
    })
    const entered = new Map<string, { code?: string; secret: string; vertical: string }>()
    return {
      ...simulator,
      enterWebhook(url, { vertical = 'restaurant' } = {}) {
        const secret = entered.get(url)?.secret ?? `console-secret-${entered.size}`
        const code = `code-${++last}`
        entered.set(url, { secret, vertical, ...(sendsCode ? { code } : {}) })
        if (sendsCode) options.webhooks?.send({ url, headers: { 'x-code': code }, body: '' })
        else subscriptions.set(url, { id: url, url, secret, vertical })
        return { secret }
      },
      enterCode(code) {
        const found = [...entered].find(([, one]) => one.code === code)
        if (!found) return false
        const [url, { secret, vertical }] = found
        subscriptions.set(url, { id: url, url, secret, vertical })
        return true
      },
      async handle(request) {
        if (!request.path.startsWith(address)) return simulator.handle(request)
        const vertical = simulator.tenantOf(request)?.vertical
        if (!vertical) return { status: 401, body: {} }
        const own = [...subscriptions.values()].filter((one) => one.vertical === vertical)
        if (request.method === 'GET') return { status: 200, body: { subscriptions: own } }
        const given = JSON.parse(request.body) as Subscription
        if (request.path.endsWith('/remove')) {
          subscriptions.delete(given.id)
          return { status: 200, body: {} }
        }
        const id = `subscription-${++last}`
        subscriptions.set(id, { id, url: given.url, secret: given.secret, vertical })
        return { status: 200, body: { id } }
      },
    }
  }
  return {
    connectors: { ...known, square: connector },
    simulators: { square: createSimulator },
    platform: 'square',
    subscriptions,
  }
}
