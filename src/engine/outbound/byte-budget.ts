// How many bytes of responses are in memory. One account cannot fill it: neither with large responses nor with many
// that never end.
export interface OpenResponse {
  /** More bytes have arrived. May abort this response, or the largest one of the account that holds the most. */
  add(bytes: number): void
  /** The bytes are no longer needed. */
  end(): void
}
export interface ByteBudget {
  /** An account may hold `most` bytes at once. */
  open(account: string, most: number, abort: (error: Error) => void): OpenResponse
}
interface Held {
  bytes: number
  abort(error: Error): void
}
/** All responses of an instance that are being received. */
const totalBytes = 96 * 1024 * 1024

export class TooManyBytes extends Error {
  override name = 'TooManyBytes'
  readonly code = 'TOO_MANY_BYTES'
}

export function createByteBudget(total = totalBytes): ByteBudget {
  const accounts = new Map<string, { bytes: number; responses: Set<Held> }>()
  let all = 0

  function largest(): Held | undefined {
    let most: { bytes: number; responses: Set<Held> } | undefined
    for (const account of accounts.values()) if (!most || account.bytes > most.bytes) most = account
    let response: Held | undefined
    for (const held of most?.responses ?? []) if (!response || held.bytes > response.bytes) response = held
    return response
  }
  return {
    open(name, most, abort) {
      const account = accounts.get(name) ?? { bytes: 0, responses: new Set<Held>() }
      accounts.set(name, account)
      const held: Held = { bytes: 0, abort }
      account.responses.add(held)
      return {
        add(bytes) {
          if (!account.responses.has(held)) return
          held.bytes += bytes
          account.bytes += bytes
          all += bytes
          if (account.bytes > most) abort(new TooManyBytes('the responses of this account are too large in total'))
          else if (all > total) largest()?.abort(new TooManyBytes('the service receives too many bytes at once'))
        },
        end() {
          if (!account.responses.delete(held)) return
          account.bytes -= held.bytes
          all -= held.bytes
          if (account.responses.size === 0) accounts.delete(name)
        },
      }
    },
  }
}
