// Shifts: https://api-docs.lsk.lightspeed.app/operation/operation-staff-apigetshift
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { compareInstants, hoursBetween, toUtc } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { locationOf } from './account.ts'

export interface Shift {
  uuid: string
  staffId?: number
  dateInUTC?: string
  events?: { eventType?: string; timestamp?: string; createdOn?: string }[]
}
/** A corrected clock-in or clock-out is another event of the same type: the most recently created one counts. */
export function clocked({ events }: Shift, type: 'CLOCK_IN' | 'CLOCK_OUT'): string | undefined {
  const newest = list(events)
    .filter(({ eventType }) => text(eventType) === type)
    .sort((a, b) => compareInstants(a.createdOn ?? a.timestamp ?? '', b.createdOn ?? b.timestamp ?? ''))
    .at(-1)
  return toUtc(newest?.timestamp, 'UTC')
}
/**
 * Oldest first, regardless of which date they are sorted by: a shift that is opened or corrected during the walk moves
 * to the end.
 */
async function readShifts(
  call: ReadCall,
  page: number,
  size: number,
): Promise<{ rows: readonly Shift[]; more: boolean }> {
  const { body } = await call.read(
    get(path`/staff/v1/businessLocations/${locationOf(call)}/shift`, { page, size, sort: 'date,asc' }),
  )
  return { rows: list<Shift>(body?.data?.shifts), more: page < (body?.page?.totalPages ?? 0) }
}

export const timeEntry: EntityAdapter<'time_entry', Shift, NumberPlace> = {
  scopes: { read: ['staff-api'] },
  id: (row) => row.uuid,
  toUnified: (row) => {
    const [startAt, endAt] = [clocked(row, 'CLOCK_IN'), clocked(row, 'CLOCK_OUT')]
    return {
      externalId: row.uuid,
      employeeExternalId: text(row.staffId),
      startAt,
      endAt,
      regularHours: hoursBetween(startAt, endAt),
      status: endAt === undefined ? 'OPEN' : 'CLOSED',
    }
  },
  list: {
    pageLimit: 200,
    updatedAfter: 'service', // startTime and endTime filter by the time of work
    modifiedAt: (row) => toUtc(row.dateInUTC, 'UTC'),
    stampPrecision: 'seconds', // the document shows no fraction
    page: walkByNumber({ id: (row) => row.uuid, fetch: (call, { size }, page) => readShifts(call, page, size) }),
  },
  // There is no endpoint for a single shift: the list is searched in large pages.
  get: async (call, id) => {
    for (let page = 1, more = true; more; page += 1) {
      const read = await readShifts(call, page, 1000)
      const found = read.rows.find(({ uuid }) => uuid === id)
      if (found) return found
      more = read.more
    }
    return undefined
  },
}
