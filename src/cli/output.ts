// Where words go: results to standard output, everything else to standard error.
import { once } from 'node:events'
import type { Output } from './command.ts'
import { inline, printable } from './printable.ts'
import { createProgress, describeReading, type Reading, type ShowReading } from './progress.ts'

export interface OutputOptions {
  json?: boolean
  quiet?: boolean
  stdout?: NodeJS.WriteStream
  stderr?: NodeJS.WriteStream
  environment?: NodeJS.ProcessEnv
}

const redrawMs = 200
const lineMs = 5_000

export function createOutput({
  json = false,
  quiet = false,
  stdout = process.stdout,
  stderr = process.stderr,
  environment = process.env,
}: OutputOptions = {}): Output {
  const isTerminal = Boolean(stderr.isTTY) && environment.TERM !== 'dumb'
  const redraws = isTerminal && !json
  const color = redraws && !environment.NO_COLOR
  let drawn = false
  const erase = () => {
    if (drawn) stderr.write('\r\u001b[K')
    drawn = false
  }
  const write = (text: string) => {
    erase()
    stderr.write(`${printable(text)}\n`)
  }
  const show: ShowReading = (reading, ended, message) => {
    if (quiet) return
    const { name, count, total, perSecond, secondsLeft, elapsedMs, waitingMs } = reading
    if (json)
      return write(
        JSON.stringify({
          progress: name,
          count,
          total,
          perSecond: Math.round(perSecond * 10) / 10,
          secondsLeft: secondsLeft === undefined ? undefined : Math.round(secondsLeft),
          elapsedMs: Math.round(elapsedMs),
          waitingMs: waitingMs === undefined ? undefined : Math.round(waitingMs),
          ...(ended ? { ended, message } : {}),
        }),
      )
    if (ended || !redraws) return write(ended && message ? message : describeReading(reading))
    const text = fitted(reading, Math.max(20, (stderr.columns || 80) - 1))
    stderr.write(`\r${color ? `\u001b[36m${text}\u001b[39m` : text}\u001b[K`)
    drawn = true
  }
  return {
    isTerminal,
    json,
    line(text) {
      erase()
      stdout.write(`${printable(text)}\n`)
    },
    note(text) {
      if (!quiet) write(json ? JSON.stringify({ note: text }) : text)
    },
    error: write,
    prompt(text) {
      erase()
      stderr.write(printable(text))
    },
    async data(chunk) {
      if (!stdout.write(chunk)) await once(stdout, 'drain')
    },
    progress: (name, start) => createProgress({ name, ...start, everyMs: redraws ? redrawMs : lineMs, show }),
  }
}

/** One line: what has room of the bar, and of the name if the figures need it. */
function fitted(reading: Reading, width: number): string {
  const plain = inline(describeReading(reading))
  const bar = Math.min(24, width - plain.length - 4)
  if (bar >= 6) return inline(describeReading(reading, bar))
  if (plain.length <= width) return plain
  const kept = Math.max(8, inline(reading.name).length - (plain.length - width) - 1)
  const name = `${inline(reading.name).slice(0, kept)}…`
  return describeReading({ ...reading, name }).slice(0, width)
}
