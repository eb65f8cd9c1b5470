import type { Pointer } from '../../contract/entity.ts'

export interface Violation {
  pointer: Pointer
  message: string
}
/** Lengths are those of Clover's own models: https://github.com/clover/clover-android-sdk */
export const tooLong = (pointer: Pointer, value: string | undefined, length: number): Violation[] =>
  (value?.length ?? 0) > length ? [{ pointer, message: `Clover keeps at most ${length} characters` }] : []
