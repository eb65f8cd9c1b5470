// Rules as the editor shows them, and as the API stores them.
import type { Answer } from '../../manage.ts'
import type { FieldSchema } from '../explorer/responses.ts'

export type Mapping = Answer<'getMapping'>
export type Rules = Mapping['rules']
export type Rule = Rules[string]

export type CustomType = NonNullable<Rule['type']>
export const customTypes: readonly CustomType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object']
/** A rule for a pointer with this prefix declares a custom field. */
export const customPrefix = '/custom/'
export const isCustom = ({ pointer }: { pointer: string }): boolean => pointer.startsWith(customPrefix)

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
  /** Of a custom field: its type, and in a write mapping where it is in the native record. */
  type: CustomType
  to: string
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
  type: 'string',
  to: '',
})

const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
export const draftsOf = (rules: Rules): RuleDraft[] =>
  Object.entries(rules).map(([pointer, stored]) => {
    const { from, value, default: fallback, lookup, type = 'string', to = '' } = stored
    return {
      ...newDraft(pointer, from !== undefined ? 'from' : value !== undefined ? 'value' : 'keep'),
      from: from ?? '',
      value: asText(value),
      fallback: asText(fallback),
      lookup: Object.entries(lookup ?? {}).map(([when, unified]) => ({ when, unified: asText(unified) })),
      type,
      to,
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

export const isUnnamed = ({ pointer }: RuleDraft): boolean => pointer === '' || pointer === customPrefix
/** The schema of the field that a rule is for. */
export const fieldOf = (draft: Pick<RuleDraft, 'pointer' | 'type'>, schema: FieldSchema): FieldSchema | undefined =>
  isCustom(draft) ? { type: draft.type } : schemaAt(schema, draft.pointer)

export function rulesOf(drafts: readonly RuleDraft[], schema: FieldSchema, direction: 'read' | 'write'): Rules {
  return Object.fromEntries(
    drafts
      .filter((draft) => !isUnnamed(draft))
      .map((draft) => {
        const { pointer, source, from, value, fallback, lookup, stored, type, to } = draft
        if (stored) return [pointer, stored]
        const custom = isCustom(draft)
        if (custom && direction === 'read') return [pointer, { type, from }]
        const field = fieldOf(draft, schema)
        const table = lookup.filter(({ when }) => when !== '').map(({ when, unified }) => [when, typed(unified, field)])
        const rule: Rule = {
          ...(custom ? { type, to } : {}),
          ...(source === 'from' ? { from } : {}),
          ...(source === 'value' ? { value: typed(value, field) } : {}),
          ...(fallback === '' ? {} : { default: typed(fallback, field) }),
          ...(table.length > 0 ? { lookup: Object.fromEntries(table) } : {}),
        }
        return [pointer, rule]
      }),
  )
}

function schemaAt(schema: FieldSchema, pointer: string): FieldSchema | undefined {
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

/** Whether callers can write a custom field there: `[key=*]` stands for any name. */
export const isPlace = (pointer: string, places: Readonly<Record<string, string>>): boolean =>
  Object.keys(places).some((pattern) => {
    const [before = '', after] = pattern.split('*]')
    return after === undefined
      ? pointer === pattern
      : pointer.startsWith(before) && pointer.endsWith(`]${after}`) && pointer.length > before.length + after.length + 1
  })
/** The places with the name of a field. */
export const placesFor = (name: string, places: Readonly<Record<string, string>>): string[] =>
  Object.keys(places).map((pattern) => pattern.replace('=*]', `=${name || 'name'}]`))

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

export type PreviewResponse = Answer<'previewMapping'>
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
export function ruleWords({ from, value, default: fallback, lookup, type, to }: Rule): string {
  const kept = type === undefined ? 'built-in mapping' : 'as sent'
  const source = from !== undefined ? `from ${from}` : value !== undefined ? `always ${JSON.stringify(value)}` : kept
  const main = `${type === undefined ? '' : `${type} `}${source}${to === undefined ? '' : `, written to ${to}`}`
  const table = lookup
    ? `, translated (${Object.entries(lookup)
        .map(([when, unified]) => `${when} → ${String(unified)}`)
        .join(', ')})`
    : ''
  return `${main}${table}${fallback === undefined ? '' : `, default ${JSON.stringify(fallback)}`}`
}
