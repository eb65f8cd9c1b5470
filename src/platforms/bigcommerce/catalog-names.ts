// Categories and brands: products contain their ids, unified records their names.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { list } from '../../kit/fields.ts'
import { chunksOf } from '../../kit/paging.ts'
import { get, post } from '../../kit/requests.ts'
import { v3 } from './account.ts'

interface Named {
  id: number
  name: string
}
const perCall = 250

export async function namesOf(
  call: ReadCall,
  kind: 'categories' | 'brands',
  ids: readonly (number | undefined)[],
): Promise<ReadonlyMap<number, string>> {
  const target = [...new Set(ids)].filter((id): id is number => Boolean(id))
  const names = new Map<number, string>()
  for (const chunk of chunksOf(target, perCall)) {
    const { body } = await call.read(get(v3(call, `/catalog/${kind}`), { 'id:in': chunk.join(','), limit: perCall }))
    for (const { id, name } of list<Named>(body.data)) names.set(id, name)
  }
  return names
}

async function categoryNamed(call: ReadCall, name: string): Promise<number | undefined> {
  const { body } = await call.read(get(v3(call, '/catalog/categories'), { name, limit: perCall }))
  return list<Named>(body.data).find((category) => category.name === name)?.id
}

/** The category with that name, anywhere in the tree; created at the top level if there is none. */
export async function categoryFor(call: WriteCall, name: string): Promise<number> {
  const known = await categoryNamed(call, name)
  if (known !== undefined) return known
  try {
    return await call.write('category', {
      request: post(v3(call, '/catalog/categories'), { name, parent_id: 0 }),
      read: ({ body }) => body.data.id as number,
      recovery: { find: () => categoryNamed(call, name) },
      // Other products may use it by now, so it stays even if this product is rejected: a corrected product finds it
      // again.
      undo: 'nothing',
    })
  } catch (error) {
    const made =
      error instanceof NativeFailure && error.error.kind === 'duplicate' ? await categoryNamed(call, name) : undefined
    if (made === undefined) throw error
    return made // by another client in the meantime
  }
}
