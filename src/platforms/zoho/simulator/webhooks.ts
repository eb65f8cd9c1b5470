// A webhook with the default payload, and a workflow rule that sends it for every change of a customer:
// https://www.zoho.com/books/help/settings/automation/workflow-actions/webhooks.html
// Retries are not documented, so there are none.
import { createHmac, randomBytes } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { Refusal } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import { detailOf } from './contact-list.ts'
import { failure } from './wire.ts'
import type { StoredContact, World } from './world.ts'

export function createZohoWebhooks(
  world: World,
  state: State,
  webhooks: Webhooks | undefined,
): NonNullable<Simulator['enterWebhook']> {
  const entered = state.collection<{ url: string; secret: string }>('webhooks')
  webhooks?.onChange(({ collection, record, before }) => {
    if (collection !== 'contacts') return
    const contact = (record ?? before) as StoredContact
    if (contact.contact_type !== 'customer') return
    const body = JSON.stringify({ contact: detailOf(world, contact) })
    for (const { url, secret } of entered.values())
      webhooks.send({
        url,
        headers: {
          'content-type': 'application/json;charset=UTF-8',
          'X-Zoho-Webhook-Signature': signatureOf(new URL(url).searchParams, body, secret),
        },
        body,
      })
  })

  /** A person chooses the secret token. */
  return (url, { secret = randomBytes(20).toString('hex') } = {}) => {
    if (!/^[A-Za-z0-9]{12,50}$/.test(secret))
      throw new Refusal(failure(400, 2, 'The secret token must be alphanumeric and have 12 to 50 characters.'))
    entered.set(url, { url, secret })
    return { secret }
  }
}

/** https://www.zoho.com/billing/kb/webhooks/securing-webhooks.html */
function signatureOf(query: URLSearchParams, json: string, secret: string): string {
  query.sort()
  const hmac = createHmac('sha256', secret)
  for (const [name, value] of query) hmac.update(name).update(value)
  return hmac.update(json).digest('hex')
}
