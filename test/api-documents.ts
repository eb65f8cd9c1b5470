// Both OpenAPI documents as one, with each operation once per address form. The published one describes form B as a
// second server of the same paths.
import { formBPrefix } from '../src/api/record-operations.ts'

type Json = Record<string, unknown>
interface Described {
  operationId: string
  security: Json[]
  parameters?: { name: string; required?: boolean }[]
}
interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Json }
}

/** `get` reads a path of the service. */
export async function readDocuments(get: (path: string) => Promise<string>): Promise<Json> {
  const [records, manage] = await Promise.all(
    ['/openapi.json', '/manage/openapi.json'].map(async (path) => JSON.parse(await get(path)) as Document),
  )
  if (!records || !manage) throw new Error('there are two documents')
  const paths: Document['paths'] = {}
  for (const [path, item] of Object.entries(records.paths))
    for (const [method, operation] of Object.entries(item)) {
      add(path, method, inForm('apiKey', operation))
      if (operation.security.some((one) => 'accessToken' in one))
        add(`${formBPrefix}${path}`, method, inForm('accessToken', operation, method))
    }
  return {
    ...records,
    paths: { ...paths, ...manage.paths },
    components: { schemas: { ...manage.components.schemas, ...records.components.schemas } },
  }

  function add(path: string, method: string, operation: Described): void {
    paths[path] = { ...paths[path], [method]: operation }
  }
}

function inForm(scheme: 'apiKey' | 'accessToken', operation: Described, method?: string): Described {
  const { operationId, security, parameters = [] } = operation
  const isFormB = scheme === 'accessToken'
  return {
    ...operation,
    operationId: isFormB ? `${operationId}WithToken` : operationId,
    security: security.filter((one) => scheme in one),
    parameters: isFormB
      ? parameters.map((one) => (one.name === 'mappingKey' ? { ...one, required: method !== 'put' } : one))
      : parameters.filter(({ name }) => name !== 'mappingKey'),
  }
}

/** A schema without references and refinements at its top: the fields of one vertical, for example. */
export function flattened(schema: Json, schemas: Json): Json {
  if (typeof schema.$ref === 'string')
    return flattened(schemas[schema.$ref.split('/').at(-1) as string] as Json, schemas)
  if (!Array.isArray(schema.allOf)) return schema
  const base = flattened(schema.allOf[0] as Json, schemas)
  const not = (schema.not ?? {}) as Json
  const absent = ((not.anyOf ?? [not]) as { required?: string[] }[]).flatMap(({ required = [] }) => required)
  const properties = Object.entries({ ...(base.properties as Json), ...(schema.properties as Json) })
  return {
    ...base,
    required: schema.required ?? base.required,
    properties: Object.fromEntries(properties.filter(([name]) => !absent.includes(name))),
  }
}
