// A service that npm started must not outlive it. npm passes SIGTERM and SIGINT on, but a shell between the two does
// not, and nothing passes SIGKILL on: so the service looks by itself.
import { readFileSync } from 'node:fs'

const intervalMs = 500
const maxDepth = 5

/**
 * Calls back once, when npm or a process between it and this one has ended. Does nothing for a service that was started
 * in another way, or on Windows.
 */
export function onNpmExit(callback: () => void): void {
  const byNpm = /^(start|npx)$/.test(process.env.npm_lifecycle_event ?? '')
  const byLauncher = process.env.UNIREC_LAUNCHER === String(process.ppid)
  if (process.platform === 'win32' || !(byNpm || byLauncher)) return
  const parent = process.ppid
  const others = byNpm ? ancestors(parent) : []
  const timer = setInterval(() => {
    if (process.ppid === parent && others.every(isRunning)) return
    clearInterval(timer)
    callback()
  }, intervalMs)
  timer.unref()
}

/** From the parent of this process up to npm, where /proc shows it: `npx` runs a shell, which runs the launcher. */
function ancestors(parent: number): number[] {
  const found: number[] = []
  try {
    for (let pid = parent; pid > 1 && found.length < maxDepth; pid = parentOf(pid)) {
      found.push(pid)
      if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('npm ')) return found
    }
  } catch {
    // No /proc: the parent alone is watched.
  }
  return []
}

/**
 * The name of the program, in brackets, may hold anything. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
const parentOf = (pid: number) =>
  Number(/\) \S+ (\d+)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 0)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
