// A table is declared once. From its columns come the type of a row, the item of a row and the row of an item, and the
// list of what is sealed.
import { associatedData, openJson, sealJson } from './sealed-json.ts'
import type { Vault } from './vault.ts'

export interface Column<Value, Stored> {
  /** Its name in the database, if that is not the name of the property in snake case. */
  readonly stored?: string
  readonly isSealed?: true
  write(value: Value, seal: (value: unknown) => string): Stored
  read(stored: Stored, open: (sealed: string) => unknown): Value
}
// biome-ignore lint/suspicious/noExplicitAny: a column of any type; each keeps its own in what is derived from it
type AnyColumn = Column<any, any>
type Columns = Readonly<Record<string, AnyColumn>>

export const plain = <T extends string | number>(): Column<T, T> => ({
  write: (value) => value,
  read: (value) => value,
})
export const text = plain<string>()
export const number = plain<number>()
/** 1 or 0. */
export const flag: Column<boolean, number> = { write: (value) => (value ? 1 : 0), read: (stored) => stored === 1 }
export const json = <T>(): Column<T, string> => ({
  write: (value) => JSON.stringify(value),
  read: (stored) => JSON.parse(stored) as T,
})
/** Encrypted JSON. */
export const sealed = <T>(): Column<T, string> => ({
  isSealed: true,
  write: (value, seal) => seal(value),
  read: (stored, open) => open(stored) as T,
})
/** Words with spaces between them. */
export const words = <T extends string>(): Column<readonly T[], string> => ({
  write: (value) => value.join(' '),
  read: (stored) => stored.split(' ') as T[],
})
/** Null where the item has no value. */
export const optional = <Value, Stored>(
  column: Column<Value, Stored>,
): Column<Value | undefined, Stored | null> & { readonly isOptional: true } => ({
  ...column,
  isOptional: true,
  write: (value, seal) => (value === undefined ? null : column.write(value, seal)),
  read: (stored, open) => (stored === null ? undefined : column.read(stored, open)),
})
export const named = <Name extends string, Value, Stored>(
  stored: Name,
  column: Column<Value, Stored>,
): Column<Value, Stored> & { readonly stored: Name } => ({ ...column, stored })

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name
type StoredName<C extends Columns, K extends keyof C & string> = C[K] extends {
  readonly stored: infer N extends string
}
  ? N
  : Snake<K>
type ValueOf<C> = C extends Column<infer Value, infer _> ? Value : never
/** `unknown` includes undefined, but a column of it has a value unless it is declared as optional. */
type IsOptional<C> = C extends { isOptional: true }
  ? true
  : unknown extends ValueOf<C>
    ? false
    : undefined extends ValueOf<C>
      ? true
      : false
type OptionalKeys<C extends Columns> = { [K in keyof C]: IsOptional<C[K]> extends true ? K : never }[keyof C]

type RowOf<C extends Columns> = {
  [K in keyof C & string as StoredName<C, K>]: C[K] extends Column<infer _, infer Stored> ? Stored : never
}
type ItemOf<C extends Columns> = { [K in Exclude<keyof C, OptionalKeys<C>>]: ValueOf<C[K]> } & {
  [K in OptionalKeys<C>]?: ValueOf<C[K]>
}
/** Without a value the column stays as it is. Null empties it. */
type ChangeOf<C extends Columns> = { [K in keyof C]?: ValueOf<C[K]> | null | undefined }

interface Codec<C extends Columns, Key extends keyof C> {
  toItem(row: RowOf<C>): ItemOf<C>
  toRow(item: ItemOf<C>): RowOf<C>
  /** The changed columns of a row. The key is that of the row: sealed values are bound to it. */
  changed(key: Pick<ItemOf<C>, Key & keyof ItemOf<C>>, change: ChangeOf<C>): Partial<RowOf<C>>
}
interface Table<C extends Columns, Key extends keyof C> {
  readonly name: string
  /** The names of the columns in the database, those of the key, and of what is sealed. */
  readonly columns: readonly (keyof RowOf<C>)[]
  readonly key: readonly string[]
  readonly sealed: readonly string[]
  codec(vault: Vault): Codec<C, Key>
  /** The sealed values of a column are bound to it. */
  bound(column: keyof C & string, keyOfRow: Pick<ItemOf<C>, Key & keyof ItemOf<C>>): string
  /** Only a type: see `TableRow`. */
  readonly row?: RowOf<C>
  /** The same table, for queries that leave out some of its columns. */
  without<Omitted extends Exclude<keyof C, Key>>(...omitted: Omitted[]): Table<Omit<C, Omitted>, Exclude<Key, Omitted>>
}

export type TableRow<T extends { row?: unknown }> = NonNullable<T['row']>

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
type Values = Record<string, unknown>

/**
 * `key`: the properties that identify a row; sealed values are bound to them. A row may have more columns than are
 * declared: the ones that only queries use.
 */
export function defineTable<const Key extends keyof C & string, C extends Columns>(
  name: string,
  key: readonly Key[],
  columns: C,
): Table<C, Key> {
  const storedOf = (property: string) => columns[property]?.stored ?? snake(property)
  const parts = Object.entries(columns).map(([property, column]) => ({ property, column, stored: storedOf(property) }))
  const storedKey = key.map(storedOf)
  const bound = (stored: string, keyValues: unknown[]) =>
    associatedData(name, stored, keyValues as readonly (string | number)[])
  return {
    name,
    columns: parts.map(({ stored }) => stored) as (keyof RowOf<C>)[],
    key: storedKey,
    sealed: parts.filter(({ column }) => column.isSealed).map(({ stored }) => stored),
    bound: (property, keyOfRow) =>
      bound(
        storedOf(property),
        key.map((part) => (keyOfRow as Values)[part]),
      ),
    codec: (vault) => ({
      toItem(row) {
        const item: Values = {}
        for (const { property, column, stored } of parts)
          item[property] = column.read((row as Values)[stored], (value) =>
            openJson(
              vault,
              value,
              bound(
                stored,
                storedKey.map((part) => (row as Values)[part]),
              ),
            ),
          )
        return item as ItemOf<C>
      },
      toRow(item) {
        const row: Values = {}
        for (const { property, column, stored } of parts)
          row[stored] = column.write((item as Values)[property], (value) =>
            sealJson(
              vault,
              value,
              bound(
                stored,
                key.map((part) => (item as Values)[part]),
              ),
            ),
          )
        return row as RowOf<C>
      },
      changed(keyOfRow, change) {
        const row: Values = {}
        for (const { property, column, stored } of parts) {
          const value = (change as Values)[property]
          if (value === undefined) continue
          row[stored] =
            value === null
              ? null
              : column.write(value, (plainValue) =>
                  sealJson(
                    vault,
                    plainValue,
                    bound(
                      stored,
                      key.map((part) => (keyOfRow as Values)[part]),
                    ),
                  ),
                )
        }
        return row as Partial<RowOf<C>>
      },
    }),
    without: (...omitted) =>
      defineTable(
        name,
        key,
        Object.fromEntries(
          Object.entries(columns).filter(([property]) => !(omitted as string[]).includes(property)),
        ) as unknown as Columns,
      ) as never,
  }
}
