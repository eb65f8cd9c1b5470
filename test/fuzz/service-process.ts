import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Scales the windows of limits, so that nothing waits for a slot. */
export const paceScale = 0.0001

export interface Started {
  url: string
  adminToken: string
  user: string
  password: string
}
export interface Report {
  connections: number
  rss: number
  heapUsed: number
  cpuSeconds: number
  threadReads: number // pages that a thread has read
}
export type Question = 'faults' | 'rest'
export interface FuzzedService extends Started {
  /** Rejections, exceptions and errors since the last call. */
  faults(): Promise<string[]>
  rest(): Promise<Report>
  stop(): Promise<void>
}

export async function startFuzzedService(environment: {
  HOSTILE_URL: string
  SANDBOX_URL: string
  DATABASE_URL: string // empty: SQLite
}): Promise<FuzzedService> {
  const child = fork(join(import.meta.dirname, 'service-main.ts'), {
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    execArgv: ['--expose-gc', '--max-semi-space-size=64'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const waiting = new Map<number, (response: unknown) => void>()
  let number = 0
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}`)))
    child.on('message', (message: { started?: Started; id?: number; response?: unknown }) => {
      if (message.started) resolve(message.started)
      else waiting.get(message.id as number)?.(message.response)
    })
  })
  const ask = <T>(question: Question): Promise<T> =>
    Promise.race([
      new Promise<T>((resolve) => {
        waiting.set(++number, resolve as (response: unknown) => void)
        child.send({ id: number, question })
      }),
      ended.then((code) => Promise.reject(new Error(`the service died with code ${code}`))),
    ])
  return {
    ...started,
    faults: () => ask('faults'),
    rest: () => ask('rest'),
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
