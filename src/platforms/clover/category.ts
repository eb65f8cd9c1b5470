import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, text } from '../../kit/fields.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fromUnixMs } from '../../kit/time.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { below } from './account.ts'
import { createOnce } from './create-once.ts'
import { byModification, pageLimit } from './listing.ts'

interface NativeCategory {
  id: string
  name?: string
  deleted?: boolean
  modifiedTime?: number
  parentCategory?: { id?: string }
}
export const readCategory = async (call: ReadCall, id: string): Promise<NativeCategory | undefined> =>
  (await ifFound(call.read(get(below(call, path`/categories/${id}`)))))?.body

const write = {
  // The category tree is defined in the merchant's own menus; a category cannot be inactive, only deleted.
  notStored: { '/description': true, '/parentExternalId': true, '/imageIds': true, '/active': ['false'] },
  longest: { '/name': 127 },
} as const

export const category: EntityAdapter<'category', NativeCategory, TimePlace<number>> = {
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    parentExternalId: text(row.parentCategory?.id),
    active: !flag(row.deleted),
  }),
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromUnixMs(row.modifiedTime),
    stampPrecision: 'seconds',
    page: byModification('/categories'),
  },
  get: readCategory,
  create: {
    ...write,
    run: async (call, { name }) => ({
      id: await createOnce<NativeCategory>(call, {
        collection: '/categories',
        filter: [`name=${name}`],
        request: post(below(call, '/categories'), { name }),
        same: (row) => row.name === name,
      }),
    }),
  },
  update: {
    ...write,
    run: async (call, { id, name: current }, { name }) => {
      if (current !== name)
        await call.write('category', {
          request: post(below(call, path`/categories/${id}`), { name }),
          read: () => id,
          recovery: 'repeat',
        })
      return { id }
    },
  },
}
