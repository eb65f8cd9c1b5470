// Finds the line of each value in a JSON text, so that findings can link to it.
export interface Parsed {
  value?: unknown
  error?: { message: string; line: number }
  lines: Map<string, number>
}

export function parseJson(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text)
    return { value, lines: linesOf(text) }
  } catch (error) {
    const { message } = error as Error
    const position = /position (\d+)/.exec(message)?.[1]
    const line = /line (\d+)/.exec(message)?.[1]
    return {
      error: {
        message: message.replace(/^JSON\.parse: /, ''),
        line: line ? Number(line) : lineAt(text, position ? Number(position) : text.length),
      },
      lines: new Map(),
    }
  }
}
const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length

/** For text that is valid JSON. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>([['', 1]])
  const open: { pointer: string; index: number; list: boolean }[] = []
  let line = 1
  let name: string | undefined
  const begin = () => {
    const around = open.at(-1)
    const pointer = around ? `${around.pointer}/${around.list ? around.index : (name ?? '')}` : ''
    lines.set(pointer, line)
    return pointer
  }
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"(?:\s*:)?|[{}[\],\n]|[^\s{}[\],"]+/g)) {
    const around = open.at(-1)
    if (token === '\n') line++
    else if (token === '{' || token === '[') open.push({ pointer: begin(), index: 0, list: token === '[' })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (around) around.index++
    } else if (token.endsWith(':') && !around?.list)
      name = String(JSON.parse(token.slice(0, -1).trim()))
        .replaceAll('~', '~0')
        .replaceAll('/', '~1')
    else begin()
  }
  return lines
}

/** The line of a pointer, or of the nearest value around it. */
export function lineOf(pointer: string, lines: ReadonlyMap<string, number>): number {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at)
    if (line !== undefined) return line
    if (at === '') return 1
  }
}
