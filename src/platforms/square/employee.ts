import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, list, orNull, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'

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

function fromUnified(record: Employee, current?: TeamMember) {
  // The existing split of a name is preserved unless the name changes.
  const same = current && shownName(current) === record.name
  const { first, last } = same ? { first: current.given_name, last: current.family_name } : splitName(record.name)
  return {
    given_name: first,
    family_name: last,
    email_address: record.email,
    reference_id: record.employeeCode,
    status: record.active === undefined ? undefined : record.active ? 'ACTIVE' : 'INACTIVE',
  }
}
const write = {
  // A role needs the id of a Square job (ListJobs), and the API cannot change the owner.
  notStored: { '/nickname': true, '/role': true, '/isOwner': true },
  fields: {
    'team_member.given_name': '/name',
    'team_member.family_name': '/name',
    'team_member.email_address': '/email',
    'team_member.reference_id': '/employeeCode',
    'team_member.status': '/active',
  },
} as const
const readMember = async (call: ReadCall, id: string): Promise<TeamMember | undefined> =>
  (await ifFound(call.read(get(path`/v2/team-members/${id}`))))?.body.team_member
const written = ({ body }: { body: { team_member: TeamMember } }) => ({
  id: body.team_member.id,
  row: body.team_member,
})

export const employee: EntityAdapter<'employee', TeamMember, string> = {
  verticals: ['restaurant'],
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    name: shownName(row),
    email: text(row.email_address),
    role: text(list(row.wage_setting?.job_assignments)[0]?.job_title),
    employeeCode: text(row.reference_id),
    active: text(row.status) === 'ACTIVE',
    isOwner: row.is_owner ?? false,
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'service', // team members cannot be filtered by modification time
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    page: singleCall(
      ({ size }, cursor) => post('/v2/team-members/search', { limit: size, cursor }),
      ({ body }) => ({ rows: [...list<TeamMember>(body.team_members)], next: body.cursor }),
    ),
  },
  get: readMember,
  create: {
    ...write,
    check: ({ name }) =>
      splitName(name).last ? [] : [{ pointer: '/name', message: 'Square needs a given and a family name' }],
    run: (call, record) =>
      call.write('member', {
        request: post('/v2/team-members', {
          idempotency_key: call.key('member'),
          team_member: compact(fromUnified(record)),
        }),
        read: written,
        recovery: 'key',
      }),
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      const { status, ...cleared } = fromUnified(record, current)
      return call.write('member', {
        request: put(path`/v2/team-members/${current.id}`, {
          team_member: { ...orNull(cleared), ...compact({ status }) },
        }),
        read: written,
        recovery: 'repeat',
      })
    },
  },
}
