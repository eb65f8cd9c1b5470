// A process whose output a test waits for.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export interface WatchedProcess {
  child: ChildProcess
  /** Standard output and standard error so far. */
  printed(): string
  /** Fails when the process exits without having printed it. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code when everything has been read; null after a signal. */
  exited: Promise<number | null>
}

export function watchProcess(command: string, parameters: readonly string[], options: SpawnOptions): WatchedProcess {
  const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk
      wake()
    })
  let ended = false
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      ended = true
      wake()
      resolve(code)
    })
  })
  return {
    child,
    printed: () => printed,
    exited,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(printed)
        if (found) return found
        if (ended) throw new Error(`${command} ended without printing ${pattern}: ${printed}`)
        await changed.promise
      }
    },
  }
}
