// A create that happens once, however many callers send it at the same moment: for tools that make what is missing.
import { Problem } from '../../contract/errors.ts'
import { everyOf } from '../../store/paging.ts'
import type { Page, PageQuery, Store } from '../../store/store.ts'
import { truth } from '../query.ts'
import { installation } from './audit.ts'
import type { ManageCall } from './route.ts'

export const uniqueQuery = (what: string) => ({
  unique: `\`true\`: nothing is created if there is ${what} already; the response is 409 \`already_exists\``,
})

/** For `unique=true`, as the first step of the transaction that creates it. */
export async function refuseSecond<Item extends { id: string }>(
  inner: Store,
  { query, parameters }: Pick<ManageCall<never>, 'query' | 'parameters'>,
  what: string,
  list: (page: PageQuery) => Promise<Page<Item>>,
  isSame: (item: Item) => boolean,
): Promise<void> {
  if (!truth(query, 'unique', false)) return
  await inner.audit.lock(parameters.workspaceId ?? installation)
  for await (const item of everyOf(list))
    if (isSame(item)) throw new Problem('already_exists', `There is ${what} already: ${item.id}. Change that one.`)
}
