// The command line in the process of the test: what bin/unirec.mjs runs, in a hundredth of the processor time.
import { Readable, Writable } from 'node:stream'
import { runWords } from '../src/cli/run.ts'
import type { CliResult } from './cli-process.ts'

export interface Here {
  environment?: Record<string, string>
  input?: string
  isTerminal?: boolean // standard input and standard error are a terminal
  stop?: AbortController
  onOutput?(stdout: string, stderr: string): void
}

/** With nothing of the environment of the test but what is given. */
export async function runCliHere(words: readonly string[], options: Here = {}): Promise<CliResult> {
  const { environment = {}, input, isTerminal = false, stop = new AbortController(), onOutput } = options
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk, _, done) {
          written[name] += chunk
          onOutput?.(written.stdout, written.stderr)
          done()
        },
      }),
      { isTTY: isTerminal && name === 'stderr' },
    ) as unknown as NodeJS.WriteStream
  const stdin = Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), { isTTY: isTerminal })
  const withoutProfiles = { XDG_CONFIG_HOME: '/nonexistent', ...environment }
  const surroundings = { stdin, stdout: sink('stdout'), stderr: sink('stderr'), environment: withoutProfiles, stop }
  return { code: await runWords(words, surroundings), ...written }
}
