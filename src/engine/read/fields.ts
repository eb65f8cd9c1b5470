// `fields=`: which fields of a record a response has, and whether they need the second call of a row.

import { nearestName } from '../../base/nearest.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { Pointer } from '../../contract/entity.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import type { Flavor } from '../../contract/validation.ts'
import type { MappingOverlay } from '../../store/store.ts'
import { customFieldsIn } from '../custom.ts'
import type { Target } from '../target.ts'

interface Node {
  properties?: Record<string, Node>
  items?: Node
}
/** All fields, with dots: `address.city`, `lineItems.name`. */
function namesIn(node: Node, before = ''): string[] {
  const inner = node.items ?? node
  return Object.entries(inner.properties ?? {}).flatMap(([name, below]) => [
    `${before}${name}`,
    ...namesIn(below, `${before}${name}.`),
  ])
}
const namesOfFlavor = new WeakMap<Flavor, string[]>()
function fieldsOf(flavor: Flavor): string[] {
  const names = namesOfFlavor.get(flavor) ?? namesIn(flavor.read.schema as Node)
  namesOfFlavor.set(flavor, names)
  return names
}
const covers = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}.`)

/** The fields in a query parameter. `externalId` is always among them. */
export function parseFields(text: string, flavor: Flavor, mapping: MappingOverlay | undefined): readonly string[] {
  const custom = customFieldsIn(mapping).map(({ name }) => `custom.${name}`)
  const names = [...fieldsOf(flavor), ...(custom.length > 0 ? ['custom', ...custom] : [])]
  const entries = text.split(',').map((name) => name.trim())
  for (const name of entries) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    const { entityType } = flavor.definition
    throw new Problem(
      'invalid_parameter',
      `fields: there is no field "${name.slice(0, 64)}" in ${entityType} of ${flavor.vertical} accounts${near ? `; did you mean "${near}"?` : '.'} The fields are ${names.join(', ')}.`,
    )
  }
  const all = [...new Set(['externalId', ...entries])]
  return all.filter((name) => !all.some((other) => other !== name && covers(other, name))).toSorted()
}

type Tree = Map<string, Tree>
function treeOf(fields: readonly string[]): Tree {
  const tree: Tree = new Map()
  for (const field of fields) {
    let node = tree
    for (const step of field.split('.')) {
      const next: Tree = node.get(step) ?? new Map()
      node.set(step, next)
      node = next
    }
  }
  return tree
}
function selected(value: unknown, tree: Tree): unknown {
  if (tree.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => selected(entry, tree))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const below = tree.get(name)
      return below ? [[name, selected(inner, below)]] : []
    }),
  )
}

/** Records and warnings with these fields only. */
export function selecting(fields: readonly string[] | undefined) {
  if (!fields) return { record: (record: UnifiedRecord) => record, isShown: () => true }
  const tree = treeOf(fields)
  return {
    record: (record: UnifiedRecord) => selected(record, tree) as UnifiedRecord,
    isShown: ({ pointer }: Warning) => pointer === undefined || meets(fields, pointer as Pointer),
  }
}

/** Whether one of the fields is at this pointer, above or below it. */
function meets(fields: readonly string[], pointer: Pointer): boolean {
  const steps = pointer.slice(1).split('/')
  const at = steps.filter((step) => step !== '*' && !/^\d+$/.test(step)).join('.')
  return fields.some((field) => covers(field, at) || covers(at, field))
}

/** Without the second calls that none of the fields needs. */
export function withoutDetails(
  target: Target,
  fields: readonly string[] | undefined,
  mapping: MappingOverlay | undefined,
): Target {
  const { list } = target.adapter
  if (!fields || !list.complete?.fields) return target
  const mapped = Object.keys(mapping?.rules ?? {}) as Pointer[]
  if ([...list.complete.fields, ...mapped].some((pointer) => meets(fields, pointer))) return target
  return { ...target, adapter: { ...target.adapter, list: { ...list, complete: undefined } } }
}
