// Encrypted JSON values. Each is bound to its table, column and row: it cannot be decrypted anywhere else.
import type { Vault } from './vault.ts'

/** The associated data of the encryption. */
export const associatedData = (table: string, column: string, key: readonly (string | number)[]): string =>
  JSON.stringify([table, column, ...key])

export const sealJson = (vault: Vault, value: unknown, bound: string): string =>
  vault.seal(JSON.stringify(value), bound)
/** Undefined becomes SQL null. JSON's null is a value. */
export const sealOptional = (vault: Vault, value: unknown, bound: string): string | null =>
  value === undefined ? null : sealJson(vault, value, bound)

/** A list that is not sealed: empty, or stored before its column was. */
export const isPlainList = (value: string): boolean => value.startsWith('[')

export const openJson = (vault: Vault, sealed: string, bound: string): unknown => JSON.parse(vault.open(sealed, bound))
export const openOptional = (vault: Vault, sealed: string | null, bound: string): unknown =>
  sealed === null ? undefined : openJson(vault, sealed, bound)
