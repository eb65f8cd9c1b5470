// The client's types, generated from the OpenAPI document: records.ts for callers of the unified API, manage.ts and
// manage-routes.ts for callers of the management API.
import { entities } from '../../src/contract/entities/index.ts'

export interface Schema {
  $ref?: string
  type?: string
  title?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  not?: Schema
  nullable?: boolean
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
}
interface Content {
  content?: Record<string, { schema: Schema }>
}
interface Operation {
  operationId: string
  summary: string
  parameters?: readonly { name: string; in: string; description?: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const banner = '// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.\n'
const entityNames = Object.fromEntries(
  Object.values(entities).map(({ entityType, classes }) => [entityType, classes.one]),
)
const primitives: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const comment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
const union = (types: string[]) => [...new Set(types)].join(' | ')
const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

function typeOf(schema: Schema, indent = ''): string {
  const type = plainType(schema, indent)
  return schema.nullable ? `${type} | null` : type
}
function plainType(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.enum) return union(schema.enum.map(literal))
  if (schema.const !== undefined) return literal(schema.const)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return union(choice.map((one) => typeOf(one, indent)))
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent)).join(' & ')
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, indent)
    return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (schema.type === 'object') return objectType(schema, indent)
  return primitives[schema.type ?? ''] ?? 'unknown'
}
function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const rest =
    additionalProperties === true ? 'unknown' : additionalProperties ? typeOf(additionalProperties, indent) : undefined
  if (!properties) return `Record<string, ${rest ?? 'unknown'}>`
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  return `{\n${lines.join('')}${rest ? `${inner}[name: string]: unknown\n` : ''}${indent}}`
}
const declare = (name: string, schema: Schema, about?: string) =>
  `${comment(about, '')}export type ${name} = ${typeOf(schema)}\n`

/** What a vertical has of the schema of an entity. */
interface Refinement {
  of: string
  required: readonly string[]
  absent: readonly string[]
}
export function refinementIn({ title, allOf, not, required = [] }: Schema): Refinement | undefined {
  const [base] = allOf ?? []
  if (!title || !base?.$ref) return undefined
  const absent = (not?.anyOf ?? (not ? [not] : [])).flatMap(({ required = [] }) => required)
  return { of: nameOf(base.$ref), required, absent }
}
/** What every refinement requires is always there. */
function completed(schemas: Record<string, Schema>): Record<string, Schema> {
  const refinements = Object.values(schemas).flatMap((schema) => refinementIn(schema) ?? [])
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = refinements.filter(({ of }) => of === name)
      const always = (own[0]?.required ?? []).filter((field) => own.every(({ required }) => required.includes(field)))
      return [name, always.length > 0 ? { ...schema, required: always } : schema]
    }),
  )
}
/** `RestaurantOrder` has lines of the type `RestaurantOrderLineItem`. */
function refinedType(name: string, { of, absent }: Refinement, schemas: Record<string, Schema>): string {
  const vertical = name.slice(0, -of.length)
  const inner = Object.entries(schemas[of]?.properties ?? {}).flatMap(([field, schema]): [string, Schema][] => {
    const use = `${vertical}${nameOf(schema.items?.$ref ?? schema.$ref ?? '')}`
    const refined = { $ref: `#/components/schemas/${use}` }
    return schemas[use] ? [[field, schema.items ? { type: 'array', items: refined } : refined]] : []
  })
  const replaced = inner.map(([field]) => field)
  const left = [...absent, ...replaced].map(literal).sort()
  const base = left.length > 0 ? `Omit<${of}, ${left.join(' | ')}>` : of
  const properties = Object.fromEntries(inner)
  return replaced.length > 0 ? `${base} & ${objectType({ properties, required: replaced }, '')}` : base
}

const entityTitles = Object.values(entityNames)
const referencesIn = (value: unknown) =>
  [...JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string)

/** What callers of the unified API need types of, by name. Pages and responses are types of the client itself. */
export function callerSchemas(document: object): [string, Schema][] {
  const { paths, components } = document as Document
  const schemas = completed(components.schemas)
  const asked = Object.entries(paths).filter(([path]) => /^\/(unified|platforms)\b/.test(path))
  const needed = new Set<string>()
  const open = [...referencesIn(asked), ...Object.keys(schemas).filter((name) => refinementIn(schemas[name] ?? {}))]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...referencesIn(schemas[name]))
  }
  needed.add('DryRun')
  const envelopes = new RegExp(`^(${entityTitles.join('|')})(Page|Answer|Written|Created)$`)
  return Object.entries(schemas).filter(([name]) => needed.has(name) && !envelopes.test(name))
}

const declareSchema = ([name, schema]: [string, Schema], schemas: Record<string, Schema>) => {
  const refinement = refinementIn(schema)
  if (refinement) return `export type ${name} = ${refinedType(name, refinement, schemas)}\n`
  const about = entityTitles.includes(name)
    ? 'As it is read, in any vertical.'
    : entityTitles.some((title) => name === `${title}Input`)
      ? 'As it is written, in any vertical.'
      : undefined
  return declare(name, schema, about)
}

export function recordTypes(document: object): string {
  const { schemas } = (document as Document).components
  const types = callerSchemas(document).map((entry) => declareSchema(entry, schemas))
  return [banner, ...types, recordsByType(schemas), byVertical(schemas)].join('\n')
}

/** What the clients and the dashboard must know of each entity type at run time. */
export function entityTypesModule(): string {
  const lines = Object.values(entities).map(
    ({ entityType, names, writable, personal, onRequest }) =>
      `  ${entityType}: ${JSON.stringify({ ...names, writable, isPerson: personal === 'person', onRequest })},\n`,
  )
  return `${banner}\n/** The entity types, and what they are called. */\nexport const entityTypes = {\n${lines.join('')}} as const\n`
}

/** The types of the records of each entity type, in any vertical. */
function recordsByType(schemas: Record<string, Schema>): string {
  const lines = Object.entries(entityNames).map(
    ([entityType, title]) =>
      `  ${entityType}: { record: ${title}${schemas[`${title}Input`] ? `; input: ${title}Input` : ''} }\n`,
  )
  return `/** The entity types, with the fields of all verticals. */\nexport type AllRecords = {\n${lines.join('')}}\n`
}

/** Which entities each vertical has, and the types of their records. */
function byVertical(schemas: Record<string, Schema>): string {
  const verticals = Object.entries({ restaurant: 'Restaurant', retail_pos: 'RetailPos', accounting: 'Accounting' })
  const lines = verticals.map(([vertical, prefix]) => {
    const entities = Object.entries(entityNames).flatMap(([entityType, title]) => {
      const name = `${prefix}${title}`
      if (!schemas[name]) return []
      const input = schemas[`${name}Input`] ? `${name}Input` : name
      return [`    ${entityType}: { record: ${name}${schemas[`${title}Input`] ? `; input: ${input}` : ''} }\n`]
    })
    return `  ${vertical}: {\n${entities.join('')}  }\n`
  })
  return `/** The entities of each vertical. */\nexport type VerticalRecords = {\n${lines.join('')}}\n`
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
const contentOf = (content: Content | undefined) => Object.values(content?.content ?? {})[0]?.schema
const responseOf = ({ responses }: Pick<Operation, 'responses'>) =>
  contentOf(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1])

/** Every list has these two. */
const paging = ['after', 'limit']
const base = '/manage/v1'
const workspacePath = '/workspaces/{workspaceId}'
const inWorkspace = (path: string) => path === workspacePath || path.startsWith(`${workspacePath}/`)

interface ManageOperation extends Operation {
  method: string
  path: string
}
const operationsOf = ({ paths }: Document): ManageOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      if (!path.startsWith(base)) throw new Error(`${path} is not below ${base}`)
      const operation = item[method]
      return operation ? [{ ...operation, method: method.toUpperCase(), path: path.slice(base.length) }] : []
    }),
  )

/** The parts of a request and its answer. The workspace is no part of the path: a caller has one. */
function operationType({ path, summary, operationId, parameters = [], requestBody, responses }: ManageOperation) {
  const indent = '    '
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name)
  const inPath = inWorkspace(path) ? names.filter((name) => name !== 'workspaceId') : names
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const isList = paging.every((name) => query.some((parameter) => parameter.name === name))
  const own = query.filter(({ name }) => !isList || !paging.includes(name))
  const properties = Object.fromEntries(
    own.map(({ name, description, schema }) => [name, { ...schema, description: description ?? schema.description }]),
  )
  const required = own.flatMap(({ name, required }) => (required ? [name] : []))
  const queryTypes = [
    ...(isList ? ['Paging'] : []),
    ...(own.length > 0 ? [objectType({ properties, required }, indent)] : []),
  ]
  const body = contentOf(requestBody)
  const answer = responseOf({ responses })
  const parts = [
    ...(inPath.length > 0 ? [`path: ${union(inPath.map(literal))}`] : []),
    ...(queryTypes.length > 0 ? [`query: ${queryTypes.join(' & ')}`] : []),
    ...(body ? [`body: ${typeOf(body, indent)}`] : []),
    `answer: ${answer ? typeOf(answer, indent) : 'undefined'}`,
  ]
  const line = parts.join('; ')
  const type = line.includes('\n') ? `{\n${indent}${parts.join(`\n${indent}`)}\n  }` : `{ ${line} }`
  return `${comment(summary, '  ')}  ${operationId}: ${type}\n`
}

/** `records`: the other document. What both have is imported from its types. */
export function manageTypes(manage: object, records: object): string {
  const { components } = manage as Document
  const operations = operationsOf(manage as Document)
  const elsewhere = new Set(callerSchemas(records).map(([name]) => name))
  const own = Object.entries(components.schemas).filter(([name]) => !elsewhere.has(name))
  const used = operations.flatMap(({ requestBody, responses }) => [
    ...referencesIn(contentOf(requestBody)),
    ...referencesIn(responseOf({ responses })),
  ])
  const imported = [...new Set([...used, ...referencesIn(own)])].filter((name) => elsewhere.has(name)).sort()
  const listed = operations.flatMap(({ parameters = [] }) => parameters.filter(({ name }) => paging.includes(name)))
  const pages = Object.fromEntries(listed.map(({ name, schema, description }) => [name, { ...schema, description }]))
  return [
    banner,
    ...(imported.length > 0 ? [`import type { ${imported.join(', ')} } from './records.ts'\n`] : []),
    ...own.map(([name, schema]) => declare(name, schema)),
    declare('Paging', { type: 'object', properties: pages }),
    `/** Every operation of the management API by its name: parameters of its path, query, body and answer. */\nexport type ManageOperations = {\n${operations.map(operationType).join('')}}\n`,
  ].join('\n')
}

/** How each operation is requested, which callers need at run time. */
export function manageRoutes(manage: object): string {
  const lines = operationsOf(manage as Document).map(({ operationId, method, path }) => {
    const route = inWorkspace(path) ? `{workspace}${path.slice(workspacePath.length)}` : path
    return `  ${operationId}: '${method} ${route}',\n`
  })
  return `${banner}import type { ManageOperations } from './manage.ts'\n\n/** Method and path below \`/manage/v1\`; \`{workspace}\` is the path of a workspace. */\nexport const manageRoutes: Record<keyof ManageOperations, string> = {\n${lines.join('')}}\n`
}
