// The native row of one record. Only the call that addresses the record can say that it does not exist.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { NativeFailure } from '../../contract/native-failure.ts'

type Get = NonNullable<EntityAdapter<EntityType>['get']>

/**
 * Undefined, or a NativeFailure `not_found`: the platform has no such record. A call that is not found after another one
 * was answered is about a part of the record (its parent, stock, or payments), and so is a fact of the account: these
 * reject as a failure of the platform.
 */
export async function readRow(get: Get, call: ReadCall, id: string): Promise<unknown> {
  let isAnswered = false
  let loading = 0
  let part: NativeFailure | undefined
  const watched: ReadCall = {
    ...call,
    async read(request) {
      const isFact = loading > 0
      try {
        const response = await call.read(request)
        if (!isFact) isAnswered = true
        return response
      } catch (error) {
        if (error instanceof NativeFailure && error.error.kind === 'not_found' && (isAnswered || isFact)) part ??= error
        throw error
      }
    },
    cached: (name, load) =>
      call.cached(name, async () => {
        loading++
        try {
          return await load()
        } finally {
          loading--
        }
      }),
  }
  try {
    const row = await get(watched, id)
    if (row !== undefined || !part) return row
  } catch (error) {
    if (error !== part) throw error
  }
  const { error, status } = part as NativeFailure
  throw new NativeFailure(
    { ...error, kind: 'unavailable', message: `a part of the record was not found: ${error.message}` },
    status,
  )
}
