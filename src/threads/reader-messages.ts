// What the process and a thread that reads for it say to each other.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Gate } from '../engine/outbound/channel.ts'
import { TransportError } from '../engine/outbound/transport.ts'
import type { ListQuery } from '../engine/read/page.ts'
import type { Account, MappingOverlay } from '../store/store.ts'

export interface ReaderData {
  encryptionKeys: readonly Buffer[] // for cursors
  paceScale: number
}
/** No credential of a platform leaves the process: calls are made there. */
export type ReaderAccount = Pick<Account, 'id' | 'platform' | 'vertical' | 'settings'>

export type ToReader =
  | { read: number; requestId: string; account: ReaderAccount; entityType: EntityType; query: ListQuery; mapping?: string }
  | { mapping: string; rules: MappingOverlay | undefined } // undefined: it is not named again
  | { forget: string } // an account whose facts may have changed
  | { load: number } // the fact of this call: no other request has it
  | { call: number; result: unknown }
  | { call: number; failure: PackedFailure }
export type FromReader =
  | { ready: true }
  | { read: number; call: number; method: keyof Gate; parameters: readonly unknown[] }
  | { read: number; call: number; fact: string } // of the account that is read
  | { loaded: number; value: unknown }
  | { loaded: number; failure: PackedFailure }
  | { read: number; body: Uint8Array<ArrayBuffer>; cursor?: string }
  | { read: number; failure: PackedFailure }

/** An error on its way between threads, which would leave behind all but its message. */
export interface PackedFailure {
  message: string
  stack?: string | undefined
  problem?: Pick<Problem, 'code' | 'detail' | 'errors' | 'downstream' | 'headers' | 'extra'> & { cause?: PackedFailure }
  transport?: Pick<TransportError, 'sent' | 'timeout' | 'code'>
}

export function pack(error: unknown): PackedFailure {
  const { message = String(error), stack } = error instanceof Error ? error : {}
  if (error instanceof Problem) {
    const { code, detail, errors, downstream, headers, extra, cause } = error
    return {
      message,
      stack,
      problem: { code, detail, headers, extra, ...(errors ? { errors } : {}), ...(downstream ? { downstream } : {}), ...(cause === undefined ? {} : { cause: pack(cause) }) },
    }
  }
  return error instanceof TransportError ? { message, stack, transport: { sent: error.sent, timeout: error.timeout, code: error.code } } : { message, stack }
}

export function unpack({ message, stack, problem, transport }: PackedFailure): Error {
  const error = problem
    ? new Problem(problem.code, problem.detail, { ...problem, ...(problem.cause ? { cause: unpack(problem.cause) } : {}) } as ConstructorParameters<typeof Problem>[2])
    : transport
      ? new TransportError(message, transport)
      : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

/** Bytes that can change hands without being copied: a part of a larger block is copied once. */
export const owned = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))
