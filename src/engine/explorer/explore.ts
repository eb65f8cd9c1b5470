// The records of an account as the explorer shows them: each beside the native row it was made of, and where its fields
// came from.
import { BoundedMap } from '../../base/bounded-map.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import { nativeAt } from '../../contract/native-pointer.ts'
import { matches } from '../../contract/pointer.ts'
import type { MappingOverlay } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { lookInto } from '../failures.ts'
import { compileOverlay } from '../mapping.ts'
import type { RequestContext } from '../options.ts'
import { nativeOf } from '../read/list.ts'
import { draft } from '../read/normalize.ts'
import type { NativePart } from '../read/origins.ts'
import type { ListQuery } from '../read/page.ts'
import type { Target } from '../target.ts'
import { contentHash } from '../write/canonical.ts'
import type { FieldFacts } from './conversion.ts'
import { type Provenance, provenanceOf } from './provenance.ts'

export interface Explored {
  id: string
  native: unknown
  record?: UnifiedRecord // absent if the row cannot be normalized: the warnings say why
  version?: string
  warnings: Warning[]
  responses?: NativePart[] // that the row was made of, if they were asked for
}
interface Reading {
  pageOf(
    target: Target,
    query: ListQuery,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
  ): Promise<{ rows: unknown[]; cursor?: string }>
  rowOf(target: Target, id: string, context: RequestContext, native?: true): Promise<unknown>
  unify(
    target: Target,
    mapping: MappingOverlay | undefined,
  ): (row: unknown, warnings: Warning[]) => UnifiedRecord | undefined
}
const kept = 200

export function createExplore({ pageOf, rowOf, unify }: Reading) {
  const provenances = new BoundedMap<string, Provenance>(kept)
  function explored(target: Target, mapping: MappingOverlay | undefined): (row: unknown) => Explored {
    const make = unify(target, mapping)
    return (row) => {
      const warnings: Warning[] = []
      const record = make(row, warnings)
      const version = lookInto(target.connector, () => target.adapter.version?.(row))
      return {
        id: lookInto(target.connector, () => target.adapter.id(row)),
        native: row,
        warnings,
        record,
        version,
      }
    }
  }

  return {
    async page(
      target: Target,
      query: ListQuery,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
    ): Promise<{ data: Explored[]; cursor?: string }> {
      const { rows, cursor } = await pageOf(target, query, mapping, context)
      return { data: rows.map(explored(target, mapping)), cursor }
    },
    async record(
      target: Target,
      id: string,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
      native?: true,
    ): Promise<Explored> {
      const row = await rowOf(target, id, context, native)
      const found = explored(target, mapping)(row)
      return native ? { ...found, responses: nativeOf(target, [row])[found.id]?.responses ?? [] } : found
    },
    async provenance(target: Target, row: unknown, mapping: MappingOverlay | undefined): Promise<Provenance> {
      const { account, flavor, connector } = target
      const name = contentHash([
        account.id,
        account.revision,
        flavor.definition.entityType,
        mapping?.id,
        mapping?.version,
        row,
      ])
      const found = provenances.get(name)
      if (found) return found
      const provenance = await provenanceIn(target, row, mapping, viewOf(account, connector).settings)
      provenances.set(name, provenance)
      return provenance
    },
  }
}

async function provenanceIn(
  target: Target,
  row: unknown,
  mapping: MappingOverlay | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<Provenance> {
  const { account, adapter, flavor, connector } = target
  const view = viewOf(account, connector)
  const overlay = mapping ? compileOverlay(mapping, flavor) : undefined
  function make(changed: unknown, withSettings: typeof settings) {
    const mapping = { account: { ...view, settings: withSettings }, warn: () => {} }
    const record = draft(adapter, changed, flavor, mapping, overlay)
    if (overlay?.custom) record.custom = overlay.custom((pointer) => nativeAt(changed, pointer), '', [])
    return record
  }
  const { currencyCode } = mappable(() => make(row, settings)) as { currencyCode?: string }
  const facts = (pointer: string): FieldFacts => {
    const { enum: words, format } = schemaAt(flavor.read.schema, pointer)
    return {
      money: flavor.definition.money.some((pattern) => matches(pointer, pattern)),
      enumerated: words !== undefined,
      time: format === 'date-time',
      currency: currencyCode,
    }
  }
  return provenanceOf({ row, settings, make, facts, rules: mapping?.rules })
}

interface SchemaNode {
  enum?: unknown
  format?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
}
function schemaAt(schema: unknown, pointer: string): SchemaNode {
  let node = schema as SchemaNode | undefined
  for (const step of pointer.slice(1).split('/')) node = node?.items ?? node?.properties?.[step]
  return node ?? {}
}

/** A row that a browser sends back can be anything. */
function mappable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Problem('validation_failed', 'This is not a native record that the mapping can read.', {
      errors: [{ pointer: '/native', message: (error as Error).message.slice(0, 200) }],
      cause: error,
    })
  }
}
