// The fields by which people recognize a record. Two records at one platform with the same content are doubled; two at
// different platforms with the same key are probably one.
import { createHash } from 'node:crypto'
import { entities } from '../contract/entities/index.ts'
import type { EntityDefinition, EntityType, Pointer } from '../contract/entity.ts'
import type { SourceRecord } from './shape.ts'

const text = (value: unknown): string =>
  typeof value === 'number'
    ? String(value)
    : typeof value === 'string'
      ? value.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/g, ' ')
      : ''
const definitionOf = (entity: EntityType) => entities[entity] as EntityDefinition

/** Fields that identify a record, without those that hold ids: another platform has others. */
const namesOf = ({ identity, references }: EntityDefinition): string[][] =>
  identity
    .map((fields) => fields.filter((field) => !references[`/${field}` as Pointer]))
    .filter(({ length }) => length > 0)

/** Keys to look for, the surest first. */
export function naturalKeys(entity: EntityType, record: SourceRecord): string[] {
  const definition = definitionOf(entity)
  const plain = (field: string) => {
    const value = text(record[field])
    return definition.digits.includes(`/${field}`) ? value.replaceAll(/\D/g, '') : value
  }
  return namesOf(definition).flatMap((fields) => {
    const values = fields.map(plain)
    return values.every(Boolean) ? [`${fields.join(' and ')} ${values.join(' / ')}`] : []
  })
}

/** What people call it. */
export function nameOf(entity: EntityType, record: SourceRecord): string | undefined {
  const fields = ['name', ...namesOf(definitionOf(entity)).flat()]
  const named = fields.map((field) => record[field]).find((value) => typeof value === 'string' && value.trim() !== '')
  return named as string | undefined
}

/** The same for two records at one platform that were created from the same record. */
export function fingerprint(entity: EntityType, record: SourceRecord): string {
  const { identity, lists } = definitionOf(entity)
  const fields = [...new Set(identity.flat())].map((field) => record[field])
  const entries = lists.map(({ pointer, alike }) => {
    const list = record[pointer.slice(1)]
    return Array.isArray(list) ? list.map((entry) => alike.map((field) => entry[field])) : []
  })
  return createHash('sha256')
    .update(JSON.stringify([fields, entries]))
    .digest('base64url')
}
