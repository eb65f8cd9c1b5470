// The command line: words in, exit code out.
import { UnifiedError } from '../../packages/client/src/index.ts'
import { version } from '../contract/version.ts'
import { CommandFailure, type Connection, exitCodes, type Output } from './command.ts'
import { commands } from './commands.ts'
import { complete, knownAccounts } from './completion.ts'
import { connect } from './connect.ts'
import { retold, typedAs } from './flag-values.ts'
import { generalHelp, helpFor } from './help.ts'
import { ManageFailure, serviceUnreachable } from './manage.ts'
import { createOutput } from './output.ts'
import { type Parsed, parse } from './parse.ts'
import { inline, printable } from './printable.ts'
import { dataDirOf } from './sandbox-file.ts'

const unreachable = new Set([
  'timeout',
  'unauthorized',
  'invalid_client',
  'forbidden',
  'insufficient_scope',
  'unavailable',
])

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === '__complete') {
    const accounts = () => knownAccounts(dataDirOf({ flags: {}, environment: process.env }))
    const found = complete(words.slice(words[1] === '--' ? 2 : 1), commands, accounts)
    if (found.length > 0) process.stdout.write(`${found.join('\n')}\n`)
    return exitCodes.ok
  }
  // Read before the arguments are parsed, so that a usage error has the requested format.
  const output = createOutput({
    json: words.includes('--json'),
    quiet: words.includes('--quiet') || words.includes('-q'),
  })
  const stop = new AbortController()
  let parsed: Parsed | undefined
  try {
    parsed = parse(words, commands)
    if (parsed.kind === 'version') output.line(version)
    else if (parsed.kind === 'help')
      output.line(parsed.command ? helpFor(parsed.command) : generalHelp(commands, parsed.group))
    else return await run(parsed, output, stop)
    return exitCodes.ok
  } catch (error) {
    return explain(error, output, stop.signal, parsed)
  }
}

async function run(
  { command, kind: _, ...given }: Extract<Parsed, { kind: 'run' }>,
  output: Output,
  stop: AbortController,
): Promise<number> {
  const interrupt = () => {
    if (stop.signal.aborted && command.name !== 'serve') process.exit(exitCodes.interrupted) // asked twice
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt)
  // The reader has closed the pipe, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (command.name === 'serve') return
    if (error.code !== 'EPIPE') console.error(error.message)
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
  })
  let connection: Promise<Connection> | undefined
  const base = { ...given, output, environment: process.env, signal: stop.signal }
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
    console.error(printable(output.json ? JSON.stringify({ error: message, ...more }) : message))
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

const exitCode = await main(process.argv.slice(2))
process.exitCode = exitCode
// Sockets of the pool would keep the process for seconds; what was written to a pipe must be out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)))
