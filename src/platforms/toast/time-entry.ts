import type { EntityAdapter } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { hoursBetween } from '../../kit/time.ts'
import { restaurant } from './account.ts'
import { fromToastDate, isGuid, toToastDate } from './api.ts'
import { type WindowPlace, walkWindows } from './window-walk.ts'

interface Reference {
  guid: string
}
export interface NativeTimeEntry {
  guid: string
  modifiedDate?: string
  deleted?: boolean
  employeeReference?: Reference | null
  jobReference?: Reference | null
  shiftReference?: Reference | string | null
  inDate?: string
  outDate?: string | null
  regularHours?: number | null
  overtimeHours?: number | null
  breaks?:
    | { paid?: boolean; missed?: boolean; waived?: boolean; inDate?: string | null; outDate?: string | null }[]
    | null
}

/** Toast's own hours; if there are none yet, the time between the punches minus unpaid breaks taken and overtime. */
export function regularHours(row: NativeTimeEntry): number | undefined {
  const own = number(row.regularHours)
  if (own !== undefined) return own
  const whole = hoursBetween(fromToastDate(row.inDate), fromToastDate(row.outDate))
  if (whole === undefined) return undefined
  const unpaid = list(row.breaks).filter(({ paid, missed, waived }) => !flag(paid) && !flag(missed) && !flag(waived))
  const away = unpaid.reduce(
    (sum, pause) => sum + (hoursBetween(fromToastDate(pause.inDate), fromToastDate(pause.outDate)) ?? 0),
    0,
  )
  return Math.round((whole - away - (number(row.overtimeHours) ?? 0)) * 10_000) / 10_000
}
/** Some responses have a plain GUID in its place. */
const shiftOf = ({ shiftReference }: NativeTimeEntry): string | undefined =>
  text(typeof shiftReference === 'string' ? shiftReference : shiftReference?.guid)

/** There is no status field: an entry is deleted (archived), open until its out date, or closed. */
export function statusOf({ deleted, outDate }: NativeTimeEntry): 'DELETED' | 'OPEN' | 'CLOSED' {
  if (flag(deleted)) return 'DELETED'
  return fromToastDate(outDate) ? 'CLOSED' : 'OPEN'
}

export const timeEntry: EntityAdapter<'time_entry', NativeTimeEntry, WindowPlace> = {
  id: (row) => row.guid,
  toUnified: (row) => ({
    externalId: row.guid,
    employeeExternalId: text(row.employeeReference?.guid),
    jobExternalId: text(row.jobReference?.guid),
    shiftExternalId: shiftOf(row),
    startAt: fromToastDate(row.inDate),
    endAt: fromToastDate(row.outDate),
    regularHours: regularHours(row),
    overtimeHours: number(row.overtimeHours),
    status: statusOf(row),
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    // By modification time, not by clock-in: only this filter includes archived entries by default, and a corrected
    // entry cannot be missed by the walk.
    page: walkWindows<NativeTimeEntry>({
      id: (row) => row.guid,
      modified: (row) => fromToastDate(row.modifiedDate),
      opened: async (call) => (await restaurant(call)).opened,
      firstMs: 7 * 86_400_000,
      read: async (call, from, to) =>
        list<NativeTimeEntry>(
          (
            await call.read(
              get('/labor/v1/timeEntries', { modifiedStartDate: toToastDate(from), modifiedEndDate: toToastDate(to) }),
            )
          ).body,
        ),
    }),
  },
  get: async (call, id) =>
    isGuid(id)
      ? (await ifFound(call.read(get(path`/labor/v1/timeEntries/${id}`, { includeArchived: true }))))?.body
      : undefined,
}
