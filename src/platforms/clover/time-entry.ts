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
  overrideInTime?: number // a manager's correction takes precedence over the punch
  overrideOutTime?: number
}
export const timeEntry: EntityAdapter<'time_entry', Shift, NumberPlace> = {
  id: (row) => row.id,
  toUnified: (row) => {
    const startAt = fromUnixMs(row.overrideInTime ?? row.inTime)
    const endAt = fromUnixMs(row.overrideOutTime ?? row.outTime)
    // Clover has no hours, breaks or overtime.
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
    updatedAfter: 'none', // a shift has no modification time
    page: byCreation(async (call, _, page) =>
      rowsIn<Shift>(await call.read(get(below(call, '/shifts'), { expand: 'employee', ...page }))),
    ),
  },
  // A single shift can only be read below its employee.
  get: async (call, id) =>
    rowsIn<Shift>(await call.read(get(below(call, '/shifts'), { filter: [`id=${id}`], expand: 'employee' }))).find(
      (row) => row.id === id,
    ),
}
