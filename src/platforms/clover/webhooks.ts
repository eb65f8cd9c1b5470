// Webhooks of Clover: https://docs.clover.com/dev/docs/webhooks
import type { HookHint, Hooks } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { distinctHints, idIn, isSecret, jsonOf, memberOf } from '../../kit/webhooks.ts'

/** What an id begins with. Modifiers and the merchant's own settings are other objects; shifts have none. */
const entities = new Map<string, EntityType>([
  ['I', 'product'],
  ['IC', 'category'],
  ['O', 'order'],
  ['C', 'customer'],
  ['E', 'employee'],
  ['P', 'payment'],
])

function hintOf(business: string, update: unknown): readonly HookHint[] {
  const objectId = memberOf(update, 'objectId')
  if (typeof objectId !== 'string') return []
  const colon = objectId.indexOf(':')
  const entityType = entities.get(objectId.slice(0, Math.max(0, colon)))
  if (!entityType) return []
  const id = idIn(objectId.slice(colon + 1))
  if (id === undefined) return [{ entityType, business }]
  // A refund has no key: it is a change of its payment.
  const refund: HookHint[] = entityType === 'payment' ? [{ entityType: 'refund', business }] : []
  return [...refund, { entityType, id, ...(memberOf(update, 'type') === 'DELETE' && { gone: true }), business }]
}

export const hooks: Hooks = {
  scope: 'application',
  business: 'merchantId',
  secret: {
    from: 'entered',
    words: {
      label: 'Clover Auth Code',
      help: 'In the Developer Dashboard: your app, App Settings, Webhooks. It appears once the URL is verified.',
    },
  },
  // The code is the same in every message and says nothing about the body.
  verify: ({ headers }, secret) => isSecret(headers['x-clover-auth'], secret),
  challenge(request) {
    if (request.body.length > 1000) return undefined
    const code = memberOf(jsonOrNothing(request), 'verificationCode')
    return typeof code === 'string' && /^[\w-]{1,100}$/.test(code) ? { code } : undefined
  },
  read(request) {
    const merchants = memberOf(jsonOf(request), 'merchants')
    if (typeof merchants !== 'object' || merchants === null) return []
    return distinctHints(
      Object.entries(merchants).flatMap(([business, updates]) =>
        Array.isArray(updates) ? updates.flatMap((update) => hintOf(business, update)) : [],
      ),
    )
  },
  reports: {
    product: ['created', 'updated', 'deleted'],
    category: ['created', 'updated', 'deleted'],
    order: ['created', 'updated', 'deleted'],
    customer: ['created', 'updated', 'deleted'],
    employee: ['created', 'updated', 'deleted'],
    payment: ['created', 'updated'],
    refund: ['created', 'updated'],
  },
  steps: [
    'Open your app in the Clover Developer Dashboard and select App Settings, then Webhooks.',
    'Enter {url} as the webhook URL and select Send Verification Code.',
    'Enter the code that arrives here as the verification code and select Verify.',
    'Subscribe to Customers, Employees, Inventory, Inventory category, Orders and Payments, as far as your app may read them, and save.',
    'Copy the Clover Auth Code from the Webhooks section and enter it as the Clover Auth Code of this webhook.',
  ],
}

function jsonOrNothing(request: Parameters<typeof jsonOf>[0]): unknown {
  try {
    return jsonOf(request)
  } catch {
    return undefined
  }
}
