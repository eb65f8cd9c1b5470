// Categories and brands: products hold their ids, unified records their names.
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
  const wanted = [...new Set(ids)].filter((id): id is number => Boolean(id))
  const names = new Map<number, string>()
  for (const chunk of chunksOf(wanted, perCall)) {
    const { body } = await call.read(get(v3(call, `/catalog/${kind}`), { 'id:in': chunk.join(','), limit: perCall }))
    for (const { id, name } of list<Named>(body.data)) names.set(id, name)
  }
  return names
}

async function categoryNamed(call: ReadCall, name: string): Promise<number | undefined> {
  const { body } = await call.read(get(v3(call, '/catalog/categories'), { name, limit: perCall }))
  return list<Named>(body.data).find((category) => category.name === name)?.id
}

/** The category of that name, wherever it stands in the tree; made at the top where there is none. */
export async function categoryFor(call: WriteCall, name: string): Promise<number> {
  const known = await categoryNamed(call, name)
  if (known !== undefined) return known
  try {
    return await call.write('category', {
      request: post(v3(call, '/catalog/categories'), { name, parent_id: 0 }),
      read: ({ body }) => body.data.id as number,
      recovery: { find: () => categoryNamed(call, name) },
      // Other products may be in it by now, so it is left where it is, even when this product is refused: a corrected one finds it again.
      undo: 'nothing',
    })
  } catch (error) {
    const made =
      error instanceof NativeFailure && error.error.kind === 'duplicate' ? await categoryNamed(call, name) : undefined
    if (made === undefined) throw error
    return made // by somebody else, in between
  }
}
