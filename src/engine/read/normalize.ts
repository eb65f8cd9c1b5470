// The last step for every record in a response: the flavor's fields only, no nulls, UTC times, exact money. Values that
// do not fit the schema are left out with a warning.
import type { EntityAdapter, Mapping } from '../../contract/connector.ts'
import { currencyExponents } from '../../contract/currency.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityType } from '../../contract/entity.ts'
import type { Warning } from '../../contract/errors.ts'
import { nativeAt } from '../../contract/native-pointer.ts'
import { placesOf, stepsOf } from '../../contract/pointer.ts'
import { collectUnread } from '../../contract/unread.ts'
import type { Flavor } from '../../contract/validation.ts'
import { exclusionOf } from '../identity.ts'
import type { Overlay } from '../mapping.ts'
import { normalizerOf, type Verdict } from './normalize-values.ts'
import { unreadWarnings } from './unread-values.ts'

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
    const found: unknown = adapter.id(row)
    if (typeof found === 'string') id = found // a row may have any shape
    const excluded = adapter.excluded?.(row)
    if (excluded) {
      warnings.push(exclusionOf(excluded, id))
      return undefined
    }
    const verdict: Verdict = { fits: overlay === undefined }
    const unread: unknown[] = []
    const mapping: Mapping = {
      account,
      warn: (pointer, message) => warnings.push({ code: 'value_unknown', pointer, id, message }),
    }
    const record = collectUnread(unread, () => draft(adapter, row, flavor, mapping, overlay, verdict))
    if (unread.length > 0) warnings.push(...unreadWarnings(adapter, row, account, id, unread))
    const fits = verdict.fits || flavor.read.check(record)
    const unified = fits ? (record as unknown as UnifiedRecord) : mended(record, flavor, id, warnings)
    if (unified) warnings.push(...emptyLists(unified, flavor, id, warnings), ...flawsOf(unified, flavor, id))
    if (unified && overlay?.custom)
      addCustom(
        unified,
        overlay.custom((pointer) => nativeAt(row, pointer), id, warnings),
      )
    return unified
  } catch (error) {
    warnings.push({
      code: 'not_normalized',
      id,
      message: `The record could not be normalized: ${(error as Error).message}`,
    })
    return undefined
  }
}

/** An order whose lines do not make its total, for example. */
function flawsOf(record: UnifiedRecord, { definition }: Flavor, id: string): Warning[] {
  const flaw = definition.flaw?.(record as unknown as Readonly<Record<string, unknown>>)
  return flaw ? [{ ...flaw, id }] : []
}

/** A list that callers must fill, and that the platform left empty. */
const emptyLists = (
  record: UnifiedRecord,
  { definition: { lists, names } }: Flavor,
  id: string,
  told: readonly Warning[],
): Warning[] =>
  lists.flatMap(({ pointer, required }) => {
    const list = required && (record as unknown as Record<string, unknown>)[pointer.slice(1)]
    const isTold = told.some((warning) => warning.id === id && warning.pointer?.startsWith(pointer))
    return Array.isArray(list) && list.length === 0 && !isTold
      ? [{ code: 'no_lines', pointer, id, message: `The platform has no lines for this ${names.one}.` }]
      : []
  })

/** Beside the fields of the entity, and never checked by its schema. */
function addCustom(record: UnifiedRecord, custom: Record<string, unknown>): void {
  ;(record as UnifiedRecord & { custom?: object }).custom = custom
}

/**
 * A unified record with an overlay on top. `source`: the native values that the overlay reads; `native`: the same, by
 * pointer.
 */
export function remapped(
  record: object,
  source: unknown,
  native: Readonly<Record<string, unknown>>,
  flavor: Flavor,
  overlay: Overlay,
  id: string,
): UnifiedRecord | undefined {
  const copy = structuredClone(record) as Record<string, unknown>
  overlay.set(copy, source)
  roundMoney(copy, flavor)
  const unified = flavor.read.check(copy) ? (copy as unknown as UnifiedRecord) : mended(copy, flavor, id, [])
  if (unified && overlay.custom)
    addCustom(
      unified,
      overlay.custom((pointer) => native[pointer], id, []),
    )
  return unified
}

/** The record before schema validation. */
export function draft(
  adapter: EntityAdapter<EntityType>,
  row: unknown,
  flavor: Flavor,
  mapping: Mapping,
  overlay?: Overlay,
  verdict: Verdict = { fits: true },
): Record<string, unknown> {
  const record = normalizerOf(flavor.read.schema)(adapter.toUnified(row, mapping), verdict) as Record<string, unknown>
  overlay?.set(record, row)
  roundMoney(record, flavor)
  return record
}

function roundMoney(record: Record<string, unknown>, flavor: Flavor): void {
  const exponent = currencyExponents[String(record.currencyCode)] ?? 4
  for (const pattern of flavor.definition.money) roundAt(record, stepsOf(pattern), 0, exponent)
}
function roundAt(value: unknown, path: readonly string[], depth: number, exponent: number): void {
  const step = path[depth] as string
  if (step === '*') {
    if (Array.isArray(value)) for (const entry of value) roundAt(entry, path, depth + 1, exponent)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const container = value as Record<string, unknown>
  const inner = container[step]
  if (depth < path.length - 1) roundAt(inner, path, depth + 1, exponent)
  else if (typeof inner === 'number' && Math.round(inner * 10 ** exponent) / 10 ** exponent !== inner)
    container[step] = Number(inner.toFixed(exponent))
}

/** A number as text, and text as a number: the same value in another type. */
function convertedOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}
/** Values that fit the schema in their other type get it. */
function convert(record: Record<string, unknown>, flavor: Flavor): void {
  for (const { pointer } of flavor.read.violations(record))
    for (const place of placesOf(record, pointer)) {
      const converted = convertedOf(place.value)
      if (converted === undefined) continue
      place.set(converted)
      if (flavor.read.violations(record).some((left) => left.pointer === pointer)) place.set(place.value)
    }
}
/** The entry of a list that cannot be served without the field at this pointer: a line needs its quantity. */
function entryThatNeeds(pointer: string, flavor: Flavor): string | undefined {
  const entry = /^(.*\/\d+)\/[^/]+$/.exec(pointer)?.[1]
  return entry !== undefined && flavor.read.requires(pointer) ? entry : undefined
}
/**
 * Leaves out the optional values that break the schema, and the entries of lists that lack what they need; a record whose
 * own required fields are broken cannot be served.
 */
function mended(
  record: Record<string, unknown>,
  flavor: Flavor,
  id: string,
  warnings: Warning[],
): UnifiedRecord | undefined {
  convert(record, flavor)
  const leaveOut = (pointer: string, message: string) => {
    for (const place of placesOf(record, pointer)) place.set(undefined)
    if (!warnings.some((told) => told.id === id && told.pointer === pointer))
      warnings.push({ code: 'value_unknown', pointer, id, message })
  }
  for (const { pointer, message } of flavor.read.violations(record)) {
    const entry = entryThatNeeds(pointer, flavor)
    if (entry === undefined) {
      if (placesOf(record, pointer).length > 0) leaveOut(pointer, `The platform's value was left out: it ${message}.`)
    } else if (placesOf(record, entry)[0]?.value !== undefined)
      leaveOut(entry, `An entry of the platform's list was left out: its ${pointer.split('/').at(-1)} ${message}.`)
  }
  // again: an entry removed from a list must not leave a hole.
  const left = normalizerOf(flavor.read.schema)(record, { fits: true }) ?? {}
  if (flavor.read.check(left)) return left as unknown as UnifiedRecord
  const reasons = flavor.read.violations(left).map(({ pointer, message }) => `${pointer} ${message}`)
  warnings.push({ code: 'not_normalized', id, message: `The record could not be normalized: ${reasons.join('; ')}.` })
  return undefined
}
