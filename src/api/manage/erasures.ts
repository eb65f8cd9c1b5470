// Erases one person from what the service has stored of an account. See docs/erasure.md.

import type { Eraser } from '../../accounts/eraser.ts'
import { existingAccount, missingIn, ofAccount } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import { identifier, oneOf } from '../../contract/field.ts'
import { erasure } from '../../contract/manage/erasures.ts'
import { personTypes } from '../../contract/person.ts'
import { flag, object, optional, pageSchema } from '../../contract/schema.ts'
import type { Erasure } from '../../store/erasure-store.ts'
import type { Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const notCovered = [
  'the record at the platform: delete it there first',
  'backups and logs of the database, until they expire',
  'what webhooks have delivered, and what callers have read',
  'log files and exports outside of the service',
  'ids, hashes and figures: they keep writes from being made twice',
]
const show = ({ accountId: _, isPlan: plan, ...shown }: Erasure) => ({ ...shown, plan, notCovered })

export function erasureRoutes(store: Store, eraser: Eraser): ManageRoute[] {
  const tag = 'Erasures'
  const base = '/workspaces/{workspaceId}/accounts/{accountId}/erasures'
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const missing = () => missingIn('erasureId', 'erasure', ofAccount('/erasures'))
  return [
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'erasePerson',
      role: 'admin',
      summary:
        'Erase one person from writes, change log, deliveries, activity and migrations of an account; with plan, only count',
      tag,
      body: object({
        entityType: oneOf(personTypes, 'What the person is at the platform'),
        id: identifier("The platform's id of the person"),
        plan: optional(flag('`true`: count, and erase nothing')),
      }),
      answer: erasure,
      status: 202,
      result: 'getErasure',
      problems: ['resource_in_use'],
      handle: async ({ parameters, body: { entityType, id: nativeId, plan = false }, request, recorded }) => {
        const { id: accountId } = await owned(parameters)
        const createdBy = request.operator?.user ?? 'management'
        return show(await eraser.begin({ accountId, entityType, nativeId, isPlan: plan, createdBy }, recorded))
      },
    }),
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listErasures',
      role: 'viewer',
      summary: 'List erasures of an account, newest first; they do not say who was erased',
      tag,
      query: pageQuery,
      answer: pageSchema(erasure),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.erasures.list((await owned(parameters)).id, pageOf(query))
        return { data: data.map(show), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{erasureId}`,
      operationId: 'getErasure',
      role: 'viewer',
      summary: 'Read the report of an erasure',
      tag,
      answer: erasure,
      handle: async ({ parameters }) => {
        const { id: accountId } = await owned(parameters)
        const found = await store.erasures.get({ accountId, id: parameters.erasureId as string })
        if (!found) throw missing()
        return show(found)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{erasureId}`,
      operationId: 'deleteErasure',
      role: 'admin',
      summary: 'Delete the report; the change log keeps content of the person again. Nothing is restored',
      tag,
      problems: ['resource_in_use'],
      handle: async ({ parameters, recorded }) => {
        const { id: accountId } = await owned(parameters)
        await recorded(async (inner) => {
          const outcome = await inner.erasures.delete({ accountId, id: parameters.erasureId as string })
          if (outcome === 'missing') throw missing()
          if (outcome === 'open')
            throw new Problem('resource_in_use', 'The erasure is not finished. Wait until its state is done.')
        })
      },
    }),
  ]
}
