import type { EntityAdapter, NativeRequest, NativeResponse, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { splitName } from '../../kit/names.ts'
import { del, get, patch, path, post, put } from '../../kit/requests.ts'
import { externalIdOf, fromToastDate, isGuid, writeUnique } from './api.ts'
import {
  type EmployeeRow,
  fromUnified,
  type Job,
  jobTitled,
  type NativeEmployee,
  toUnified,
  withRoles,
} from './employee-row.ts'

const employeeIn = ({ body }: NativeResponse): NativeEmployee => {
  if (!text(body?.guid)) throw new Error('no employee in the response')
  return body
}
const read = async (call: ReadCall, id: string): Promise<NativeEmployee | undefined> =>
  (await ifFound(call.read(get(path`/labor/v1/employees/${id}`))))?.body
const readRow = async (call: ReadCall, id: string): Promise<EmployeeRow | undefined> => {
  const row = isGuid(id) ? await read(call, id) : undefined
  return row && (await withRoles(call, [row]))[0]
}
// archives: Toast never deletes employees.
const archival = (id: string): NativeRequest => del(path`/labor/v1/employees/${id}`)

async function create(call: WriteCall, record: Employee) {
  const externalId = externalIdOf(call)
  const job = record.role === undefined ? undefined : await jobTitled(call, record.role)
  const jobReferences = job && [{ guid: job.guid, entityType: 'RestaurantJob' }]
  const body = compact({
    entityType: 'RestaurantUser',
    externalId,
    email: record.email,
    ...fromUnified(record),
    jobReferences,
  })
  const { guid } = await writeUnique(call, 'employee', {
    request: post('/labor/v1/employees', body),
    read: employeeIn,
    find: () => read(call, externalId),
    lagSeconds: 10,
  })
  if (record.active === false)
    await call.write('archive', { request: archival(guid), read: employeeIn, recovery: 'repeat' })
  return { id: guid }
}

async function update(call: WriteCall, current: EmployeeRow, record: Employee) {
  const { guid: id } = current
  const present = toUnified(current)
  const job = record.role === undefined || record.role === present.role ? undefined : await jobTitled(call, record.role)
  const step = (name: string, request: NativeRequest) =>
    call.write(name, { request, read: employeeIn, recovery: 'repeat' })
  // Unarchives first and archives last, so that all other changes apply to an active employee. Unarchiving has no body,
  // but requires a content type.
  if (record.active === true && current.deleted)
    await call.write('unarchive', {
      request: put(path`/labor/v1/employees/${id}/unarchive`, undefined, {
        headers: { 'content-type': 'application/json' },
      }),
      read: employeeIn,
      // Not repeated: an employee who is not archived is rejected.
      recovery: { find: async () => activeOnly(await read(call, id)), lagSeconds: 10 },
    })
  const change = fromUnified(record, current)
  if (Object.entries(change).some(([name, value]) => value !== current[name as keyof typeof change]))
    await step('employee', patch(path`/labor/v1/employees/${id}`, change))
  if (job) await step('jobs', put(path`/labor/v1/employees/${id}/jobs`, withFirst(job, list(current.jobReferences))))
  if (record.active === false && !current.deleted) await step('archive', archival(id))
  return { id, row: (await readRow(call, id))! }
}
const activeOnly = (row: NativeEmployee | undefined) => (row?.deleted === false ? row : undefined)

/** The role is the first job. A new job replaces the first; an existing one moves to the front. */
function withFirst(job: Job, current: readonly { guid: string }[]): { guid: string }[] {
  const others = current.some(({ guid }) => guid === job.guid)
    ? current.filter(({ guid }) => guid !== job.guid)
    : current.slice(1)
  return [job, ...others].map(({ guid }) => ({ guid }))
}

const write = {
  notStored: { '/isOwner': true },
  fields: {
    email: '/email',
    firstName: '/name',
    lastName: '/name',
    chosenName: '/nickname',
    externalEmployeeId: '/employeeCode',
    jobReferences: '/role',
  },
} as const

export const employee: EntityAdapter<'employee', EmployeeRow, never> = {
  id: (row) => row.guid,
  toUnified,
  list: {
    pageLimit: 200,
    updatedAfter: 'service', // one unpaged list without a time filter
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    page: async (call) => {
      const { body } = await call.read(get('/labor/v1/employees'))
      return { rows: list<NativeEmployee>(body).toSorted((a, b) => (a.guid < b.guid ? -1 : 1)) }
    },
    complete: { size: 200, fields: ['/role'], rows: withRoles },
  },
  get: readRow,
  create: {
    ...write,
    requires: ['/email', '/settings/namingAuthority'],
    check: ({ name }) =>
      splitName(name).last ? [] : [{ pointer: '/name', message: 'Toast needs a first and a last name' }],
    run: create,
  },
  update: { ...write, run: update },
}
