// The last hand on every record that leaves: the flavor's fields only, no nulls, UTC times, exact money. What does not fit the schema is left out and said.
import type { TSchema } from 'typebox'
import type { EntityAdapter, Mapping } from '../contract/connector.ts'
import { currencyExponents } from '../contract/currency.ts'
import type { EntityType } from '../contract/entity.ts'
import type { Warning } from '../contract/errors.ts'
import { placesOf } from '../contract/pointer.ts'
import type { UnifiedRecord } from '../contract/unified.ts'
import type { Flavor } from '../contract/validation.ts'

type Overlay = (record: Record<string, unknown>, row: unknown) => void
type Shape = { type?: string; format?: string; properties?: Record<string, TSchema>; items?: TSchema; required?: string[] }

/** The unified record of a native row, or undefined when it cannot be made; the reason is then among the warnings. */
export function toUnified(
  adapter: EntityAdapter<EntityType>,
  row: unknown,
  flavor: Flavor,
  account: Mapping['account'],
  warnings: Warning[],
  overlay?: Overlay,
): UnifiedRecord | undefined {
  let id = ''
  try {
    id = adapter.id(row)
    const record = draft(adapter, row, flavor, { account, warn: (pointer, message) => warnings.push({ code: 'value_unknown', pointer, id, message }) }, overlay)
    if (flavor.read.check(record)) return record as unknown as UnifiedRecord
    return mended(record, flavor, id, warnings)
  } catch (error) {
    warnings.push({ code: 'not_normalised', id, message: `The record could not be normalised: ${(error as Error).message}` })
    return undefined
  }
}

/** The record before it is held to the schema. */
export function draft(adapter: EntityAdapter<EntityType>, row: unknown, flavor: Flavor, mapping: Mapping, overlay?: Overlay): Record<string, unknown> {
  const record = pick(adapter.toUnified(row, mapping), flavor.read.schema) as Record<string, unknown>
  overlay?.(record, row)
  roundMoney(record, flavor)
  return record
}

function pick(value: unknown, schema: TSchema): unknown {
  const shape = schema as Shape
  if (value === undefined || value === null) return undefined
  if (shape.properties && typeof value === 'object') {
    const picked: Record<string, unknown> = {}
    let any = false
    for (const name in shape.properties) {
      const inner = pick((value as Record<string, unknown>)[name], shape.properties[name] as TSchema)
      if (inner === undefined) continue
      picked[name] = inner
      any = true
    }
    return any ? picked : undefined
  }
  if (shape.items && Array.isArray(value)) return value.map((item) => pick(item, shape.items as TSchema)).filter((item) => item !== undefined)
  if (shape.format === 'date-time' && typeof value === 'string' && !utc.test(value)) {
    const milliseconds = Date.parse(value)
    return Number.isNaN(milliseconds) ? value : new Date(milliseconds).toISOString()
  }
  return value
}
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function roundMoney(record: Record<string, unknown>, flavor: Flavor): void {
  const exponent = currencyExponents[String(record.currencyCode)] ?? 4
  for (const pattern of flavor.definition.money) {
    for (const place of placesOf(record, pattern)) {
      if (typeof place.value !== 'number') continue
      const rounded = Number(place.value.toFixed(exponent))
      if (rounded !== place.value) place.set(rounded)
    }
  }
}

/** Leaves out the optional values that break the schema; a record whose required fields are broken cannot be served. */
function mended(record: Record<string, unknown>, flavor: Flavor, id: string, warnings: Warning[]): UnifiedRecord | undefined {
  for (const { pointer, message } of flavor.read.violations(record)) {
    for (const place of placesOf(record, pointer)) {
      place.set(undefined)
      warnings.push({ code: 'value_unknown', pointer, id, message: `The platform's value was left out: it ${message}.` })
    }
  }
  if (flavor.read.check(record)) return record as unknown as UnifiedRecord
  const reasons = flavor.read.violations(record).map(({ pointer, message }) => `${pointer} ${message}`)
  warnings.push({ code: 'not_normalised', id, message: `The record could not be normalised: ${reasons.join('; ')}.` })
  return undefined
}
