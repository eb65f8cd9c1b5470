// Many references at once, from a file: taken in at once, worked off beside the requests, found again after leaving or a restart.
import { Type } from 'typebox'
import { referenceTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { createRequestId } from '../../store/request-id.ts'
import type { ReferenceImport, Store } from '../../store/store.ts'
import type { Query } from '../query.ts'
import type { ReferenceImporter } from '../reference-importer.ts'
import { ownedAccount } from './accounts.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const contentTypes = ['text/csv', 'application/x-ndjson'] as const
const maxBytes = 10 * 1024 * 1024

const referenceImport = Type.Object(
  {
    id: Type.String(),
    state: oneOf(['running', 'done', 'failed'], 'failed: the file as a whole could not be read'),
    format: oneOf(['csv', 'ndjson'], 'What was sent'),
    entityType: Type.Optional(oneOf(referenceTypes, 'Of lines that name none')),
    total: Type.Integer({ description: 'Lines' }),
    position: Type.Integer({ description: 'Lines done so far' }),
    linked: Type.Integer({ description: 'References made or replaced' }),
    failed: Type.Integer({ description: 'Lines that could not be taken' }),
    errors: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }, { additionalProperties: false }), { description: 'Of the first 100 such lines' }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)
const show = ({ accountId: _, ...shown }: ReferenceImport) => shown

export function referenceTypeOf(query: Query): ReferenceImport['entityType'] {
  if (query.entityType === undefined) return undefined
  if (!(referenceTypes as readonly string[]).includes(query.entityType)) throw new Problem('invalid_parameter', `entityType must be one of ${referenceTypes.join(', ')}.`)
  return query.entityType as ReferenceImport['entityType']
}

export function referenceImportRoutes(store: Store, importer: ReferenceImporter): ManageRoute[] {
  const owned = ownedAccount(store)
  const base = '/workspaces/{workspaceId}/accounts/{accountId}/references'
  const tag = 'References'
  return [
    defineRoute({
      method: 'POST',
      path: `${base}/import`,
      operationId: 'importReferences',
      summary: 'Link many source ids to platform ids: CSV with the columns entityType, sourceId, nativeId, or NDJSON with these fields, up to 10 MiB',
      tag,
      query: { entityType: 'What the references point at, for lines that do not say' },
      content: { types: contentTypes, maxBytes },
      answer: referenceImport,
      status: 202,
      handle: async ({ parameters, query, request }) => {
        const { id: accountId } = await owned(parameters)
        const entityType = referenceTypeOf(query)
        const content = request.body
        if (typeof content !== 'string' || content.trim() === '') throw new Problem('malformed_request', `The body must be a file of the type ${contentTypes.join(' or ')}.`)
        const format = /ndjson/i.test(request.headers['content-type'] ?? '') ? 'ndjson' : 'csv'
        return show(await importer.begin({ accountId, id: createRequestId().replace('req_', 'imp_'), format, content, ...(entityType ? { entityType } : {}) }))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/imports`,
      operationId: 'listReferenceImports',
      summary: 'Imports of references, newest first',
      tag,
      query: pageQuery,
      answer: pageSchema(referenceImport),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.referenceImports.list((await owned(parameters)).id, pageOf(query))
        return { data: data.map(show), ...(next ? { next } : {}) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/imports/{importId}`,
      operationId: 'getReferenceImport',
      summary: 'How far an import of references is',
      tag,
      answer: referenceImport,
      handle: async ({ parameters }) => {
        const found = await store.referenceImports.get((await owned(parameters)).id, parameters.importId as string)
        if (!found) throw missing('import')
        return show(found)
      },
    }),
  ]
}
