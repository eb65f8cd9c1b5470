// Values from platforms and callers must not control the terminal: control characters are printed as escapes. They are
// JSON escapes, so a line of JSON stays the same JSON.

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For a value within a line, such as a cell of a table: no line break, either. */
export const inline = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped)

/** For text with lines of its own. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
