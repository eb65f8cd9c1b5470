// Parts of `check`, for what the tables of a write cannot express.
import type { Pointer } from '../contract/entity.ts'

export interface Refused {
  pointer: Pointer
  message: string
}
/** For a limit that depends on other fields; every other one belongs in `longest`. The wording is the same. */
export const tooLong = (pointer: Pointer, value: string | undefined, most: number): Refused[] =>
  (value?.length ?? 0) > most ? [{ pointer, message: `must have at most ${most} characters` }] : []
