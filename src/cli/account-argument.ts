// The two arguments that most commands have, and what the service says about them.
import type { AccountClient, AccountSupport, EntityName } from '../../packages/client/src/index.ts'
import { entityTypes, type Vertical } from '../contract/entity.ts'
import { type Argument, CommandFailure, type Connection, exitCodes, type Progress } from './command.ts'

export const accountArgument: Argument = { name: 'account', description: 'Account id', complete: 'account' }
export const entityArgument: Argument = {
  name: 'entity',
  description: `One of ${entityTypes.join(', ')}`,
  complete: 'entity',
  choices: entityTypes,
}

export interface Offer {
  vertical: Vertical
  platform: string // its name for people
  entity: NonNullable<AccountSupport['entities'][string]>
}

/** Fails early, and lists what exists. */
export async function offerOf(
  { client }: Connection,
  account: string,
  entityType: string,
  operation: 'read' | 'write',
  signal: AbortSignal,
): Promise<Offer> {
  const { vertical, name, entities } = await client.account(account).describe({ signal })
  const entity = (entities as Record<string, Offer['entity'] | undefined>)[entityType]
  if (!entity?.[operation]) {
    const able = Object.entries(entities).flatMap(([name, support]) => (support?.[operation] ? [name] : []))
    throw new CommandFailure(
      exitCodes.usage,
      `${account} cannot ${operation} ${entityType}; it can: ${able.join(', ') || 'nothing'}`,
    )
  }
  return { vertical: vertical as Vertical, platform: name, entity }
}

/**
 * How many records an entity has, if it is watched: no list tells. Fails never, because a credential without the scope
 * for changes can read as well.
 */
export const indexedRecords = (
  account: AccountClient,
  entity: EntityName,
  signal: AbortSignal,
): Promise<number | undefined> =>
  account.changesStatus({ signal }).then(
    ({ entities }) => (entities[entity]?.phase === 'ready' ? entities[entity].records : undefined),
    () => undefined,
  )

/** The progress gets its total when that is known; the work does not wait for it. */
export function expectLater(progress: Progress, total: Promise<number | undefined>): void {
  void total.then(
    (found) => found !== undefined && progress.expect(found),
    () => {},
  )
}
