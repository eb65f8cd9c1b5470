// Outgoing webhooks: endpoints, and what was delivered to them.

import { oneOf } from '../field.ts'
import { defaulted, flag, listOf, named, optional, orEmpty, text, time, whole } from '../schema.ts'

/** An empty value removes the setting. */
export const endpointSettings = {
  url: text('Receives the events by POST; https, in the sandbox also http on localhost', { maxLength: 2000 }),
  description: orEmpty(text('What the receiver is; empty: none', { maxLength: 500 }), ''),
  events: listOf(
    text(),
    'Types of events: `product.updated`, `product.*`, `account.*`, `write.settled`, or `*` for all',
    { minItems: 1, maxItems: 100 },
  ),
  accounts: orEmpty(
    listOf(text(), 'Only events of these accounts; by default, and with an empty list, of all', { maxItems: 1000 }),
    [],
  ),
  data: defaulted(oneOf(['full', 'thin'], '`full` by default, with the record; `thin` has its ids only'), 'full'),
  format: defaulted(
    oneOf(['standard', 'cloudevents'], '`standard` by default; `cloudevents` sends a CloudEvents 1.0 body'),
    'standard',
  ),
  coalesce: defaulted(
    flag('`true`: a newer event of a record replaces one that was not attempted yet; `false` by default'),
    false,
  ),
  concurrency: defaulted(whole('Attempts at the same time, 8 by default', { minimum: 1, maximum: 32 }), 8),
  perSecond: orEmpty(
    whole('At most this many attempts per second; by default, and with 0, no limit', { minimum: 0, maximum: 1000 }),
    0,
  ),
}
export const endpoint = named('WebhookEndpoint', {
  id: text(),
  ...endpointSettings,
  state: oneOf(['active', 'disabled'], 'A disabled endpoint receives nothing; its events wait'),
  stateReason: optional(text()),
  failing: flag('The last attempts have failed'),
  failingSince: optional(time()),
  lastSuccessAt: optional(time()),
  waiting: whole('Deliveries that wait for an attempt'),
  failed: whole('Deliveries that have failed for good and are still stored'),
  previousSecretUntil: optional(time('After a rotation: until then, events are signed with the previous secret, too')),
  createdAt: time(),
  updatedAt: time(),
})
export const endpointWithSecret = named('WebhookEndpointWithSecret', {
  ...endpoint.properties,
  secret: text('Verifies the signature of events; shown once'),
})
export const deliveryStates = ['waiting', 'delivered', 'failed', 'superseded'] as const
const attempt = named('DeliveryAttempt', {
  at: time(),
  durationMs: whole(),
  status: optional(whole()),
  error: optional(text()),
  response: optional(text('The first 200 characters')),
})
export const delivery = named('Delivery', {
  id: text('The `webhook-id`, equal in all attempts'),
  type: text(),
  accountId: optional(text()),
  sequence: optional(whole('Of the change in the feed of the account')),
  entityType: optional(text('Of the record that the event is about')),
  externalId: optional(text('Of that record: its id on the platform, or yours with `write.settled`')),
  sourceExternalId: optional(text('Your id of that record, if you have created it')),
  state: oneOf(deliveryStates, '`superseded`: a newer event of the record has replaced it'),
  createdAt: time(),
  endedAt: optional(time()),
  nextAttemptAt: optional(time()),
  attempts: listOf(attempt),
})
export const deliveryWithBody = named('DeliveryWithBody', { ...delivery.properties, body: text() })
