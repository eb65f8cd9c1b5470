// The values that a mapping can read in a native row: the leaves, and the pointers without a value.
const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

export interface Reads {
  present: string[] // pointers of scalars
  absent: string[] // pointers without a value, null included
}

/** Runs `look` on a proxy of the row that records what is read. */
export function readsOf(row: unknown, look: (row: unknown) => void): Reads {
  const present = new Set<string>()
  const absent = new Set<string>()
  const standIns = new WeakMap<object, object>()

  function standIn(value: unknown, pointer: string): unknown {
    if (!isContainer(value)) {
      ;(value === undefined || value === null ? absent : present).add(pointer)
      return value
    }
    let proxy = standIns.get(value)
    if (!proxy) {
      proxy = new Proxy(value, {
        get(target, name, receiver) {
          const isOwn = Object.hasOwn(target, name)
          if (
            typeof name === 'symbol' ||
            name === 'toJSON' ||
            (!isOwn && name in target) ||
            (Array.isArray(target) && name === 'length')
          )
            return Reflect.get(target, name, receiver)
          return standIn(
            (target as Record<string, unknown>)[name],
            `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          )
        },
      })
      standIns.set(value, proxy)
    }
    return proxy
  }
  look(standIn(row, ''))
  return { present: [...present], absent: [...absent] }
}
