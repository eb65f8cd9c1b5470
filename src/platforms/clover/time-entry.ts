import type { EntityAdapter } from '../../contract/connector.ts'
import { text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { fromUnixMs, hoursBetween } from '../../kit/time.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { below, rowsIn } from './account.ts'
import { byCreation, largestPage } from './listing.ts'

interface Shift {
  id: string
  employee?: { id?: string }
  inTime?: number
  outTime?: number
  overrideInTime?: number // what a manager corrected goes before what was punched
  overrideOutTime?: number
}
export const timeEntry: EntityAdapter<'time_entry', Shift, NumberPlace> = {
  id: (row) => row.id,
  toUnified: (row) => {
    const startAt = fromUnixMs(row.overrideInTime ?? row.inTime)
    const endAt = fromUnixMs(row.overrideOutTime ?? row.outTime)
    // Clover counts no hours, knows no breaks, and does not say what is overtime.
    return {
      externalId: row.id,
      employeeExternalId: text(row.employee?.id),
      startAt,
      endAt,
      regularHours: hoursBetween(startAt, endAt),
      status: endAt ? 'CLOSED' : 'OPEN',
    }
  },
  list: {
    pageLimit: largestPage,
    updatedAfter: 'none', // a shift has no modification time, neither to filter by nor to read
    page: byCreation(async (call, _, page) =>
      rowsIn<Shift>(await call.read(get(below(call, '/shifts'), { expand: 'employee', ...page }))),
    ),
  },
  // One by its id alone exists only below its employee.
  get: async (call, id) =>
    rowsIn<Shift>(await call.read(get(below(call, '/shifts'), { filter: [`id=${id}`], expand: 'employee' }))).find(
      (row) => row.id === id,
    ),
}
