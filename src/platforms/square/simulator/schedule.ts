// Locations, and the schedule of the team: shifts are drafted, published and deleted, apart from timecards.
import type { Fields } from '../../../sandbox/http.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { resource } from './resource.ts'
import { workdayFilter } from './team.ts'
import { accept, bodyOf, inRange, list, timeOf } from './wire.ts'
import { type Location, pageOf, type ScheduledShift, type Stamped } from './world.ts'

export const locationRoutes = resource<Location>({
  name: 'location',
  path: '/v2/locations',
  records: ({ locations }) => locations,
  list: (rows) =>
    list(
      'locations',
      rows.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ),
  find: (id, { context: { locations } }) => (id === 'main' ? locations.values()[0] : locations.get(id)),
}).routes

interface ShiftSearch extends Fields {
  limit?: number
  query?: {
    filter?: Fields & {
      location_ids?: string[]
      team_member_ids?: string[]
      assignment_status?: 'ASSIGNED' | 'UNASSIGNED'
      scheduled_shift_statuses?: ('DRAFT' | 'PUBLISHED')[]
      workday?: Fields & { date_range?: { start_date?: string; end_date?: string } }
    }
    sort?: { field?: string; order?: string }
  }
}
type Shift = Stamped & ScheduledShift
const versionsOf = ({ draft_shift_details: draft, published_shift_details: published }: Shift) =>
  published ? [draft, published] : [draft]
/** A draft that is deleted is not found as a draft. */
const hasStatus = ({ draft_shift_details: draft, published_shift_details: published }: Shift, status: string) =>
  status === 'PUBLISHED' ? published !== undefined : published === undefined && !draft.is_deleted

function searchShifts(shifts: readonly Shift[], raw: Fields): WireResponse {
  const body = accept('SearchScheduledShiftsRequest', raw) as ShiftSearch
  const { filter = {}, sort } = body.query ?? {}
  const starts = inRange(filter.start, 'query.filter.start')
  const ends = inRange(filter.end, 'query.filter.end')
  const onDay = workdayFilter(filter.workday, filter.workday?.match_scheduled_shifts_by)
  const { location_ids: places, team_member_ids: people, assignment_status: assigned } = filter
  const rows = shifts.filter((shift) => {
    if (filter.scheduled_shift_statuses?.length)
      if (!filter.scheduled_shift_statuses.some((status) => hasStatus(shift, status))) return false
    return versionsOf(shift).some(
      ({ team_member_id: member, location_id, start_at, end_at }) =>
        (!places?.length || places.includes(location_id)) &&
        // Unassigned shifts are found with those of the requested people, unless the filter excludes them.
        (!people?.length || member === undefined || people.includes(member)) &&
        (!assigned || (assigned === 'ASSIGNED') === (member !== undefined)) &&
        starts(start_at) &&
        ends(end_at) &&
        onDay(start_at, end_at),
    )
  })
  const field = (sort?.field ?? 'START_AT').toLowerCase()
  const time = (shift: Shift) => {
    const details: Fields = shift.published_shift_details ?? shift.draft_shift_details
    return String(timeOf(details[field] ?? shift[field], field) ?? 0).padStart(15, '0')
  }
  const page = pageOf(rows, body, {
    limit: body.limit ?? 50,
    key: (shift) => `${time(shift)} ${shift.id}`,
    descending: sort?.order === 'DESC',
  })
  return list('scheduled_shifts', page.rows, page.rest)
}

export const shiftRoutes = resource<Shift>({
  name: 'scheduled_shift',
  path: '/v2/labor/scheduled-shifts',
  records: ({ shifts }) => shifts,
  list: { 'POST /search': (rows, { request }) => searchShifts(rows, bodyOf(request)) },
}).routes
