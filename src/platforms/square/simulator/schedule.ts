// Locations, and the schedule of the team: shifts are drafted, published and deleted, apart from timecards.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { workdayFilter } from './team.ts'
import { accept, bodyOf, inRange, list, notFound, ok, timeOf } from './wire.ts'
import { pageOf, type ScheduledShift, type Stamped, type World } from './world.ts'

const byName = (world: World) => world.locations.values().sort((a, b) => (a.name < b.name ? -1 : 1))

export const locationRoutes: Routes<World> = {
  'GET /v2/locations': ({ context: world }) => list('locations', byName(world)),
  'GET /v2/locations/:id': ({ params: { id = '' }, context: world }) => {
    const location = id === 'main' ? world.locations.values()[0] : world.locations.get(id)
    return ok({ location: location ?? notFound(`Location with ID \`${id}\` not found.`) })
  },
}

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

function searchShifts(world: World, raw: Fields): WireResponse {
  const body = accept('SearchScheduledShiftsRequest', raw) as ShiftSearch
  const { filter = {}, sort } = body.query ?? {}
  const starts = inRange(filter.start, 'query.filter.start')
  const ends = inRange(filter.end, 'query.filter.end')
  const onDay = workdayFilter(filter.workday, filter.workday?.match_scheduled_shifts_by)
  const { location_ids: places, team_member_ids: people, assignment_status: assigned } = filter
  const rows = world.shifts.filter((shift) => {
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

export const shiftRoutes: Routes<World> = {
  'POST /v2/labor/scheduled-shifts/search': ({ request, context: world }) => searchShifts(world, bodyOf(request)),
  'GET /v2/labor/scheduled-shifts/:id': ({ params: { id = '' }, context: world }) =>
    ok({ scheduled_shift: world.shifts.get(id) ?? notFound(`Scheduled shift with ID \`${id}\` not found.`) }),
}
