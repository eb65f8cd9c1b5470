// The staff API: users of the POS, of the back office and of both, and their shifts. Pages are numbered from 1; errors
// have no documented body.
import type { Fields } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { createAcceptor, type Schemas } from '../../../sandbox/schema.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { bodyOf, type FieldError, integerOf, ok, refuse, springError } from './wire.ts'
import { isoSeconds, type Shift, type Staff, type World } from './world.ts'

const locationOf = (world: World, id: string, path: string): void => {
  if (id !== String(world.locationId)) refuse(springError(403, 'Access Denied', path))
}
function shownStaff(world: World, user: Staff, view: 'POS' | 'BACK_OFFICE' | 'single'): Fields {
  const { username, email, pinLength, groups, ...rest } = user
  const till = view !== 'BACK_OFFICE' && user.userTypes.includes('POS')
  return {
    ...rest,
    ...(till && { username, pinCodeSet: pinLength !== null, pinLength }),
    ...(view !== 'POS' && { email }),
    businessId: world.businessId,
    businessLocationId: world.locationId,
    groups: groups.flatMap((id) => world.staffGroups.get(String(id)) ?? []),
    reportAccess: ['STAFF_REPORT_OWN_ACCESS'],
  }
}
export const shownShift = (world: World, shift: Shift): Fields => ({
  ...shift,
  businessId: world.businessId,
  businessLocationId: world.locationId,
})
/** Sorted by one field and direction, paged, with links and counts. */
function envelope<T>(
  request: WireRequest,
  name: string,
  rows: readonly T[],
  keys: Readonly<Record<string, (row: T) => string | number>>,
  fallback: string,
  shown: (row: T) => unknown,
): WireResponse {
  const page = integerOf(request, 'page', 1, { least: 1, most: 1_000_000 })
  const size = integerOf(request, 'size', 10, { least: 1, most: 10_000 })
  const [field = '', direction] = (request.query.get('sort') ?? fallback).split(',')
  const key = keys[field] ?? refuse(springError(400, `No property '${field}' found`, request.path))
  const sorted = rows.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    return (left < right ? -1 : left > right ? 1 : 0) * (direction === 'desc' ? -1 : 1)
  })
  const cut = numberedPage(sorted, { page, size })
  const link = (number: number) => ({
    href: `https://api.lsk.lightspeed.app${request.path}?page=${number}&size=${size}`,
  })
  return ok({
    data: { [name]: cut.rows.map(shown) },
    links: {
      first: link(1),
      self: link(page),
      ...(cut.more && { next: link(page + 1) }),
      last: link(Math.max(1, cut.pages)),
    },
    page: { page, size: cut.rows.length, totalElements: cut.total, totalPages: cut.pages },
  })
}
const userKeys = { userId: ({ staffId }: Staff) => staffId }

const userFields: Schemas = {
  username: { type: 'string', required: true, maxLength: 128, pattern: /\S/ },
  firstName: 128,
  lastName: 128,
}
function createUser(world: World, request: WireRequest): WireResponse {
  const body = bodyOf(request)
  const errors: FieldError[] = []
  createAcceptor({
    invalid({ kind, name, schema: { maxLength } }) {
      if (kind !== 'unknown') errors.push({ field: name, message: `size must be between 1 and ${maxLength}` })
    },
  })(body, userFields)
  if (body.group !== undefined && !world.staffGroups.has(String(body.group)))
    errors.push({ field: 'group', message: 'group not found' })
  if (typeof body.pinCode === 'string' && !/^\d{4}$/.test(body.pinCode))
    errors.push({ field: 'pinCode', message: 'must have 4 digits' })
  if (errors.length > 0) return springError(400, 'Bad request. Invalid input parameters.', request.path, errors)
  const staffId = 14_000 + world.serial('staff')
  const at = isoSeconds(world.tick())
  const user: Staff = {
    staffId,
    username: String(body.username),
    userTypes: ['POS'],
    firstName: String(body.firstName ?? ''),
    lastName: String(body.lastName ?? ''),
    email: null,
    active: body.active !== false,
    pinLength: typeof body.pinCode === 'string' ? 4 : null,
    createdOn: at,
    modifiedOn: at,
    groups: typeof body.group === 'number' ? [body.group] : [],
    roles: [{ id: 1234, name: 'ROLE_CAN_LOGIN' }],
  }
  return ok(shownStaff(world, world.staff.set(String(staffId), user), 'single'), 201)
}
const listUsers =
  (type: 'POS' | 'BACK_OFFICE'): Routes<World>[string] =>
  ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location, request.path)
    const active = request.query.get('isActive')
    const users = world.staff.filter(
      (user) => user.userTypes.includes(type) && (active === null || String(user.active) === active),
    )
    return envelope(request, 'staff', users, userKeys, 'userId,desc', (user) => shownStaff(world, user, type))
  }

export const staffRoutes: Routes<World> = {
  'GET /staff/v1/businessLocations/:location/userTypes/POS': listUsers('POS'),
  'GET /staff/v1/businessLocations/:location/userTypes/BACK_OFFICE': listUsers('BACK_OFFICE'),
  'POST /staff/v1/businessLocations/:location/userTypes/POS': ({
    request,
    params: { location = '' },
    context: world,
  }) => {
    locationOf(world, location, request.path)
    return createUser(world, request)
  },
  'GET /staff/v1/businessLocations/:location/staff/:id': ({
    request,
    params: { location = '', id = '' },
    context: world,
  }) => {
    locationOf(world, location, request.path)
    if (!/^\d+$/.test(id)) return springError(400, 'Bad request. Invalid input parameters.', request.path)
    const user = world.staff.get(id)
    return user ? ok(shownStaff(world, user, 'single')) : springError(404, 'Staff not found', request.path)
  },
  'GET /staff/v1/businessLocations/:location/groups': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location, request.path)
    const name = request.query.get('name')
    const groups = world.staffGroups.filter(
      (group) => name === null || group.name.toLowerCase().includes(name.toLowerCase()),
    )
    return envelope(request, 'staffGroupList', groups, { name: (group) => group.name }, 'name,asc', (group) => ({
      ...group,
      posAccessForbidden: false,
      roles: [],
    }))
  },
  'GET /staff/v1/businessLocations/:location/shift': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location, request.path)
    const staffId = request.query.get('staffId')
    const bound = (name: string): number | undefined => {
      const given = request.query.get(name)
      if (given === null) return undefined
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(given)
        ? Date.parse(`${given}Z`)
        : refuse(springError(400, `Invalid ${name}`, request.path))
    }
    const [start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY] = [bound('startTime'), bound('endTime')]
    const shifts = world.shifts.filter((shift) => {
      const began = Date.parse(shift.events[0]?.timestamp ?? shift.dateInUTC)
      return (staffId === null || String(shift.staffId) === staffId) && began >= start && began <= end
    })
    // Sorted by the time of the last update: a corrected shift changes its position.
    return envelope(
      request,
      'shifts',
      shifts,
      { date: (shift) => `${shift.dateInUTC} ${shift.uuid}` },
      'date,desc',
      (shift) => shownShift(world, shift),
    )
  },
}
