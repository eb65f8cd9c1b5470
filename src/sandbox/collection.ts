// Records by id, in insertion order. A record is frozen when it is set: a simulator must replace records, so that the
// persistence sees every change.
export interface Collection<T> {
  get(id: string): T | undefined
  has(id: string): boolean
  set(id: string, record: T): T
  delete(id: string): boolean
  ids(): string[]
  values(): T[]
  filter(matches: (record: T, id: string) => boolean): T[]
  find(matches: (record: T, id: string) => boolean): T | undefined
  count(): number
}
export type ChangeListener = (change: RecordChange) => void
export interface RecordChange {
  collection: string
  id: string
  record: unknown // undefined: deleted
  before: unknown // undefined: created
}

/** The state of one simulator. Anything outside of it is lost on a restart. */
export interface State {
  collection<T>(name: string): Collection<T> // the same one for the same name
}
export interface ObservableState extends State {
  observe(listener: ChangeListener): void
  entries(): IterableIterator<[collection: string, id: string, record: unknown]>
}

export function createState(): ObservableState {
  const collections = new Map<string, Map<string, unknown>>()
  const listeners: ChangeListener[] = []
  const changed: ChangeListener = (change) => {
    for (const listener of listeners) listener(change)
  }
  return {
    collection<T>(name: string) {
      const records = collections.get(name) ?? new Map<string, unknown>()
      collections.set(name, records)
      return collectionOver<T>(records as Map<string, T>, (id, record, before) =>
        changed({ collection: name, id, record, before }),
      )
    },
    observe: (listener) => void listeners.push(listener),
    *entries() {
      for (const [name, records] of collections) for (const [id, record] of records) yield [name, id, record]
    },
  }
}

function collectionOver<T>(
  records: Map<string, T>,
  changed: (id: string, record: T | undefined, before: T | undefined) => void,
): Collection<T> {
  return {
    get: (id) => records.get(id),
    has: (id) => records.has(id),
    set(id, record) {
      const before = records.get(id)
      records.set(id, freeze(record))
      changed(id, record, before)
      return record
    },
    delete(id) {
      const before = records.get(id)
      const existed = records.delete(id)
      if (existed) changed(id, undefined, before)
      return existed
    },
    ids: () => [...records.keys()],
    values: () => [...records.values()],
    filter(matches) {
      const found: T[] = []
      for (const [id, record] of records) if (matches(record, id)) found.push(record)
      return found
    },
    find(matches) {
      for (const [id, record] of records) if (matches(record, id)) return record
      return undefined
    },
    count: () => records.size,
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
