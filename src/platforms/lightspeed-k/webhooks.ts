// Webhooks about shifts: https://api-docs.lsk.lightspeed.app/operation/operation-staff-apicreatewebhook
// Those of the order service report only online orders, by the reference of the client that placed them, and whether an
// item may be sold; items, categories and users have none.
import type { Hook, HookCall, Hooks } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { distinctHints, idIn, jsonOf, memberOf } from '../../kit/webhooks.ts'
import { locationOf } from './account.ts'

interface Webhook {
  uuid: string
  notificationType?: string
  url?: string
}
const topics: readonly string[] = ['shift.created', 'shift.updated', 'shift.deleted']
const webhooksOf = (call: HookCall): string => path`/staff/v1/businessLocations/${locationOf(call)}/webhooks`

const wanted = ({ entities }: Hook): readonly string[] => (entities.includes('time_entry') ? topics : [])
/** The webhooks of the location with this URL. */
async function ours(call: HookCall, { url }: Hook): Promise<readonly Webhook[]> {
  const { body } = await call.read(get(webhooksOf(call)))
  return list<Webhook>(body).filter((webhook) => webhook.url === url)
}
const lacking = (hook: Hook, present: readonly Webhook[]): readonly string[] =>
  wanted(hook).filter((topic) => !present.some(({ notificationType }) => notificationType === topic))

export const hooks: Hooks = {
  scope: 'account',
  read(request) {
    const message = jsonOf(request)
    const topic = memberOf(message, 'notificationType')
    if (!topics.some((known) => known === topic)) return []
    const id = idIn(memberOf(memberOf(message, 'data'), 'uuid'))
    if (id === undefined) return [{ entityType: 'time_entry' }]
    return distinctHints([{ entityType: 'time_entry', id, ...(topic === 'shift.deleted' && { gone: true }) }])
  },
  reports: { time_entry: ['created', 'updated', 'deleted'] },
  async register(call, hook) {
    const present = await ours(call, hook)
    const missing = lacking(hook, present)
    for (const notificationType of missing) await create(call, hook.url, notificationType)
    const all = missing.length ? await ours(call, hook) : present
    return { ids: all.map(({ uuid }) => uuid) }
  },
  registered: async (call, hook) => lacking(hook, await ours(call, hook)).length === 0,
  async unregister(call, registration) {
    const ids = memberOf(registration, 'ids')
    for (const id of Array.isArray(ids) ? ids : [])
      await ifFound(call.send(del(path`/staff/v1/businessLocations/${locationOf(call)}/webhooks/${String(id)}`)))
  },
}

/** One that exists already is found when they are read again. */
async function create(call: HookCall, url: string, notificationType: string): Promise<void> {
  try {
    await call.send(post(webhooksOf(call), { notificationType, url, webhookName: 'Unified Records' }))
  } catch (error) {
    if (!(error instanceof NativeFailure && error.error.kind === 'duplicate')) throw error
  }
}
