// The conversion between a native value and its unified field, derived from the two values alone.
import { currencyExponents } from '../../contract/currency.ts'
import type { Rule } from '../../store/store.ts'

export interface Conversion {
  kind:
    | 'same'
    | 'type'
    | 'scaled'
    | 'time'
    | 'word'
    | 'text'
    | 'joined'
    | 'sum'
    | 'count'
    | 'computed'
    | 'absent'
    | 'setting'
    | 'constant'
    | 'mapping'
  words: string
}
export interface FieldFacts {
  money: boolean
  enumerated: boolean
  time: boolean
  currency?: string
}
interface Source {
  pointer: string
  value: unknown
  presence?: boolean // only its absence would change the field
}
interface Question {
  value: unknown
  facts: FieldFacts
  sources: readonly Source[]
  absent: readonly string[]
  settings: readonly string[]
  rule: Rule | undefined
}
/** `main`: the sources whose value it is; the others only decide how it is read. */
type Explained = Conversion & { main: string[] }

export function describeConversion(question: Question): Explained {
  const { value, facts, sources, absent, settings, rule } = question
  if (rule) return byRule(rule, value, sources)
  const direct = sources.flatMap((source) => {
    const conversion = source.presence ? undefined : between(source.value, value, facts)
    return conversion ? [{ ...conversion, source }] : []
  })
  const best = direct.sort((left, right) => rank.indexOf(left.kind) - rank.indexOf(right.kind))[0]
  const exact = best && best.kind !== 'word' && best.kind !== 'text' ? best : undefined
  if (exact) return explained(exact, [exact.source])
  const together =
    sources.length > 1
      ? (joined(value, sources) ?? summed(value, sources, facts) ?? counted(value, sources))
      : undefined
  if (together) return together
  const word =
    direct.length === 1 ? best : direct.find(({ kind, source }) => kind === 'word' && typeof source.value === 'string')
  if (word && (sources.length === 1 || word.kind === 'word')) return explained(word, [word.source])
  const deciding = sources.filter((source) => !source.presence && !(facts.money && source.value === facts.currency))
  if (deciding.length > 0)
    return explained({ kind: 'computed', words: `worked out from ${listed(deciding)}` }, deciding)
  if (sources.length > 0)
    return explained({ kind: 'word', words: `${short(value)} because there is ${listed(sources)}` }, sources)
  if (settings.length > 0)
    return { kind: 'setting', words: `from the account's settings (${settings.join(', ')})`, main: [] }
  if (absent.length > 0)
    return { kind: 'absent', words: `${short(value)} as long as there is no ${nameOf(absent[0] as string)}`, main: [] }
  return { kind: 'constant', words: `${short(value)}; no single native value decides it`, main: [] }
}
const rank: Conversion['kind'][] = ['same', 'type', 'scaled', 'time', 'word', 'text']
const explained = ({ kind, words }: Conversion, sources: readonly Source[]): Explained => ({
  kind,
  words,
  main: sources.map(({ pointer }) => pointer),
})

/** One native value became one unified value. */
function between(native: unknown, unified: unknown, facts: FieldFacts): Conversion | undefined {
  if (native === unified) return { kind: 'same', words: 'same value' }
  const scaled = scale(native, unified, facts)
  if (scaled) return scaled
  if (facts.time && instantOf(native) === instantOf(unified) && instantOf(unified) !== undefined)
    return {
      kind: 'time',
      words: `${timeWords(native)} → ${unified}${/[+-]\d\d:?\d\d$/.test(String(native)) ? ' in UTC' : ''}`,
    }
  if (typeof unified === 'boolean' && typeof native === 'boolean')
    return { kind: 'word', words: `${native} → ${unified} (the opposite)` }
  if (facts.enumerated || typeof unified === 'boolean')
    return { kind: 'word', words: `${short(native)} → ${short(unified)}` }
  if (typeof native === 'string' && typeof unified === 'string') return textual(native, unified)
  return undefined
}

function scale(native: unknown, unified: unknown, { money, currency }: FieldFacts): Conversion | undefined {
  if (typeof unified === 'string' && typeof native === 'number' && String(native) === unified)
    return { kind: 'type', words: `number ${native} → text "${native}"` }
  if (typeof unified !== 'number' || (typeof native !== 'number' && typeof native !== 'string') || native === '')
    return undefined
  const number = Number(native)
  if (!Number.isFinite(number)) return undefined
  if (number === unified) return { kind: 'type', words: `text "${native}" → number ${unified}` }
  const exponent = currency === undefined ? undefined : currencyExponents[currency]
  const places = exponent === undefined ? [2, 3, 4, 1] : [exponent, 2, 3, 4, 1]
  if (money && Math.abs(number - unified) < 0.01) return { kind: 'scaled', words: `${native} rounded to ${unified}` }
  if (-number === unified) return { kind: 'scaled', words: `${native} → ${unified} (the sign turned)` }
  const place = places.find(
    (candidate) =>
      candidate > 0 && Math.abs(Number((number / 10 ** candidate).toFixed(candidate))) === Math.abs(unified),
  )
  const turned = place !== undefined && number * unified < 0 ? ' (the sign turned)' : ''
  if (place === undefined) return undefined
  if (money && place === (exponent ?? 2))
    return { kind: 'scaled', words: `${native}${currency ? ` ${currency}` : ''} minor units → ${unified}${turned}` }
  return { kind: 'scaled', words: `${native} ÷ ${10 ** place} → ${unified}${turned}` }
}

function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : value > 1e8 ? value * 1000 : undefined
  if (typeof value !== 'string') return undefined
  const wrapped = /^\/Date\((-?\d+)/.exec(value)?.[1] ?? (/^\d{10,13}$/.test(value) ? value : undefined)
  if (wrapped !== undefined) return wrapped.length <= 10 ? Number(wrapped) * 1000 : Number(wrapped)
  const parsed = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$|GMT|^\d{4}-\d\d-\d\d$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(parsed) ? undefined : parsed
}
function timeWords(native: unknown): string {
  if (typeof native === 'number' || /^\d+$/.test(String(native)))
    return `${native} ${Number(native) > 1e11 ? 'milliseconds' : 'seconds'} since 1970`
  return String(native)
}

function textual(native: string, unified: string): Conversion | undefined {
  if (native.trim() === unified) return { kind: 'text', words: 'same text without the space around it' }
  if (native.toUpperCase() === unified) return { kind: 'text', words: 'in capitals' }
  if (native.toLowerCase() === unified) return { kind: 'text', words: 'in small letters' }
  if (unified !== '' && native.includes(unified)) return { kind: 'text', words: `a part of ${short(native)}` }
  if (native !== '' && unified.includes(native)) return { kind: 'text', words: `${short(native)} is a part of it` }
  return { kind: 'text', words: `${short(native)} → ${short(unified)}` }
}

/** All the native texts one after another, and between them only punctuation. */
function joined(value: unknown, sources: readonly Source[]): Explained | undefined {
  if (typeof value !== 'string') return undefined
  const parts = sources.filter(
    (source) => typeof source.value === 'string' && source.value !== '' && value.includes(source.value.trim()),
  )
  if (parts.length < 2) return undefined
  const rest = parts
    .toSorted((a, b) => String(b.value).length - String(a.value).length)
    .reduce((text, part) => text.replace(String(part.value).trim(), ''), value)
  if (/[\p{L}\p{N}]/u.test(rest)) return undefined
  const inOrder = parts.toSorted(
    (a, b) => value.indexOf(String(a.value).trim()) - value.indexOf(String(b.value).trim()),
  )
  return explained({ kind: 'joined', words: `${listed(inOrder)}, joined` }, inOrder)
}

function summed(value: unknown, sources: readonly Source[], { money, currency }: FieldFacts): Explained | undefined {
  const terms = sources.filter(
    (source) =>
      typeof source.value === 'number' ||
      (typeof source.value === 'string' && source.value !== '' && Number.isFinite(Number(source.value))),
  )
  if (typeof value !== 'number' || terms.length < 2) return undefined
  const total = terms.reduce((sum, term) => sum + Number(term.value), 0)
  const exponent = (currency === undefined ? undefined : currencyExponents[currency]) ?? 2
  const divisor = [1, ...(money ? [10 ** exponent] : [])].find(
    (candidate) => Math.abs(total / candidate - value) < 1e-9,
  )
  if (divisor === undefined) return undefined
  return explained(
    {
      kind: 'sum',
      words: `sum of ${terms.length} native values${divisor > 1 ? `, ${total}${currency ? ` ${currency}` : ''} minor units` : ''} → ${value}`,
    },
    terms,
  )
}

function byRule(rule: Rule, value: unknown, sources: readonly Source[]): Explained {
  const source = sources.find(({ pointer }) => pointer === rule.from) ?? sources[0]
  const main = source ? [source.pointer] : []
  if (rule.value !== undefined) return { kind: 'mapping', words: `the mapping always says ${short(value)}`, main }
  if (source === undefined) return { kind: 'mapping', words: `the mapping's default, ${short(value)}`, main }
  if (rule.lookup)
    return { kind: 'mapping', words: `${short(source.value)} → ${short(value)} by the mapping's table`, main }
  return {
    kind: 'mapping',
    words:
      source.value === value
        ? `same value, taken by the mapping`
        : `${short(source.value)} → ${short(value)} by the mapping`,
    main,
  }
}

/** As many equal elements of one list as the number says: some platforms have a line for each unit. */
function counted(value: unknown, sources: readonly Source[]): Explained | undefined {
  const elements = [...new Set(sources.flatMap(({ pointer }) => /^.*?\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? []))]
  if (typeof value !== 'number' || value < 2 || elements.length !== value) return undefined
  return { kind: 'count', words: `${value} equal native entries, counted`, main: elements }
}

/** The last names of the pointers, with as many parents as needed to tell them apart. */
function listed(sources: readonly Source[]): string {
  const lengths = [1, 2, 3, 4].map((steps) => sources.map(({ pointer }) => nameOf(pointer, steps)))
  const names =
    lengths.find((candidates) => new Set(candidates).size === candidates.length) ?? (lengths.at(-1) as string[])
  return names.length > 4
    ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
    : names.join(names.length === 2 ? ' and ' : ', ')
}
function nameOf(pointer: string, steps = 1): string {
  const way = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return way.slice(/^\d+$/.test(way.at(-1) ?? '') ? -steps - 1 : -steps).join('.')
}
const short = (value: unknown): string => {
  const text = typeof value === 'string' && /^[\w.-]+$/.test(value) ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
