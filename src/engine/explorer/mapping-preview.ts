// The effect of a set of rules on one record, before it is saved: the record without and with them, and what each rule
// did.
import type { Warning } from '../../contract/errors.ts'
import { valueAt } from '../../contract/pointer.ts'
import type { Direction, Rule } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { checkRules, compile, scopeOf } from '../mapping.ts'
import { toUnified } from '../read/normalize.ts'
import type { Target } from '../target.ts'
import { canonical } from '../write/canonical.ts'

export interface RuleEffect {
  pointer: string
  effect: 'set' | 'changed' | 'removed' | 'none'
  before?: unknown
  after?: unknown
}
export interface MappingPreview {
  before: unknown
  after: unknown
  rules: RuleEffect[]
  warnings: Warning[]
}

/** `source` is the native row on reads, the caller's record on writes. Refuses rules that cannot work. */
export function previewMapping(target: Target, direction: Direction, rules: unknown, source: unknown): MappingPreview {
  checkRules(rules, scopeOf(target), direction)
  const warnings: Warning[] = []
  const make = (entries: [string, Rule][], collected: Warning[]) =>
    direction === 'read' ? read(target, entries, source, collected) : written(target, entries, source)
  const before = make([], [])
  const after = make(Object.entries(rules), warnings)
  return { before, after, rules: Object.keys(rules).map((pointer) => effectOf(pointer, before, after)), warnings }
}

function read(target: Target, rules: [string, Rule][], row: unknown, warnings: Warning[]): unknown {
  const { account, adapter, flavor, connector } = target
  return toUnified(adapter, row, flavor, viewOf(account, connector), warnings, compile(rules, flavor))
}
function written({ flavor }: Target, rules: [string, Rule][], source: unknown): unknown {
  const record = structuredClone(source) as Record<string, unknown>
  compile(rules, flavor).set(record, source)
  return record
}

function effectOf(pointer: string, before: unknown, after: unknown): RuleEffect {
  const [old, now] = [valueAt(before, pointer), valueAt(after, pointer)]
  const effect =
    canonical(old ?? null) === canonical(now ?? null)
      ? 'none'
      : now === undefined
        ? 'removed'
        : old === undefined
          ? 'set'
          : 'changed'
  return {
    pointer,
    effect,
    before: old,
    after: now,
  }
}
