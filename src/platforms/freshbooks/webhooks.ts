// Webhooks ("callbacks"): https://www.freshbooks.com/api/webhooks
import type { HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list } from '../../kit/fields.ts'
import { del, get, path, post, put } from '../../kit/requests.ts'
import { idIn, isSigned, memberOf } from '../../kit/webhooks.ts'

interface Callback {
  callbackid: number | string
  event: string
  uri: string
  verified: boolean
}
/** A noun covers all of its events: one callback, and one secret. */
const event = 'client'
const mostPages = 20

const callbacks = ({ account }: ReadCall): string =>
  path`/events/account/${account.settings.accountId ?? ''}/events/callbacks`
const callbackAt = (call: ReadCall, id: string | number): string => callbacks(call) + path`/${id}`

async function listCallbacks(call: HookCall): Promise<Callback[]> {
  const found: Callback[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, mostPages); page += 1) {
    const { result } = (await call.read(get(callbacks(call), { page, per_page: 100 }))).body.response
    found.push(...list<Callback>(result.callbacks))
    pages = Number(result.pages)
  }
  return found
}
const ours = async (call: HookCall, url: string): Promise<Callback[]> =>
  (await listCallbacks(call)).filter((callback) => callback.uri === url && callback.event === event)
const isVerified = ({ verified }: Callback): boolean => flag(verified) === true
const remove = async (call: HookCall, { callbackid }: Callback): Promise<void> =>
  void (await ifFound(call.send(del(callbackAt(call, callbackid)))))

const formOf = ({ body }: RawHook): URLSearchParams => new URLSearchParams(new TextDecoder().decode(body))
/** As Python's json.dumps writes it: a space after each colon and comma, and only ASCII. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const signedText = (form: URLSearchParams): string =>
  `{${[...form].map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')}}`

interface Verification {
  id: string
  verifier: string
}
function verificationIn(request: RawHook): Verification | undefined {
  const form = formOf(request)
  const [id, verifier] = [idIn(form.get('object_id')), idIn(form.get('verifier'))]
  return form.get('name') === 'callback.verify' && id && verifier ? { id, verifier } : undefined
}
const unreal = (message: string): NativeFailure => new NativeFailure({ kind: 'invalid', message })

export const hooks: Hooks = {
  scope: 'account',
  secret: { from: 'received' },
  verify: (request, secret) =>
    isSigned(signedText(formOf(request)), secret, request.headers['x-freshbooks-hmac-sha256'], { encoding: 'base64' }),
  read(request): HookHint[] {
    const form = formOf(request)
    const name = form.get('name')
    const id = idIn(form.get('object_id'))
    if (!name) throw new Error('The body has no name of an event')
    if (!name.startsWith('client.')) return []
    return [{ entityType: 'customer', ...(id && { id }), ...(id && name === 'client.delete' && { gone: true }) }]
  },
  challenge(request) {
    const verification = verificationIn(request)
    return verification && { secret: verification.verifier }
  },
  /**
   * The verifier is the secret of all later webhooks, so it counts only if FreshBooks takes it for a callback of this
   * URL that waits for it: it is not known whether FreshBooks compares it once a callback is verified.
   */
  async confirm(call, request) {
    const verification = verificationIn(request)
    if (!verification) throw unreal('The request is no verification of a callback')
    const { id, verifier } = verification
    const at = callbackAt(call, id)
    const current = async (): Promise<Callback | undefined> =>
      (await ifFound(call.read(get(at))))?.body.response.result.callback
    const known = await current()
    if (!known || known.uri !== request.url) throw unreal('FreshBooks has no such callback of this URL')
    if (isVerified(known)) throw unreal('The callback is verified already')
    let failure: unknown
    try {
      await call.send(put(at, { callback: { callbackid: known.callbackid, verifier } }))
    } catch (error) {
      failure = error
    }
    // If only the response was lost, the callback is verified all the same.
    const now = await current()
    if (!now || !isVerified(now)) throw failure ?? unreal('FreshBooks did not accept the verifier')
  },
  reports: { customer: ['created', 'updated', 'deleted'] },
  async register(call, { url, secret, entities }) {
    const found = await ours(call, url)
    // Without the secret a verified callback is of no use: only a new one gets a new secret.
    const usable = entities.includes('customer') ? found.filter((one) => secret !== undefined || !isVerified(one)) : []
    const callback = usable.find(isVerified) ?? usable[0]
    for (const other of found) if (other !== callback) await remove(call, other)
    if (!entities.includes('customer')) return {}
    if (!callback) {
      const { body } = await call.send(post(callbacks(call), { callback: { event, uri: url } }))
      return { callbackId: String(body.response.result.callback.callbackid) }
    }
    const { callbackid } = callback
    if (!isVerified(callback))
      await call.send(put(callbackAt(call, callbackid), { callback: { callbackid, resend: true } }))
    return { callbackId: String(callbackid) }
  },
  async registered(call, { url, secret, entities }, registration) {
    const id = memberOf(registration, 'callbackId')
    if (!entities.includes('customer')) return id === undefined
    const callback = (await ours(call, url)).find(({ callbackid }) => String(callbackid) === id)
    return callback !== undefined && isVerified(callback) && secret !== undefined
  },
  async unregister(call, registration) {
    const id = memberOf(registration, 'callbackId')
    for (const callback of await listCallbacks(call))
      if (String(callback.callbackid) === id) await remove(call, callback)
  },
}
