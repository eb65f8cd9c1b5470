// The part of a GraphQL schema that the Shopify connector and simulator use, without descriptions.
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
import { operations } from '../../src/platforms/shopify/operations.ts'
import { schema as simulated } from '../../src/platforms/shopify/simulator/execution.ts'

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Json = any

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
      const [parent, field, argument, directive] = [
        types.getParentType(),
        types.getFieldDef(),
        types.getArgument(),
        types.getDirective(),
      ]
      if (directive) used.directives.add(directive.name)
      if (parent && field) use(parent.name, field.name)
      if (parent && field && argument) used.arguments.add(`${parent.name}.${field.name}.${argument.name}`)
    }
    visit(parseGraphql(document), visitWithTypeInfo(types, { enter }))
  }
  for (const type of Object.values(simulated().getTypeMap())) {
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
/** Includes required arguments and input fields, and the type of every included field or argument. */
function addRequired(official: GraphQLSchema, used: Used): void {
  for (const [name, fields] of used.fields) {
    const type = official.getType(name)
    const add = (inner: { type: unknown }) => {
      const innerName = String(inner.type).replace(/[[\]!]/g, '')
      if (!used.fields.has(innerName)) used.fields.set(innerName, new Set())
    }
    if (isUnionType(type)) continue
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) if (isRequiredInputField(field)) fields.add(field.name)
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
export const graphqlSubset = (file: Buffer): object => {
  const text = gunzipSync(file).toString('utf8')
  const official = buildSchema(text, { assumeValid: true })
  const used = usedOf(official)
  addRequired(official, used)
  const has = ({ name }: Json) => used.fields.has(name.value)
  const bare = visit(parseGraphql(text, { noLocation: true }), {
    // The reason of a deprecation is prose and removed; the deprecation itself stays.
    Directive: (node) => (['deprecated', 'oneOf'].includes(node.name.value) ? { ...node, arguments: [] } : null),
    StringValue: (_, key) => (key === 'description' ? null : undefined),
  })
  const definitions = bare.definitions.flatMap((definition: Json): Json => {
    if (definition.kind === Kind.SCHEMA_DEFINITION) return definition
    if (definition.kind === Kind.DIRECTIVE_DEFINITION)
      return used.directives.has(definition.name.value) ? definition : []
    if (!has(definition)) return []
    const type = definition.name.value
    const argumentsOf = (field: Json): Json =>
      field.arguments?.filter(({ name }: Json) => used.arguments.has(`${type}.${field.name.value}.${name.value}`))
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
