// Webhooks: https://developer.xero.com/documentation/guides/webhooks/overview/
import type { HookHint, Hooks } from '../../contract/connector.ts'
import { distinctHints, idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

/** Contacts are archived, never deleted, and archiving one is an update. */
function hintOf(event: unknown): HookHint[] {
  const id = idIn(memberOf(event, 'resourceId'))
  const business = idIn(memberOf(event, 'tenantId'))
  return memberOf(event, 'eventCategory') === 'CONTACT' && id && business
    ? [{ entityType: 'customer', id, business }]
    : []
}

export const hooks: Hooks = {
  scope: 'application',
  business: 'tenantId',
  secret: {
    from: 'entered',
    words: { label: 'Webhooks key', help: 'In the Xero developer portal: your app, Webhooks.' },
  },
  verify: ({ headers, body }, secret) => isSigned(body, secret, headers['x-xero-signature'], { encoding: 'base64' }),
  // The check "intent to receive" consists of webhooks without events, some of them with a wrong signature.
  tests(request) {
    const events = memberOf(jsonOf(request), 'events')
    return Array.isArray(events) && events.length === 0
  },
  read(request) {
    const events = memberOf(jsonOf(request), 'events')
    if (!Array.isArray(events)) throw new Error('The body has no list of events')
    return distinctHints(events.flatMap(hintOf))
  },
  reports: { customer: ['created', 'updated'] },
  steps: [
    'Open your app in the Xero developer portal, developer.xero.com/app/manage, and select Webhooks.',
    'Select Contacts as the events.',
    'Enter {url} as the delivery URL and save.',
    'Copy the webhooks key and enter it here.',
    'Click Send "Intent to receive" in the portal and wait for the status OK.',
  ],
}
