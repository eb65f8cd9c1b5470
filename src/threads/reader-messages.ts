// What the process and a thread that reads for it say to each other.
import type { EntityType } from '../contract/entity.ts'
import type { Channel } from '../engine/outbound/channel.ts'
import type { ListQuery } from '../engine/read/page.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import type { PackedError } from './errors.ts'

export interface ReaderData {
  encryptionKeys: readonly Buffer[] // for cursors
  paceScale: number
}
/** No credential of a platform leaves the process: calls are made there. */
export type ReaderAccount = Pick<Account, 'id' | 'platform' | 'vertical' | 'settings'>

export type ToReader =
  | {
      read: number
      requestId: string
      account: ReaderAccount
      entityType: EntityType
      query: ListQuery
      mapping?: string
    }
  | { mapping: string; rules: MappingOverlay | undefined } // undefined: it is not named again
  | { forget: string } // an account whose facts may have changed
  | { load: number } // the fact of this call: no other request has it
  | { call: number; result: unknown }
  | { call: number; failure: PackedError }
export type FromReader =
  | { ready: true }
  | { read: number; call: number; method: keyof Channel; parameters: readonly unknown[] }
  | { read: number; call: number; fact: string } // of the account that is read
  | { loaded: number; value: unknown }
  | { loaded: number; failed: true } // the thread has the error itself
  | { read: number; body: Uint8Array<ArrayBuffer>; cursor?: string }
  | { read: number; failure: PackedError }

/** Bytes that can change hands without being copied: a part of a larger block is copied once. */
export const owned = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
