// The client's types, generated from the OpenAPI document: records.ts for callers of the unified API, manage.ts for
// callers of the management API.

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
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
const entityNames = {
  product: 'Product',
  order: 'Order',
  customer: 'Customer',
  category: 'Category',
  employee: 'Employee',
  time_entry: 'TimeEntry',
  shift: 'Shift',
  location: 'Location',
}
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

/** One type of a record for all flavors: the fields of all of them; required only if all require it. */
function merged(flavors: readonly Schema[]): Schema {
  const names = [...new Set(flavors.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const property = (name: string): Schema => {
    const forms = flavors.flatMap(({ properties }) => properties?.[name] ?? [])
    const [first = {}] = forms
    if (forms.every(({ items }) => items?.properties))
      return { ...first, items: merged(forms.map(({ items }) => items as Schema)) }
    return forms.every((form) => typeOf(form) === typeOf(first))
      ? first
      : { description: first.description, anyOf: forms }
  }
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, property(name)])),
    required: names.filter((name) => flavors.every(({ required }) => required?.includes(name))),
  }
}
function flavorsOf(schemas: Record<string, Schema>, title: string, input: boolean): Schema[] {
  return ['Restaurant', 'RetailPos', 'Accounting'].flatMap((vertical) => {
    const read = schemas[`${vertical}${title}`]
    return read ? [(input ? schemas[`${vertical}${title}Input`] : undefined) ?? read] : []
  })
}

/** What callers of the unified API need types of, by name. */
export function callerSchemas(document: object): { records: [string, Schema, string][]; others: [string, Schema][] } {
  const { schemas } = (document as Document).components
  const titles = Object.entries(entityNames)
  const records = titles.flatMap(([, title]): [string, Schema, string][] => [
    [title, merged(flavorsOf(schemas, title, false)), 'As it is read, in any vertical.'],
    ...(schemas[`${title}Written`]
      ? [
          [`${title}Input`, merged(flavorsOf(schemas, title, true)), 'As it is written, in any vertical.'] as [
            string,
            Schema,
            string,
          ],
        ]
      : []),
  ])
  const envelopes = new RegExp(`^(${titles.map(([, title]) => title).join('|')})(Selection)?(Page|Answer|Written)?$`)
  const support =
    (document as Document).paths['/unified/{accountId}']?.get?.responses['200']?.content?.['application/json']
      ?.schema ?? {}
  const components = Object.entries(schemas).filter(([name]) => !envelopes.test(name))
  return { records, others: [...components, ['AccountSupport', support]] }
}

export function recordTypes(document: object): string {
  const { records, others } = callerSchemas(document)
  const declared = others.map(([name, schema]) => declare(name, schema))
  return [
    banner,
    ...records.map((entry) => declare(...entry)),
    ...declared.slice(0, -1),
    byVertical((document as Document).components.schemas),
    ...declared.slice(-1),
  ].join('\n')
}

/** Which entities each vertical has, and the types of their records. */
function byVertical(schemas: Record<string, Schema>): string {
  const verticals = Object.entries({ restaurant: 'Restaurant', retail_pos: 'RetailPos', accounting: 'Accounting' })
  const lines = verticals.map(([vertical, prefix]) => {
    const entities = Object.entries(entityNames).flatMap(([entityType, title]) => {
      const name = `${prefix}${title}`
      if (!schemas[name]) return []
      const input = schemas[`${name}Input`] ? `${name}Input` : name
      return [`    ${entityType}: { record: ${name}${schemas[`${title}Written`] ? `; input: ${input}` : ''} }\n`]
    })
    return `  ${vertical}: {\n${entities.join('')}  }\n`
  })
  return `/** The entities of each vertical. */\nexport type VerticalRecords = {\n${lines.join('')}}\n`
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
const contentOf = (content: Content | undefined) => Object.values(content?.content ?? {})[0]?.schema
const responseOf = ({ responses }: Operation) =>
  contentOf(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1])

function operationTypes(
  method: string,
  path: string,
  operation: Operation,
): { declarations: string[]; entry: string; used: string[] } {
  const title = `${operation.operationId[0]?.toUpperCase()}${operation.operationId.slice(1)}`
  const parts: [string, string, Schema | undefined][] = [
    ['body', `${title}Body`, contentOf(operation.requestBody)],
    ['answer', `${title}Answer`, responseOf(operation)],
  ]
  const parameters = (location: string) => {
    const found = (operation.parameters ?? []).filter((parameter) => parameter.in === location)
    return found.length === 0
      ? []
      : [
          `    ${location}: ${typeOf({ type: 'object', properties: Object.fromEntries(found.map(({ name, description, schema }) => [name, { ...schema, description: description ?? schema.description }])), required: found.flatMap(({ name, required }) => (required ? [name] : [])) }, '    ')}\n`,
        ]
  }
  const named = parts.flatMap(([part, name, schema]) => (schema ? [{ part, name, schema }] : []))
  return {
    declarations: named.map(({ name, schema }) => declare(name, schema)),
    entry: `${comment(operation.summary, '  ')}  '${method.toUpperCase()} ${path}': {\n${[...parameters('path'), ...parameters('query'), ...named.map(({ part, name }) => `    ${part}: ${name}\n`), responseOf(operation) ? '' : '    answer: undefined\n'].join('')}  }\n`,
    used: named.flatMap(({ schema }) =>
      [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string),
    ),
  }
}

export function manageTypes(document: object): string {
  const operations = Object.entries((document as Document).paths)
    .filter(([path]) => path.startsWith('/manage/'))
    .flatMap(([path, item]) =>
      methods.flatMap((method) => (item[method] ? [operationTypes(method, path, item[method])] : [])),
    )
  const used = [...new Set(operations.flatMap((operation) => operation.used))].sort()
  return [
    banner,
    ...(used.length > 0 ? [`import type { ${used.join(', ')} } from './records.ts'\n`] : []),
    ...operations.flatMap(({ declarations }) => declarations),
    `/** Every operation of the management API by its method and path. */\nexport type ManageOperations = {\n${operations.map(({ entry }) => entry).join('')}}\n`,
  ].join('\n')
}
