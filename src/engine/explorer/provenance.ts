// Where each unified field came from, derived and never declared: a mapping is a pure function, so each native value
// that it reads is changed in turn, and whatever changes in the unified record came from it.
import { setImmediate as turn } from 'node:timers/promises'
import type { AccountView } from '../../contract/connector.ts'
import { setAt, valueAt } from '../../contract/pointer.ts'
import type { Rule } from '../../store/store.ts'
import { readsOf } from '../read/rows.ts'
import { changedLeaves, leavesOf } from './changed-leaves.ts'
import { type Conversion, describeConversion, type FieldFacts } from './conversion.ts'

export interface Origin extends Conversion {
  pointer: string
  /** Native pointers; one that `decides` only affects how the others are read, such as a currency. */
  sources: { pointer: string; decides?: true; absent?: true }[]
  settings: string[]
}
export interface Provenance {
  fields: Origin[]
  /** Native pointers whose absence explains a unified field that the record lacks. */
  lacking: { pointer: string; sources: string[] }[]
  /** False when the row was too large to try every value. */
  complete: boolean
}
export interface Mapped {
  row: unknown
  settings: AccountView['settings']
  /** The pure mapping; throws where it cannot map. */
  make(row: unknown, settings: AccountView['settings']): Record<string, unknown>
  facts(pointer: string): FieldFacts
  rules?: Readonly<Record<string, Rule>>
}
const maxTrials = 20_000
const mostPaired = 24
const sliceMs = 8

export async function provenanceOf({ row, settings, make, facts, rules = {} }: Mapped): Promise<Provenance> {
  const copy = JSON.parse(JSON.stringify(row)) as Record<string, unknown>
  const base = make(copy, settings)
  const reads = readsOf(copy, (standIn) => void make(standIn, settings))
  const trials = createTrials(base)

  const sources = new Map<string, string[]>()
  const byPresence = new Set<string>()
  for (const pointer of reads.present) {
    const value = valueAt(copy, pointer)
    for (const [changed, how] of await trials.changedBy(value, (variant) =>
      withValue(copy, pointer, variant, () => make(copy, settings)),
    )) {
      note(sources, changed, pointer)
      if (how === 'presence') byPresence.add(`${changed} ${pointer}`)
    }
  }
  const bySetting = new Map<string, string[]>()
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(settings))
    for (const [changed] of await trials.changedBy(value, (variant) =>
      make(copy, withSetting(settings, name, variant)),
    ))
      note(bySetting, changed, name)

  const explained = (pointer: string) => sources.has(pointer) || bySetting.has(pointer)
  // Paid or closed: where either of two is enough, neither alone changes anything.
  const unexplained = () => leavesOf(base).some(({ pointer }) => !explained(pointer))
  const shallow = reads.present.filter((pointer) => !/\/\d+(\/|$)/.test(pointer)).slice(0, mostPaired)
  for (const [index, one] of shallow.entries()) {
    if (!unexplained()) break
    for (const other of shallow.slice(index + 1)) {
      const both = () =>
        withValue(copy, one, variantsOf(valueAt(copy, one)).at(-1), () =>
          withValue(copy, other, variantsOf(valueAt(copy, other)).at(-1), () => make(copy, settings)),
        )
      for (const [changed] of await trials.changedBy(undefined, both))
        if (!explained(changed)) pairs.push([changed, one], [changed, other])
    }
  }
  for (const [changed, pointer] of pairs) note(sources, changed, pointer)

  // A value that nothing present explains may rest on something absent: "not archived" is nowhere written.
  const absentSources = new Map<string, string[]>()
  const lacking = new Map<string, string[]>()
  const basePointers = new Set(leavesOf(base).map(({ pointer }) => pointer))
  for (const pointer of reads.absent) {
    const gained = (record: Record<string, unknown>) =>
      leavesOf(record).flatMap((leaf) => (basePointers.has(leaf.pointer) ? [] : [leaf.pointer]))
    const found = await trials.firstGain(
      fillings,
      (filling) => withValue(copy, pointer, filling, () => make(copy, settings)),
      gained,
    )
    for (const changed of found.changed) if (!explained(changed)) note(absentSources, changed, pointer)
    for (const field of found.gained) note(lacking, field, pointer)
  }

  const fields = leavesOf(base).map(({ pointer, value }): Origin => {
    const present = sources.get(pointer) ?? []
    const absent = absentSources.get(pointer) ?? []
    const named = bySetting.get(pointer) ?? []
    const conversion = describeConversion({
      value,
      facts: facts(pointer),
      sources: present.map((source) => ({
        pointer: source,
        value: valueAt(copy, source),
        presence: byPresence.has(`${pointer} ${source}`),
      })),
      absent,
      settings: named,
      rule: rules[pointer],
    })
    const { main, ...words } = conversion
    const all: Origin['sources'] = [
      ...main.map((source) => ({ pointer: source })),
      ...present
        .filter((source) => !covered(main, source))
        .map((source) => ({ pointer: source, decides: true as const })),
    ]
    return {
      pointer,
      ...words,
      sources: [...all, ...absent.map((source) => ({ pointer: source, absent: true as const }))],
      settings: named,
    }
  })
  return {
    fields,
    lacking: [...lacking].map(([pointer, from]) => ({ pointer, sources: from })),
    complete: trials.complete(),
  }
}

const covered = (main: readonly string[], pointer: string) =>
  main.some((one) => pointer === one || pointer.startsWith(`${one}/`))

function note(into: Map<string, string[]>, key: string, value: string): void {
  const list = into.get(key)
  if (!list) into.set(key, [value])
  else if (!list.includes(value)) list.push(value)
}

function createTrials(base: Record<string, unknown>) {
  let count = 0
  let began = performance.now()
  /** Undefined if the mapping throws: the trial has no result. */
  async function attempt(make: () => Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
    if (++count > maxTrials) return undefined
    if (performance.now() - began > sliceMs) {
      await turn() // lets other requests run
      began = performance.now()
    }
    try {
      return make()
    } catch {
      return undefined
    }
  }
  return {
    complete: () => count <= maxTrials,
    /** The leaves that another value changes, and those that only its absence does. */
    async changedBy(
      value: unknown,
      make: (variant: unknown) => Record<string, unknown>,
    ): Promise<Map<string, 'value' | 'presence'>> {
      const changed = new Map<string, 'value' | 'presence'>()
      for (const variant of [...variantsOf(value), undefined]) {
        const record = await attempt(() => make(variant))
        for (const pointer of record ? changedLeaves(base, record) : [])
          if (!changed.has(pointer)) changed.set(pointer, variant === undefined ? 'presence' : 'value')
      }
      return changed
    },
    async firstGain(
      variants: readonly unknown[],
      make: (variant: unknown) => Record<string, unknown>,
      gained: (record: Record<string, unknown>) => string[],
    ) {
      for (const variant of variants) {
        const record = await attempt(() => make(variant))
        const found = record
          ? { changed: changedLeaves(base, record), gained: gained(record) }
          : { changed: [], gained: [] }
        if (found.changed.length + found.gained.length > 0) return found
      }
      return { changed: [], gained: [] }
    },
  }
}

/** Changed in place and put back: a copy of the row for each trial would cost more than the mapping. */
function withValue<T>(row: Record<string, unknown>, pointer: string, value: unknown, run: () => T): T {
  const before = valueAt(row, pointer)
  const parent = valueAt(row, pointer.slice(0, pointer.lastIndexOf('/')))
  const length = Array.isArray(parent) ? parent.length : 0
  setAt(row, pointer, value)
  try {
    return run()
  } finally {
    setAt(row, pointer, before)
    if (Array.isArray(parent)) parent.length = length
  }
}
function withSetting(settings: AccountView['settings'], name: string, value: unknown): AccountView['settings'] {
  const { [name]: _, ...others } = settings
  return value === undefined ? others : { ...others, [name]: String(value) }
}

const fillings: readonly unknown[] = [true, 'x1', 1, '2026-01-01T00:00:00.000Z', ['x1']]

/** Other values of the same kind. */
function variantsOf(value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value]
  // A time may be rounded to more than its unit.
  if (typeof value === 'number') return [value + 1, value > 1e9 ? value + 3_600_000 : value * 2 + 1000]
  const variants: unknown[] = []
  if (typeof value !== 'string') return variants
  if (/^[A-Z]{3}$/.test(value)) variants.push(value === 'JPY' ? 'USD' : 'JPY') // another currency with another exponent
  if (value === 'true' || value === 'false') variants.push(String(value === 'false'))
  if (/\d/.test(value)) variants.push(value.replace(/\d/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1))))
  if (/[,;|]/.test(value)) variants.push(value.replace(/[\p{L}\p{N}]+/gu, (word) => `${word}x`)) // a list in one text
  variants.push(`${value}x`)
  return variants
}
