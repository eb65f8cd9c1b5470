// The part of an OpenAPI document that the vendor tests use, without prose; used by vendor-digest.ts.
import { parse as parseYaml } from 'yaml'

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Json = any

const schemaKeywords = [
  ...['type', 'format', 'enum', 'required', 'nullable', 'readOnly', 'pattern', 'uniqueItems'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['x-nullable', 'x-toast-read-only'], // what Toast says in words of its own
]
export const pick = (node: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]))
export const mapped = (node: Json, change: (inner: Json) => Json): Json =>
  Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, change(inner)]))

/** If a body is typed as a string but the example is an object, the example defines the type. */
function typeOfExample(example: Json): Json {
  if (Array.isArray(example)) return { type: 'array', items: { anyOf: example.map(typeOfExample) } }
  if (typeof example !== 'object' || example === null) return { type: typeof example }
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name.replaceAll('"', ''), typeOfExample(value)]),
    ),
  }
}
/** Copies the structure of a document's parts and remembers what they refer to. */
function copier(references: Set<string>, facts: readonly string[]) {
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
  const bodies = (node: Json): Json =>
    node?.type === 'string' && typeof node.example === 'object' ? typeOfExample(node.example) : schemas(node)
  const parameters = orReference((node) => ({
    ...pick(node, ['name', 'in', 'required', 'type', 'format']),
    ...(node.schema && { schema: bodies(node.schema) }),
  }))
  const withContent = orReference((node) => {
    const content = node.content?.['application/json']
    return {
      ...pick(node, ['required']),
      ...(node.schema && { schema: schemas(node.schema) }),
      ...(content && { content: { 'application/json': { schema: schemas(content.schema) } } }),
    }
  })
  const operation = (node: Json): Json => ({
    ...pick(node, facts),
    ...(node.parameters && { parameters: node.parameters.map(parameters) }),
    ...(node.requestBody && { requestBody: withContent(node.requestBody) }),
    responses: mapped(node.responses, withContent),
  })
  return {
    operation,
    sections: {
      definitions: schemas,
      schemas,
      parameters,
      responses: withContent,
      requestBodies: withContent,
    } as Record<string, (node: Json) => Json>,
    parameters,
  }
}

/** Where the operations are, and where tokens come from. */
function addressesOf(document: Json): object {
  const { servers, host, basePath = '', components, securityDefinitions } = document
  const schemes: Json[] = Object.values(components?.securitySchemes ?? securityDefinitions ?? {})
  const oauth = schemes
    .flatMap((scheme) => [scheme, ...Object.values(scheme.flows ?? {})])
    .flatMap(({ authorizationUrl, tokenUrl }: Json) => [authorizationUrl, tokenUrl])
    .filter((url) => url !== undefined)
  return {
    servers: servers ? servers.map(({ url }: Json) => ({ url })) : [{ url: `https://${host}${basePath}` }],
    ...(oauth.length > 0 && { oauth: [...new Set(oauth)] }),
  }
}

/**
 * The methods of each path that are used, the schemas that are used without a path, and further facts of the document
 * or its operations.
 */
export const openApi =
  (paths: Record<string, string[]>, schemas: string[] = [], facts: string[] = []) =>
  (file: Buffer): object => {
    const document = parseYaml(file.toString('utf8')) as Json // JSON is YAML too
    const references = new Set(
      schemas.map((name) => (document.definitions ? `#/definitions/${name}` : `#/components/schemas/${name}`)),
    )
    const copy = copier(references, facts)
    const copiedPaths = Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => {
        const item = document.paths[path]
        const missing = methods.filter((method) => !item?.[method])
        if (missing.length > 0) throw new Error(`The file has no ${missing.join(', ')} ${path}`)
        return [
          path,
          {
            ...(item.parameters && { parameters: item.parameters.map(copy.parameters) }),
            ...mapped(pick(item, methods), copy.operation),
          },
        ]
      }),
    )
    const copied: Record<string, Json> = {}
    // The set grows while it is walked.
    for (const reference of references) {
      const [section = '', name = ''] = reference.replace(/^#\/(components\/)?/, '').split('/')
      const node = (section === 'definitions' ? document : document.components)?.[section]?.[name]
      if (!node) throw new Error(`The file has no ${reference}`)
      copied[section] = { ...copied[section], [name]: copy.sections[section]!(node) }
    }
    const { definitions, ...components } = mapped(copied, (section) =>
      Object.fromEntries(Object.entries(section).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    )
    return {
      ...pick(document, facts),
      ...addressesOf(document),
      paths: copiedPaths,
      ...(definitions ? { definitions } : { components }),
    }
  }

/** Clover: the names that a parameter's description lists in brackets, and the properties of five schemas. */
export const cloverNames = (file: Buffer): object => {
  const document = parseYaml(file.toString('utf8')) as Json
  const listed = ({ name, description }: Json) => [
    name,
    /\[([^\]]+)\]/.exec(description ?? '')?.[1]?.split(/,\s*/) ?? [],
  ]
  const operation = ({ parameters = [] }: Json) =>
    Object.fromEntries(parameters.filter(({ name }: Json) => name === 'filter' || name === 'expand').map(listed))
  const paths = mapped(document.paths, (item) => mapped(pick(item, ['get', 'post', 'delete']), operation))
  const schemas = pick(document.components.schemas, ['Category', 'Customer', 'Employee', 'Item', 'Order'])
  return { ...addressesOf(document), paths, schemas: mapped(schemas, ({ properties }) => Object.keys(properties)) }
}
