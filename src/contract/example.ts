import { type EntityDefinition, foreignFields, type Vertical } from './entity.ts'

type Json = Record<string, unknown>

/** An example with the fields of the flavor only. */
export function flavorExample(definition: EntityDefinition, vertical: Vertical): Json {
  const example = structuredClone(definition.example) as Json
  for (const pointer of foreignFields(definition, vertical)) {
    const [first, star, inner] = pointer.slice(1).split('/') as [string, string?, string?]
    if (star === undefined) delete example[first]
    else for (const line of (example[first] as Json[] | undefined) ?? []) delete line[inner as string]
  }
  return example
}
