// Lists that come as bare arrays: an empty one could be anything's, such as a proxy's.
import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { list } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { locationOf } from './account.ts'

type Query = Record<string, string | number | readonly string[]>

/**
 * An empty list is read again when the service behind it has responded in its own format. `absent` is the path of a
 * record that cannot exist: only Lightspeed says so.
 */
export async function readList<T>(call: ReadCall, path: string, query: Query, absent: string): Promise<readonly T[]> {
  const at = { businessLocationId: locationOf(call) }
  const read = async () => list<T>((await call.read(get(path, { ...at, ...query }))).body)
  const rows = await read()
  if (rows.length > 0) return rows
  try {
    await call.read(get(absent, at))
  } catch (error) {
    const isOwn = error instanceof NativeFailure && ['not_found', 'invalid'].includes(error.error.kind)
    if (!isOwn) throw error
  }
  return read()
}
