// Items belong to accounting groups. Menu groups are screens of a POS: an item can be on several or none.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { list, text } from '../../kit/fields.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { locationOf } from './account.ts'

interface AccountingGroup {
  accountingGroupId: number
  name?: string
  code?: string
}
const readGroups = async (call: ReadCall): Promise<readonly AccountingGroup[]> =>
  list(
    (await call.read(get(path`/f/finance/${locationOf(call)}/accountingGroups`))).body?._embedded?.accountingGroupList,
  )

export const category: EntityAdapter<'category', AccountingGroup, number> = {
  scopes: { read: ['financial-api'] },
  id: (row) => String(row.accountingGroupId),
  toUnified: (row) => ({
    externalId: String(row.accountingGroupId),
    name: text(row.name) ?? text(row.code) ?? String(row.accountingGroupId),
    active: true,
  }),
  list: {
    pageLimit: 1000,
    updatedAfter: 'none',
    page: async (call, query, after) => pageAfter(await readGroups(call), (row) => row.accountingGroupId, query, after),
  },
  get: async (call, id) => (await readGroups(call)).find((row) => String(row.accountingGroupId) === id),
}
