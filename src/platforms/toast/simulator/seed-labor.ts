// One employee and one time entry: chosen names, archived people, breaks of all kinds, overtime, punches that are still
// open.
import type { Seed } from '../../../sandbox/seeds.ts'
import { day, never, wireDate } from './wire.ts'
import { businessDate, type Employee, referenceTo, type Shift, type TimeEntry, type World } from './world.ts'

const hour = 3_600_000

export function seedEmployee(
  world: World,
  seed: Seed,
  { guid, at, archived, email }: { guid: string; at: number; archived: boolean; email?: string },
): string {
  const person = seed.person()
  const jobs = seed.sample(world.jobs.ids(), seed.int(0, 2))
  const employee: Employee = {
    ...referenceTo('RestaurantUser', guid),
    createdDate: wireDate(at),
    modifiedDate: wireDate(at),
    deletedDate: archived ? wireDate(at) : never,
    deleted: archived,
    firstName: person.givenName,
    chosenName: seed.chance(0.3) ? seed.person().givenName : null,
    lastName: person.familyName,
    email: email ?? person.email,
    phoneNumber: seed.chance(0.5) ? seed.phone('US').slice(2) : null,
    phoneNumberCountryCode: null,
    externalEmployeeId: seed.chance(0.6) ? `E${seed.int(1000, 9999)}` : null,
    jobReferences: jobs.map((job) => referenceTo('RestaurantJob', job)),
    wageOverrides: jobs
      .slice(0, 1)
      .map((job) => ({ wage: seed.int(15, 30), jobReference: referenceTo('RestaurantJob', job) })),
    v2EmployeeGuid: guid,
  }
  world.employees.set(guid, employee)
  return guid
}

export function seedTimeEntry(
  world: World,
  seed: Seed,
  { guid, at, shape }: { guid: string; at: number; shape: number },
): string {
  const worked = seed.int(3, 10)
  const open = shape % 40 === 3
  const pause = (paid: boolean, missed: boolean) => ({
    guid: `${guid.slice(0, -1)}${paid ? 'a' : 'b'}`,
    breakType: { guid: 'a7c8b3a4-6c3d-4c2b-8e3c-0b8de7ab9a01', entityType: 'BreakType' },
    paid,
    inDate: wireDate(at + hour),
    outDate: missed ? null : wireDate(at + 1.5 * hour),
    missed,
    waived: false,
    auditResponse: null,
  })
  const breaks = [pause(false, false), pause(true, shape % 3 === 0)].slice(0, shape % 3)
  const unpaid = breaks.filter(({ paid, missed }) => !paid && !missed).length / 2
  const overtime = Math.max(0, worked - unpaid - 8)
  const uncounted = open || shape % 10 === 6 // Toast calculates hours when the day is closed
  const archived = shape % 20 === 7
  const job = seed.pick(world.jobs.ids())
  const entry: TimeEntry = {
    ...referenceTo('TimeEntry', guid),
    createdDate: wireDate(at),
    modifiedDate: wireDate(at + (open ? 0 : worked * hour)),
    deletedDate: archived ? wireDate(at + day) : never,
    deleted: archived,
    jobReference: seed.chance(0.95) ? referenceTo('RestaurantJob', job) : null,
    employeeReference: referenceTo('RestaurantUser', seed.pick(world.employees.ids())),
    shiftReference: seed.chance(0.5) ? referenceTo('ScheduledShift', `${guid.slice(0, -1)}c`) : null,
    inDate: wireDate(at),
    outDate: open ? null : wireDate(at + worked * hour),
    autoClockedOut: false,
    businessDate: String(businessDate(at)),
    regularHours: uncounted ? null : worked - unpaid - overtime,
    overtimeHours: uncounted ? null : overtime,
    hourlyWage: seed.int(12, 30),
    breaks,
    declaredCashTips: seed.int(0, 40),
    nonCashTips: seed.int(0, 9000) / 100,
  }
  world.timeEntries.set(guid, entry)
  const { shiftReference, employeeReference } = entry
  if (shiftReference)
    seedShift(world, {
      guid: shiftReference.guid,
      at,
      hours: 8,
      employee: employeeReference.guid,
      job,
      created: at - day,
    })
  return guid
}

interface ShiftPlan {
  guid: string
  at: number
  hours: number
  employee: string
  job: string
  created: number
  deleted?: boolean
}
export function seedShift(
  world: World,
  { guid, at, hours, employee, job, created, deleted = false }: ShiftPlan,
): string {
  const shift: Shift = {
    ...referenceTo('ScheduledShift', guid),
    createdDate: wireDate(created),
    modifiedDate: wireDate(created),
    deletedDate: deleted ? wireDate(created) : never,
    deleted,
    jobReference: referenceTo('RestaurantJob', job),
    employeeReference: referenceTo('RestaurantUser', employee),
    inDate: wireDate(at),
    outDate: wireDate(at + hours * hour),
    scheduleConfig: { minBeforeClockIn: 10, minAfterClockIn: 10, minBeforeClockOut: 10, minAfterClockOut: 10 },
  }
  world.shifts.set(guid, shift)
  return guid
}
