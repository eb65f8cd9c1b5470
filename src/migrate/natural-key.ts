// The fields by which people recognize a record. Two records at one platform with the same content are doubled; two at
// different platforms with the same key are probably one.
import { createHash } from 'node:crypto'
import type { EntityType } from '../contract/entity.ts'
import type { SourceRecord } from './shape.ts'

const text = (value: unknown): string =>
  typeof value === 'string' ? value.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/g, ' ') : ''
const digits = (value: unknown): string => text(value).replaceAll(/\D/g, '')

/** Keys to look for, the surest first. */
export function naturalKeys(entity: EntityType, record: SourceRecord): string[] {
  const key = (name: string, ...values: string[]) => (values.every(Boolean) ? [`${name} ${values.join(' / ')}`] : [])
  switch (entity) {
    case 'product':
      return [
        ...key('sku', text(record.sku)),
        ...key('barcode', digits(record.barcode)),
        ...key('name', text(record.name)),
      ]
    case 'customer':
      return [
        ...key('email', text(record.email)),
        ...key('phone and name', digits(record.phone), text(record.name)),
        ...key('name', text(record.name)),
      ]
    case 'employee':
      return [
        ...key('email', text(record.email)),
        ...key('code', text(record.employeeCode)),
        ...key('name', text(record.name)),
      ]
    case 'order':
      return key('number', text(record.orderNumber))
    case 'time_entry':
    case 'shift':
      return key('start', text(record.startAt), text(record.endAt))
    case 'category':
    case 'location':
      return key('name', text(record.name))
  }
}

/** What people call it. */
export function nameOf({ name, orderNumber, startAt }: SourceRecord): string | undefined {
  const named = [name, orderNumber, startAt].find((value) => typeof value === 'string' && value.trim() !== '')
  return named as string | undefined
}

interface Line {
  name?: unknown
  quantity?: unknown
  unitPrice?: unknown
}
/** The same for two records at one platform that were made from the same record. */
export function fingerprint(entity: EntityType, record: SourceRecord): string {
  const lines = (Array.isArray(record.lineItems) ? (record.lineItems as Line[]) : []).map(
    ({ name, quantity, unitPrice }) => [name, quantity, unitPrice],
  )
  const parts = [
    record.name,
    record.orderNumber,
    record.sku,
    record.barcode,
    record.email,
    record.phone,
    record.employeeCode,
    record.parentExternalId,
    record.customerExternalId,
    lines,
  ]
  const parted =
    entity === 'time_entry' || entity === 'shift' ? [record.employeeExternalId, record.startAt, record.endAt] : parts
  return createHash('sha256').update(JSON.stringify(parted)).digest('base64url')
}
