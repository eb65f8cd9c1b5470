// The query language: SELECT * | COUNT(*) FROM Customer [WHERE … AND …] [ORDERBY …] [STARTPOSITION n] [MAXRESULTS n].
// No OR, no NOT, no joins; any other statement is rejected with 4000, a property that cannot be queried with 4001.
// https://developer.intuit.com/app/developer/qbo/docs/learn/explore-the-quickbooks-online-api/data-queries
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { refuse } from './wire.ts'
import type { StoredCustomer } from './world.ts'

type Kind = 'text' | 'number' | 'flag' | 'time' | 'id'
interface Property {
  name: string
  kind: Kind
}
/** The properties that can be filtered and sorted by, by lowercase name. */
const properties: ReadonlyMap<string, Property> = new Map(
  Object.entries({
    Id: 'id',
    GivenName: 'text',
    MiddleName: 'text',
    FamilyName: 'text',
    Suffix: 'text',
    CompanyName: 'text',
    DisplayName: 'text',
    FullyQualifiedName: 'text',
    PrintOnCheckName: 'text',
    PrimaryEmailAddr: 'text',
    Active: 'flag',
    Balance: 'number',
    'MetaData.CreateTime': 'time',
    'MetaData.LastUpdatedTime': 'time',
  } as Record<string, Kind>).map(([name, kind]) => [name.toLowerCase(), { name, kind }]),
)
interface Token {
  kind: 'word' | 'text' | 'number' | 'sign' | 'end'
  value: string
  column: number
}
interface Condition {
  property: Property
  operator: string
  values: string[]
}
export interface Query {
  count: boolean
  conditions: Condition[]
  order?: { property: Property; descending: boolean }
  start: number
  limit: number
}

const parseError = (detail: string): never =>
  refuse({ code: '4000', message: 'Error parsing query', detail: `QueryParserError: ${detail}` })
const invalidQuery = (detail: string): never =>
  refuse({ code: '4001', message: 'Invalid query', detail: `QueryValidationError: ${detail}` })
const unexpected = ({ kind, value, column }: Token): never =>
  parseError(`Encountered "${kind === 'end' ? '<EOF>' : value}" at line 1, column ${column}.`)

function tokensOf(statement: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /\s*(?:(?<text>'(?:\\.|[^'\\])*')|(?<number>-?\d+(?:\.\d+)?)|(?<word>[A-Za-z][A-Za-z0-9_.]*)|(?<sign><=|>=|[=<>(),*]))/y
  while (statement.slice(pattern.lastIndex).trim() !== '') {
    const column = pattern.lastIndex + 1
    const groups = pattern.exec(statement)?.groups
    if (!groups)
      return parseError(
        `Encountered "${statement
          .slice(column - 1)
          .trim()
          .slice(0, 12)}" at line 1, column ${column}.`,
      )
    const [kind, value] = Object.entries(groups).find(([, found]) => found !== undefined) as [Token['kind'], string]
    tokens.push({ kind, value: kind === 'text' ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value, column })
  }
  return [...tokens, { kind: 'end', value: '', column: statement.length + 1 }]
}

export function parseQuery(statement: string): Query {
  const tokens = tokensOf(statement)
  let at = 0
  const peek = (): Token => tokens[at]!
  const is = (word: string) => peek().kind !== 'text' && peek().value.toUpperCase() === word
  const take = (...kinds: Token['kind'][]): Token => (kinds.includes(peek().kind) ? tokens[at++]! : unexpected(peek()))
  const skip = (word: string) => is(word) && Boolean(++at)
  const expect = (word: string) => skip(word) || unexpected(peek())
  const property = (): Property => {
    const { value } = take('word')
    return properties.get(value.toLowerCase()) ?? invalidQuery(`property ${value} is not queryable`)
  }
  const wholeNumber = (): number => Number(take('number').value)

  expect('SELECT')
  const count = skip('COUNT')
  if (count) expect('(')
  expect('*')
  if (count) expect(')')
  expect('FROM')
  const entity = take('word').value
  if (entity.toLowerCase() !== 'customer') invalidQuery(`Invalid entity: ${entity}`)
  const query: Query = { count, conditions: [], start: 1, limit: 100 }
  if (skip('WHERE'))
    do query.conditions.push(condition(property(), take, skip, expect))
    while (skip('AND'))
  if (skip('ORDERBY') || (skip('ORDER') && expect('BY'))) {
    const by = property()
    query.order = { property: by, descending: !skip('ASC') && skip('DESC') }
  }
  if (skip('STARTPOSITION')) query.start = wholeNumber()
  if (skip('MAXRESULTS')) query.limit = wholeNumber()
  if (peek().kind !== 'end') unexpected(peek())
  if (!Number.isInteger(query.start) || query.start < 1)
    invalidQuery(`value ${query.start} is not allowed for startposition. Min allowed value is 1.`)
  if (!Number.isInteger(query.limit) || query.limit < 1 || query.limit > 1000)
    invalidQuery(`value ${query.limit} is not allowed for maxresults. Max allowed value is 1000.`)
  return query
}

function condition(
  property: Property,
  take: (...kinds: Token['kind'][]) => Token,
  skip: (word: string) => boolean,
  expect: (word: string) => boolean,
): Condition {
  const value = (): string => {
    const { value: given } = take('text', 'number', 'word')
    return checked(property, given)
  }
  if (skip('IN')) {
    expect('(')
    const values = [value()]
    while (skip(',')) values.push(value())
    expect(')')
    return { property, operator: 'IN', values }
  }
  if (skip('LIKE')) return { property, operator: 'LIKE', values: [take('text').value] }
  const { value: operator } = take('sign')
  if (!['=', '<', '>', '<=', '>='].includes(operator)) parseError(`Encountered "${operator}".`)
  return { property, operator, values: [value()] }
}
function checked({ name, kind }: Property, value: string): string {
  const good =
    kind === 'time'
      ? !Number.isNaN(Date.parse(value))
      : kind === 'flag'
        ? /^(true|false)$/i.test(value)
        : kind === 'text' || !Number.isNaN(Number(value))
  return good ? value : invalidQuery(`Invalid value ${value} for property ${name}`)
}

type Comparable = string | number | undefined
function comparable(kind: Kind, value: unknown): Comparable {
  if (value === undefined) return undefined
  if (kind === 'time') return Date.parse(String(value))
  return kind === 'number' || kind === 'id' ? Number(value) : String(value).toLowerCase()
}
function propertyOf(row: StoredCustomer, { name, kind }: Property): Comparable {
  const value = name.split('.').reduce<unknown>((object, part) => (isObject(object) ? object[part] : undefined), row)
  return comparable(kind, isObject(value) ? (value as Fields).Address : value)
}
const compare = (a: Comparable, b: Comparable): number =>
  a === b ? 0 : a === undefined || (b !== undefined && a < b) ? -1 : 1

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}
function holds(row: StoredCustomer, { property, operator, values }: Condition): boolean {
  const value = propertyOf(row, property)
  if (value === undefined) return false
  if (operator === 'LIKE') return likeness(values[0]!).test(String(value))
  return values.some((target) =>
    tests[operator === 'IN' ? '=' : operator]!(compare(value, comparable(property.kind, target))),
  )
}
const likeness = (pattern: string): RegExp => {
  const parts = pattern.split('%').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'is')
}

/** Inactive customers are omitted by default. Rows are sorted by id by default and for equal keys. */
export function runQuery(rows: readonly StoredCustomer[], { count, conditions, order, start, limit }: Query): Fields {
  const asksForActive = conditions.some(({ property }) => property.name === 'Active')
  const found = rows.filter((row) => (asksForActive || row.Active) && conditions.every((one) => holds(row, one)))
  if (count) return { totalCount: found.length }
  const by = (a: StoredCustomer, b: StoredCustomer): number =>
    (order ? compare(propertyOf(a, order.property), propertyOf(b, order.property)) * (order.descending ? -1 : 1) : 0) ||
    Number(a.Id) - Number(b.Id)
  const page = found.sort(by).slice(start - 1, start - 1 + limit)
  return page.length === 0 ? {} : { Customer: page, startPosition: start, maxResults: page.length }
}
