// The command line: words in, exit code out. The process around it is in main.ts.
import type { Readable } from 'node:stream'
import { UnifiedError } from '../../packages/client/src/index.ts'
import { version } from '../base/version.ts'
import { type Command, CommandFailure, type Connection, exitCodes, type Output } from './command.ts'
import { commands } from './commands.ts'
import { complete, knownNames } from './completion.ts'
import { connect } from './connect.ts'
import { retold, typedAs } from './flag-values.ts'
import { familyHelp, generalHelp, helpFor, topicHelp } from './help.ts'
import { ManageFailure, serviceUnreachable } from './manage.ts'
import { createOutput } from './output.ts'
import { type Parsed, parse } from './parse.ts'
import { inline } from './printable.ts'

const unreachable = new Set([
  'timeout',
  'unauthorized',
  'invalid_client',
  'forbidden',
  'insufficient_scope',
  'unavailable',
])

/** Where a command runs: a process, or a test. */
export interface Surroundings {
  stdin: Readable & { isTTY?: boolean }
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  environment: NodeJS.ProcessEnv
  stop: AbortController
  onStart?(command: Command): void // the words are understood, the command begins
}

export async function runWords(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, environment, stop } = surroundings
  if (words[0] === '__complete') {
    const found = complete(words.slice(words[1] === '--' ? 2 : 1), commands, knownNames(environment))
    if (found.length > 0) stdout.write(`${found.join('\n')}\n`)
    return exitCodes.ok
  }
  // Read before the arguments are parsed, so that a usage error has the requested format.
  const json = words.includes('--json')
  const quiet = words.includes('--quiet') || words.includes('-q')
  const output = createOutput({ json, quiet, stdout, stderr, environment })
  let parsed: Parsed | undefined
  try {
    parsed = parse(words, commands, environment.UNIREC_COMMAND)
    if (parsed.kind === 'version') output.line(version)
    else if (parsed.kind === 'help') output.line(helpText(parsed, environment.UNIREC_COMMAND))
    else return await run(parsed, output, surroundings)
    return exitCodes.ok
  } catch (error) {
    return explain(error, output, stop.signal, parsed)
  }
}

function helpText({ command, family, topic }: Extract<Parsed, { kind: 'help' }>, typed?: string): string {
  if (topic) return topicHelp[topic]()
  return command ? helpFor(command, typed) : family ? familyHelp(family) : generalHelp()
}

async function run(
  { command, kind: _, ...given }: Extract<Parsed, { kind: 'run' }>,
  output: Output,
  { stdin, environment, stop, onStart }: Surroundings,
): Promise<number> {
  onStart?.(command)
  let connection: Promise<Connection> | undefined
  const base = { ...given, output, input: stdin, environment, signal: stop.signal }
  const invocation = {
    ...base,
    connect: () => {
      connection ??= connect(base)
      return connection
    },
  }
  const exitCode = await command.run(invocation).catch(async (error: unknown) => {
    if (!(error instanceof UnifiedError) || error.code !== 'network_error' || stop.signal.aborted) throw error
    throw serviceUnreachable((await connection)?.url, error.cause)
  })
  return stop.signal.aborted ? exitCodes.interrupted : exitCode
}

function explain(error: unknown, output: Output, signal: AbortSignal, parsed: Parsed | undefined): number {
  if (signal.aborted) {
    output.note('interrupted')
    return exitCodes.interrupted
  }
  const say = (message: string, more: object = {}) =>
    output.error(output.json ? JSON.stringify({ error: message, ...more }) : message)
  if (error instanceof UnifiedError || error instanceof ManageFailure) {
    const { code, detail, errors } = error
    const requestId = error instanceof UnifiedError ? error.requestId : undefined
    const nameOf = (pointer: string) => (parsed?.kind === 'run' ? typedAs(pointer, parsed.command, parsed) : pointer)
    const told = parsed?.kind === 'run' ? retold(detail, errors, parsed.command, parsed) : detail
    const lines = errors.map(({ pointer, message }) => `\n  ${inline(`${nameOf(pointer)} ${message}`.trim())}`)
    say(`${code}: ${inline(told)}${lines.join('')}${requestId ? ` (${requestId})` : ''}`, { code, errors, requestId })
    if (error instanceof ManageFailure) return error.exitCode
    return unreachable.has(code) ? exitCodes.unreachable : exitCodes.failed
  }
  say((error as Error).message)
  return error instanceof CommandFailure ? error.exitCode : exitCodes.failed
}
