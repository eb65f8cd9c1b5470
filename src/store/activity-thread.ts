// Activity is written by a thread of its own, over a connection of its own: packing, sealing and the database cost the requests nothing but handing it over.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ActivityWriter } from './activity-writer.ts'

export interface ThreadData {
  databaseUrl?: string
  dataDir: string
  encryptionKeys: readonly Buffer[]
}
/** What is asked of the thread: entries to write, or the time before which they go. */
export interface Asked {
  number: number
  lines?: Uint8Array<ArrayBuffer>
  before?: number
}
export interface Answered {
  number: number
  removed: number
  error?: string
}
interface Waiting {
  resolve(removed: number): void
  reject(error: Error): void
}

/** The thread begins with the first thing it is asked, and again should it ever end. */
export function createActivityThread(file: string, data: ThreadData): ActivityWriter {
  const open = new Map<number, Waiting>()
  let asked = 0
  let running: Worker | undefined

  function begin(): Worker {
    const worker = new Worker(file, { workerData: data, name: 'activity' })
    let reason = new Error('the thread that writes activity has ended')
    worker.on('message', ({ number, removed, error }: Answered) => {
      const waiting = open.get(number)
      open.delete(number)
      if (error === undefined) waiting?.resolve(removed)
      else waiting?.reject(new Error(error))
    })
    worker.on('error', (error) => {
      reason = error as Error
    })
    worker.on('exit', () => {
      running = undefined
      for (const waiting of open.values()) waiting.reject(reason)
      open.clear()
    })
    worker.unref()
    return worker
  }
  const ask = (what: Omit<Asked, 'number'>): Promise<number> =>
    new Promise((resolve, reject) => {
      running ??= begin()
      const number = ++asked
      open.set(number, { resolve, reject })
      running.postMessage({ number, ...what } satisfies Asked, what.lines ? [what.lines.buffer] : [])
    })
  return {
    async write(lines) {
      await ask({ lines })
    },
    prune: (before) => ask({ before }),
    async close() {
      const worker = running
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.ref()
      worker.postMessage('end')
      await ended
    },
  }
}
