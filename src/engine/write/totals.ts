// With `totals=exact`, the total that a caller sends is compared with the one that the platform makes of the record: before
// anything is sent where the platform can compute it, and in any case afterwards.
import type { ReadCall } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import type { Target } from '../target.ts'
import { withoutComputed } from './left-out.ts'

const totalIn = (record: object) => (record as { total?: number }).total

/** Throws if the platform computes another total. */
export async function refuseOtherTotal(
  { adapter, connector, flavor }: Target,
  call: ReadCall,
  record: UnifiedRecord,
): Promise<void> {
  const sent = totalIn(record)
  if (sent === undefined) return
  const made = await adapter.create?.total?.(call, withoutComputed(record, flavor.definition) as never)
  if (made === undefined || made === sent) return
  throw new Problem(
    'totals_differ',
    `${connector.name} computes the total ${made}, and the record has ${sent}. Nothing was sent. Correct the lines, charges or taxes, or leave out totals=exact.`,
    {
      errors: [{ pointer: '/total', message: `is ${sent}, and ${connector.name} computes ${made}` }],
      extra: { platform: connector.id },
    },
  )
}
/** The warning about a total that differs in the record as the platform has it. */
export function otherTotal(sent: UnifiedRecord, stored: UnifiedRecord, { connector }: Target): Warning[] {
  const [asked, made] = [totalIn(sent), totalIn(stored)]
  if (asked === undefined || asked === made) return []
  return [
    {
      code: 'totals_differ',
      pointer: '/total',
      message: `The record was sent with the total ${asked}, and ${connector.name} has ${made ?? 'none'}.`,
    },
  ]
}
