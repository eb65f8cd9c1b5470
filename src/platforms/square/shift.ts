import type { EntityAdapter } from '../../contract/connector.ts'
import { flag, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { pages } from './account.ts'

interface Details {
  team_member_id?: string
  location_id?: string
  job_id?: string
  start_at?: string
  end_at?: string
  is_deleted?: boolean
}
interface ScheduledShift {
  id: string
  draft_shift_details?: Details
  published_shift_details?: Details
  updated_at?: string
}
/** What the team sees is the published version, whatever a newer draft says. */
function statusOf({ draft_shift_details: draft, published_shift_details: published }: ScheduledShift): string {
  if (published) return 'PUBLISHED'
  return flag(draft?.is_deleted) ? 'DELETED' : 'DRAFT'
}

export const shift: EntityAdapter<'shift', ScheduledShift, string> = flatEntity('shift', {
  verticals: ['restaurant'],
  id: (row) => row.id,
  toUnified: (row) => {
    const details = row.published_shift_details ?? row.draft_shift_details
    return {
      externalId: row.id,
      employeeExternalId: text(details?.team_member_id),
      jobExternalId: text(details?.job_id),
      locationExternalId: text(details?.location_id),
      startAt: toUtc(details?.start_at),
      endAt: toUtc(details?.end_at),
      status: statusOf(row),
    }
  },
  rowIn: ({ body }) => body.scheduled_shift,
  list: {
    pageLimit: 50,
    updatedAfter: 'service', // as with timecards, there is no filter by modification time
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    page: pages('/scheduled_shifts', (page) =>
      post('/v2/labor/scheduled-shifts/search', { query: { sort: { field: 'CREATED_AT', order: 'ASC' } }, ...page }),
    ),
  },
  one: (_, id) => get(path`/v2/labor/scheduled-shifts/${id}`),
})
