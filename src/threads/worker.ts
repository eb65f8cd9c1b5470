// How the process uses a worker: the first call starts it, the next call restarts it if it has ended, and it closes
// after its last call.
import { once } from 'node:events'
import { type Transferable, Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import { type PackedError, unpackError } from './errors.ts'

/**
 * A worker does not keep the process alive. `ended` gets the error that ended it; none when it was terminated or
 * closed.
 */
export function watchWorker<Message>(
  worker: Worker,
  message: (message: Message) => void,
  ended: (error: Error | undefined) => void,
): void {
  let failure: Error | undefined
  worker.on('message', message)
  worker.on('error', (error) => {
    failure = error as Error
  })
  worker.on('exit', () => ended(failure))
  worker.unref()
}

export interface ThreadData {
  databaseUrl?: string
  dataDir: string
  encryptionKeys: readonly Buffer[]
}
export interface Call {
  method: string
  parameters: readonly unknown[]
}
export interface Result {
  value?: unknown
  failure?: PackedError
}
export interface Calls {
  batch: number
  calls: Call[]
}
export interface Results {
  batch: number
  results: Result[]
}
export interface WorkerCalls {
  call<T>(method: string, parameters: readonly unknown[], transfer?: readonly Transferable[]): Promise<T>
  close(): Promise<void>
}
interface PendingCall extends Call {
  transfer: readonly Transferable[]
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Messages to a worker that it has not answered. With one, either thread would wait for the other. */
export const mostUnderWay = 8

/**
 * Calls to a worker with its own connection to the database. The calls of one event-loop turn are one message, and the
 * messages that arrive while the worker commits are its next commit: the higher the load, the fewer commits per call.
 * When the worker ends, the calls that it has not answered fail as if the database were unavailable, because their
 * outcome is unknown. The next message starts it again.
 */
export function createWorkerCalls(name: string, file: string, data: ThreadData): WorkerCalls {
  let worker: Worker | undefined
  let next: PendingCall[] = []
  const underWay = new Map<number, PendingCall[]>()
  let batches = 0
  let scheduled = false
  let closed = false

  function start(): Worker {
    const started = new Worker(file, { workerData: data, name })
    watchWorker<Results>(
      started,
      ({ batch, results }) => {
        const calls = take(batch)
        results.forEach(({ value, failure }, index) => {
          if (failure) calls[index]?.reject(unpackError(failure))
          else calls[index]?.resolve(value)
        })
      },
      (error = new Error(`the thread "${name}" has ended`)) => {
        worker = undefined
        for (const batch of [...underWay.keys()])
          for (const { reject } of take(batch)) reject(new DatabaseUnavailable(error))
      },
    )
    return started
  }
  /** Ends a batch. The next one also includes the calls that its callers make now. */
  function take(batch: number): PendingCall[] {
    const calls = underWay.get(batch) ?? []
    underWay.delete(batch)
    schedule()
    return calls
  }
  function schedule(): void {
    if (scheduled || next.length === 0 || underWay.size >= mostUnderWay) return
    scheduled = true
    setImmediate(send)
  }
  function send(): void {
    scheduled = false
    if (closed) {
      for (const { reject } of next.splice(0))
        reject(new DatabaseUnavailable({ message: `the thread "${name}" is closed` }))
      return
    }
    const batch = batches++
    const pending = next
    next = []
    underWay.set(batch, pending)
    const calls = pending.map(({ method, parameters }): Call => ({ method, parameters }))
    try {
      worker ??= start()
      worker.postMessage(
        { batch, calls },
        pending.flatMap(({ transfer }) => transfer),
      )
    } catch (error) {
      for (const { reject } of take(batch)) reject(error as Error) // a parameter cannot be cloned
    }
  }
  return {
    call: <T>(method: string, parameters: readonly unknown[], transfer: readonly Transferable[] = []) =>
      new Promise<T>((resolve, reject) => {
        next.push({ method, parameters, transfer, resolve: resolve as (value: unknown) => void, reject })
        schedule()
      }),
    async close() {
      closed = true
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.ref()
      worker.postMessage('end')
      await ended
    },
  }
}
