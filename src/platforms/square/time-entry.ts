import type { EntityAdapter } from '../../contract/connector.ts'
import { flag, list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { hoursBetween, toUtc } from '../../kit/time.ts'
import { pages } from './account.ts'

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

const table = fieldTable<'time_entry', Timecard>({
  '/employeeExternalId': '/team_member_id',
  '/jobExternalId': '/wage/job_id',
  '/startAt': ['/start_at', { read: toUtc }],
  '/endAt': ['/end_at', { read: toUtc }],
  '/regularHours': { from: workedHours },
  '/status': '/status',
})

export const timeEntry: EntityAdapter<'time_entry', Timecard, string> = flatEntity('time_entry', {
  verticals: ['restaurant'],
  id: (row) => row.id,
  table,
  rowIn: ({ body }) => body.timecard,
  list: {
    pageLimit: 200,
    // There is no filter by modification time. Sorting by it, newest first, and stopping early would miss a card that
    // changes during the walk: it moves to a page that was already read.
    updatedAfter: 'service',
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    page: pages('/timecards', (page) =>
      post('/v2/labor/timecards/search', { query: { sort: { field: 'CREATED_AT', order: 'ASC' } }, ...page }),
    ),
  },
  one: (_, id) => get(path`/v2/labor/timecards/${id}`),
})
