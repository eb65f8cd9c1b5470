// How the financial API reads its requests.
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { financeError, refuse } from './wire.ts'
import { iso, type World } from './world.ts'

const yearMs = 365 * 86_400_000

export function instantOf(given: string | null, name: string): number {
  if (given === null)
    return refuse(
      financeError(400, `Required request parameter '${name}' for method parameter type OffsetDateTime is not present`),
    )
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(given))
    return refuse(financeError(400, `Invalid date format: ${given}`))
  return Date.parse(given)
}
export function range(world: World, from: number, givenTo: number | undefined): { from: number; to: number } {
  const to = Math.min(givenTo ?? world.now(), world.now())
  if (from > to)
    refuse(financeError(400, `Invalid date range: 'from' date ${iso(from)} should not be after 'to' date ${iso(to)}`))
  if (to - from > yearMs) refuse(financeError(400, 'The date range between from and to cannot exceed 365 days'))
  return { from, to }
}
export function locationOf(world: World, id: string): void {
  if (id !== String(world.locationId)) refuse(financeError(403, 'Access to this business location is denied'))
}
export function pageSizeOf(request: WireRequest, fallback: number, most: number): number {
  const given = request.query.get('pageSize')
  const size = given === null ? fallback : Number(given)
  return Number.isInteger(size) && size >= 1 && size <= most
    ? size
    : refuse(financeError(400, `pageSize must be between 1 and ${most}`))
}
