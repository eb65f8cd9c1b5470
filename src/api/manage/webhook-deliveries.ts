// What was delivered to a webhook endpoint, and what is about to be.

import { missingIn } from '../../accounts/lookup.ts'
import { nearestName } from '../../base/nearest.ts'
import { Problem } from '../../contract/errors.ts'
import { delivery, deliveryStates, deliveryWithBody } from '../../contract/manage/webhooks.ts'
import { pageSchema } from '../../contract/schema.ts'
import { aboutOf } from '../../deliveries/body.ts'
import { sentPatterns } from '../../deliveries/event-types.ts'
import { subjectsOf } from '../../deliveries/read-logs.ts'
import type { Delivery, DeliveryFilter, WebhookEndpoint } from '../../store/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { positiveInteger, type Query } from '../query.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

export const isoOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : new Date(milliseconds).toISOString()

export function showDelivery(delivery: Delivery) {
  const { id, type, sequence, state, createdAt, endedAt, nextAt, log, body } = delivery
  const isOfFeed = delivery.accountId !== '' && sequence > 0
  return {
    id,
    type,
    ...aboutOf(body),
    sequence: isOfFeed ? sequence : undefined,
    state,
    createdAt: isoOf(createdAt),
    endedAt: isoOf(endedAt),
    nextAttemptAt: state === 'waiting' ? isoOf(nextAt) : undefined,
    attempts: log.map(({ at, ...rest }) => ({ at: isoOf(at), ...rest })),
  }
}

function filterIn(query: Query): DeliveryFilter {
  const { type, accountId, externalId } = query
  const state = deliveryStates.find((name) => name === query.state)
  if (query.state !== undefined && !state)
    throw new Problem('invalid_parameter', `state must be one of ${deliveryStates.join(', ')}.`)
  if (type !== undefined && !sentPatterns.includes(type)) {
    const near = nearestName(type, sentPatterns)
    throw new Problem(
      'invalid_parameter',
      `type is not a type of events${near ? `; did you mean "${near}"?` : ', such as order.created, or a family, such as order.*.'}`,
    )
  }
  for (const name of ['externalId', 'sequence'])
    if (query[name] !== undefined && accountId === undefined)
      throw new Problem(
        'invalid_parameter',
        `${name} needs accountId: the ids and sequences of each account are its own.`,
      )
  return {
    state,
    type,
    accountId,
    sequence: query.sequence === undefined ? undefined : positiveInteger(query, 'sequence', 1),
    subjects: accountId === undefined || externalId === undefined ? undefined : subjectsOf(accountId, externalId),
  }
}

/** `one`: the path of an endpoint. */
export function deliveryRoutes(
  { webhooks }: Pick<Store, 'webhooks'>,
  one: string,
  existing: (parameters: Record<string, string>) => Promise<WebhookEndpoint>,
): ManageRoute[] {
  const tag = 'Webhooks'
  async function existingDelivery(parameters: Record<string, string>): Promise<Delivery> {
    const { id } = await existing(parameters)
    const found = await webhooks.delivery(id, parameters.deliveryId as string)
    if (!found) throw missingIn('deliveryId', 'delivery', `${one}/deliveries`)
    return found
  }
  return [
    defineRoute({
      method: 'GET',
      path: `${one}/deliveries`,
      operationId: 'listWebhookDeliveries',
      role: 'viewer',
      summary: 'List deliveries, newest first, with their attempts',
      tag,
      query: {
        ...pageQuery,
        state: `One of ${deliveryStates.join(', ')}`,
        type: 'Only events of this type, or family, such as `order.*`',
        accountId: 'Only changes of this account',
        externalId: 'Only changes of the record with this id on the platform; needs `accountId`',
        sequence: 'Only the change with this sequence; needs `accountId`',
      },
      answer: pageSchema(delivery),
      handle: async ({ parameters, query }) => {
        const { id } = await existing(parameters)
        const { data, ...rest } = await webhooks.deliveries(id, { ...pageOf(query), ...filterIn(query) })
        return { data: data.map(showDelivery), ...rest }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${one}/deliveries/{deliveryId}`,
      operationId: 'getWebhookDelivery',
      role: 'viewer',
      summary: 'Get a delivery with its body',
      tag,
      answer: deliveryWithBody,
      handle: async ({ parameters }) => {
        const found = await existingDelivery(parameters)
        return { ...showDelivery(found), body: found.body }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${one}/deliveries/{deliveryId}/resend`,
      operationId: 'resendWebhookDelivery',
      role: 'operator',
      summary: 'Send a delivery again, with the same id and body',
      tag,
      answer: delivery,
      status: 202,
      result: 'getWebhookDelivery',
      handle: async ({ parameters, recorded }) => {
        const found = await existingDelivery(parameters)
        const again = await recorded((inner) => inner.webhooks.resend(found.endpointId, found.id))
        return showDelivery(again ?? found)
      },
    }),
  ]
}
