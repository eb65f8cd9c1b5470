// One run of vitest with the configuration of the project, and what it reports.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface NodeRun {
  /** null after a signal, or if the process did not start. */
  code: number | null
  /** Standard output and standard error; empty if they were shown. */
  output: string
}
export interface VitestRun extends NodeRun {
  /** The text of vitest's JSON report, if it has written one. */
  report: string | undefined
  /** Cases that the tests left to the nightly run: see test/case-choice.ts. */
  casesLeft: number
}
interface RunOptions {
  /** Print the output as it comes, instead of keeping it. */
  show: boolean
  environment?: Record<string, string>
  /** For a caller that must be able to stop it with all that it has started: the process leads a group of its own. */
  started?(child: ChildProcess): void
}

const root = join(import.meta.dirname, '../..')

/** Runs Node.js in the root of the project. */
export function runNode(parameters: readonly string[], options: RunOptions): Promise<NodeRun> {
  const { show, environment, started } = options
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, {
      cwd: root,
      env: { ...process.env, ...environment },
      detached: started !== undefined,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    })
    started?.(child)
    const output: Buffer[] = []
    child.stdout?.on('data', (piece: Buffer) => output.push(piece))
    child.stderr?.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }))
  })
}

/** `filters` are files and options, as on the command line of vitest. */
export async function runVitest(filters: readonly string[], options: RunOptions): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-report-'))
  const [report, left] = [join(folder, 'report.json'), join(folder, 'cases-left')]
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const run = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters], {
      ...options,
      environment: { ...options.environment, CASES_LEFT: left },
    })
    const counts = read(left)?.trim().split('\n').map(Number) ?? []
    return { ...run, report: read(report), casesLeft: counts.reduce((sum, count) => sum + count, 0) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
