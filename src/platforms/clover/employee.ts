import type { EntityAdapter } from '../../contract/connector.ts'
import { flagOr, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
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
const table = fieldTable<'employee', NativeEmployee>(
  {
    '/name': ['/name', { from: (row) => text(row.name) ?? row.id, longest: 127 }],
    '/nickname': ['/nickname', { longest: 127 }],
    '/employeeCode': ['/customId', { longest: 127 }],
    '/email': ['/email', { longest: 127 }],
    '/role': ['/role', { keeps: true, only: ['ADMIN', 'MANAGER', 'EMPLOYEE'] }],
    // An employee can only be deleted, not deactivated, and the owner cannot change.
    '/active': { from: ({ deletedTime }) => deletedTime === undefined, notStored: ['false'] },
    '/isOwner': ['/isOwner', { read: flagOr(false), write: false, notStored: ['true'] }],
  },
  { cleared: '' },
)

export const employee: EntityAdapter<'employee', NativeEmployee, NumberPlace> = flatEntity('employee', {
  id: (row) => row.id,
  table, // the PIN is never read
  list: {
    pageLimit: largestPage,
    // Responses do not include the time, and Clover cuts it to seconds.
    updatedAfter: 'platform',
    stampPrecision: 'seconds',
    page: byCreation(async (call, { updatedAfter }, page) =>
      rowsIn<NativeEmployee>(
        await call.read(
          get(below(call, '/employees'), {
            filter: updatedAfter === undefined ? [] : [`modifiedTime>=${toUnixMs(updatedAfter)}`],
            ...page,
          }),
        ),
      ),
    ),
  },
  one: (call, id) => get(below(call, path`/employees/${id}`)),
  create: {
    run: async (call, record) => {
      const { name, email, employeeCode: customId } = record
      const id = await createOnce<NativeEmployee>(call, {
        collection: '/employees',
        filter: [customId ? `customId=${customId}` : `name=${name}`],
        request: post(below(call, '/employees'), table.body(record)),
        same: (row) =>
          row.name === name && (row.customId ?? '') === (customId ?? '') && (row.email ?? '') === (email ?? ''),
      })
      return { id }
    },
  },
  update: {
    run: async (call, { id, role }, record) => {
      // Partial: absent fields are unchanged, an empty string clears.
      const body = table.replacement(record.role === role ? { ...record, role: undefined } : record)
      await call.write('employee', {
        request: post(below(call, path`/employees/${id}`), body),
        read: () => id,
        recovery: 'repeat',
      })
      return { id }
    },
  },
})
