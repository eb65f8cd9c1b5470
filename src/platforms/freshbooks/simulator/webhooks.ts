// Callbacks, FreshBooks' webhooks: https://www.freshbooks.com/api/webhooks
// A callback gets events once its owner has sent the verifier back. The verifier signs all of them. Neither retries nor
// a removal after failures are documented, so there are none.
import { createHmac, randomBytes } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { type Emission, emitEvents } from '../../../sandbox/emitter.ts'
import { type Fields, isObject, readJson, refusing } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Webhooks, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { result } from './wire.ts'
import { easternTime, type StoredClient, type World } from './world.ts'

interface StoredCallback {
  callbackid: number
  event: string
  uri: string
  verified: boolean
  verifier: string
  updatedAt: number
}
const nouns = 'bill,client,credit_note,estimate,expense,invoice,item,payment,project,recurring,service,tax,time_entry'
const validEvent = new RegExp(`^(${nouns.replaceAll(',', '|')})(\\.(create|update|delete|sendByEmail))?$`)

/** Unlike the accounting service, this one has the errors of Google's services. */
const eventFailure = (status: number, message: string, ...violations: { field: string; description: string }[]) => ({
  status,
  body: {
    code: status === 404 ? 5 : 3,
    message,
    details: violations.length
      ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }]
      : [],
  },
})
const refuse = refusing(eventFailure)
const invalid = (field: string, description: string): never =>
  refuse(400, 'Request contains invalid arguments', { field, description })

function callbackIn(request: WireRequest): Fields {
  const body = readJson(request)
  return isObject(body) && isObject(body.callback) ? body.callback : invalid('callback', 'callback is required')
}
const shown = ({ verifier: _, updatedAt, ...callback }: StoredCallback): Fields => ({
  ...callback,
  updated_at: easternTime(updatedAt),
})
const answer = (callback: StoredCallback): WireResponse => result({ callback: shown(callback) })

export function createCallbacks(world: World, state: State, webhooks: Webhooks | undefined): Routes<World> {
  const callbacks = state.collection<StoredCallback>('callbacks')
  const save = (callback: Omit<StoredCallback, 'updatedAt'>): StoredCallback =>
    callbacks.set(String(callback.callbackid), { ...callback, updatedAt: world.now() })
  const find = (id = ''): StoredCallback => callbacks.get(id) ?? refuse(404, 'Requested resource could not be found.')

  function send({ uri, verifier, verified }: StoredCallback, event: string, id: string | number): void {
    const fields: [name: string, value: string][] = [
      ['name', event],
      ['object_id', String(id)],
      ['account_id', world.accountId],
      ['business_id', String(world.businesses[0]!.id)],
      ['identity_id', '2192788'],
      ['user_id', '1'],
    ]
    if (!verified) fields.push(['verifier', verifier])
    webhooks?.send({
      url: uri,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'X-FreshBooks-Hmac-SHA256': createHmac('sha256', verifier).update(pythonJson(fields)).digest('base64'),
      },
      body: fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
    })
  }
  const sendVerifier = (callback: StoredCallback): void => send(callback, 'callback.verify', callback.callbackid)

  const clients: Emission<StoredClient, { event: string; id: string }> = {
    isDeleted: ({ vis_state }) => vis_state === 1,
    event: ({ kind, id }) => ({ event: `client.${kind.slice(0, -1)}`, id }),
  }
  emitEvents({
    webhooks,
    emissions: { clients },
    send([{ event, id }]) {
      for (const callback of callbacks.filter(({ verified }) => verified))
        if (callback.event === event || callback.event === 'client') send(callback, event, id)
    },
  })

  const base = '/events/account/:account/events/callbacks'
  return {
    [`GET ${base}`]: ({ request: { query } }) => {
      const [page, size] = [Number(query.get('page') ?? 1), Math.min(100, Number(query.get('per_page') ?? 15))]
      const { rows, pages, total } = numberedPage(callbacks.values(), { page, size })
      return result({ callbacks: rows.map(shown), page, pages, per_page: size, total })
    },
    [`POST ${base}`]: ({ request }) => {
      const { event, uri } = callbackIn(request)
      if (typeof event !== 'string' || !validEvent.test(event)) invalid('event', 'event is not valid')
      if (typeof uri !== 'string' || !/^https?:/.test(uri) || !URL.canParse(uri)) invalid('uri', 'uri is not valid')
      const callback = save({
        callbackid: world.serial('callback', 2001),
        event: event as string,
        uri: uri as string,
        verified: false,
        verifier: randomBytes(24).toString('base64url'),
      })
      sendVerifier(callback)
      return answer(callback)
    },
    [`GET ${base}/:id`]: ({ params }) => answer(find(params.id)),
    [`PUT ${base}/:id`]: ({ request, params }) => {
      const callback = find(params.id)
      const { verifier, resend, uri } = callbackIn(request)
      if (resend === true && !callback.verified) sendVerifier(callback)
      if (verifier !== undefined && !callback.verified) {
        if (verifier !== callback.verifier) invalid('verifier', 'verifier is not valid')
        return answer(save({ ...callback, verified: true }))
      }
      return answer(typeof uri === 'string' ? save({ ...callback, uri, verified: false }) : callback)
    },
    [`DELETE ${base}/:id`]: ({ params }) => {
      callbacks.delete(String(find(params.id).callbackid))
      return { status: 200, body: { response: {} } }
    },
  }
}

/** What json.dumps of Python makes of an object of texts. */
function pythonJson(fields: readonly [name: string, value: string][]): string {
  return `{${fields.map((pair) => pair.map(pythonText).join(': ')).join(', ')}}`
}
const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}
function pythonText(text: string): string {
  let escaped = ''
  for (const unit of text.split('')) {
    const code = unit.charCodeAt(0)
    escaped += escapes[unit] ?? (code < 0x20 || code > 0x7e ? `\\u${code.toString(16).padStart(4, '0')}` : unit)
  }
  return `"${escaped}"`
}
