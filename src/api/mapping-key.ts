// The mapping of a request: in form B the one behind its mapping key, in form A the default.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Target } from '../engine/target.ts'
import type { Direction, MappingKey, MappingOverlay, Store } from '../store/store.ts'
import { type Query, readQuery } from './query.ts'
import { formBPrefix } from './record-operations.ts'

const mismatch = (detail: string) => new Problem('mapping_key_mismatch', detail)

export function createMappingKeys({
  store,
  engine,
  mappingKeys,
}: {
  store: Store
  engine: Engine
  mappingKeys: boolean // form B
}) {
  /** `declared`: the query parameters of the operation. */
  function queryOf({ query }: FastifyRequest, declared: object): Query {
    const names = Object.keys(declared)
    if (mappingKeys) return readQuery(query, names)
    if (Object.hasOwn(query as object, 'mappingKey'))
      throw new Problem(
        'unknown_parameter',
        `mappingKey belongs to the addresses that begin with ${formBPrefix}. Remove it: with an API key the account's default mapping is used.`,
      )
    return readQuery(
      query,
      names.filter((name) => name !== 'mappingKey'),
    )
  }
  /** The mapping key of a form B request, for any entity. Undefined, as always in form A: the default mapping. */
  async function accountKeyOf(
    query: Query,
    accountId: string,
    direction: Direction,
    required: boolean,
  ): Promise<MappingKey | undefined> {
    if (!mappingKeys) return undefined
    if (query.mappingKey === undefined) {
      if (required)
        throw new Problem(
          'mapping_key_required',
          `mappingKey is missing. Add a ${direction} mapping key of this account as ?mappingKey=...; the dashboard lists the keys.`,
        )
      return undefined
    }
    const key = await store.mappingKeys.get(query.mappingKey)
    if (!key || key.accountId !== accountId)
      throw mismatch(
        'There is no such mapping key for this account. The dashboard and the management API list its keys.',
      )
    if (key.direction !== direction)
      throw mismatch(`This is a ${key.direction} mapping key; a ${direction} key is needed here.`)
    return key
  }
  return {
    queryOf,
    accountKeyOf,
    /** The same for one entity. */
    async keyOf(
      query: Query,
      { account, flavor }: Target,
      direction: Direction,
      required: boolean,
    ): Promise<MappingKey | undefined> {
      const key = await accountKeyOf(query, account.id, direction, required)
      const { entityType } = flavor.definition
      if (key?.entityType && key.entityType !== entityType)
        throw mismatch(
          `This mapping key is for ${key.entityType}. Use a key for ${entityType}, or one for all entities.`,
        )
      return key
    },
    async mappingOf(
      key: MappingKey | undefined,
      target: Target,
      direction: Direction,
    ): Promise<MappingOverlay | undefined> {
      if (!key?.mappingId) return engine.mappings.byDefault(target, direction)
      const mapping = await store.mappings.get(key.mappingId)
      if (!mapping) throw mismatch('The mapping behind this key was deleted. Use another key.')
      return mapping
    },
  }
}
