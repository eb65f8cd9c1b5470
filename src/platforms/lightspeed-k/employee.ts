// POS users and back-office users: https://api-docs.lsk.lightspeed.app/group/endpoint-staff
import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Employee } from '../../contract/entities/employee.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'
import { type ChunkPlace, overChunks } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { locationOf } from './account.ts'

type UserType = 'POS' | 'BACK_OFFICE'
interface Staff {
  staffId: number
  username?: string
  userTypes?: string[]
  firstName?: string
  lastName?: string
  email?: string
  active?: boolean
  modifiedOn?: string
  groups?: { id: number; name?: string }[]
}
const idOf = (row: Staff): string => String(row.staffId)
const isBoth = ({ userTypes }: Staff): boolean =>
  list(userTypes).includes('POS') && list(userTypes).includes('BACK_OFFICE')
const users = (call: ReadCall, type: UserType): string =>
  path`/staff/v1/businessLocations/${locationOf(call)}/userTypes/${type}`

async function readUsers(
  call: ReadCall,
  type: UserType,
  query: { page: number; size: number; sort: string },
): Promise<{ rows: readonly Staff[]; more: boolean }> {
  const { body } = await call.read(get(users(call, type), query))
  const rows = list<Staff>(body?.data?.staff)
  // A user of both is listed twice and counts as a POS user.
  return {
    rows: type === 'POS' ? rows : rows.filter((row) => !isBoth(row)),
    more: query.page < (body?.page?.totalPages ?? 0),
  }
}
/** By ascending id: by default the newest is first, where it would shift all others. */
const walk = (type: UserType) =>
  walkByNumber<Staff>({
    id: idOf,
    fetch: (call, { size }, page) => readUsers(call, type, { page, size, sort: 'userId,asc' }),
  })
const walks = { POS: walk('POS'), BACK_OFFICE: walk('BACK_OFFICE') }

async function readUser(call: ReadCall, id: string): Promise<Staff | undefined> {
  if (!/^\d+$/.test(id)) return undefined
  const user: Staff | undefined = (
    await ifFound(call.read(get(path`/staff/v1/businessLocations/${locationOf(call)}/staff/${id}`)))
  )?.body
  return list(user?.userTypes).some((type) => type in walks) ? user : undefined
}
/** Each list contains only part of the data of a user of both. */
const finish = (call: ReadCall, rows: Staff[]): Promise<Staff[]> =>
  Promise.all(rows.map(async (row) => (isBoth(row) ? ((await readUser(call, idOf(row))) ?? row) : row)))

async function groupNamed(call: ReadCall, name: string | undefined): Promise<number | undefined> {
  if (name === undefined) return undefined
  const { body } = await call.read(
    get(path`/staff/v1/businessLocations/${locationOf(call)}/groups`, { name, size: 1000 }),
  )
  return list<{ id: number; name?: string }>(body?.data?.staffGroupList).find(
    (group) => group.name?.toLowerCase() === name.toLowerCase(),
  )?.id
}
// Of a first name, a last name and a user name, which is the whole name of an employee without a nickname.
const longest = 128
function check({ name, nickname }: Employee): Refused[] {
  const { first, last = '' } = splitName(name)
  const parts = nickname === undefined ? [name] : [first, last]
  return parts.flatMap((part) => tooLong('/name', part, longest)).slice(0, 1)
}
async function create(call: WriteCall, record: Employee) {
  const { first: firstName, last: lastName = '' } = splitName(record.name)
  const target = compact({
    username: text(record.nickname) ?? record.name.trim(),
    firstName,
    lastName,
    active: record.active ?? true,
    group: await groupNamed(call, text(record.role)),
  })
  // A user has no field for a reference. The highest id is journaled before anything is sent: a user that we create has
  // a higher one.
  const highest = get(users(call, 'POS'), { page: 1, size: 1, sort: 'userId,desc' })
  const before = await call.write('before', {
    request: highest,
    read: ({ body }) => list<Staff>(body?.data?.staff)[0]?.staffId ?? 0,
    recovery: 'repeat',
    undo: 'nothing',
  })
  return call.write('user', {
    request: post(users(call, 'POS'), target),
    read: ({ body }: { body: Staff }) => ({ id: idOf(body) }),
    recovery: {
      find: async (unclaimed) => {
        const { rows } = await readUsers(call, 'POS', { page: 1, size: 100, sort: 'userId,desc' })
        const same = (row: Staff) =>
          row.username === target.username &&
          (row.firstName ?? '') === firstName &&
          (row.lastName ?? '') === lastName &&
          row.active === target.active
        // Oldest first: a similar user of a write that is still under way is newer.
        for (const row of rows.toReversed())
          if (row.staffId > before && same(row) && (await unclaimed(idOf(row)))) return { id: idOf(row) }
        return undefined
      },
    },
  })
}

export const employee: EntityAdapter<'employee', Staff, ChunkPlace<UserType, NumberPlace>> = {
  scopes: { read: ['staff-api'], write: ['staff-api'] },
  id: idOf,
  toUnified: (row) => ({
    externalId: idOf(row),
    name: displayName(fullName(row.firstName, row.lastName), row.username, row.email, idOf(row))!,
    nickname: text(row.username),
    email: text(row.email),
    role: text(list(row.groups)[0]?.name),
    active: row.active,
  }),
  list: {
    pageLimit: 100,
    updatedAfter: 'service', // startDate and endDate filter by the time of employment
    modifiedAt: (row) => toUtc(row.modifiedOn),
    stampPrecision: 'seconds', // the document shows no fraction
    page: overChunks<Staff, UserType, NumberPlace>(
      () => ['POS', 'BACK_OFFICE'],
      (call, query, type, at) => walks[type](call, query, at),
    ),
    complete: { size: 10, rows: finish },
  },
  get: readUser,
  // No update: it requires the PIN, which cannot be read, and would replace it.
  create: {
    // Only back-office users have an email, and they cannot be created here.
    notStored: { '/email': true, '/employeeCode': true, '/isOwner': true },
    fields: { username: '/nickname', firstName: '/name', lastName: '/name', group: '/role', active: '/active' },
    longest: { '/nickname': longest },
    check,
    run: create,
  },
}
