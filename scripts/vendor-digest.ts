// Digests of vendor specifications, for the tests *.vendor.test.ts: the structure of the operations and schemas that they use, without any prose.
// `node scripts/vendor-digest.ts <folder of the vendor files> [platform …]` writes src/platforms/<platform>/fixtures/<name>.digest.json.
// A digest may be committed only where the license of its source allows it.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  buildSchema,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  Kind,
  parse as parseGraphql,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { parse as parseYaml } from 'yaml'
import { operations } from '../src/platforms/shopify/operations.ts'
import { schema as simulated } from '../src/platforms/shopify/simulator/execution.ts'

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Json = any
interface Digest {
  platform: string
  name: string
  file: string
  source: string
  version: string
  license: string
  extract(file: Buffer): object
}

/* OpenAPI */

const schemaKeywords = [
  ...['type', 'format', 'enum', 'required', 'nullable', 'readOnly', 'pattern', 'uniqueItems'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]
const pick = (node: Json, names: readonly string[]): Json => Object.fromEntries(names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]))
const mapped = (node: Json, change: (inner: Json) => Json): Json => Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, change(inner)]))

/** Copies the structure of a document's parts and remembers what they refer to. */
function copier(references: Set<string>) {
  const orReference = (copy: (node: Json) => Json) => (node: Json) => {
    if (!node?.$ref) return copy(node)
    references.add(node.$ref)
    return { $ref: node.$ref }
  }
  const schemas = orReference((node) => {
    if (typeof node !== 'object') return node
    return {
      ...pick(node, schemaKeywords),
      ...(node.properties && { properties: mapped(node.properties, schemas) }),
      ...(node.items && { items: schemas(node.items) }),
      ...(node.additionalProperties !== undefined && { additionalProperties: schemas(node.additionalProperties) }),
      ...mapped(pick(node, ['allOf', 'anyOf', 'oneOf']), (parts: Json[]) => parts.map(schemas)),
    }
  })
  const parameters = orReference((node) => ({ ...pick(node, ['name', 'in', 'required']), schema: schemas(node.schema) }))
  const withContent = orReference((node) => {
    const content = node.content?.['application/json']
    return { ...pick(node, ['required']), ...(content && { content: { 'application/json': { schema: schemas(content.schema) } } }) }
  })
  const operation = (node: Json): Json => ({
    ...(node.parameters && { parameters: node.parameters.map(parameters) }),
    ...(node.requestBody && { requestBody: withContent(node.requestBody) }),
    responses: mapped(node.responses, withContent),
  })
  return { operation, components: { schemas, parameters, responses: withContent, requestBodies: withContent } as Record<string, (node: Json) => Json>, parameters }
}

/** The methods of each path that are used, and the schemas that are used without a path. */
const openApi =
  (paths: Record<string, string[]>, schemas: string[] = []) =>
  (file: Buffer): object => {
    const document = parseYaml(file.toString('utf8')) as Json // JSON is YAML too
    const references = new Set(schemas.map((name) => `#/components/schemas/${name}`))
    const copy = copier(references)
    const copiedPaths = Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => {
        const item = document.paths[path]
        const missing = methods.filter((method) => !item?.[method])
        if (missing.length > 0) throw new Error(`The file has no ${missing.join(', ')} ${path}`)
        return [path, { ...(item.parameters && { parameters: item.parameters.map(copy.parameters) }), ...mapped(pick(item, methods), copy.operation) }]
      }),
    )
    const components: Record<string, Json> = {}
    // The set grows while it is walked.
    for (const reference of references) {
      const [, , section = '', name = ''] = reference.split('/')
      const node = document.components?.[section]?.[name]
      if (!node || reference !== `#/components/${section}/${name}`) throw new Error(`The file has no ${reference}`)
      components[section] = { ...components[section], [name]: copy.components[section]!(node) }
    }
    return { paths: copiedPaths, components: mapped(components, (section) => Object.fromEntries(Object.entries(section).toSorted(([a], [b]) => (a < b ? -1 : 1)))) }
  }

/* GraphQL */

interface Used {
  fields: Map<string, Set<string>>
  arguments: Set<string>
  directives: Set<string>
}
/** What the connector's operations and the simulator's schema use of the official schema. */
function usedOf(official: GraphQLSchema): Used {
  const used: Used = { fields: new Map(), arguments: new Set(), directives: new Set() }
  const use = (type: string, field?: string) => {
    const known = used.fields.get(type) ?? new Set()
    if (field) known.add(field)
    used.fields.set(type, known)
  }
  for (const document of Object.values(operations)) {
    const types = new TypeInfo(official)
    const enter = () => {
      const [parent, field, argument, directive] = [types.getParentType(), types.getFieldDef(), types.getArgument(), types.getDirective()]
      if (directive) used.directives.add(directive.name)
      if (parent && field) use(parent.name, field.name)
      if (parent && field && argument) used.arguments.add(`${parent.name}.${field.name}.${argument.name}`)
    }
    visit(parseGraphql(document), visitWithTypeInfo(types, { enter }))
  }
  for (const type of Object.values(simulated.getTypeMap())) {
    use(type.name)
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields())) {
        use(type.name, field.name)
        for (const { name } of field.args) used.arguments.add(`${type.name}.${field.name}.${name}`)
      }
    if (isInputObjectType(type)) for (const name of Object.keys(type.getFields())) use(type.name, name)
  }
  return used
}
/** Keeps required arguments and input fields too, and every type that a kept field or argument has. */
function addRequired(official: GraphQLSchema, used: Used): void {
  for (const [name, fields] of used.fields) {
    const type = official.getType(name)
    const add = (inner: { type: unknown }) => {
      const innerName = String(inner.type).replace(/[[\]!]/g, '')
      if (!used.fields.has(innerName)) used.fields.set(innerName, new Set())
    }
    if (isUnionType(type)) continue
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) if (isRequiredInputField(field)) fields.add(field.name)
    if (!isInputObjectType(type) && !isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!fields.has(field.name)) continue
      add(field)
      for (const argument of 'args' in field ? field.args : []) {
        if (isRequiredArgument(argument)) used.arguments.add(`${name}.${field.name}.${argument.name}`)
        if (used.arguments.has(`${name}.${field.name}.${argument.name}`)) add(argument)
      }
    }
  }
}
const graphqlSubset = (file: Buffer): object => {
  const text = gunzipSync(file).toString('utf8')
  const official = buildSchema(text, { assumeValid: true })
  const used = usedOf(official)
  addRequired(official, used)
  const has = ({ name }: Json) => used.fields.has(name.value)
  const bare = visit(parseGraphql(text, { noLocation: true }), {
    // The reason of a deprecation is prose; that there is one is not.
    Directive: (node) => (['deprecated', 'oneOf'].includes(node.name.value) ? { ...node, arguments: [] } : null),
    StringValue: (_, key) => (key === 'description' ? null : undefined),
  })
  const definitions = bare.definitions.flatMap((definition: Json): Json => {
    if (definition.kind === Kind.SCHEMA_DEFINITION) return definition
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) return used.directives.has(definition.name.value) ? definition : []
    if (!has(definition)) return []
    const type = definition.name.value
    const argumentsOf = (field: Json): Json => field.arguments?.filter(({ name }: Json) => used.arguments.has(`${type}.${field.name.value}.${name.value}`))
    const fields = definition.fields?.filter(({ name }: Json) => used.fields.get(type)!.has(name.value))
    return {
      ...definition,
      interfaces: definition.interfaces?.filter(has),
      types: definition.types?.filter(has),
      fields: fields?.map((field: Json) => ({ ...field, arguments: argumentsOf(field) })),
    }
  })
  return { schema: print({ kind: Kind.DOCUMENT, definitions }).split('\n') }
}

/* QuickBooks: the types of its XML schema */

const quickbooksTypes =
  (...roots: string[]) =>
  (file: Buffer): object => {
    const { types } = JSON.parse(file.toString('utf8')) as Json
    const names = new Set(roots)
    const field = ({ name, type, doc }: Json): Json => {
      if (types[type]) names.add(type)
      return { name, type, ...(/^Product: QBW/.test(doc ?? '') && !doc.includes('QBO') && { desktopOnly: true }) }
    }
    const copied: Record<string, Json> = {}
    for (const name of names) {
      const type = types[name]
      if (type.extends && types[type.extends]) names.add(type.extends)
      copied[name] = { ...pick(type, ['extends', 'enum']), ...mapped(pick(type, ['fields', 'attributes']), (fields: Json[]) => fields.map(field)) }
    }
    return { types: copied }
  }

/* The digests */

const xeroRepository = 'github.com/XeroAPI/Xero-OpenAPI @ e952d0bda3628facbf7afc5990ad6a0e7e77bd1e'
const digests: Digest[] = [
  {
    platform: 'lightspeed-x',
    name: 'api-2.0',
    file: 'lightspeed-x-series-api-2.0.json',
    source: "Lightspeed's OpenAPI document of X-Series API 2.0, as stored in github.com/dansleboby/lightspeed-xseries-sdk @ bb19b987236fcfcfee0e27c84249c0a8d342d06f",
    version: '2.0',
    license: 'Apache-2.0 (info.license of the document)',
    extract: openApi({
      '/brands': ['get', 'post'],
      '/customers': ['get', 'post'],
      '/customers/{customer_id}': ['get', 'put'],
      '/inventory': ['get'],
      '/payment_types': ['get'],
      '/product_categories': ['get'],
      '/product_categories/bulk': ['post'],
      '/products': ['get', 'post'],
      '/products/{product_id}': ['get'],
      '/products/{product_id}/inventory': ['get'],
      '/registers': ['get'],
      '/retailer': ['get'],
      '/search': ['get'],
      '/tags': ['get', 'post'],
      '/taxes': ['get'],
      '/user': ['get'],
    }),
  },
  {
    platform: 'quickbooks-online',
    name: 'types',
    file: 'quickbooks-online-types.subset.json',
    source: 'XML schema of github.com/intuit/QuickBooks-V3-Java-SDK @ 79b5a3c125b2c1c4828f89142039789b61b47ea4, ipp-v3-java-data/src/main/xsd, field by field',
    version: '2024-10-21',
    license: 'Apache-2.0',
    extract: quickbooksTypes('Customer', 'QueryResponse', 'Fault', 'FaultTypeEnum'),
  },
  {
    platform: 'shopify',
    name: 'admin-2026-07',
    file: 'shopify-admin-2026-07.graphql.gz',
    source: 'Introspection of the GraphQL Admin API in npm @shopify/dev-mcp 1.16.0, dist/data/admin_2026-07.json.gz',
    version: '2026-07',
    license: 'ISC, (c) 2025-present Shopify Inc.',
    extract: graphqlSubset,
  },
  {
    platform: 'square',
    name: 'responses',
    file: 'square.json',
    source: 'github.com/square/connect-api-specification @ 5733f6624e9a5b930a8426f0e02a6bf7e35c6c0f, api.json',
    version: '2025-08-20',
    license: 'Apache-2.0',
    extract: openApi({}, [
      ...['ListCatalogResponse', 'SearchCatalogObjectsResponse', 'SearchOrdersResponse', 'ListCustomersResponse', 'SearchTeamMembersResponse', 'SearchTimecardsResponse'],
      ...['ListLocationsResponse', 'ListJobsResponse', 'BatchRetrieveInventoryCountsResponse'],
    ]),
  },
  {
    platform: 'xero',
    name: 'accounting',
    file: 'xero-accounting.yaml',
    source: `${xeroRepository}, xero_accounting.yaml`,
    version: '16.1.0',
    license: 'MIT, (c) 2017 Xero Developer API',
    extract: openApi({ '/Contacts': ['get', 'put'], '/Contacts/{ContactID}': ['get', 'post'] }, ['Contact', 'Pagination', 'Error']),
  },
  {
    platform: 'xero',
    name: 'identity',
    file: 'xero-identity.yaml',
    source: `${xeroRepository}, xero-identity.yaml`,
    version: '16.1.0',
    license: 'MIT, (c) 2017 Xero Developer API',
    extract: openApi({}, ['Connection']),
  },
]

/** One line for each path, schema or line of a schema, so that a change of one is a change of one line. */
function lines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((inner) => lines(inner, depth - 1)).join(',\n')}\n]`
  return `{\n${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${lines(inner, depth - 1)}`)
    .join(',\n')}\n}`
}

const [folder, ...platforms] = process.argv.slice(2)
const wanted = digests.filter(({ platform }) => platforms.length === 0 || platforms.includes(platform))
if (!folder || wanted.length === 0) {
  console.error(`Usage: node scripts/vendor-digest.ts <folder of the vendor files> [${[...new Set(digests.map(({ platform }) => platform))].join(' | ')}]`)
  process.exit(2)
}
for (const { platform, name, file, source, version, license, extract } of wanted) {
  const bytes = readFileSync(join(folder, file))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const changes = 'Structure of what the tests use; everything else, and all prose, is left out.'
  const target = join(import.meta.dirname, '../src/platforms', platform, 'fixtures')
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, `${name}.digest.json`), `${lines({ source, version, license, sha256, changes, ...extract(bytes) }, 3)}\n`)
  console.log(`src/platforms/${platform}/fixtures/${name}.digest.json`)
}
