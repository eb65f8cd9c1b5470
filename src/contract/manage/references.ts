// References between source ids and platform ids, and their imports.

import { entityTypes } from '../entity.ts'
import { oneOf } from '../field.ts'
import { listOf, named, object, optional, text, time, whole } from '../schema.ts'

export const referenceImport = named('ReferenceImport', {
  id: text(),
  state: oneOf(['running', 'done', 'failed'], '`failed`: the file could not be read'),
  format: oneOf(['csv', 'ndjson'], 'File type'),
  entityType: optional(oneOf(entityTypes, 'Default for lines without an entity type')),
  total: whole('Lines'),
  position: whole('Processed lines'),
  linked: whole('References created or replaced'),
  failed: whole('Rejected lines'),
  errors: listOf(object({ line: whole(), message: text() }), 'Errors of the first 100 rejected lines'),
  createdAt: time(),
  updatedAt: time(),
})
export const referenceType = oneOf(entityTypes, 'Entity type of the reference')
export const reference = named('LinkedReference', {
  entityType: referenceType,
  sourceId: text(),
  nativeId: text(),
  origin: oneOf(['written', 'linked'], 'Created by a write or linked by a user'),
  createdAt: time(),
})
