// One pass over a record before it is sent, as code generated from the schema: takes the known fields, omits nulls and
// empty objects, writes times in UTC,
// and reports whether all of it certainly fits. Where it is not certain, the validator decides, so it may be strict but
// never lenient.
// Closures over the schema take three times as long (2.2 instead of 0.8 µs a record): V8 optimizes property access per
// function, and closures share one.
import type { TSchema } from 'typebox'
import { Format } from 'typebox/format'
import { toInstant } from '../../contract/instant.ts'

export interface Verdict {
  fits: boolean
}
export type Normalize = (value: unknown, verdict: Verdict) => unknown

interface Shape {
  type?: string
  format?: string
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, TSchema>
  items?: TSchema
  required?: string[]
}
const understood = new Set([
  'type',
  'format',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'properties',
  'items',
  'required',
])
const silent = new Set([
  'description',
  'title',
  'examples',
  'default',
  'additionalProperties',
  '$id',
  'readOnly',
  'example',
])

const compiled = new WeakMap<TSchema, Normalize>()
export function normalizerOf(schema: TSchema): Normalize {
  let normalize = compiled.get(schema)
  if (!normalize) {
    normalize = compile(schema as Shape)
    compiled.set(schema, normalize)
  }
  return normalize
}

/** A cheap check that most values pass; only the others are checked in full. */
const ordinary: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/,
  email: /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[A-Za-z0-9]{1,63}\.)+[A-Za-z0-9]{1,63}$/,
}

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
function inUtc(value: unknown): unknown {
  if (typeof value !== 'string' || utc.test(value)) return value
  return toInstant(value) ?? value
}

function compile(schema: Shape): Normalize {
  const functions: string[] = []
  const patterns: RegExp[] = []
  const quoted = JSON.stringify

  /** The name of a generated function, for objects and arrays. */
  function inside({ properties, items, required = [] }: Shape): string {
    const name = `part${functions.push('') - 1}`
    const refuse = 'if (v === undefined || v === null) return undefined; verdict.fits = false; return v'
    const body = properties
      ? `if (typeof v !== 'object' || v === null) { ${refuse} }
  const kept = {}; let any = false, x
  ${Object.entries(properties)
    .map(([field, inner]) => taken(field, inner as Shape, required.includes(field)))
    .join('\n  ')}
  return any ? kept : undefined`
      : `if (!Array.isArray(v)) { ${refuse} }
  const kept = []
  for (const entry of v) { const x = ${value('entry', items as Shape)}; if (x !== undefined && x !== null) { kept.push(x); ${leaf(items as Shape)} } }
  return kept`
    functions[Number(name.slice(4))] = `function ${name}(v, verdict) { ${body} }`
    return name
  }
  const value = (expression: string, inner: Shape) =>
    inner.properties || inner.items
      ? `${inside(inner)}(${expression}, verdict)`
      : inner.format === 'date-time'
        ? `inUtc(${expression})`
        : expression
  const taken = (field: string, inner: Shape, required: boolean) =>
    `x = ${value(`v[${quoted(field)}]`, inner)}; if (x !== undefined && x !== null) { kept[${quoted(field)}] = x; any = true; ${leaf(inner)} }${required ? ' else verdict.fits = false' : ''}`
  const leaf = (inner: Shape) =>
    inner.properties || inner.items ? unlessUnderstood(inner) : `if (!(${fitting(inner)})) verdict.fits = false`
  const unlessUnderstood = (inner: Shape) =>
    Object.keys(inner).every((keyword) => understood.has(keyword) || silent.has(keyword)) ? '' : 'verdict.fits = false'
  function fitting(inner: Shape): string {
    if (unlessUnderstood(inner) !== '') return 'false'
    const { type, format, pattern, minLength, maxLength, minimum, maximum } = inner
    const rules: string[] = []
    if (type === 'string') rules.push(`typeof x === 'string'`)
    else if (type === 'boolean') rules.push(`typeof x === 'boolean'`)
    else if (type === 'integer') rules.push('Number.isInteger(x)')
    else if (type === 'number') rules.push('Number.isFinite(x)')
    else return 'false'
    if (inner.enum) rules.push(`(${inner.enum.map((one) => `x === ${quoted(one)}`).join(' || ')})`)
    // In UTF-16 units: a text never has fewer of them than characters.
    if (minLength !== undefined) rules.push(minLength <= 1 ? `x.length >= ${minLength}` : 'false')
    if (maxLength !== undefined) rules.push(`x.length <= ${maxLength}`)
    if (minimum !== undefined) rules.push(`x >= ${minimum}`)
    if (maximum !== undefined) rules.push(`x <= ${maximum}`)
    if (pattern !== undefined) rules.push(`patterns[${patterns.push(new RegExp(pattern, 'u')) - 1}].test(x)`)
    if (format !== undefined) {
      const known = ordinary[format]
      rules.push(`(${known ? `patterns[${patterns.push(known) - 1}].test(x) || ` : ''}test(${quoted(format)}, x))`)
    }
    return rules.join(' && ')
  }
  const whole = `(v, verdict) => { const kept = ${inside(schema)}(v, verdict); if (kept === undefined) verdict.fits = false; return kept }`
  return new Function('inUtc', 'patterns', 'test', `${functions.join('\n')}\nreturn ${whole}`)(
    inUtc,
    patterns,
    Format.Test,
  ) as Normalize
}
