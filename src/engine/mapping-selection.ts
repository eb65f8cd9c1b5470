// Which mapping a request uses if it names none, and which one the pages of a walk use.
import { Problem } from '../contract/errors.ts'
import type { Direction, MappingOverlay } from '../store/store.ts'
import { type CustomField, customFieldsIn } from './custom.ts'
import type { EngineStore } from './options.ts'
import { type Cursors, cursorScope } from './read/cursor.ts'
import type { ListQuery } from './read/page.ts'
import type { Target } from './target.ts'

/** The default of the account, its platform or its workspace. Undefined: the built-in mapping. */
export async function defaultMapping(
  store: Pick<EngineStore, 'mappings' | 'mappingDefaults'>,
  { account, flavor }: Target,
  direction: Direction,
): Promise<MappingOverlay | undefined> {
  const found = await store.mappingDefaults.effective(account, flavor.definition.entityType, direction)
  return found?.mappingId === undefined ? undefined : store.mappings.get(found.mappingId, undefined, account)
}

export function createMappingSelection(store: EngineStore, cursors: Cursors) {
  return {
    byDefault: (target: Target, direction: Direction) => defaultMapping(store, target, direction),
    /** The fields that a write may have under `custom`: those of its own mapping, and of the default for reads. */
    async customFields(target: Target, mapping: MappingOverlay | undefined): Promise<CustomField[]> {
      const mappingFields = customFieldsIn(mapping)
      const defaultFields = customFieldsIn(await defaultMapping(store, target, 'read'))
      return [
        ...mappingFields,
        ...defaultFields.filter(({ name }) => !mappingFields.some((field) => field.name === name)),
      ]
    },
    /**
     * A walk ends as it began: a cursor carries the name of its mapping, and what its pages contain. `selected` is the
     * mapping of a request without a cursor.
     */
    async ofWalk(
      target: Target,
      query: ListQuery,
      selected: MappingOverlay | undefined,
    ): Promise<{ query: ListQuery; mapping: MappingOverlay | undefined }> {
      if (query.cursor === undefined) return { query, mapping: selected }
      const { mapping, native, fields } = cursors.open(query.cursor, cursorScope(target, query))
      if (query.native && !native) throw otherWalk('include=native')
      if (query.fields && query.fields.join() !== fields?.join()) throw otherWalk('these fields')
      const walk = { ...query, native, fields }
      if (mapping === undefined) return { query: walk, mapping: undefined }
      if (selected?.id === mapping.id && selected.version === mapping.version) return { query: walk, mapping: selected }
      const begun = await store.mappings.get(mapping.id, mapping.version)
      if (begun) return { query: walk, mapping: begun }
      throw new Problem(
        'invalid_cursor',
        'The mapping that this walk began with was deleted. Start again without a cursor.',
      )
    },
  }
}

const otherWalk = (what: string) =>
  new Problem(
    'invalid_cursor',
    `The cursor was made without ${what}. A cursor carries what its pages contain: send it alone, or start again without a cursor.`,
  )
