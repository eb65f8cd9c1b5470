// Webhooks: https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
import type { HookHint, Hooks } from '../../contract/connector.ts'
import { distinctHints, idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

interface Event {
  operation: string
  id: unknown
  mergedId: unknown // of the customer that no longer exists
  realmId: unknown
}

/** CloudEvents: `qbo.customer.updated.v1`. https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/data-objects */
function cloudEvent(event: unknown): Event[] {
  const [, operation] = /^qbo\.customer\.([a-z]+)\.v\d+$/.exec(String(memberOf(event, 'type'))) ?? []
  if (!operation) return []
  const mergedId = memberOf(memberOf(event, 'data'), 'deletedid')
  return [{ operation, id: memberOf(event, 'intuitentityid'), mergedId, realmId: memberOf(event, 'intuitaccountid') }]
}
const operations: Readonly<Record<string, string>> = {
  Create: 'created',
  Update: 'updated',
  Delete: 'deleted',
  Merge: 'merged',
}
/** The format until 2026, one element per company. */
function legacyEvents(notification: unknown): Event[] {
  const entities = memberOf(memberOf(notification, 'dataChangeEvent'), 'entities')
  const realmId = memberOf(notification, 'realmId')
  if (!Array.isArray(entities)) return []
  return entities.flatMap((entity) => {
    const operation = memberOf(operations, String(memberOf(entity, 'operation')))
    return memberOf(entity, 'name') === 'Customer' && typeof operation === 'string'
      ? [{ operation, id: memberOf(entity, 'id'), mergedId: memberOf(entity, 'deletedId'), realmId }]
      : []
  })
}

function hintsOf({ operation, ...event }: Event): HookHint[] {
  const [id, business] = [idIn(event.id), idIn(event.realmId)]
  if (!id || !business) return []
  const hint: HookHint = { entityType: 'customer', id, business, ...(operation === 'deleted' && { gone: true }) }
  const merged = operation === 'merged' ? idIn(event.mergedId) : undefined
  return merged ? [hint, { entityType: 'customer', id: merged, business, gone: true, replacedBy: id }] : [hint]
}

export const hooks: Hooks = {
  scope: 'application',
  business: 'realmId',
  secret: {
    from: 'entered',
    words: { label: 'Verifier token', help: 'In the Intuit developer portal: your app, Webhooks.' },
  },
  verify: ({ headers, body }, secret) => isSigned(body, secret, headers['intuit-signature'], { encoding: 'base64' }),
  read(request) {
    const body = jsonOf(request)
    if (Array.isArray(body)) return distinctHints(body.flatMap(cloudEvent).flatMap(hintsOf))
    const notifications = memberOf(body, 'eventNotifications')
    if (!Array.isArray(notifications)) throw new Error('The body has neither CloudEvents nor event notifications')
    return distinctHints(notifications.flatMap(legacyEvents).flatMap(hintsOf))
  },
  reports: { customer: ['created', 'updated', 'deleted'] },
  steps: [
    'Open your app in the Intuit developer portal, developer.intuit.com, and select Webhooks.',
    'Select Production, or Development for sandbox companies.',
    'Enter {url} as the endpoint URL.',
    'Select all events of Customer and save.',
    'Show the verifier token, copy it and enter it here.',
  ],
}
