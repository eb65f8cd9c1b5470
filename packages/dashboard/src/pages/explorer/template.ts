// A record to begin with that the account accepts: the example of the schema, adapted to what the platform stores and
// requires, with the currency and the ids of existing records.
import type { Described, Explored } from './responses.ts'

export type Json = Record<string, unknown>

/** Calls `change` with each object that has the last name of the pointer, `*` being every element of a list. */
function at(record: Json, pointer: string, change: (owner: Json, name: string) => void): void {
  const steps = pointer.slice(1).split('/')
  const name = steps.pop() as string
  const owners = steps.reduce<unknown[]>(
    (found, step) =>
      found.flatMap((owner) => (step === '*' && Array.isArray(owner) ? owner : [(owner as Json | undefined)?.[step]])),
    [record],
  )
  for (const owner of owners) if (typeof owner === 'object' && owner !== null) change(owner as Json, name)
}
const remove = (owner: Json, name: string) => delete owner[name]
const requiredBy = ({ support }: Described) =>
  new Set([...support.requires, ...support.requiresWhen.map(({ pointer }) => pointer)])

interface Existing {
  currencyCode?: string | undefined
  /** By entity type: the id of one record. */
  ids: Readonly<Record<string, string | undefined>>
  /** The total of the record that it refers to. */
  due?: unknown
}
function templateOf(described: Described, { currencyCode, ids, due }: Existing, key: string): Json {
  const { example, references, support } = described
  const record = structuredClone(example)
  const required = requiredBy(described)
  for (const pointer of support.notStored) if (!required.has(pointer)) at(record, pointer, remove)
  for (const pointer of Object.keys(support.refused)) at(record, pointer, remove)
  // Only cash is handed over.
  if (record.methodType !== 'CASH') for (const name of ['cashTendered', 'changeGiven']) delete record[name]
  // Modifiers, taxes and charges have ids of the platform, which the example cannot know.
  at(record, '/lineItems/*/modifiers', remove)
  for (const [pointer, type] of Object.entries(references)) {
    const id = required.has(pointer) ? ids[type] : undefined
    at(record, pointer, (owner, name) => {
      if (id === undefined) delete owner[name]
      else owner[name] = id
    })
  }
  for (const [pointer, allowed] of Object.entries(support.values))
    at(record, pointer, (owner, name) => {
      if (name in owner && !allowed.includes(String(owner[name]))) owner[name] = allowed[0]
    })
  if (due !== undefined && 'amount' in record) record.amount = due
  if (currencyCode && record.currencyCode) record.currencyCode = currencyCode
  // Many platforms require these to be unique. A barcode has a check digit.
  for (const name of ['name', 'lastName', 'sku', 'employeeCode'])
    if (typeof record[name] === 'string') record[name] = `${record[name]} ${key}`
  if (typeof record.email === 'string') record.email = `${key.toLowerCase()}@example.com`
  if (!required.has('/barcode')) delete record.barcode
  for (const [pointer, most] of Object.entries(support.longest))
    at(record, pointer, (owner, name) => {
      const value = owner[name]
      if (typeof value === 'string' && value.length > most) owner[name] = value.slice(-most).trim()
    })
  return { ...record, externalId: `EXPLORER-${key}` }
}

/** Reads records of the account: `read` returns some of an entity type. */
export async function readTemplate(
  described: Described,
  read: (type: string) => Promise<readonly Explored[]>,
): Promise<Json> {
  const required = requiredBy(described)
  const referenced = Object.entries(described.references).filter(([pointer]) => required.has(pointer))
  const types = [...new Set(referenced.map(([, type]) => type))]
  const [same = [], ...others] = await Promise.all([described.entityType, ...types].map(read))
  // Something can still be paid on an order that is not paid: what a platform calls that is one of these states.
  const inState = (found: readonly Explored[], state: string) => found.find(({ record }) => record?.state === state)
  const chosen = others.map((found) => inState(found, 'PENDING') ?? inState(found, 'OPEN') ?? found[0])
  const ids = Object.fromEntries(types.map((type, index) => [type, chosen[index]?.id]))
  const due = chosen.map((one) => one?.record?.total).find((total) => typeof total === 'number')
  const currencyCode = same.map(({ record }) => record?.currencyCode as string | undefined).find(Boolean)
  return templateOf(described, { currencyCode, ids, due }, Date.now().toString(36).toUpperCase())
}
