// The records in the OpenAPI document: one schema per entity with the fields of all verticals, and what each vertical
// has of it as a refinement of that schema.

import { entities } from '../contract/entities/index.ts'
import { type EntityDefinition, foreignFields, type Pointer, type Vertical } from '../contract/entity.ts'
import { allFields, publishedSchema } from '../contract/validation.ts'
import { ref, toOpenApi } from './openapi-spelling.ts'

type Json = Record<string, unknown>
interface Fields extends Json {
  properties: Record<string, Json>
  required?: string[]
}

const verticalNames: Record<Vertical, string> = {
  restaurant: 'Restaurant',
  retail_pos: 'RetailPos',
  accounting: 'Accounting',
}

/** Not a field of the entity: it appears only where the mapping in use declares custom fields. */
const custom = {
  type: 'object',
  additionalProperties: true,
  description:
    'Only where the mapping in use declares custom fields; `GET /unified/{accountId}` has their schema. In a body, a field that is left out stays as it is, and null clears it',
}

export function entitySchemas(): Json {
  const schemas: Json = {}
  for (const definition of Object.values<EntityDefinition>(entities)) {
    const title = definition.classes.one
    const { read, write } = allFields(definition)
    const record = toOpenApi(publishedSchema(read, { ofBody: false })) as Fields
    const body = toOpenApi(publishedSchema(write, { ofBody: true })) as Fields
    const ofBodies = differing(record, body)
    add(definition, title, selectable(record), {
      description: `The fields of all verticals. With \`fields\`, a record has only those that were selected; what else is always there says the schema of its vertical: ${listed(definition, title)}`,
    })
    for (const vertical of definition.verticals)
      refine(title, record, { ...flavorOf(definition, vertical), hasRequired: false, title: `(${vertical})` })
    if (!definition.writable) continue
    add(
      definition,
      `${title}Input`,
      body,
      {
        description: `A body with the fields of all verticals. Those of one vertical: ${listed(definition, title, 'Input')}`,
      },
      ofBodies,
    )
    for (const vertical of definition.verticals)
      refine(`${title}Input`, body, {
        ...flavorOf(definition, vertical),
        hasRequired: true,
        title: `to write (${vertical})`,
      })
  }
  return schemas

  function add(
    definition: EntityDefinition,
    name: string,
    schema: Fields,
    { description }: { description: string },
    ofBodies: ReadonlySet<string> = new Set(),
  ): void {
    const { properties, ...rest } = schema
    schemas[name] = { ...rest, description, properties: { ...properties, custom } }
    entitle(definition, properties, '', ofBodies)
  }
  /** An object that is the same in bodies and responses has one name. */
  function entitle(
    definition: EntityDefinition,
    properties: Record<string, Json>,
    at: string,
    ofBodies: ReadonlySet<string>,
  ): void {
    for (const [field, inner] of Object.entries(properties)) {
      const object = objectIn(inner)
      if (!object) continue
      const pointer = `${at}/${field}`
      object.title = innerName(definition, pointer, ofBodies.has(pointer))
      entitle(definition, object.properties, inner.items ? `${pointer}/*` : pointer, ofBodies)
    }
  }

  /** What a vertical has of the schema `of`: fields that are always there, and fields that it does not have. */
  function refine(of: string, { properties, required = [] }: Fields, options: Refinement): void {
    const { definition, prefix, foreign, hasRequired, title, at = '' } = options
    const absent = Object.keys(properties).filter((field) => foreign.has(`${at}/${field}`))
    // A class cannot change the type of a field that it inherits, so the lines of an order are refined on their own.
    for (const [field, inner] of Object.entries(properties)) {
      const object = objectIn(inner)
      if (!object || absent.includes(field)) continue
      const below = `${at}/${field}${inner.items ? '/*' : ''}`
      const differs = [...foreign].some((pointer) => pointer.startsWith(`${below}/`))
      if (!differs && (hasRequired || !object.required)) continue
      refine(innerName(definition, `${at}/${field}`, of.endsWith('Input')), object, { ...options, at: below })
    }
    schemas[`${prefix}${of}`] = {
      title: `${of.replace(/Input$/, '')} ${title}`,
      description: `\`${of}\`${absent.length > 0 ? ` without ${absent.map((field) => `\`${field}\``).join(', ')}` : ''}`,
      allOf: [ref(of)],
      ...(hasRequired || required.length === 0 ? {} : { required }),
      ...(absent.length > 0
        ? { not: anyOf(absent.map((field) => ({ properties: { [field]: {} }, required: [field] }))) }
        : {}),
    }
  }
}
const anyOf = (schemas: Json[]) => (schemas.length === 1 ? schemas[0] : { anyOf: schemas })

interface Refinement {
  definition: EntityDefinition
  prefix: string // of the name of a schema in this vertical
  foreign: ReadonlySet<string>
  hasRequired: boolean // whether the refined schema says which fields are required
  title: string
  at?: string
}
const flavorOf = (definition: EntityDefinition, vertical: Vertical) => ({
  definition,
  prefix: verticalNames[vertical],
  foreign: new Set<string>(foreignFields(definition, vertical)),
})

const innerName = ({ objects }: EntityDefinition, pointer: string, input: boolean) =>
  `${objects[pointer as Pointer]}${input ? 'Input' : ''}`
const objectIn = (schema: Json): Fields | undefined => {
  const inner = (schema.items ?? schema) as Json
  return inner.properties ? (inner as Fields) : undefined
}
/** The objects that a body has in another form than a response, such as with an instant in any spelling. */
function differing({ properties: read }: Fields, { properties: written }: Fields, at = ''): Set<string> {
  const found = new Set<string>()
  for (const [field, inner] of Object.entries(written)) {
    const [ofBody, ofResponse] = [objectIn(inner), objectIn(read[field] ?? {})]
    if (!ofBody || !ofResponse) continue
    const pointer = `${at}/${field}`
    const form = (object: Fields) => JSON.stringify({ ...object, title: undefined })
    if (form(ofBody) !== form(ofResponse)) found.add(pointer)
    for (const below of differing(ofResponse, ofBody, inner.items ? `${pointer}/*` : pointer)) found.add(below)
  }
  return found
}
const listed = ({ verticals }: EntityDefinition, title: string, suffix = '') =>
  verticals.map((vertical) => `\`${verticalNames[vertical]}${title}${suffix}\``).join(', ')

/** A record of a request with `fields`: any of them, and `externalId`. */
const selectable = (schema: Fields): Fields => ({ ...withoutRequired(schema), required: ['externalId'] })
function withoutRequired({ required: _, ...schema }: Fields): Fields {
  const inner = Object.entries(schema.properties).map(([name, property]): [string, Json] => {
    const object = objectIn(property)
    if (!object) return [name, property]
    const open = withoutRequired(object)
    return [name, property.items ? { ...property, items: open } : open]
  })
  return { ...schema, properties: Object.fromEntries(inner) }
}
