// Values that a platform sent and no reader of the kit could use. A mapping is a synchronous function without a channel
// for them, and a reader does not know the field that it reads for: so they are collected while a mapping runs, and the
// engine makes warnings of them.
let current: unknown[] | undefined

/** For readers: the value is present, but has another type or format. It is left out. */
export function unread(value: unknown): undefined {
  current?.push(value)
  return undefined
}

/** Runs a mapping. `values` gets what it could not read. */
export function collectUnread<T>(values: unknown[], run: () => T): T {
  const outer = current
  current = values
  try {
    return run()
  } finally {
    current = outer
  }
}
