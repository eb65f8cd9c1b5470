// Imports references from a file in the background. Imports survive a restart.

import { existingAccount, missingIn, ofAccount } from '../../accounts/lookup.ts'
import type { ReferenceImporter } from '../../accounts/reference-importer.ts'
import { entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { referenceImport } from '../../contract/manage/references.ts'
import { pageSchema } from '../../contract/schema.ts'
import { createRequestId } from '../../store/request-id.ts'
import type { ReferenceImport, Store } from '../../store/store.ts'
import type { Query } from '../query.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const contentTypes = ['text/csv', 'application/x-ndjson'] as const
const maxBytes = 10 * 1024 * 1024
const show = ({ accountId: _, ...shown }: ReferenceImport) => shown

export function referenceTypeOf(query: Query): ReferenceImport['entityType'] {
  if (query.entityType === undefined) return undefined
  if (!(entityTypes as readonly string[]).includes(query.entityType))
    throw new Problem('invalid_parameter', `entityType must be one of ${entityTypes.join(', ')}.`)
  return query.entityType as ReferenceImport['entityType']
}

export function referenceImportRoutes(store: Store, importer: ReferenceImporter): ManageRoute[] {
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const base = '/workspaces/{workspaceId}/accounts/{accountId}/references'
  const tag = 'References'
  return [
    defineRoute({
      method: 'POST',
      path: `${base}/import`,
      operationId: 'importReferences',
      role: 'operator',
      summary:
        'Import references from CSV with the columns entityType, sourceId, nativeId, or from NDJSON with these fields, up to 10 MiB',
      tag,
      query: { entityType: 'Default entity type for lines without one' },
      content: { types: contentTypes, maxBytes },
      answer: referenceImport,
      status: 202,
      result: 'getReferenceImport',
      handle: async ({ parameters, query, request, recorded }) => {
        const { id: accountId } = await owned(parameters)
        const entityType = referenceTypeOf(query)
        const content = request.body
        if (typeof content !== 'string' || content.trim() === '')
          throw new Problem('malformed_request', `The body must be a file of the type ${contentTypes.join(' or ')}.`)
        // PostgreSQL stores no text with this character.
        const nul = content.indexOf('\0')
        if (nul >= 0)
          throw new Problem(
            'malformed_request',
            `Line ${content.slice(0, nul).split('\n').length} of the file contains the character U+0000. Save the file as UTF-8 text and send it again.`,
          )
        const format = /ndjson/i.test(request.headers['content-type'] ?? '') ? 'ndjson' : 'csv'
        return show(
          await importer.begin(
            { accountId, id: createRequestId().replace('req_', 'imp_'), format, content, entityType },
            recorded,
          ),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/imports`,
      operationId: 'listReferenceImports',
      role: 'viewer',
      summary: 'List reference imports, newest first',
      tag,
      query: pageQuery,
      answer: pageSchema(referenceImport),
      handle: async ({ parameters, query }) => {
        const { data, next } = await store.referenceImports.list((await owned(parameters)).id, pageOf(query))
        return { data: data.map(show), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/imports/{importId}`,
      operationId: 'getReferenceImport',
      role: 'viewer',
      summary: 'Read the progress of a reference import',
      tag,
      answer: referenceImport,
      handle: async ({ parameters }) => {
        const found = await store.referenceImports.get((await owned(parameters)).id, parameters.importId as string)
        if (!found) throw missingIn('importId', 'import', ofAccount('/references/imports'))
        return show(found)
      },
    }),
  ]
}
