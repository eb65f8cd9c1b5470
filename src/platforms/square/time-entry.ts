import type { EntityAdapter } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { hoursBetween, toUtc } from '../../kit/time.ts'

export interface Timecard {
  id: string
  team_member_id?: string
  start_at?: string
  end_at?: string
  status?: string
  wage?: { job_id?: string }
  breaks?: { start_at?: string; end_at?: string; is_paid?: boolean }[]
  updated_at?: string
}
/**
 * Square has no hours field: time on the clock without unpaid breaks. Overtime depends on local law and is not part of
 * the API.
 */
export function workedHours({ start_at, end_at, breaks }: Timecard): number | undefined {
  const whole = hoursBetween(start_at, end_at)
  if (whole === undefined) return undefined
  const unpaid = list(breaks).filter(({ is_paid }) => !flag(is_paid))
  return (
    Math.round(
      (whole -
        unpaid.reduce((sum, pause) => sum + (hoursBetween(toUtc(pause.start_at), toUtc(pause.end_at)) ?? 0), 0)) *
        10_000,
    ) / 10_000
  )
}

export const timeEntry: EntityAdapter<'time_entry', Timecard, string> = {
  verticals: ['restaurant'],
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    employeeExternalId: text(row.team_member_id),
    jobExternalId: text(row.wage?.job_id),
    startAt: toUtc(row.start_at),
    endAt: toUtc(row.end_at),
    regularHours: workedHours(row),
    status: text(row.status),
  }),
  list: {
    pageLimit: 200,
    // There is no filter by modification time. Sorting by it, newest first, and stopping early would miss a card that
    // changes during the walk: it moves to a page that was already read.
    updatedAfter: 'service',
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    page: singleCall(
      ({ size }, cursor) =>
        post('/v2/labor/timecards/search', {
          query: { sort: { field: 'CREATED_AT', order: 'ASC' } },
          limit: size,
          cursor,
        }),
      ({ body }) => ({ rows: [...list<Timecard>(body.timecards)], next: body.cursor }),
    ),
  },
  get: async (call, id) => (await ifFound(call.read(get(path`/v2/labor/timecards/${id}`))))?.body.timecard,
}
