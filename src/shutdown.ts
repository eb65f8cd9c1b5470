// Ends the service on a signal, or with npm; logs why, and what the process leaves behind.
import type { Logger } from 'pino'
import { onNpmExit } from './npm-parent.ts'
import type { LeftBehind, Service } from './service.ts'

export interface Shutdown {
  /** From now on there is something to finish first. */
  watch(service: Service, sandbox?: { stop(): Promise<void> }): void
}

export function handleShutdown(logger: Logger, shutdownMs: number): Shutdown {
  let running: Parameters<Shutdown['watch']> | undefined
  let begunAt: number | undefined
  let left: LeftBehind | undefined
  async function stop(signal: string): Promise<void> {
    if (begunAt !== undefined) return // npm passes on a Ctrl-C that the terminal has sent already
    begunAt = performance.now()
    const code = signal === 'SIGINT' ? 130 : 0
    if (!running) process.exit(code) // it is still starting
    const [service, sandbox] = running
    setTimeout(() => process.exit(1), shutdownMs + 10_000).unref()
    logger.info({ signal, requests: await service.requests() }, 'shutting down')
    left = await service.close()
    await sandbox?.stop()
    process.exit(code)
  }
  process.on('exit', (code) => {
    const unfinished = left && Object.fromEntries(Object.entries(left).filter(([, value]) => value))
    const details = {
      code,
      uptimeSeconds: Math.round(process.uptime()),
      ...(begunAt === undefined ? {} : { shutdownMs: Math.round(performance.now() - begunAt) }),
      ...(unfinished && Object.keys(unfinished).length > 0 ? { unfinished } : {}),
    }
    if (code !== 0 && code !== 130) logger.error(details, 'exit')
    else if (details.unfinished) logger.warn(details, 'exit, with work left for the next start or another instance')
    else logger.info(details, 'exit')
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
  onNpmExit(() => void stop('npm exit'))
  return {
    watch(...started) {
      running = started
    },
  }
}
