// One entity of one account under test, and valid records for it.

import { entities } from '../contract/entities/index.ts'
import { type EntityDefinition, type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'
import { flavorExample } from '../contract/example.ts'
import { totalOf } from '../contract/order-sum.ts'
import { isWithin, placesOf, setAt, valueAt } from '../contract/pointer.ts'
import { type EntitySupport, platformSupport } from '../engine/support.ts'
import type { NativeRecords, Tenant } from '../sandbox/simulator.ts'
import type { Harness, Reply } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of any entity
export type AnyRecord = Record<string, any>

export interface Subject {
  harness: Harness
  vertical: Vertical
  entityType: EntityType
  tenant: Tenant
  native: NativeRecords
  support: EntitySupport
  path: string
  /** The schema's full example for this account with a new key, existing references and the account's currency. */
  fullRecord(): Promise<AnyRecord>
  list(query?: string): Promise<Reply>
  /** All pages; `query` begins with `&`. */
  walk(pageSize: number, between?: (page: number) => void | Promise<void>, query?: string): Promise<AnyRecord[]>
  create(record: AnyRecord, query?: string): Promise<Reply>
}
/** Whether every value of a field is stored: the support matrix names neither the field nor an object that contains it. */
export const isStored = ({ notStored }: EntitySupport, pointer: string) =>
  !notStored.some((entry) => isWithin(pointer, entry.split(' ')[0] as string))
/** Takes out what the platform refuses: money that it cannot store, and values outside its list. */
function removeRefused(record: AnyRecord, { refused, values }: EntitySupport): void {
  for (const pattern of Object.keys(refused)) for (const place of placesOf(record, pattern)) place.set(undefined)
  for (const [pattern, only] of Object.entries(values))
    for (const place of placesOf(record, pattern))
      if (pattern !== '/state' && !only.includes(String(place.value))) place.set(undefined)
}
/** The modifiers of a full record are those that the simulator has. */
function existingModifiers(record: AnyRecord, { modifier }: Tenant): void {
  for (const { value, set } of placesOf(record, '/lineItems/*/modifiers'))
    set(
      modifier ? [modifier.of] : (value as AnyRecord[]).map(({ name, quantity, price }) => ({ name, quantity, price })),
    )
}

/** What holds for all cases of a harness, so that each one only writes the records that it is about. */
interface Known {
  currency?: string
  states: Map<EntityType, string | undefined>
  references: Map<EntityType, { sourceId: string; nativeId: string }>
}
const knownOf = new WeakMap<Harness, Map<Vertical, Known>>()
function knownFor(harness: Harness, vertical: Vertical): Known {
  const verticals = knownOf.get(harness) ?? new Map<Vertical, Known>()
  knownOf.set(harness, verticals)
  const known = verticals.get(vertical) ?? { states: new Map(), references: new Map() }
  verticals.set(vertical, known)
  return known
}
/** The values of the field `state`, in the order of the schema. */
const statesOf = (entityType: EntityType): string[] =>
  (entities[entityType].fields.properties.state as { enum?: string[] } | undefined)?.enum ?? []

let counter = 0
export const freshKey = (entityType: string) => `SRC-${entityType}-${++counter}-${process.pid}`

/** A number that platforms accept even if they validate barcodes. */
function ean13(number: number): string {
  const digits = `400638${String(number).padStart(6, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return digits + String((10 - (sum % 10)) % 10)
}

export function createSubject(harness: Harness, vertical: Vertical, entityType: EntityType): Subject {
  const tenant = harness.tenants.find((candidate) => candidate.vertical === vertical) as Tenant
  const native = tenant.records[entityType]
  if (!native) throw new Error(`the simulator of ${harness.connector.id} has no records for ${vertical} ${entityType}`)
  const support = platformSupport(harness.connector).entities[vertical]?.[entityType] as EntitySupport
  const base = `/unified/${harness.accountId(vertical)}`
  const path = `${base}/${entityType}`
  const offered = (type: EntityType) => platformSupport(harness.connector).entities[vertical]?.[type]
  const patient = { prefer: 'wait=60' }
  const known = knownFor(harness, vertical)

  async function reference(type: EntityType): Promise<string | undefined> {
    const earlier = known.references.get(type)
    if (entities[type].linked) {
      const nativeId = tenant.locations[0]
      if (!nativeId || earlier) return earlier?.sourceId
      await harness.manage('PUT', `/accounts/${harness.accountId(vertical)}/references`, {
        entityType: type,
        sourceId: 'SRC-LOCATION-1',
        nativeId,
      })
      known.references.set(type, { sourceId: 'SRC-LOCATION-1', nativeId })
      return 'SRC-LOCATION-1'
    }
    if (!offered(type)) return undefined
    if (type === entityType || !offered(type)?.write) return tenant.records[type]?.ids()[0]
    // Cases delete records.
    if (earlier && tenant.records[type]?.ids().includes(earlier.nativeId)) return earlier.sourceId
    const record = await createSubject(harness, vertical, type).fullRecord()
    delete record.parentExternalId
    const { status, body } = await harness.call('POST', `${base}/${type}`, record, patient)
    if (status !== 201) throw new Error(`a ${type} to refer to could not be written: ${status} ${JSON.stringify(body)}`)
    known.references.set(type, { sourceId: record.externalId, nativeId: body.data.externalId })
    return record.externalId
  }
  async function currency(): Promise<string> {
    known.currency ??= await readCurrency()
    return known.currency
  }
  async function readCurrency(): Promise<string> {
    for (const type of entityTypes.filter((one) => 'currencyCode' in entities[one].example && !entities[one].linked)) {
      if (!offered(type)) continue
      const { body } = await harness.call('GET', `${base}/${type}?pageSize=50`, undefined, patient)
      const found = body.data?.find(({ currencyCode }: AnyRecord) => currencyCode)?.currencyCode
      if (found) return found
    }
    return 'USD'
  }
  async function acceptedState(record: AnyRecord): Promise<string | undefined> {
    for (const candidate of statesOf(entityType)) {
      const { status, body } = await harness.call(
        'POST',
        path,
        { ...record, externalId: freshKey('state'), state: candidate },
        patient,
      )
      if (status === 201) return candidate
      if (!body.errors?.some(({ pointer }: { pointer: string }) => pointer === '/state'))
        throw new Error(
          `a record in state ${candidate} was rejected for another reason: ${status} ${JSON.stringify(body)}`,
        )
    }
    return undefined
  }

  return {
    harness,
    vertical,
    entityType,
    tenant,
    native,
    support,
    path,
    async fullRecord() {
      const definition = entities[entityType] as unknown as EntityDefinition
      const record: AnyRecord = { ...flavorExample(definition, vertical), externalId: freshKey(entityType) }
      if (record.currencyCode) record.currencyCode = await currency()
      if (record.methodType !== 'CASH') for (const field of ['cashTendered', 'changeGiven']) delete record[field]
      removeRefused(record, support)
      existingModifiers(record, tenant)
      for (const pattern of definition.computed) for (const place of placesOf(record, pattern)) place.set(undefined)
      if (record.total !== undefined) record.total = totalOf(record)
      for (const [pattern, type] of Object.entries(definition.references)) {
        const id = await reference(type as EntityType)
        const [list, field] = pattern.split('/*')
        if (field === undefined) setAt(record, pattern, id)
        else
          for (const entry of record[(list as string).slice(1)])
            if (valueAt(entry, field) !== undefined) setAt(entry, field, id)
      }
      // An order is paid once.
      const owe = () => {
        if (entityType === 'payment' && tenant.payable) record.orderExternalId = tenant.payable(record.amount)
      }
      owe()
      // Unique values, because some platforms require them.
      if (record.sku) record.sku = `${record.sku}-${counter}`
      if (record.email) record.email = `person.${counter}.${process.pid}@example.com`
      if (record.barcode) record.barcode = ean13(counter)
      if (record.phone) record.phone = `+1415555${String(counter).padStart(4, '0')}`
      if (record.employeeCode) record.employeeCode = `E-${counter}`
      else if (record.name) record.name = `${record.name} ${counter}`
      if (record.lastName) record.lastName = `${record.lastName} ${counter}`
      if (record.state) {
        if (!known.states.has(entityType)) known.states.set(entityType, await acceptedState(record))
        const state = known.states.get(entityType)
        if (state) record.state = state
        owe()
      }
      return record
    },
    list: (query = '') => harness.call('GET', path + query, undefined, patient),
    async walk(pageSize, between, query = '') {
      const records: AnyRecord[] = []
      let cursor: string | undefined
      for (let page = 1; ; page++) {
        const { status, body } = await harness.call(
          'GET',
          `${path}?${cursor ? `cursor=${cursor}` : `pageSize=${pageSize}${query}`}`,
          undefined,
          patient,
        )
        if (status !== 200) throw new Error(`page ${page} returned ${status}: ${JSON.stringify(body)}`)
        if (body.data.length > pageSize)
          throw new Error(`page ${page} has ${body.data.length} records, more than the page size ${pageSize}`)
        records.push(...body.data)
        cursor = body.pagination.cursor
        if (body.pagination.hasMore !== (cursor !== undefined)) throw new Error('hasMore and cursor disagree')
        if (cursor === undefined) return records
        if (page > 3000) throw new Error('the walk does not end')
        await between?.(page)
      }
    },
    create: (record, query = '') => harness.call('POST', path + query, record, patient),
  }
}
