// Outgoing webhooks: endpoints, and what was delivered to them.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { existingWorkspace, missingIn, ofWorkspace } from '../../accounts/lookup.ts'
import { createId } from '../../accounts/secrets.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { delivery, endpoint, endpointSettings, endpointWithSecret } from '../../contract/manage/webhooks.ts'
import { changeOf, newOf, object, optional, pageSchema, partial, text, time, whole } from '../../contract/schema.ts'
import { bodyOf } from '../../deliveries/body.ts'
import { type EndpointRules, eventFault, urlFault } from '../../deliveries/endpoint-faults.ts'
import { eventPatterns, testEvent } from '../../deliveries/event-types.ts'
import { createSecret } from '../../deliveries/signature.ts'
import type { Delivery, WebhookEndpoint } from '../../store/deliveries.ts'
import type { PageQuery, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'
import { refuseSecond, uniqueQuery } from './unique.ts'
import { deliveryRoutes, isoOf, showDelivery } from './webhook-deliveries.ts'

const withUrl = 'a webhook endpoint with this URL'
/** Both secrets sign during a rotation. */
const overlapMs = 86_400_000
const testWaitMs = 5_000
const betweenLooksMs = 100
export function webhookRoutes(store: Store, options: EndpointRules): ManageRoute[] {
  const tag = 'Webhooks'
  const base = ofWorkspace('/webhook-endpoints')
  const one = `${base}/{endpointId}`
  const { webhooks } = store

  async function existing({ workspaceId = '', endpointId = '' }: Record<string, string>): Promise<WebhookEndpoint> {
    await existingWorkspace(store, workspaceId)
    const found = await webhooks.get(workspaceId, endpointId)
    if (!found) throw missingEndpoint()
    return found
  }
  const missingEndpoint = () => missingIn('endpointId', 'webhook endpoint', base)
  /** As soon as the attempt has ended. */
  async function testResult({ id, state }: WebhookEndpoint, deliveryId: string): Promise<Delivery> {
    for (const deadline = performance.now() + testWaitMs; ; await sleep(betweenLooksMs)) {
      const found = await webhooks.delivery(id, deliveryId)
      if (!found) throw missingEndpoint()
      if (found.state !== 'waiting' || state === 'disabled' || performance.now() > deadline) return found
    }
  }
  async function show(found: WebhookEndpoint) {
    const { workspaceId: _, secrets, failures, failingSince, lastSuccessAt, ...shown } = found
    const [{ count: waiting }, failed] = await Promise.all([webhooks.waiting(found.id), webhooks.failed(found.id)])
    const failing = failingSince !== undefined && failures > 0
    return {
      ...shown,
      failing,
      failingSince: failing ? isoOf(failingSince) : undefined,
      lastSuccessAt: isoOf(lastSuccessAt),
      waiting,
      failed,
      previousSecretUntil: isoOf(secrets.find(({ until = 0 }) => until > Date.now())?.until),
    }
  }
  /** Of a new endpoint or of one that is changed. */
  async function check(
    workspaceId: string,
    given: { url?: string; events?: string[]; accounts?: string[] },
  ): Promise<void> {
    const errors: Violation[] = []
    const add = (pointer: string, message: string | undefined) =>
      message !== undefined && errors.push({ pointer, message })
    if (given.url !== undefined) add('/url', urlFault(given.url, options))
    for (const [index, type] of (given.events ?? []).entries())
      if (!eventPatterns.includes(type)) add(`/events/${index}`, eventFault(type))
    for (const [index, accountId] of (given.accounts ?? []).entries())
      if ((await store.accounts.get(accountId))?.workspaceId !== workspaceId)
        add(`/accounts/${index}`, 'is not an account of this workspace')
    if (errors.length > 0) throw new Problem('validation_failed', 'The webhook endpoint is not valid.', { errors })
  }

  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listWebhookEndpoints',
      role: 'viewer',
      summary: 'List webhook endpoints',
      tag,
      query: pageQuery,
      answer: pageSchema(endpoint),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const { data, ...rest } = await webhooks.list(id, pageOf(query))
        return { data: await Promise.all(data.map(show)), ...rest }
      },
    }),
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'createWebhookEndpoint',
      role: 'operator',
      summary: 'Create a webhook endpoint, which receives what happens from now on; its secret is shown once',
      tag,
      body: object(endpointSettings),
      answer: endpointWithSecret,
      status: 201,
      query: uniqueQuery(withUrl),
      problems: ['already_exists'],
      handle: async ({ body, recorded, ...call }) => {
        const { id: workspaceId } = await existingWorkspace(store, call.parameters.workspaceId)
        await check(workspaceId, body)
        const secret = createSecret()
        const id = createId('urwh')
        const created = await recorded(async (inner) => {
          const list = (page: PageQuery) => inner.webhooks.list(workspaceId, page)
          await refuseSecond(inner, call, withUrl, list, ({ url }) => url === body.url)
          return inner.webhooks.create({
            ...newOf(endpointSettings, body),
            workspaceId,
            id,
            secrets: [{ secret }],
          })
        })
        return { ...(await show(created)), secret }
      },
    }),
    defineRoute({
      method: 'GET',
      path: one,
      operationId: 'getWebhookEndpoint',
      role: 'viewer',
      summary: 'Get a webhook endpoint',
      tag,
      answer: endpoint,
      handle: async ({ parameters }) => show(await existing(parameters)),
    }),
    defineRoute({
      method: 'PATCH',
      path: one,
      operationId: 'changeWebhookEndpoint',
      role: 'operator',
      summary: 'Change a webhook endpoint; what waits is sent with the new settings',
      tag,
      body: partial(endpointSettings),
      answer: endpoint,
      handle: async ({ parameters, body, recorded }) => {
        const { workspaceId, id } = await existing(parameters)
        await check(workspaceId, body)
        const given = changeOf(endpointSettings, body)
        const changed = await recorded((inner) => inner.webhooks.update(workspaceId, id, given))
        if (!changed) throw missingEndpoint()
        return show(changed)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: one,
      operationId: 'deleteWebhookEndpoint',
      role: 'operator',
      summary: 'Delete a webhook endpoint with its deliveries; what waits is not sent',
      tag,
      handle: async ({ parameters, recorded }) => {
        const { workspaceId, id } = await existing(parameters)
        await recorded((inner) => inner.webhooks.delete(workspaceId, id))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${one}/rotate`,
      operationId: 'rotateWebhookSecret',
      role: 'operator',
      summary: 'Replace the secret; for 24 hours events are signed with the old one, too. The new secret is shown once',
      tag,
      answer: endpointWithSecret,
      handle: async ({ parameters, recorded }) => {
        const { workspaceId, id, secrets } = await existing(parameters)
        const secret = createSecret()
        const [before] = secrets
        const old = before ? [{ secret: before.secret, until: Date.now() + overlapMs }] : []
        const changed = await recorded((inner) =>
          inner.webhooks.update(workspaceId, id, { secrets: [{ secret }, ...old] }),
        )
        if (!changed) throw missingEndpoint()
        return { ...(await show(changed)), secret }
      },
    }),
    ...(['enable', 'disable'] as const).map((action) =>
      defineRoute({
        method: 'POST',
        path: `${one}/${action}`,
        operationId: `${action}WebhookEndpoint`,
        role: 'operator',
        summary:
          action === 'enable'
            ? 'Enable a webhook endpoint; it receives what has happened meanwhile'
            : 'Disable a webhook endpoint; its events wait',
        tag,
        answer: endpoint,
        handle: async ({ parameters, recorded }) => {
          const { workspaceId, id } = await existing(parameters)
          const changed = await recorded((inner) =>
            action === 'enable'
              ? inner.webhooks.enable(workspaceId, id)
              : inner.webhooks.disable(workspaceId, id, 'An operator has disabled it.'),
          )
          if (!changed) throw missingEndpoint()
          return show(changed)
        },
      }),
    ),
    defineRoute({
      method: 'POST',
      path: `${one}/test`,
      operationId: 'testWebhookEndpoint',
      role: 'operator',
      summary: 'Send a test event, once; the delivery shows what the receiver returned if it does so within 5 seconds',
      tag,
      answer: delivery,
      status: 202,
      result: 'getWebhookDelivery',
      handle: async ({ parameters, recorded }) => {
        const found = await existing(parameters)
        const id = `msg_${randomUUID().replaceAll('-', '')}`
        const data = { endpointId: found.id, message: 'This is a test.' }
        const body = bodyOf(found, { id, type: testEvent, at: Date.now(), data })
        await recorded((inner) => inner.webhooks.add(found.id, { id, sequence: 0, subject: id, type: testEvent, body }))
        return showDelivery(await testResult(found, id))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${one}/replay`,
      operationId: 'replayWebhooks',
      role: 'operator',
      summary: 'Send past events again, with new ids: of an account from a sequence on, or of all since a time',
      tag,
      body: object({
        accountId: optional(text()),
        from: optional(whole('The first sequence in the feed of the account', { minimum: 1 })),
        since: optional(time()),
      }),
      answer: object({
        logs: whole('How many feeds are read again: one per account, and one of the workspace'),
      }),
      handle: async ({ parameters, body: { accountId, from, since }, recorded }) => {
        const found = await existing(parameters)
        const isFrom = accountId !== undefined && from !== undefined && since === undefined
        const isSince = accountId === undefined && from === undefined && since !== undefined
        if (!isFrom && !isSince)
          throw new Problem('validation_failed', 'The body is not valid.', {
            errors: [{ pointer: '', message: 'must have either accountId and from, or since' }],
          })
        if (isFrom && (await store.accounts.get(accountId))?.workspaceId !== found.workspaceId)
          throw new Problem('validation_failed', 'The body is not valid.', {
            errors: [{ pointer: '/accountId', message: 'is not an account of this workspace' }],
          })
        const start = isFrom ? { accountId, sequence: from } : { since: Date.parse(since as string) }
        const logs = await recorded(async (inner) => {
          const replayed = await inner.webhooks.replay(found, start)
          if (replayed === 0) throw nothingToReplay(isFrom ? 'from' : 'since')
          return replayed
        })
        return { logs }
      },
    }),
    ...deliveryRoutes(store, one, existing),
  ]
}

const nothingToReplay = (member: 'from' | 'since') =>
  new Problem('validation_failed', 'There is nothing to replay.', {
    errors: [
      {
        pointer: `/${member}`,
        message:
          member === 'from'
            ? 'is after the last event that the endpoint received of this account; give a lower sequence'
            : 'is after the last event that the endpoint received; give an earlier time',
      },
    ],
  })
