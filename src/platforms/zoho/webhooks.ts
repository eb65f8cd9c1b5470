// Webhooks of a workflow rule, which a person sets up in the organization:
// https://www.zoho.com/books/help/settings/automation/workflow-actions/webhooks.html
import type { HookHint, Hooks, RawHook } from '../../contract/connector.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'
import type { ZohoProduct } from './zoho-product.ts'

const textOf = ({ body }: RawHook): string => new TextDecoder().decode(body)
const isForm = ({ headers }: RawHook): boolean => /form-urlencoded/i.test(headers['content-type'] ?? '')

/**
 * All parameters of the query and of a form, sorted by name, each name followed by its value, then a JSON body as it is.
 * https://www.zoho.com/billing/kb/webhooks/securing-webhooks.html
 */
function signedContent(request: RawHook): Uint8Array {
  const query = request.url.split('#', 1)[0]!.split('?').slice(1).join('?')
  const pairs = [...new URLSearchParams(query), ...(isForm(request) ? new URLSearchParams(textOf(request)) : [])]
  const sorted = pairs.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  return Buffer.concat([Buffer.from(sorted.flat().join('')), ...(isForm(request) ? [] : [request.body])])
}

/** The default payload has the whole record under the name of its module. */
function payloadOf(request: RawHook): unknown {
  if (!isForm(request)) return jsonOf(request)
  const form = Object.fromEntries(new URLSearchParams(textOf(request)))
  return typeof form.JSONString === 'string' ? JSON.parse(form.JSONString) : form
}
function hintsIn(payload: unknown): HookHint[] {
  if (typeof payload !== 'object' || payload === null) throw new Error('The body is not an object')
  const isAbout = (module: string) => memberOf(memberOf(payload, module), `${module}_id`) !== undefined
  if (Object.keys(payload).some((name) => !['contact', 'customer'].includes(name) && isAbout(name))) return []
  const contact = memberOf(payload, 'contact') ?? memberOf(payload, 'customer') ?? payload
  if (memberOf(contact, 'contact_type') === 'vendor') return []
  const id = idIn(memberOf(contact, 'contact_id') ?? memberOf(contact, 'customer_id'))
  // Without an id, or with one that is a number too large to be exact.
  return [{ entityType: 'customer', ...(id && { id }) }]
}

export const createHooks = ({ name }: ZohoProduct): Hooks => ({
  scope: 'account',
  secret: {
    from: 'entered',
    words: {
      label: 'Secret token',
      help: `12 to 50 letters and digits of your choice; enter the same in ${name}.`,
    },
  },
  verify: (request, secret) =>
    isSigned(signedContent(request), secret, request.headers['x-zoho-webhook-signature']?.toLowerCase(), {
      encoding: 'hex',
    }),
  read: (request) => hintsIn(payloadOf(request)),
  reports: { customer: ['created', 'updated', 'deleted'] },
  steps: [
    'Choose a secret token of 12 to 50 letters and digits, and enter it here.',
    `In ${name}, open Settings > Automation > Workflow Actions > Webhooks and click New Webhook.`,
    'Select the module Customers and the method POST, and enter {url} as the URL. Add no parameters.',
    'Select Default Payload as the body, select "I want to secure this webhook", enter the secret token, and save.',
    'Open Settings > Automation > Workflow Rules and create a rule for the module Customers that runs when a record is created or edited, every time, without conditions. Add the webhook as an immediate action.',
    'Create a second rule with the same webhook that runs when a customer is deleted.',
  ],
})
