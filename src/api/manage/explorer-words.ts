// Why a record lacks a field: the platform does not store it, or has no value for this record.
import { isWithin } from '../../contract/pointer.ts'
import type { Provenance } from '../../engine/explorer/provenance.ts'
import type { Target } from '../../engine/target.ts'

interface SchemaNode {
  type?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
}

export function missingFields(
  { adapter, connector, flavor }: Target,
  { fields, lacking }: Provenance,
): { pointer: string; sources: string[]; words: string }[] {
  const notStored = { ...adapter.update?.notStored, ...adapter.create?.notStored }
  const has = (pointer: string) =>
    fields.some((field) => field.pointer === pointer || field.pointer.startsWith(`${pointer}/`))
  const why = new Map(lacking.map(({ pointer, sources }) => [pointer, sources]))
  const absent = fieldsOf(flavor.read.schema as SchemaNode).filter((pointer) => !has(pointer))
  return absent.map((pointer) => {
    const sources = why.get(pointer) ?? lacking.find((entry) => entry.pointer.startsWith(`${pointer}/`))?.sources ?? []
    const never = Object.entries(notStored).some(([pattern, what]) => what === true && isWithin(pointer, pattern))
    const words = never
      ? `not stored by ${connector.name}`
      : sources.length > 0
        ? 'empty on the platform'
        : `${connector.name} has no value for it`
    return { pointer, sources, words }
  })
}

/** Fields outside of lists only. */
function fieldsOf(schema: SchemaNode, pointer = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) =>
    node.properties ? fieldsOf(node, `${pointer}/${name}`) : [`${pointer}/${name}`],
  )
}
