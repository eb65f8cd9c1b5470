// JSON values under seal, each bound to its table, column and row: one moved elsewhere does not open.
import type { Vault } from './vault.ts'

export const about = (table: string, column: string, key: readonly string[]): string =>
  JSON.stringify([table, column, ...key])

export const sealJson = (vault: Vault, value: unknown, place: string): string =>
  vault.seal(JSON.stringify(value), place)
/** Undefined is kept apart from JSON's null: it is no value at all. */
export const sealOptional = (vault: Vault, value: unknown, place: string): string | null =>
  value === undefined ? null : sealJson(vault, value, place)

export const openJson = (vault: Vault, sealed: string, place: string): unknown => JSON.parse(vault.open(sealed, place))
export const openOptional = (vault: Vault, sealed: string | null, place: string): unknown =>
  sealed === null ? undefined : openJson(vault, sealed, place)
