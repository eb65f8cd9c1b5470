// The subject of a request: the adapter behind an account's entity type.

import { nearestName } from '../base/nearest.ts'
import type { Connector, EntityAdapter } from '../contract/connector.ts'
import { type EntityType, entityTypes, verticals } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import { type Flavor, flavorOf } from '../contract/validation.ts'
import type { Account } from '../store/store.ts'
import type { RuleScope } from './mapping.ts'
import { adapterOf } from './support.ts'

export interface Target {
  account: Account
  connector: Connector
  adapter: EntityAdapter<EntityType>
  flavor: Flavor
}

export type Targets = ReturnType<typeof createTargets>

export function createTargets(connectors: Readonly<Record<string, Connector>>) {
  const connectorOf = (account: Account): Connector => {
    const connector = connectors[account.platform]
    if (!connector) throw new Problem('entity_not_offered', `This service has no connector for ${account.platform}.`)
    return connector
  }
  return {
    connectorOf,
    /** The scope of the rules of a mapping for all accounts of a platform, or of a workspace. */
    ruleScope(platform: string | undefined, entityType: EntityType): RuleScope {
      const connector = platform === undefined ? undefined : connectors[platform]
      if (platform !== undefined && !connector)
        throw new Problem('validation_failed', `This service has no connector for ${platform.slice(0, 64)}.`, {
          errors: [{ pointer: '/platform', message: 'is not a platform: see /platforms' }],
        })
      const flavors = verticals.flatMap((vertical) =>
        connector && !adapterOf(connector, vertical, entityType) ? [] : (flavorOf(vertical, entityType) ?? []),
      )
      if (flavors.length === 0)
        throw new Problem('validation_failed', `${connector?.name} offers no ${entityType}.`, {
          errors: [{ pointer: '/entityType', message: 'is not offered by this platform' }],
        })
      if (!connector) return { entityType, flavors }
      const places = verticals.map((vertical) => adapterOf(connector, vertical, entityType)?.custom)
      return { entityType, flavors, platform: { name: connector.name, places } }
    },
    target(account: Account, entityType: string): Target {
      if (!(entityTypes as readonly string[]).includes(entityType))
        throw new Problem('unknown_entity', unknownEntity(entityType))
      const connector = connectorOf(account)
      const adapter = adapterOf(connector, account.vertical, entityType as EntityType)
      const flavor = flavorOf(account.vertical, entityType as EntityType)
      if (!adapter || !flavor)
        throw new Problem(
          'entity_not_offered',
          `${connector.name} offers no ${entityType} in the ${account.vertical} vertical. GET /unified/${account.id} lists what the account supports.`,
        )
      return { account, connector, adapter, flavor }
    },
  }
}

/** Time entries can only be read; some platforms have no create or update of other entities. */
export const isWritable = ({ adapter, flavor }: Target, operation: 'create' | 'update'): boolean =>
  flavor.definition.writable && adapter[operation] !== undefined

export function unknownEntity(name: string): string {
  const near = nearestName(name.replaceAll(/[-\s]/g, '_'), entityTypes)
  return `There is no entity type "${name.slice(0, 64)}"${near ? `; did you mean "${near}"?` : '.'} The entity types are ${entityTypes.join(', ')}.`
}
