// The command line as users run it: bin/unirec.mjs in a separate process.
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
}

export const cliProgram = join(import.meta.dirname, '../bin/unirec.mjs')
const ownVariables = /^(UNIREC_|DATABASE_URL$|ENCRYPTION_KEY$|DATA_DIR$|SANDBOX)/

export function runCli(words: readonly string[], { environment = {}, input }: CliOptions = {}): Promise<CliResult> {
  const outer = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name)))
  const child = spawn(process.execPath, [cliProgram, ...words], {
    env: { ...outer, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
