// The files of one more entity, from the declaration of its type. Their names of fields, paths and errors are only a
// beginning, so every one of them has a TODO.
import { entities } from '../../src/contract/entities/index.ts'
import type { EntityType } from '../../src/contract/entity.ts'

interface Field {
  name: string // of the unified field
  native: string
  kind: 'text' | 'instant' | 'number' | 'money' | 'flag' | 'choice' | 'object' | 'list'
  required: boolean
  parts: readonly Field[] // of an object
  words: readonly string[] // of a choice
  most: number | undefined // characters of a text
}
interface SchemaNode {
  type?: string
  format?: string
  enum?: string[]
  properties?: Record<string, SchemaNode>
  required?: string[]
  maxLength?: number
}
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/_external_id$/, '_id')
const camel = (words: string): string => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
const kebab = (words: string): string => words.replaceAll(' ', '-')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function namesOf(type: EntityType) {
  const { names } = entities[type]
  const [one, many] = [camel(names.one), camel(names.many)]
  const [One, Many] = [capital(one), capital(many)]
  const files = { file: kebab(names.one), files: kebab(names.many) }
  return {
    words: names.many,
    one,
    many,
    One,
    Many,
    ...files,
    path: `/todo/${kebab(names.many)}`,
  }
}

function kindOf(type: EntityType, pointer: string, node: SchemaNode): Field['kind'] {
  if ((entities[type].money as readonly string[]).includes(pointer)) return 'money'
  if (node.enum) return 'choice'
  if (node.type === 'object') return 'object'
  if (node.type === 'boolean') return 'flag'
  if (node.type === 'number' || node.type === 'integer') return 'number'
  if (node.type === 'string') return node.format === 'date-time' ? 'instant' : 'text'
  return 'list'
}
function fieldsIn(type: EntityType, { properties = {}, required = [] }: SchemaNode, at = ''): Field[] {
  return Object.entries(properties)
    .filter(([name]) => `${at}/${name}` !== '/externalId')
    .map(([name, node]) => ({
      name,
      native: snake(name),
      kind: kindOf(type, `${at}/${name}`, node),
      required: required.includes(name),
      parts: fieldsIn(type, node, `${at}/${name}`),
      words: node.enum ?? [],
      most: node.maxLength,
    }))
}
const allFields = (type: EntityType): Field[] => fieldsIn(type, entities[type].fields as SchemaNode)
/** Lists are left to the person: their entries have their own ids, orders and rules. */
const fieldsOf = (type: EntityType): Field[] => allFields(type).filter(({ kind }) => kind !== 'list')
const listsOf = (type: EntityType): Field[] => allFields(type).filter(({ kind }) => kind === 'list')
export const requiredLists = (type: EntityType): string[] =>
  listsOf(type)
    .filter(({ required }) => required)
    .map(({ name }) => name)

const lines = (texts: readonly string[], indent = ''): string => texts.map((text) => `${indent}${text}\n`).join('')

const nativeTypes = {
  text: 'string',
  instant: 'string',
  number: 'number',
  money: 'string',
  flag: 'boolean',
  choice: 'string',
  list: 'never',
}
const nativeType = (field: Field): string =>
  field.kind === 'object'
    ? `{ ${field.parts.map((part) => `${part.native}?: ${nativeType(part)}`).join('; ')} }`
    : nativeTypes[field.kind]

const readers = { text: 'text', instant: 'toUtc', number: 'number', money: 'fromDecimal', flag: 'flag' } as const
const wordsOf = (field: Field): string => `${field.name}Of`
function readOf(field: Field, from: string): string {
  const value = `${from}${field.native}`
  if (field.kind === 'object')
    return `filled({ ${field.parts.map((part) => `${part.name}: ${readOf(part, `${value}?.`)}`).join(', ')} })`
  const read =
    field.kind === 'choice'
      ? `${wordsOf(field)}[text(${value}) ?? '']`
      : `${readers[field.kind as keyof typeof readers]}(${value})`
  if (!field.required) return read
  return field.kind === 'text' ? `${read} ?? row.id` : `${read}!`
}
function writeOf(field: Field, from: string): string {
  const value = `${from}${field.name}`
  if (field.kind === 'object')
    return `filled({ ${field.parts.map((part) => `${part.native}: ${writeOf(part, `${value}?.`)}`).join(', ')} })`
  if (field.kind === 'money')
    return field.required ? `String(${value})` : `${value} === undefined ? undefined : String(${value})`
  return field.kind === 'text' ? `text(${value})` : value
}
const usedIn = (fields: readonly Field[]): Set<Field['kind']> =>
  new Set(fields.flatMap(({ kind, parts }) => [kind, ...usedIn(parts)]))

export function connectorFile(type: EntityType): string {
  const { one, many, One, path, words } = namesOf(type)
  const [fields, lists, { writable }] = [fieldsOf(type), listsOf(type), entities[type]]
  const used = usedIn(fields)
  const choices = fields.filter(({ kind }) => kind === 'choice')
  const ofFields = [
    ...(writable ? ['compact'] : []),
    ...(used.has('object') ? ['filled'] : []),
    ...(used.has('flag') ? ['flag'] : []),
    ...(used.has('number') ? ['number'] : []),
    'text',
  ]
  const record = `UnifiedRecord<'${type}'>`
  const shape = (method: string, below: string, member: string) => `'${method} ${path}${below}': { '${member}': 'id' },`
  const write = (request: string, recovery: string) =>
    `const row = await call.write<Native${One}>('${one}', { request: ${request}, read: ({ body }) => body, recovery: ${recovery} })\n      return { id: row.id, row }`
  const notStored = lists.map(({ name }) => `'/${name}': true`).join(', ')
  const tables = `{ ${notStored && `notStored: { ${notStored} }, `}fields: { ${fields.map(({ name, native }) => `${native}: '/${name}'`).join(', ')} } }`
  return `// TODO the page of the vendor's documentation, and what is special about its ${words}
import type { EntityAdapter, Shape } from '../../contract/connector.ts'
${writable || choices.length > 0 ? "import type { UnifiedRecord } from '../../contract/entities/index.ts'\n" : ''}import { ifFound } from '../../kit/errors.ts'
import { ${ofFields.join(', ')} } from '../../kit/fields.ts'
${used.has('money') ? "import { fromDecimal } from '../../kit/money.ts'\n" : ''}import { singleCall } from '../../kit/paging.ts'
import { get, path${writable ? ', post, put' : ''} } from '../../kit/requests.ts'
${used.has('instant') ? "import { toUtc } from '../../kit/time.ts'\n" : ''}
// TODO the names and types of the platform's fields
export interface Native${One} {
  id: string
${lines(
  fields.map((field) => `${field.native}?: ${nativeType(field)}`),
  '  ',
)}  updated_at: string
}
// TODO the platform's paths, and what its responses have
export const ${one}Shapes: Readonly<Record<string, Shape>> = {
  ${shape('GET', '', `/${many}/*/id`)}
  ${shape('GET', '/{id}', '/id')}
${writable ? `  ${shape('POST', '', '/id')}\n  ${shape('PUT', '/{id}', '/id')}\n` : ''}}
${choices
  .map(
    (field) => `
// TODO the platform's words
const ${wordsOf(field)}: Readonly<Record<string, ${record}['${field.name}']>> = {
${lines(
  field.words.map((word) => `'${word}': '${word}',`),
  '  ',
)}}
`,
  )
  .join('')}${lines(lists.map(({ name }) => `// TODO ${name} is a list: read and write it, or keep it in notStored`))}${
  writable
    ? `
const fromUnified = (record: ${record}) =>
  compact({
${lines(
  fields.map((field) => `${field.native}: ${writeOf(field, 'record.')},`),
  '    ',
)}  })
// TODO what the platform requires, the longest texts and what it does not store
const written = ${tables} as const
`
    : ''
}
export const ${one}: EntityAdapter<'${type}', Native${One}, string> = {
  id: ({ id }) => id,
  toUnified: (row) => ({
    externalId: row.id,
${lines(
  fields.map((field) => `${field.name}: ${readOf(field, 'row.')},`),
  '    ',
)}  }),
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: ({ updated_at }) => updated_at,
    // TODO how the platform pages and filters
    page: singleCall(
      ({ size, updatedAfter }, cursor) => get('${path}', { limit: size, cursor, updated_after: updatedAfter }),
      ({ body }) => ({ rows: body.${many}, next: body.cursor }),
    ),
  },
  get: async (call, id) => (await ifFound(call.read(get(path\`${path}/\${id}\`))))?.body,
${
  writable
    ? `  create: {
    ...written,
    // TODO how a lost response is settled: by a key, or by a search
    run: async (call, record) => {
      ${write(`post('${path}', fromUnified(record))`, "'none'")}
    },
  },
  update: {
    ...written,
    run: async (call, { id }, record) => {
      ${write(`put(path\`${path}/\${id}\`, fromUnified(record))`, "'repeat'")}
    },
  },
`
    : ''
}}
`
}

/** Seeded values, and the fields that a body may have. */
const seeded = (field: Field): string => {
  if (field.kind === 'object') return `{ ${field.parts.map((part) => `${part.native}: ${seeded(part)}`).join(', ')} }`
  if (field.kind === 'instant') return 'new Date(at).toISOString()'
  if (field.kind === 'number') return 'seed.int(1, 60)'
  if (field.kind === 'money') return 'String(seed.int(1, 90))'
  if (field.kind === 'flag') return 'seed.chance(0.9)'
  if (field.kind === 'choice') return `'${field.words[0]}'`
  return field.name === 'email' ? 'seed.person().email' : `\`${field.native} \${seed.int(1, 1e6)}\``
}
const accepted = (field: Field): string => {
  if (field.kind === 'object')
    return `{ type: 'object', properties: { ${field.parts.map((part) => `${part.native}: ${accepted(part)}`).join(', ')} } }`
  if (field.kind === 'choice') return `{ enum: [${field.words.map((word) => `'${word}'`).join(', ')}] }`
  if (field.kind === 'flag') return "'boolean'"
  if (field.kind === 'number') return "'number'"
  return field.kind === 'text' ? String(Math.min(field.most ?? 255, 255)) : "'string'"
}

export interface Place {
  platform: string
  context: string // what a route gets
  records: string // the member of the world
  stored: string // the type of its records
  now: string // the member of the world that tells the time
}
export function resourceFile(type: EntityType, { platform, context, records, stored, now }: Place): string {
  const { one, many, Many, path, words } = namesOf(type)
  const { writable, names } = entities[type]
  const fields = fieldsOf(type)
  const world = context === 'World' ? 'context: world' : 'context: { world }'
  const of = context === 'World' ? `{ ${records} }` : `{ world: { ${records} } }`
  return `// TODO the page of the vendor's documentation: this file is written from it, never from the connector
import { randomUUID } from 'node:crypto'
import { type Fields, ${writable ? 'isObject, readJson, ' : ''}refusing } from '../../../sandbox/http.ts'
import { cursorPage } from '../../../sandbox/paging.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { resourcesOf } from '../../../sandbox/resource.ts'
${writable ? "import { createAcceptor, type Schemas } from '../../../sandbox/schema.ts'\n" : ''}import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords, SimulatorOptions } from '../../../sandbox/simulator.ts'
${context === 'World' ? '' : `import type { ${context} } from './contacts.ts'\n`}import type { World } from './world.ts'

export interface ${stored} extends Fields {
  id: string
  updated_at: string
}
// TODO the errors of ./wire.ts, and \`resource\` of ./resource.ts where it is there
const refuse = refusing((status: number, message: string) => ({ status, body: { message } }))
${
  writable
    ? `// TODO the fields that the vendor documents, with their lengths, and which are required
const schemas: Schemas = { ${fields.map((field) => `${field.native}: ${accepted(field)}`).join(', ')} }
const accept = createAcceptor({ nulls: 'absent', invalid: ({ kind, path }) => refuse(422, \`\${path}: \${kind}\`) })
`
    : ''
}
export const ${one}Routes = resourcesOf<${context}>({
  body: ${writable ? "(request) => {\n    const body = readJson(request)\n    return isObject(body) ? body : refuse(400, 'The body is not a JSON object')\n  }" : '() => ({})'},
  one: (record, _, operation) => ({ status: operation === 'create' ? 201 : 200, body: record }),
  missing: (name, id) => refuse(404, \`No \${name} \${id}\`),
})<${stored}>({
  name: '${names.one}',
  path: '${path}',
  records: (${of}) => ${records},
  // TODO filters, order and pages as the vendor documents them
  list(rows, { request: { query } }) {
    const since = query.get('updated_after') ?? ''
    const found = rows.filter(({ updated_at }) => updated_at > since)
    const limit = Math.min(Number(query.get('limit') ?? 50), 100)
    const page = cursorPage(found, { limit, cursor: query.get('cursor'), query: since, key: ({ id }) => id })
    if (!page) return refuse(400, 'The cursor is not valid')
    return { status: 200, body: { ${many}: page.rows, cursor: page.cursor } }
  },
${
  writable
    ? `  accepts: (body) => accept(body, schemas),
  create: (fields, { ${world} }) => ({ ...fields, id: nextId(world), updated_at: new Date(world.${now}()).toISOString() }),
  update: ({ id, updated_at }, fields, { ${world} }) => ({ ...fields, id, updated_at: later(world, updated_at) }),
`
    : ''
}}).routes

const nextId = ({ ${records} }: World): string => \`${one}_\${String(${records}.count() + 1).padStart(6, '0')}\`
const later = (world: World, last: string): string => new Date(Math.max(world.${now}(), Date.parse(last) + 1)).toISOString()
// TODO difficult records: without optional fields, of the same time, deleted, in several places
function make(world: World, seed: Seed, at: number): string {
  const id = nextId(world)
  const fields = { ${fields.map((field) => `${field.native}: ${seeded(field)}`).join(', ')} }
  world.${records}.set(id, { ...fields, id, updated_at: new Date(at).toISOString() })
  return id
}
export function seed${Many}(world: World, size: SimulatorOptions['size'], seededAt: number): void {
  const seed = createSeed('${platform} ${words}')
  for (let n = size === 'full' ? 300 : 7; n > 0; n -= 1) make(world, seed, seededAt - n * 60_000)
}
export const create${Many} = (world: World): NativeRecords =>
  recordsIn(world.${records}, {
    add: createAdding(randomUUID, () => world.${now}())((seed, at) => make(world, seed, at)),
    touch: (record) => ({ ...record, updated_at: later(world, record.updated_at) }),
  })
`
}

function nativeExample(fields: readonly Field[], record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .filter(({ name }) => record[name] !== undefined)
      .map(({ name, native, kind, parts }) => {
        const value = record[name]
        if (kind === 'object') return [native, nativeExample(parts, value as Record<string, unknown>)]
        return [native, kind === 'money' ? String(value) : value]
      }),
  )
}
/** The example of the entity type, and what the platform would send for it. */
export function fixtureFile(type: EntityType): string {
  const fields = fieldsOf(type)
  const example = entities[type].example as Record<string, unknown>
  const record = Object.fromEntries(
    Object.entries(example).filter(([name]) => name === 'externalId' || fields.some((field) => field.name === name)),
  )
  const row = { id: example.externalId, ...nativeExample(fields, example), updated_at: '2026-11-10T12:00:00.000Z' }
  const source = 'TODO where the vendor documents this row; replace it by that one'
  return `${JSON.stringify({ source, row, record }, null, 2)}\n`
}

export function testFile(type: EntityType, resource: string): string {
  const { one, file, words } = namesOf(type)
  return `import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fakeCallFor } from '../fake-call.ts'
import sample from './fixtures/${file}.json' with { type: 'json' }
import { ${one} } from './${file}.ts'

const { call } = fakeCallFor()(() => sample.row)
it('reads ${words} as the vendor documents them', async () => {
  const row = await ${one}.get!(call, sample.row.id)
  expect(${one}.toUnified(row!, { account: call.account, warn: () => expect.unreachable() })).toEqual(sample.record)
})
it('has nothing left to do', () => {
  const files = ['./${file}.ts', './simulator/${resource}.ts', './fixtures/${file}.json']
  const open = files.flatMap((name) => readFileSync(new URL(name, import.meta.url), 'utf8').match(/\\bTODO\\b.*/g) ?? [])
  expect(open).toEqual([])
})
`
}
