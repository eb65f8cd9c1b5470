// Whose id is whose: a path takes the platform's id, a POST body has the caller's source id, and a PUT body may have
// either. An id on the wrong side gets a response that says so.
import type { Excluded, ReadCall } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import { Problem, type Warning } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import type { EngineStore } from './options.ts'
import type { Target } from './target.ts'

type Links = Pick<EngineStore, 'links'>
const quoted = (id: string) => JSON.stringify(id)

export const notFound = ({ connector, flavor }: Target, cause?: unknown) =>
  new Problem(
    'record_not_found',
    `${connector.name} has no ${flavor.definition.entityType} with this id. Check the id: it is externalId in records that you read.`,
    { cause },
  )
const kinds = { refund: 'a refund', test: 'a test order', waste: 'waste', transfer: 'a transfer' } as const
/** The refund of an order is not an order, and neither is a test. */
export function notExcluded(target: Target, row: unknown): void {
  const excluded = target.adapter.excluded?.(row)
  if (!excluded) return
  const of = excluded.as === 'refund' ? excluded.of : undefined
  const named = of === undefined ? '' : ` Read the order that was refunded: ${of}.`
  throw new Problem(
    'record_not_found',
    `This id is of ${kinds[excluded.as]} at ${target.connector.name}, not of an order.${named}`,
  )
}
/** The warning that names a row in the place of its record. */
export const exclusionOf = (excluded: Excluded, id: string): Warning => ({
  code: excluded.as === 'refund' ? 'refund_left_out' : 'not_a_sale',
  id,
  message: `This is ${kinds[excluded.as]}${excluded.as === 'refund' && excluded.of !== undefined ? ` of the order ${excluded.of}` : ''}, not a sale. It is left out.`,
})

/** Throws the error. If the platform has no record with this id and it is a source id, the error names the platform id. */
export async function throwNamed({ links }: Links, target: Target, id: string, error: unknown): Promise<never> {
  if (!(error instanceof Problem) || error.code !== 'record_not_found') throw error
  const link = await links.get(target.account.id, target.flavor.definition.entityType, id)
  if (!link || link.nativeId === id) throw error
  const reference = { externalId: id, id: link.nativeId }
  throw new Problem(
    'record_not_found',
    `${error.detail} ${quoted(id)} is your source id. The platform's id of that record is ${quoted(link.nativeId)}: use it in the path.`,
    { downstream: error.downstream, extra: { reference }, cause: error },
  )
}

/**
 * The body of an update may name its record by the id in the path or by the source id that became it. The id of another
 * record is refused: its content was meant for that one. An unknown id is ignored with a warning.
 */
export async function ignoredExternalId(
  { links }: Links,
  { account, adapter, connector, flavor }: Target,
  call: ReadCall,
  id: string,
  { externalId }: UnifiedRecord,
): Promise<Warning[]> {
  if (externalId === id) return []
  const { entityType } = flavor.definition
  const another = (whose: string) =>
    new Problem(
      'validation_failed',
      `The body belongs to another ${entityType} than the path. Send it to the path of its own record, or correct externalId.`,
      { errors: [{ pointer: '/externalId', message: `${quoted(externalId)} is ${whose}, not of ${quoted(id)}` }] },
    )
  const link = await links.get(account.id, entityType, externalId)
  if (link?.nativeId === id) return []
  if (link) throw another(`the source id of the ${entityType} ${quoted(link.nativeId)}`)
  const other = await adapter.get?.(call, externalId).catch((error: unknown) => {
    if (error instanceof NativeFailure && ['not_found', 'invalid'].includes(error.error.kind)) return undefined
    throw error
  })
  if (other !== undefined && adapter.id(other) === id) return []
  if (other !== undefined) throw another(`the id of another ${entityType} at ${connector.name}`)
  return [
    {
      code: 'external_id_ignored',
      pointer: '/externalId',
      message: `${quoted(externalId)} is not known as a source id, so it was ignored. The ${entityType} in the path was replaced; its id is ${quoted(id)}.`,
    },
  ]
}

export const unknownExternalId = (externalId: string): Warning => ({
  code: 'external_id_unknown',
  message: `Nothing was written or linked under the source id ${quoted(externalId)}. The parameter externalId takes your source id; a platform's id goes into the path.`,
})

/** The names of the record in the response to an update. An ignored externalId is not one of its names. */
export const updatedReference = (body: unknown, { id, warnings }: { id: string; warnings: readonly Warning[] }) => ({
  externalId: warnings.some(({ code }) => code === 'external_id_ignored')
    ? id
    : (body as { externalId: string }).externalId,
  id,
  replayed: false,
})
