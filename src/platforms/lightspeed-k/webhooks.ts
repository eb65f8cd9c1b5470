// Webhooks about shifts: https://api-docs.lsk.lightspeed.app/operation/operation-staff-apicreatewebhook
// Those of the order service report only online orders, by the reference of the client that placed them, and whether an
// item may be sold; items, categories and users have none.
import type { Hook, HookCall, Hooks } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { topicTable } from '../../kit/topics.ts'
import { jsonOf, memberOf } from '../../kit/webhooks.ts'
import { locationOf } from './account.ts'

interface Webhook {
  uuid: string
  notificationType?: string
  url?: string
}
const topics = topicTable({
  'shift.created': { of: 'time_entry', kinds: ['created'], id: '/data/uuid' },
  'shift.updated': { of: 'time_entry', kinds: ['updated'], id: '/data/uuid' },
  'shift.deleted': { of: 'time_entry', kinds: ['deleted'], id: '/data/uuid' },
})
const webhooksOf = (call: HookCall): string => path`/staff/v1/businessLocations/${locationOf(call)}/webhooks`

/** The webhooks of the location with this URL. */
async function ours(call: HookCall, { url }: Hook): Promise<readonly Webhook[]> {
  const { body } = await call.read(get(webhooksOf(call)))
  return list<Webhook>(body).filter((webhook) => webhook.url === url)
}
const lacking = (hook: Hook, present: readonly Webhook[]): readonly string[] =>
  topics.for(hook.entities).filter((topic) => !present.some(({ notificationType }) => notificationType === topic))

export const hooks: Hooks = {
  scope: 'account',
  read(request) {
    const message = jsonOf(request)
    return topics.hints(memberOf(message, 'notificationType'), () => message)
  },
  reports: topics.reports,
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
