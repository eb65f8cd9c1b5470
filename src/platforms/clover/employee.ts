import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUnixMs } from '../../kit/time.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { below, rowsIn } from './account.ts'
import { createOnce } from './create-once.ts'
import { byCreation, largestPage } from './listing.ts'

interface NativeEmployee {
  id: string
  name?: string
  nickname?: string
  customId?: string
  email?: string
  role?: string
  isOwner?: boolean
  deletedTime?: number
}
const roles = ['ADMIN', 'MANAGER', 'EMPLOYEE']

const readEmployee = async (call: ReadCall, id: string): Promise<NativeEmployee | undefined> =>
  (await ifFound(call.read(get(below(call, path`/employees/${id}`)))))?.body

const write = {
  // An employee can only be deleted, not deactivated, and the owner cannot change.
  notStored: { '/active': ['false'], '/isOwner': ['true'] },
  longest: { '/name': 127, '/nickname': 127, '/employeeCode': 127, '/email': 127 },
  values: { '/role': { only: roles } },
} as const

export const employee: EntityAdapter<'employee', NativeEmployee, NumberPlace> = {
  id: (row) => row.id,
  // The PIN is never read.
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    nickname: text(row.nickname),
    email: text(row.email),
    role: text(row.role),
    employeeCode: text(row.customId),
    active: row.deletedTime === undefined,
    isOwner: row.isOwner ?? false,
  }),
  list: {
    pageLimit: largestPage,
    // Responses do not include the time, so the filter must be strict: the service cannot check it again.
    updatedAfter: 'platform',
    page: byCreation(async (call, { updatedAfter }, page) =>
      rowsIn<NativeEmployee>(
        await call.read(
          get(below(call, '/employees'), {
            filter: updatedAfter === undefined ? [] : [`modifiedTime>${toUnixMs(updatedAfter)}`],
            ...page,
          }),
        ),
      ),
    ),
  },
  get: readEmployee,
  create: {
    ...write,
    run: async (call, { name, nickname, email, role, employeeCode: customId }) => ({
      id: await createOnce<NativeEmployee>(call, {
        collection: '/employees',
        filter: [customId ? `customId=${customId}` : `name=${name}`],
        request: post(below(call, '/employees'), compact({ name, nickname, email, role, customId })),
        same: (row) =>
          row.name === name && (row.customId ?? '') === (customId ?? '') && (row.email ?? '') === (email ?? ''),
      }),
    }),
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      const { id } = current
      const role = record.role === undefined || record.role === current.role ? undefined : record.role
      // Partial: absent fields are unchanged, an empty string clears.
      const body = compact({
        name: record.name,
        nickname: record.nickname ?? '',
        email: record.email ?? '',
        customId: record.employeeCode ?? '',
        role,
      })
      await call.write('employee', {
        request: post(below(call, path`/employees/${id}`), body),
        read: () => id,
        recovery: 'repeat',
      })
      return { id }
    },
  },
}
