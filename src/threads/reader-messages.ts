// The messages between the process and a reader thread.
import type { EntityType } from '../contract/entity.ts'
import type { Channel } from '../engine/outbound/channel.ts'
import type { CompletedRows } from '../engine/read/completed-rows.ts'
import type { ListQuery } from '../engine/read/page.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import type { PackedError } from './errors.ts'

export interface ReaderData {
  encryptionKeys: readonly Buffer[] // for cursors
  paceScale: number
}
/** Platform credentials stay in the process, which makes the calls. */
export type ReaderAccount = Pick<Account, 'id' | 'platform' | 'vertical' | 'settings'>

export type ToReader =
  | {
      read: number
      requestId: string
      account: ReaderAccount
      entityType: EntityType
      query: ListQuery
      mapping: string | undefined
    }
  | { mapping: string; rules: MappingOverlay | undefined } // undefined: no later message names it
  | { forget: string } // an account whose facts may have changed
  | { load: number } // the fact that this call asks for: no other request has it
  | { call: number; result: unknown }
  | { call: number; failure: PackedError }
export type FromReader =
  | { ready: true }
  | { read: number; call: number; method: keyof (Channel & CompletedRows); parameters: readonly unknown[] }
  | { read: number; call: number; fact: string } // of the account that is read
  | { loaded: number; value: unknown }
  | { loaded: number; failed: true } // the thread has the error itself
  | { read: number; body: Uint8Array<ArrayBuffer>; cursor?: string | undefined }
  | { read: number; failure: PackedError }

/** Bytes that can be transferred to another thread. A part of a larger buffer is copied first. */
export const transferable = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
