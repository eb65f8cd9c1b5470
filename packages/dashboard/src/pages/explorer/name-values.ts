// Lines of names and values, such as "limit=10": query parameters and headers of a native call.
interface NameValues {
  pairs: [name: string, value: string][]
  error?: string
}

/** A header ("name: value") has one line, a parameter ("name=value") can have several. */
export function readLines(text: string, separator: '=' | ':'): NameValues {
  const pairs: [string, string][] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(separator)
    const name = line.slice(0, at).trim()
    if (at === -1 || name === '') return { pairs: [], error: `line ${index + 1} must be name${separator}value` }
    if (separator === ':' && pairs.some(([other]) => other.toLowerCase() === name.toLowerCase()))
      return { pairs: [], error: `line ${index + 1} has ${name} again` }
    pairs.push([name, line.slice(at + 1).trim()])
  }
  return { pairs }
}

/** A name on several lines has several values. */
export function valuesByName(pairs: NameValues['pairs']): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value])
  return Object.fromEntries(
    [...values].map(([name, [first = '', ...more]]) => [name, more.length ? [first, ...more] : first]),
  )
}
