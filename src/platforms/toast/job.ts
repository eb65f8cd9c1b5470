import type { ReadCall } from '../../contract/connector.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import type { EmployeeRow, NativeEmployee } from './employee-row.ts'

export interface Job {
  guid: string
  title?: string | null
}
const readJobs = async (call: ReadCall): Promise<readonly Job[]> => list<Job>((await call.read(get('/labor/v1/jobs'))).body)
const jobs = (call: ReadCall): Promise<readonly Job[]> => call.cached('jobs', () => readJobs(call))
/** One made since the list was kept. */
const newJob = (call: ReadCall, guid: string): Promise<Job | undefined> =>
  call.cached(`job ${guid}`, async () => (await ifFound(call.read(get(path`/labor/v1/jobs/${guid}`))))?.body)

/** An employee's role is the title of the first job. */
export async function withRoles(call: ReadCall, rows: readonly NativeEmployee[]): Promise<EmployeeRow[]> {
  const titles = new Map((await jobs(call)).map(({ guid, title }) => [guid, text(title)]))
  const firstJob = (row: NativeEmployee): string => list(row.jobReferences)[0]?.guid ?? ''
  for (const guid of new Set(rows.map(firstJob))) if (guid && !titles.has(guid)) titles.set(guid, text((await newJob(call, guid))?.title))
  return rows.map((row) => ({ ...row, role: titles.get(firstJob(row)) }))
}

export async function jobTitled(call: ReadCall, role: string): Promise<Job> {
  const titled = (all: readonly Job[]) => all.find(({ title }) => text(title) === role.trim())
  const kept = titled(await jobs(call))
  if (kept) return kept
  const fresh = await readJobs(call)
  const made = titled(fresh)
  if (made) return made
  throw refusal('jobReferences', `The restaurant has no job "${role}", only ${fresh.map(({ title }) => text(title)).join(', ')}`)
}
