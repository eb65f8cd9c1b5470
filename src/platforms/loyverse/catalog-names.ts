// Categories and suppliers: items contain their ids, unified records their names.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import { post } from '../../kit/requests.ts'
import { paths, readAll, readByIds } from './listing.ts'

type Kind = 'categories' | 'suppliers'
interface Named {
  id: string
  name: string
}
const steps = { categories: 'category', suppliers: 'supplier' } as const

/** All names are cached for minutes; a missing one is requested, because it may be new. */
export async function namesOf(
  call: ReadCall,
  kind: Kind,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const target = ids.filter((id): id is string => Boolean(id))
  if (target.length === 0) return new Map()
  const known = await call.cached(
    kind,
    async () => new Map((await readAll<Named>(call, kind)).map(({ id, name }) => [id, name])),
  )
  const missing = target.filter((id) => !known.has(id))
  if (missing.length)
    for (const { id, name } of await readByIds<Named>(call, kind, `${kind}_ids`, missing)) known.set(id, name)
  return known
}
const findByName = async (call: ReadCall, kind: Kind, name: string): Promise<string | undefined> =>
  (await readAll<Named>(call, kind)).find((record) => record.name.trim().toLowerCase() === name.toLowerCase())?.id

/**
 * Finds the record by name, or creates it. It stays if the product is rejected: others may use it by then, and a
 * corrected product finds it again.
 */
export async function idByName(call: WriteCall, kind: Kind, asked: string): Promise<string> {
  const name = asked.trim()
  return (
    (await findByName(call, kind, name)) ??
    call.write(steps[kind], {
      request: post(paths[kind], { name }),
      read: ({ body }) => body.id as string,
      recovery: { find: () => findByName(call, kind, name) },
      undo: 'nothing',
    })
  )
}
