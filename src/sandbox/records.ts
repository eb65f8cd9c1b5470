// Adds, changes and removes records without the platform's API, as a cashier or a bookkeeper does.
import { createHash } from 'node:crypto'
import type { Collection } from './collection.ts'
import { createSeed, type Seed } from './seeds.ts'
import type { NativeRecords } from './simulator.ts'

/** Creates one record from the seed, stores it and returns its id. */
export type MakeRecord = (seed: Seed, at: number, index: number) => string
export type Adding = (make: MakeRecord) => NativeRecords['add']
/** `seedText` must differ on every call, even after a restart: records created from the same text are equal. */
export const createAdding =
  (seedText: () => string, at: () => number): Adding =>
  (make) =>
  (count) => {
    const text = seedText()
    const seed = createSeed(text, serialOf(text)) // no email twice, also where other calls have created a person
    return Array.from({ length: count }, (_, index) => make(seed, at(), index))
  }

const serialOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

export interface RecordActions<T> {
  isListed?(record: T): boolean // all records by default
  add: NativeRecords['add']
  touch(record: T): T // the changed record
  remove?: 'delete' | ((record: T) => T) // deletes the record or replaces it with its deleted form
}
export function recordsIn<T>(
  collection: Collection<T>,
  { isListed, add, touch, remove }: RecordActions<T>,
): NativeRecords {
  const replace = (id: string, change: (record: T) => T) => void collection.set(id, change(collection.get(id)!))
  return {
    ids: () => (isListed ? collection.ids().filter((id) => isListed(collection.get(id)!)) : collection.ids()),
    add,
    touch: (id) => replace(id, touch),
    ...(remove && { remove: (id: string) => (remove === 'delete' ? void collection.delete(id) : replace(id, remove)) }),
  }
}

/** What an account is itself, such as its shop: there is exactly one, and its owner can rename it. */
export const soleRecord = (id: string, rename: () => void): NativeRecords => ({
  ids: () => [id],
  add: () => [],
  touch: rename,
})
