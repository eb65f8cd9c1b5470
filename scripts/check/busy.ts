// Processes that keep the processor busy, so that tests run as on a slow machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** In short turns, so that it notices that the process that started it has ended, even after a SIGKILL. */
const burn = `process.on('disconnect', () => process.exit())
  ;(function turn() { for (const end = performance.now() + 50; performance.now() < end; ); setImmediate(turn) })()`

/** Returns when all processes run. `stop` returns when all have ended. */
export async function startBusy(count: number): Promise<{ pids: number[]; stop(): Promise<void> }> {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', burn], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  const ended = children.map((child) => once(child, 'close'))
  await Promise.all(children.map((child) => once(child, 'spawn')))
  return {
    pids: children.map(({ pid }) => pid as number),
    async stop() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}
