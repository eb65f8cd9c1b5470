import type { EntityAdapter } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import { compact, flagOr, list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { nameParts, twoNames } from '../../kit/person.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { toUtc } from '../../kit/time.ts'
import { pages } from './account.ts'

interface TeamMember {
  id: string
  reference_id?: string
  is_owner?: boolean
  status?: string
  given_name?: string
  family_name?: string
  email_address?: string
  updated_at?: string
  wage_setting?: { job_assignments?: { job_title?: string }[] }
}
const shownName = (row: TeamMember): string =>
  displayName(fullName(row.given_name, row.family_name), row.email_address, row.reference_id, row.id)!
const roleOf = (row: TeamMember) => text(list(row.wage_setting?.job_assignments)[0]?.job_title)
const table = fieldTable<'employee', TeamMember>(
  {
    '/name': ['/given_name', { from: shownName, write: false, errors: ['team_member.family_name'] }],
    '/nickname': null,
    '/email': '/email_address',
    // Needs the id of a Square job (ListJobs).
    '/role': ['/wage_setting/job_assignments', { from: roleOf, stored: false }],
    '/employeeCode': '/reference_id',
    '/active': [
      '/status',
      { read: (status) => text(status) === 'ACTIVE', write: (active) => (active ? 'ACTIVE' : 'INACTIVE'), keeps: true },
    ],
    '/isOwner': ['/is_owner', { read: flagOr(false), stored: false }], // the API cannot change it
  },
  { nameInErrors: (steps) => ['team_member', ...steps].join('.') },
)
/** The existing split of a name is preserved unless the name changes. */
const namesOf = nameParts<TeamMember>({ shown: shownName, first: 'given_name', last: 'family_name' })
function nameFields(record: Employee, current?: TeamMember) {
  const { first, last } = namesOf(record, current)
  return { given_name: first, family_name: last }
}

export const employee: EntityAdapter<'employee', TeamMember, string> = flatEntity('employee', {
  verticals: ['restaurant'],
  id: (row) => row.id,
  table,
  rowIn: ({ body }) => body.team_member,
  list: {
    pageLimit: 200,
    updatedAfter: 'service', // team members cannot be filtered by modification time
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    page: pages('/team_members', (page) => post('/v2/team-members/search', page)),
  },
  one: (_, id) => get(path`/v2/team-members/${id}`),
  create: {
    check: twoNames('Square needs a given and a family name'),
    send: (call, record) => ({
      request: post('/v2/team-members', {
        idempotency_key: call.key('member'),
        team_member: compact({ ...nameFields(record), ...table.body(record) }),
      }),
      recovery: 'key',
    }),
  },
  update: {
    send: (_, current, record) => {
      const { given_name = null, family_name = null } = nameFields(record, current)
      return {
        request: put(path`/v2/team-members/${current.id}`, {
          team_member: { given_name, family_name, ...table.replacement(record) },
        }),
        recovery: 'repeat',
      }
    },
  },
})
