// Rules as the editor shows them, and as the API stores them.
import type { GetMappingAnswer, PreviewMappingAnswer } from '../../../../client/src/generated/manage.ts'
import type { FieldSchema } from '../explorer/responses.ts'

export type Mapping = GetMappingAnswer
export type Rules = Mapping['rules']
export type Rule = Rules[string]

/** `keep`: the value of the built-in mapping, with a default or a lookup applied. */
export type RuleSource = 'from' | 'value' | 'keep'
export interface RuleDraft {
  id: number
  pointer: string
  source: RuleSource
  from: string
  value: string
  fallback: string
  lookup: { when: string; unified: string }[]
  /** The rule as it is stored, until it is edited. */
  stored?: Rule | undefined
}
let last = 0
export const newDraft = (pointer = '', source: RuleSource = 'from'): RuleDraft => ({
  id: ++last,
  pointer,
  source,
  from: '',
  value: '',
  fallback: '',
  lookup: [],
})

const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
export const draftsOf = (rules: Rules): RuleDraft[] =>
  Object.entries(rules).map(([pointer, stored]) => {
    const { from, value, default: fallback, lookup } = stored
    return {
      ...newDraft(pointer, from !== undefined ? 'from' : value !== undefined ? 'value' : 'keep'),
      from: from ?? '',
      value: asText(value),
      fallback: asText(fallback),
      lookup: Object.entries(lookup ?? {}).map(([when, unified]) => ({ when, unified: asText(unified) })),
      stored,
    }
  })

/** Converts to the field's type. Other text is sent unchanged, and the service responds with the error. */
function typed(text: string, schema: FieldSchema | undefined): unknown {
  if ((schema?.type === 'number' || schema?.type === 'integer') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (schema?.type === 'array' || schema?.type === 'object') {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  return text
}

export function rulesOf(drafts: readonly RuleDraft[], schema: FieldSchema): Rules {
  return Object.fromEntries(
    drafts
      .filter(({ pointer }) => pointer !== '')
      .map(({ pointer, source, from, value, fallback, lookup, stored }) => {
        if (stored) return [pointer, stored]
        const field = schemaAt(schema, pointer)
        const table = lookup.filter(({ when }) => when !== '').map(({ when, unified }) => [when, typed(unified, field)])
        const rule: Rule = {
          ...(source === 'from' ? { from } : {}),
          ...(source === 'value' ? { value: typed(value, field) } : {}),
          ...(fallback === '' ? {} : { default: typed(fallback, field) }),
          ...(table.length > 0 ? { lookup: Object.fromEntries(table) } : {}),
        }
        return [pointer, rule]
      }),
  )
}

export function schemaAt(schema: FieldSchema, pointer: string): FieldSchema | undefined {
  let node: FieldSchema | undefined = schema
  for (const step of pointer.slice(1).split('/')) node = node?.properties?.[step]
  return node
}

/** Fields that a rule can set: plain values except externalId. */
export function settableFields(schema: FieldSchema, pointer = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) =>
    node.properties
      ? settableFields(node, `${pointer}/${name}`)
      : `${pointer}/${name}` === '/externalId'
        ? []
        : [`${pointer}/${name}`],
  )
}

/** The service's error messages for one rule. */
export function refusalsOf(
  pointer: string,
  violations: readonly { pointer: string; message: string }[],
): { part: string; message: string }[] {
  const at = `/rules/${pointer.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return violations
    .filter((one) => one.pointer === at || one.pointer.startsWith(`${at}/`))
    .map((one) => ({ part: one.pointer.slice(at.length + 1), message: one.message }))
}

export type PreviewResponse = Omit<PreviewMappingAnswer, 'before' | 'after'> & {
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}
export type RuleEffect = PreviewResponse['rules'][number]

export interface RuleChange {
  pointer: string
  kind: 'added' | 'removed' | 'changed'
  before?: Rule
  after?: Rule
}
export function changesBetween(before: Rules, after: Rules): RuleChange[] {
  const pointers = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return pointers.flatMap((pointer): RuleChange[] => {
    const [old, now] = [before[pointer], after[pointer]]
    if (!old) return [{ pointer, kind: 'added', after: now as Rule }]
    if (!now) return [{ pointer, kind: 'removed', before: old }]
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ pointer, kind: 'changed', before: old, after: now }]
  })
}

/** Describes a rule. */
export function ruleWords({ from, value, default: fallback, lookup }: Rule): string {
  const main =
    from !== undefined ? `from ${from}` : value !== undefined ? `always ${JSON.stringify(value)}` : 'built-in mapping'
  const table = lookup
    ? `, translated (${Object.entries(lookup)
        .map(([when, unified]) => `${when} → ${String(unified)}`)
        .join(', ')})`
    : ''
  return `${main}${table}${fallback === undefined ? '' : `, default ${JSON.stringify(fallback)}`}`
}
