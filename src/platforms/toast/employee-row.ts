import type { ReadCall } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, flag, list, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'
import { get, path } from '../../kit/requests.ts'

export interface NativeEmployee {
  guid: string
  firstName?: string | null
  chosenName?: string | null
  lastName?: string | null
  email?: string | null
  externalEmployeeId?: string | null
  deleted?: boolean
  modifiedDate?: string
  jobReferences?: { guid: string }[] | null
}
export type EmployeeRow = NativeEmployee & { role?: string }

const shownName = (row: NativeEmployee): string =>
  displayName(fullName(row.firstName, row.lastName), row.chosenName, row.email, row.guid)!

export const toUnified = (row: EmployeeRow): Employee => ({
  externalId: row.guid,
  name: shownName(row),
  nickname: text(row.chosenName),
  email: text(row.email),
  role: row.role,
  employeeCode: text(row.externalEmployeeId),
  active: !flag(row.deleted),
})

/** The fields that a PATCH accepts: an email cannot change. No value may be null, so nothing can be cleared. */
export function fromUnified(record: Employee, current?: NativeEmployee) {
  // The existing split of a name is preserved unless the name changes.
  const same = current && shownName(current) === record.name
  const { first, last } = same ? { first: current.firstName, last: current.lastName } : splitName(record.name)
  return compact({
    firstName: first,
    lastName: last,
    chosenName: record.nickname,
    externalEmployeeId: record.employeeCode,
  })
}

export interface Job {
  guid: string
  title?: string | null
}
const readJobs = async (call: ReadCall): Promise<readonly Job[]> =>
  list<Job>((await call.read(get('/labor/v1/jobs'))).body)
const jobs = (call: ReadCall): Promise<readonly Job[]> => call.cached('jobs', () => readJobs(call))
/** A job that was created after the list was cached. */
const newJob = (call: ReadCall, guid: string): Promise<Job | undefined> =>
  call.cached(`job ${guid}`, async () => (await ifFound(call.read(get(path`/labor/v1/jobs/${guid}`))))?.body)

/** An employee's role is the title of the first job. */
export async function withRoles(call: ReadCall, rows: readonly NativeEmployee[]): Promise<EmployeeRow[]> {
  const titles = new Map((await jobs(call)).map(({ guid, title }) => [guid, text(title)]))
  const firstJob = (row: NativeEmployee): string => list(row.jobReferences)[0]?.guid ?? ''
  for (const guid of new Set(rows.map(firstJob)))
    if (guid && !titles.has(guid)) titles.set(guid, text((await newJob(call, guid))?.title))
  return rows.map((row) => ({ ...row, role: titles.get(firstJob(row)) }))
}

export async function jobTitled(call: ReadCall, role: string): Promise<Job> {
  const titled = (all: readonly Job[]) => all.find(({ title }) => text(title) === role.trim())
  const kept = titled(await jobs(call))
  if (kept) return kept
  const fresh = await readJobs(call)
  const made = titled(fresh)
  if (made) return made
  throw refusal(
    'jobReferences',
    `The restaurant has no job "${role}", only ${fresh.map(({ title }) => text(title)).join(', ')}`,
  )
}
