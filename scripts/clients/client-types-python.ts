// The types of the Python client, generated from the OpenAPI document.
import { entities } from '../../src/contract/entities/index.ts'
import { callerSchemas, refinementIn, type Schema } from './client-types.ts'

const primitives: Record<string, string> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}
const keywords = new Set(['from', 'in', 'is', 'not', 'with', 'class', 'def', 'import', 'pass', 'if', 'else', 'for'])
const titled = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase())
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)
const literal = (value: unknown) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
const union = (types: string[]) => {
  const [only, ...others] = [...new Set(types)]
  return others.length === 0 ? (only as string) : `Union[${[only, ...others].join(', ')}]`
}

/** TypedDicts. An inner object has a name made of those of its parent and its field. */
export function pythonTypes(document: object): string {
  const declared: string[] = []
  // A flavor of a record has fields of the type of its entity.
  for (const [name, schema] of callerSchemas(document))
    if (!refinementIn(schema)) declare(name, schema, schema.properties?.externalId ? schema.description : undefined)

  function declare(name: string, schema: Schema, about?: string): void {
    if (schema.properties) return void classOf(name, schema, about)
    declared.push(`${name} = ${typeOf(schema, name)}\n`)
  }
  function classOf(name: string, { properties = {}, required = [] }: Schema, about?: string): string {
    const at = declared.length
    const fields = Object.entries(properties).map(([field, schema]) => ({
      field,
      type: typeOf(schema, name + titled(field)),
      description: schema.description,
      isRequired: required.includes(field),
    }))
    const inner = declared.splice(at)
    const doc = about ? `    """${about}"""\n\n` : ''
    const body = (isRequired: boolean) =>
      fields
        .filter((field) => field.isRequired === isRequired)
        .map(({ field, type, description }) => `${commented(description)}    ${field}: ${type}\n`)
        .join('')
    const [must, may] = [body(true), body(false)]
    declared.push(...inner)
    if (!fields.every(({ field }) => isName(field))) {
      const entries = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`)
      declared.push(
        `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('').replaceAll(/^/gm, '    ').trimEnd()}\n    },\n    total=False,\n)\n`,
      )
    } else if (may === '') declared.push(`class ${name}(TypedDict):\n${doc}${must || '    pass\n'}`)
    else if (must === '') declared.push(`class ${name}(TypedDict, total=False):\n${doc}${may}`)
    else {
      declared.push(`class _${name}(TypedDict):\n${must}`)
      declared.push(`class ${name}(_${name}, total=False):\n${doc}${may}`)
    }
    return name
  }
  function typeOf(schema: Schema, name: string): string {
    const type = plainType(schema, name)
    return schema.nullable ? `Optional[${type}]` : type
  }
  function plainType(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.allOf?.length === 1) return typeOf(schema.allOf[0] as Schema, name)
    const choice = schema.anyOf ?? schema.oneOf
    if (choice) return union(choice.map((one, index) => typeOf(one, `${name}${index + 1}`)))
    if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, name.replace(/s$/, ''))}]`
    if (schema.properties) return classOf(name, schema)
    if (schema.type === 'object') {
      const { additionalProperties: rest } = schema
      return `Dict[str, ${typeof rest === 'object' ? typeOf(rest, name) : 'Any'}]`
    }
    return primitives[schema.type ?? ''] ?? 'Any'
  }
  const head = `"""The types of records and responses. Generated from the OpenAPI document by \`npm run docs\`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`
  return [head, ...declared].join('\n\n')
}
/** The attributes of an account: one for each entity type. */
export function pythonEntities(): string {
  const attributes = Object.values(entities).map(({ entityType, classes: { one }, writable }) => {
    const type = writable ? `Records[types.${one}, types.${one}Input]` : `ReadOnlyRecords[types.${one}]`
    return `    ${entityType}: ${type}\n`
  })
  const names = Object.keys(entities).map((name) => `    ${JSON.stringify(name)},\n`)
  return `"""The entity types. Generated from the OpenAPI document by \`npm run docs\`."""

from __future__ import annotations

from typing import Any, Callable

from . import records as types
from .entity import ReadOnlyRecords, Records

ENTITY_TYPES = (
${names.join('')})


class Entities:
    """The records of each entity type."""

${attributes.join('')}
    def _add_entities(self, client: Callable[[str], Records[Any, Any]]) -> None:
        for name in ENTITY_TYPES:
            setattr(self, name, client(name))
`
}
const commented = (text: string | undefined) => (text ? `    #: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n` : '')
