// The labor API: employees who are archived but never deleted, jobs, and time entries and shifts in windows of a month.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import {
  findByEither,
  invalid,
  isExternalId,
  never,
  ok,
  readBody,
  readDates,
  readObject,
  readText,
  timeOf,
  wireDate,
} from './wire.ts'
import { type Employee, newGuid, type Reference, referenceTo, type Shift, type TimeEntry, type World } from './world.ts'

const idsIn = (query: URLSearchParams, name: string): string[] => {
  const ids = query.getAll(name)
  return ids.length > 100 ? invalid(`At most 100 ${name} can be requested`) : ids
}
const oneOf = (ids: readonly string[], { guid, externalId }: Reference): boolean =>
  ids.includes(guid) || (externalId !== null && ids.includes(externalId))

function jobReferences(world: World, given: unknown): Reference[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return invalid('Jobs must be an array')
  return given.map((entry) => {
    const job = isObject(entry)
      ? world.jobs.find(
          (one) =>
            !one.deleted &&
            (one.guid === entry.guid || (one.externalId !== null && one.externalId === entry.externalId)),
        )
      : undefined
    return job ? referenceTo('RestaurantJob', job.guid) : invalid('The job does not exist')
  })
}

function createEmployee(world: World, body: Fields): Employee {
  const text = (name: string) => readText(body, name)
  for (const name of ['email', 'firstName', 'lastName']) if (!text(name)) invalid(`${name} is required`)
  const email = text('email') as string
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) invalid('email is not valid')
  if (world.employees.find((other) => other.email.toLowerCase() === email.toLowerCase()))
    invalid('An employee with this email exists')
  const externalId = text('externalId')
  if (externalId !== null && !isExternalId(externalId)) invalid('externalId must be prefixed with a naming authority')
  if (externalId !== null && world.employees.find((other) => other.externalId === externalId))
    invalid(`An employee with externalId ${externalId} already exists`)
  const passcode = text('passcode')
  if (passcode !== null && !/^\d{1,8}$/.test(passcode)) invalid('passcode must have one to eight digits')
  const at = wireDate(world.tick())
  const employee: Employee = {
    guid: newGuid(),
    entityType: 'RestaurantUser',
    externalId,
    createdDate: at,
    modifiedDate: at,
    deletedDate: never,
    deleted: false,
    firstName: text('firstName'),
    chosenName: text('chosenName'),
    lastName: text('lastName'),
    email,
    phoneNumber: null,
    phoneNumberCountryCode: null,
    externalEmployeeId: text('externalEmployeeId'),
    jobReferences: jobReferences(world, body.jobReferences),
    wageOverrides: [],
    v2EmployeeGuid: newGuid(),
  }
  return world.employees.set(employee.guid, employee)
}

const changeable = ['firstName', 'chosenName', 'lastName', 'externalEmployeeId'] as const
const patchable: readonly string[] = [...changeable, 'passcode', 'currentPasscode']

function changeEmployee(world: World, current: Employee, body: Fields): Employee {
  if (Object.keys(body).length === 0) invalid('At least one value is required')
  for (const [name, value] of Object.entries(body)) {
    if (!patchable.includes(name)) invalid(`${name} cannot be updated`)
    if (typeof value !== 'string' || value === '') invalid(`${name} must not be empty`)
  }
  if (body.passcode !== undefined && body.currentPasscode === undefined) invalid('currentPasscode is required')
  return save(
    world,
    current,
    Object.fromEntries(changeable.filter((name) => body[name] !== undefined).map((name) => [name, body[name]])),
  )
}
const save = (world: World, current: Employee, change: Partial<Employee>): Employee =>
  world.employees.set(current.guid, { ...current, ...change, modifiedDate: wireDate(world.tick()) })

function archive(world: World, current: Employee): Employee {
  if (current.deleted) return current
  if (
    world.timeEntries.find(
      ({ employeeReference, outDate, deleted }) =>
        employeeReference.guid === current.guid && outDate === null && !deleted,
    )
  )
    invalid('The employee has an open time entry')
  return save(world, current, { deleted: true, deletedDate: wireDate(world.now()) })
}
const unarchive = (world: World, current: Employee): Employee =>
  current.deleted
    ? save(world, current, { deleted: false, deletedDate: never })
    : invalid('The employee is not archived')

function setExternalId(world: World, request: WireRequest, current: Employee): Employee {
  const externalId = readBody(request)
  if (!isExternalId(externalId)) return invalid('externalId must be a JSON string with a naming authority')
  if (request.method === 'POST' && current.externalId !== null) invalid('The employee has an externalId already')
  return save(world, current, { externalId })
}

/** Deleted jobs are omitted everywhere. */
const shown = (world: World, employee: Employee): Employee => ({
  ...employee,
  jobReferences: employee.jobReferences.filter(({ guid }) => world.jobs.get(guid)?.deleted === false),
})

function listTimeEntries(world: World, query: URLSearchParams): TimeEntry[] {
  const ids = idsIn(query, 'timeEntryIds')
  const modified = readDates(query, 'modifiedStartDate', 'modifiedEndDate', true)
  const clockedIn = readDates(query, 'startDate', 'endDate', true)
  const onDay = query.get('businessDate')
  const archived = query.get('includeArchived') === 'true'
  const between = (date: string, range: { from: number; to: number }) =>
    timeOf(date) >= range.from && timeOf(date) < range.to
  if (ids.length > 0) return world.timeEntries.filter((entry) => oneOf(ids, entry))
  // Always includes archived entries.
  if (modified) return world.timeEntries.filter((entry) => between(entry.modifiedDate, modified))
  if (clockedIn)
    return world.timeEntries.filter((entry) => between(entry.inDate, clockedIn) && (archived || !entry.deleted))
  if (/^\d{8}$/.test(onDay ?? ''))
    return world.timeEntries.filter((entry) => entry.businessDate === onDay && !entry.deleted)
  return invalid(
    'timeEntryIds, startDate and endDate, modifiedStartDate and modifiedEndDate, or businessDate are required',
  )
}
/** A shift matches if it begins and ends in the window. */
function listShifts(world: World, query: URLSearchParams): Shift[] {
  const ids = idsIn(query, 'shiftIds')
  if (ids.length > 0) return world.shifts.filter((shift) => oneOf(ids, shift))
  const { from, to } =
    readDates(query, 'startDate', 'endDate', true) ?? invalid('shiftIds, or startDate and endDate, are required')
  return world.shifts.filter(({ inDate, outDate }) => timeOf(inDate) >= from && timeOf(outDate) < to)
}
const withBreaks = (query: URLSearchParams, entry: TimeEntry): TimeEntry =>
  query.get('includeMissedBreaks') === 'true'
    ? entry
    : { ...entry, breaks: entry.breaks.filter(({ missed }) => !missed) }

export const employeeRoutes: Routes<World> = {
  'GET /labor/v1/employees': ({ request: { query }, context: world }) => {
    const ids = idsIn(query, 'employeeIds')
    return ok(
      world.employees
        .filter((employee) => ids.length === 0 || oneOf(ids, employee))
        .map((employee) => shown(world, employee)),
    )
  },
  'POST /labor/v1/employees': ({ request, context: world }) =>
    ok(shown(world, createEmployee(world, readObject(request)))),
  'GET /labor/v1/employees/:id': ({ params: { id = '' }, context: world }) =>
    ok(shown(world, findByEither(world.employees, id, 'employee'))),
  'PATCH /labor/v1/employees/:id': ({ request, params: { id = '' }, context: world }) =>
    ok(shown(world, changeEmployee(world, findByEither(world.employees, id, 'employee'), readObject(request)))),
  'DELETE /labor/v1/employees/:id': ({ params: { id = '' }, context: world }) =>
    ok(shown(world, archive(world, findByEither(world.employees, id, 'employee')))),
  'PUT /labor/v1/employees/:id/unarchive': ({ params: { id = '' }, context: world }) =>
    ok(shown(world, unarchive(world, findByEither(world.employees, id, 'employee')))),
  'PUT /labor/v1/employees/:id/jobs': ({ request, params: { id = '' }, context: world }) =>
    ok(
      shown(
        world,
        save(world, findByEither(world.employees, id, 'employee'), {
          jobReferences: jobReferences(world, readBody(request)),
        }),
      ),
    ),
  'POST /labor/v1/employees/:id/externalId': ({ request, params: { id = '' }, context: world }) =>
    ok(setExternalId(world, request, findByEither(world.employees, id, 'employee'))),
  'PUT /labor/v1/employees/:id/externalId': ({ request, params: { id = '' }, context: world }) =>
    ok(setExternalId(world, request, findByEither(world.employees, id, 'employee'))),
}

export const laborRoutes: Routes<World> = {
  'GET /labor/v1/jobs': ({ request: { query }, context: world }) => {
    const ids = idsIn(query, 'jobIds')
    return ok(world.jobs.filter((job) => (ids.length > 0 ? oneOf(ids, job) : !job.deleted)))
  },
  'GET /labor/v1/jobs/:id': ({ params: { id = '' }, context: world }) => ok(findByEither(world.jobs, id, 'job')),
  'GET /labor/v1/shifts': ({ request: { query }, context: world }) => ok(listShifts(world, query)),
  'GET /labor/v1/shifts/:id': ({ params: { id = '' }, context: world }) => ok(findByEither(world.shifts, id, 'shift')),
  'GET /labor/v1/timeEntries': ({ request: { query }, context: world }) =>
    ok(listTimeEntries(world, query).map((entry) => withBreaks(query, entry))),
  'GET /labor/v1/timeEntries/:id': ({ request: { query }, params: { id = '' }, context: world }) => {
    const entry = findByEither(world.timeEntries, id, 'time entry')
    if (entry.deleted && query.get('includeArchived') !== 'true')
      return ok(findByEither({ get: () => undefined, find: () => undefined }, id, 'time entry'))
    return ok(withBreaks(query, entry))
  },
}
