// Processes that keep a core busy, like other programs on a machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs `work` while `count` processes keep a core busy each. */
export async function besideBusy<T>(count: number, work: () => Promise<T>): Promise<T> {
  const busy: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    await Promise.all(busy.map((child) => once(child, 'spawn')))
    return await work()
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
}
