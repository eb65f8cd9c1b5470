// Where orders go at a target with several locations. Locations cannot be written: they are linked under a source id.
import type { Fitting } from './fit.ts'

/** A location linked under this name is the default, as in the sandbox. */
const usual = 'MAIN'

/** The chosen location is not linked. */
export class UnknownLocation extends Error {
  constructor(accountId: string, given: string) {
    super(
      `no location of ${accountId} is linked as "${given}". Link it first: in the dashboard (account, References), or with PUT /manage/v1/workspaces/{workspaceId}/accounts/${accountId}/references and {"entityType":"location","sourceId":"${given}","nativeId":"<the platform's id>"}`,
    )
  }
}

/**
 * The linked one that was given; else the one that the source's is linked to; else the usual one. Undefined: the target has
 * but one, or refuses.
 */
export function createLocations(
  accountId: string,
  given: string | undefined,
  check: Fitting['check'],
): Fitting['locationFor'] {
  const known = new Map<string, Promise<boolean>>()
  const isLinked = (name: string): Promise<boolean> => {
    const asked = known.get(name) ?? probe(name)
    known.set(name, asked)
    return asked
  }
  async function probe(name: string): Promise<boolean> {
    const { references } = await check('order', {
      externalId: 'probe',
      locationExternalId: name,
      lineItems: [{ name: 'probe', quantity: 1, unitPrice: 1 }],
    })
    return references !== 'unknown' && references.some(({ pointer }) => pointer === '/locationExternalId')
  }
  return async (source) => {
    if (given !== undefined) {
      if (await isLinked(given)) return given
      throw new UnknownLocation(accountId, given)
    }
    for (const name of [...(source === undefined ? [] : [source]), usual]) if (await isLinked(name)) return name
    return undefined
  }
}
