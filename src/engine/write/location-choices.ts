// An error that asks for a location lists those of the account, with their names.
import type { Connector } from '../../contract/connector.ts'
import type { EntityDefinition } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { viewOf } from '../account-view.ts'
import type { RequestContext } from '../options.ts'
import type { Reading, unifying } from '../read/list.ts'
import { allowed } from '../support.ts'
import type { Target, Targets } from '../target.ts'

const most = 100
const named = 5

/** Settings that hold the id of a location. */
const isLocationSetting = ({ settings }: Connector, name: string): boolean =>
  (settings?.properties[name] as { reference?: string } | undefined)?.reference === 'location'

function asksForLocation({ pointer }: Violation, { connector, flavor }: Target): boolean {
  const setting = /^\/settings\/(\w+)$/.exec(pointer)?.[1]
  const { references } = flavor.definition as EntityDefinition
  return setting
    ? isLocationSetting(connector, setting)
    : Object.entries(references).some(([pattern, type]) => type === 'location' && pattern === pointer)
}

export type LocationChoices = ReturnType<typeof createLocationChoices>

export function createLocationChoices(reading: Reading, targetOf: Targets['target'], unify: typeof unifying) {
  async function choicesOf({ account, connector }: Target, context: RequestContext) {
    const locations = targetOf(account, 'location')
    if (!allowed(locations.adapter, viewOf(account, connector), 'read')) return []
    const { list } = locations.adapter
    return reading.through(locations, context, (call) =>
      call.cached('locations to choose from', async () => {
        const { rows } = await list.page(call, { size: Math.min(most, list.pageLimit) })
        return rows
          .flatMap((row) => unify(locations, undefined)(row, []) ?? [])
          .filter((location) => !('active' in location) || location.active !== false)
          .slice(0, most)
          .map((location) => ({ value: location.externalId, label: 'name' in location ? location.name : '' }))
      }),
    )
  }
  /** The error with the choices; as it is if they cannot be read. */
  return async (target: Target, context: RequestContext, error: unknown): Promise<never> => {
    if (!(error instanceof Problem) || !['target_requires', 'target_refuses'].includes(error.code)) throw error
    const { errors = [] } = error
    if (!errors.some((one) => asksForLocation(one, target))) throw error
    const choices = await choicesOf(target, context).catch(() => [])
    if (choices.length === 0) throw error
    const words = choices.slice(0, named).map(({ value, label }) => `${value} (${label})`)
    const more = choices.length > named ? ` and ${choices.length - named} more` : ''
    throw new Problem(error.code, error.detail, {
      errors: errors.map((one) =>
        asksForLocation(one, target)
          ? { ...one, message: `${one.message}. The locations are ${words.join(', ')}${more}`, choices }
          : one,
      ),
      downstream: error.downstream,
      headers: { ...error.headers },
      extra: { ...error.extra },
      cause: error.cause,
    })
  }
}
