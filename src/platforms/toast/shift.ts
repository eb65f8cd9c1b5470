// Scheduled shifts. Toast filters them by their own times alone: a shift is in a window if it begins and ends in it.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { addMs } from '../../kit/time.ts'
import { restaurant } from './account.ts'
import { fromToastDate, isGuid, toToastDate } from './api.ts'

interface Reference {
  guid: string
}
export interface NativeShift {
  guid: string
  modifiedDate?: string
  deleted?: boolean
  jobReference?: Reference | null
  employeeReference?: Reference | null
  inDate?: string
  outDate?: string
}
const day = 86_400_000
// Toast allows one month, and February is the shortest. Windows overlap by the longest shift.
const windowMs = 26 * day
const longestShiftMs = day
const plannedAheadMs = 182 * day

interface Place {
  from: string
  began: string // when the walk began
  to: string
  again?: true
}
const begin = ({ inDate }: NativeShift): string => fromToastDate(inDate) ?? ''
const keyOf = (row: NativeShift): string => `${begin(row)} ${row.guid}`

async function readWindow(call: ReadCall, from: string): Promise<NativeShift[]> {
  const end = addMs(from, windowMs)
  const query = { startDate: toToastDate(from), endDate: toToastDate(addMs(end, longestShiftMs)) }
  const rows = list<NativeShift>((await call.read(get('/labor/v1/shifts', query))).body)
  return rows.filter((row) => begin(row) < end).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** There is no status field. */
const statusOf = ({ deleted }: NativeShift): 'DELETED' | 'SCHEDULED' => (flag(deleted) ? 'DELETED' : 'SCHEDULED')

export const shift: EntityAdapter<'shift', NativeShift, Place> = {
  id: (row) => row.guid,
  toUnified: (row, { account }) => ({
    externalId: row.guid,
    employeeExternalId: text(row.employeeReference?.guid),
    jobExternalId: text(row.jobReference?.guid),
    locationExternalId: account.settings.restaurantGuid,
    startAt: fromToastDate(row.inDate),
    endAt: fromToastDate(row.outDate),
    status: statusOf(row),
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'service', // shifts cannot be filtered by modification time
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    /**
     * From the first business day to half a year ahead. A shift that is moved to an earlier time during the walk would be
     * missed, so all windows are read again for the shifts that were modified since the walk began.
     */
    page: async (call, _, at) => {
      const { opened } = await restaurant(call)
      const place: Place = at ?? { from: opened, began: call.now, to: addMs(call.now, plannedAheadMs) }
      const isDue = (row: NativeShift) => !place.again || (fromToastDate(row.modifiedDate) ?? call.now) > place.began
      const rows = (await readWindow(call, place.from)).filter(isDue)
      const from = addMs(place.from, windowMs)
      if (from < place.to) return { rows, next: { ...place, from } }
      return place.again ? { rows } : { rows, next: { ...place, from: opened, again: true } }
    },
  },
  get: async (call, id) =>
    isGuid(id) ? (await ifFound(call.read(get(path`/labor/v1/shifts/${id}`))))?.body : undefined,
}
