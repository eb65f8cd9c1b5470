// Team members, their jobs and their timecards.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { resource } from './resource.ts'
import { accept, bodyOf, inRange, invalid, list, textOf, timeOf, withoutNulls } from './wire.ts'
import { isoSeconds, newId, once, pageOf, type Stamped, type Timecard, type World } from './world.ts'

export type StoredTeamMember = Stamped & { is_owner: boolean; status: string }
type StoredTimecard = Stamped & Timecard

function given(body: Fields): Fields {
  if (!isObject(body.team_member))
    return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'team_member')
  const member = accept('TeamMember', body.team_member, 'team_member')
  const { email_address: email, phone_number: phone } = member
  if (typeof email === 'string' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    invalid('INVALID_EMAIL_ADDRESS', 'Expected a valid email address.', 'team_member.email_address')
  if (typeof phone === 'string' && !/^\+\d{7,15}$/.test(phone))
    invalid('INVALID_PHONE_NUMBER', 'Expected an E.164 phone number.', 'team_member.phone_number')
  return member
}

/** The assignments are replaced as a whole; the title is the job's own. */
function withJobs(world: World, member: Fields): Fields {
  const wage = member.wage_setting as { job_assignments?: Fields[] } | null | undefined
  if (!wage?.job_assignments) return member
  const job_assignments = wage.job_assignments.map((assignment, index) => {
    const job =
      world.jobs.get(String(assignment.job_id)) ??
      invalid(
        'INVALID_VALUE',
        `Job \`${String(assignment.job_id)}\` not found.`,
        `team_member.wage_setting.job_assignments[${index}].job_id`,
      )
    return { pay_type: 'NONE', ...assignment, job_title: job.title }
  })
  return { ...member, wage_setting: { ...wage, job_assignments } }
}

function refuseTaken(world: World, member: Fields, own?: string): void {
  const email = String(member.email_address ?? '').toLowerCase()
  if (
    email &&
    world.team.find((other) => other.id !== own && String(other.email_address ?? '').toLowerCase() === email)
  )
    invalid('INVALID_VALUE', 'The email address is used by another team member.', 'team_member.email_address')
}

const mustBeNamed = (member: Fields): void => {
  for (const name of ['given_name', 'family_name'])
    if (!member[name]) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `team_member.${name}`)
}

function searchMembers(members: readonly StoredTeamMember[], raw: Fields): WireResponse {
  const body = accept('SearchTeamMembersRequest', raw) as Fields & {
    limit?: number
    query?: { filter?: { location_ids?: string[]; status?: string; is_owner?: boolean } }
  }
  const { location_ids: locations, status, is_owner: owner } = body.query?.filter ?? {}
  const rows = members.filter((member) => {
    const assigned = member.assigned_locations as { assignment_type?: string; location_ids?: string[] } | undefined
    const there =
      !locations?.length ||
      assigned?.assignment_type !== 'EXPLICIT_LOCATIONS' ||
      locations.some((id) => assigned.location_ids?.includes(id))
    return (
      there &&
      (!status || member.status === status) &&
      (owner === undefined || owner === null || member.is_owner === owner)
    )
  })
  const page = pageOf(rows, body, { limit: body.limit ?? 100, key: ({ id }) => id })
  return list('team_members', page.rows, page.rest)
}

interface TimecardSearch extends Fields {
  limit?: number
  query?: {
    filter?: Fields & {
      location_ids?: string[]
      team_member_ids?: string[]
      status?: string
      workday?: Fields & { date_range?: { start_date?: string; end_date?: string } }
    }
    sort?: { field?: string; order?: string }
  }
}

function searchTimecards(timecards: readonly StoredTimecard[], raw: Fields): WireResponse {
  const body = accept('SearchTimecardsRequest', raw) as TimecardSearch
  const { filter = {}, sort } = body.query ?? {}
  const within = { start: inRange(filter.start, 'query.filter.start'), end: inRange(filter.end, 'query.filter.end') }
  const onDay = workdayFilter(filter.workday, filter.workday?.match_timecards_by)
  const rows = timecards.filter(
    (card) =>
      (!filter.location_ids?.length || filter.location_ids.includes(card.location_id)) &&
      (!filter.team_member_ids?.length || filter.team_member_ids.includes(card.team_member_id)) &&
      (!filter.status || filter.status === card.status) &&
      within.start(card.start_at) &&
      (!filter.end || within.end(card.end_at)) &&
      onDay(card.start_at, card.end_at),
  )
  const field = (sort?.field ?? 'START_AT').toLowerCase()
  // Sorted as instants: the strings have different offsets.
  const time = (card: Fields) => String(timeOf(card[field], field) ?? 0).padStart(15, '0')
  const page = pageOf(rows, body, {
    limit: body.limit ?? 200,
    key: (card) => `${time(card)} ${card.id}`,
    descending: sort?.order !== 'ASC',
  })
  return list('timecards', page.rows, page.rest)
}

/** A day is a local day of the location: the date in the times of the timecard or shift. */
export function workdayFilter(
  workday: { date_range?: { start_date?: string; end_date?: string } } | undefined,
  matcher: unknown,
): (start: string, end?: string) => boolean {
  if (!workday) return () => true
  const { start_date: from = '0000-01-01', end_date: to = '9999-12-31' } = workday.date_range ?? {}
  const inside = (time: string | undefined) =>
    time !== undefined && time.slice(0, 10) >= from && time.slice(0, 10) <= to
  if (matcher === 'END_AT') return (_, end) => inside(end)
  if (matcher === 'INTERSECTION')
    return (start, end) => start.slice(0, 10) <= to && (end === undefined || end.slice(0, 10) >= from)
  return (start) => inside(start)
}

const members = resource<StoredTeamMember>({
  name: 'team_member',
  path: '/v2/team-members',
  records: ({ team }) => team,
  list: { 'POST /search': (rows, { request }) => searchMembers(rows, bodyOf(request)) },
  once: ({ context }, body, run) =>
    once(context, 'team-members', textOf(body, 'idempotency_key', { max: 45 }), body, run),
  create(body, { context: world }) {
    const member = withJobs(world, withoutNulls(given(body)))
    mustBeNamed(member)
    refuseTaken(world, member)
    const at = isoSeconds(world.tick())
    return {
      status: 'ACTIVE',
      assigned_locations: { assignment_type: 'ALL_CURRENT_AND_FUTURE_LOCATIONS' },
      ...member,
      id: newId('team'),
      is_owner: false,
      created_at: at,
      updated_at: at,
    }
  },
  update(current, body, { context: world }) {
    if (current.is_owner) invalid('BAD_REQUEST', 'The owner cannot be edited.', 'team_member_id')
    const change = withJobs(world, given(body))
    refuseTaken(world, change, current.id)
    const stored = withoutNulls({ ...current, ...change, updated_at: isoSeconds(world.tick()) }) as StoredTeamMember
    mustBeNamed(stored)
    return stored
  },
})
const jobs = resource<Stamped>({
  name: 'job',
  path: '/v2/team-members/jobs',
  records: ({ jobs }) => jobs,
  get: false,
  list(rows, { request: { query } }) {
    const page = pageOf(rows, { cursor: query.get('cursor') ?? undefined }, { limit: 100, key: ({ id }) => id })
    return list('jobs', page.rows, page.rest)
  },
})
const timecards = resource<StoredTimecard>({
  name: 'timecard',
  path: '/v2/labor/timecards',
  records: ({ timecards }) => timecards,
  list: { 'POST /search': (rows, { request }) => searchTimecards(rows, bodyOf(request)) },
})
export const teamRoutes = { ...members.routes, ...jobs.routes }
export const timecardRoutes = timecards.routes
