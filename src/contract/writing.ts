// How an adapter writes: the call object that it gets, the steps of a write, and what the platform takes.
import type { CustomType } from './custom-types.ts'
import type { UnifiedRecord } from './entities/index.ts'
import type { EntityType, Pointer } from './entity.ts'
import type { NativeRequest, NativeResponse } from './native-exchange.ts'
import type { AccountView, ReadCall } from './reading.ts'

/** Only create and update get this, so a list cannot write. */
export interface WriteCall extends ReadCall {
  reference: string // 16 characters, stable for this record; store it where `find` can see it
  key(step: string): string // 32 characters, the platform's idempotency key for that step, the same on a resume
  write<T>(name: string, step: Step<T>): Promise<T> // journaled under its name: a completed step is never sent again
}
/**
 * `read`'s value is stored as JSON. If it is a string, or has an `id`, that is the platform id reported for a write
 * that stays incomplete.
 */
export interface Step<T> {
  request: NativeRequest
  read(response: NativeResponse): T
  recovery: Recovery<T>
  /**
   * Sent when a later step is refused, so that nothing incomplete remains and a corrected record can be sent; 404
   * counts as done.
   *  'nothing': the step changed nothing, or what it changed goes with an earlier step. Absent: it cannot be undone. */
  undo?: ((value: T) => NativeRequest) | 'nothing'
}
/**
 * A recovery says what to do when the outcome of a sent step is unknown. key: send the same bytes again under the
 * platform's key. repeat: the call sets an absolute value, send it again. find: look it up at the platform. Absence
 * counts only when the call can no longer be under way, and `lagSeconds` (2 by default) after that.
 * A search by content, not by `reference`, skips what is not `unclaimed`: a record that another key of the account
 * wrote is not this one. none: 409 outcome_unknown.
 */
export type Recovery<T> =
  | 'key'
  | 'repeat'
  | 'none'
  | { find(unclaimed: (id: string) => Promise<boolean>): Promise<T | undefined>; lagSeconds?: number }

/**
 * When a field is required: every given member must hold. A `*` means the same element as in the pointer of the
 * requirement. `/settings/x` is a setting of the account. 0 and a blank text count as not given.
 */
export interface Condition {
  without?: Pointer // it is not given
  with?: Pointer // it is given
  is?: Readonly<Record<Pointer, readonly string[]>> // it has one of these values
  isNot?: Readonly<Record<Pointer, readonly string[]>> // it is absent or has another value
  fact?: string // a clause about what only the platform knows ("the account has several locations"): `run` checks it
}
export interface Requirement extends Condition {
  pointer: Pointer // a field, or `/settings/x`
}
/**
 * The form in which the platform takes the country and state of an address: an ISO 3166 code, or an English name. The
 * engine converts what the record has. Absent: as given.
 */
export interface AddressForm {
  country?: 'code' | 'name'
  state?: 'code' | 'name'
  longStateCodes?: readonly string[] // countries whose states have the long code: JP-13 instead of 13
}
/** All of it is checked before anything is sent, and shown in the support matrix. */
export interface Write<E extends EntityType> {
  requires?: readonly Pointer[]
  requiresWhen?: readonly Requirement[]
  // The only values that the platform takes. An update may also leave the present value as it is.
  values?: Readonly<Record<Pointer, { only: readonly string[]; why?: string }>>
  longest?: Readonly<Record<Pointer, number>> // in characters
  /**
   * Fields with money that the platform cannot take, and why: dropping them would lose money. An update may leave the
   * present value as it is, and 0 or an empty list is always fine.
   */
  refused?: Readonly<Record<Pointer, string>>
  // Whole field, or only these values of it: a warning on the write. An object covers its fields.
  notStored?: Readonly<Record<Pointer, true | readonly string[]>>
  places?: AddressForm // not in the matrix: names and codes are accepted everywhere
  derived?: readonly Pointer[] // stored in another form: a warning with what the platform holds
  // Values that the platform does not take, as far as no table can express it.
  check?(record: UnifiedRecord<E>, account: AccountView): { pointer: Pointer; message: string }[]
  // Native field in a NativeError -> unified pointer; `*` matches an array index on both sides.
  fields?: Readonly<Record<string, Pointer>>
}
export interface Written<Row> {
  id: string
  row?: Row // no row: the engine reads it back with `get`
}
/** Native fields without a unified field that a caller may write as custom fields. */
export interface CustomPlaces<Row> {
  // Pointer into the row -> type. In a list of named values, `[key=*]` stands for any name.
  fields: Readonly<Record<Pointer, CustomType>>
  /** Pointers that this service uses itself. */
  reserved?(pointer: string): boolean
  /** Sets the values at their pointers; null clears. The row is the one that was just written. */
  set(call: WriteCall, row: Row, values: Readonly<Record<string, unknown>>): Promise<Row>
}
