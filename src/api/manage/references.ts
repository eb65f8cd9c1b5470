import { existingAccount, missing, ofAccount } from '../../accounts/lookup.ts'
import { identifier } from '../../contract/field.ts'
import { reference, referenceType } from '../../contract/manage/references.ts'
import { object, pageSchema } from '../../contract/schema.ts'
import type { Link, Store } from '../../store/store.ts'
import { referenceTypeOf } from './reference-imports.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const showLink = ({ accountId: _, ...shown }: Link) => shown

export function referenceRoutes(store: Store): ManageRoute[] {
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const base = '/workspaces/{workspaceId}/accounts/{accountId}'
  return [
    defineRoute({
      method: 'GET',
      path: `${base}/references`,
      operationId: 'listReferences',
      role: 'viewer',
      summary: 'List references: source id -> platform id',
      tag: 'References',
      query: {
        ...pageQuery,
        entityType: 'References of this entity type',
        search: 'Start of a source id or platform id',
      },
      answer: pageSchema(reference),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.links.list(
          (await owned(parameters)).id,
          referenceTypeOf(query),
          pageOf(query),
          query.search,
        )
        return { data: data.map(showLink), next }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/references`,
      operationId: 'linkReference',
      role: 'operator',
      summary: 'Link a source id to a platform id',
      tag: 'References',
      body: object({ entityType: referenceType, sourceId: identifier('Your id'), nativeId: identifier('Platform id') }),
      answer: reference,
      handle: async ({ parameters, body, recorded }) => {
        const { id: accountId } = await owned(parameters)
        return showLink(await recorded((inner) => inner.links.put({ accountId, ...body, origin: 'linked' })))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/references/{entityType}/{sourceId}`,
      operationId: 'deleteReference',
      role: 'operator',
      summary: 'Delete a reference; a written one does not free its key, and a replay of its POST restores it',
      tag: 'References',
      handle: async ({ parameters, recorded }) => {
        const { id } = await owned(parameters)
        const { entityType, sourceId } = parameters as { entityType: Link['entityType']; sourceId: string }
        await recorded(async (inner) => {
          if (!(await inner.links.delete(id, entityType, sourceId)))
            throw missing(
              'reference',
              `Check entityType and sourceId in the path: GET /manage/v1${ofAccount('/references')} lists them.`,
            )
        })
      },
    }),
  ]
}
