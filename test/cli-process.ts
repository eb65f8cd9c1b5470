// The command line in a separate process: bin/unirec.mjs as users run it, or its build, which starts in less than half
// of the processor time.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}
export interface CliOptions {
  environment?: Record<string, string>
  input?: string
  program?: string // the build by default
}

export const cliProgram = join(import.meta.dirname, '../bin/unirec.mjs')
const builtProgram = join(import.meta.dirname, '../dist/cli/main.mjs')
const ownVariables = /^(UNIREC_|DATABASE_URL$|ENCRYPTION_KEY$|DATA_DIR$|SANDBOX)/

/** A command that runs until it is killed, or to its end. */
export function startCli(
  words: readonly string[],
  { environment = {}, input, program = builtProgram }: CliOptions = {},
) {
  const outer = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name)))
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...outer, XDG_CONFIG_HOME: '/nonexistent', ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk))
  const ended = new Promise<CliResult>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return {
    ended,
    stderr: () => stderr,
    kill(signal: NodeJS.Signals = 'SIGKILL') {
      child.kill(signal)
      return ended
    },
  }
}

export const runCli = (words: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  startCli(words, options).ended
