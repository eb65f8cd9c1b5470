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
export interface WorkerCalls {
  call<T>(method: string, parameters: readonly unknown[], transfer?: readonly Transferable[]): Promise<T>
  close(): Promise<void>
}
interface PendingCall extends Call {
  transfer: readonly Transferable[]
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * Calls to a worker with its own connection to the database. It runs one batch of calls at a time. Calls that arrive
 * meanwhile are the next batch:
 * the higher the load, the fewer messages and commits per call.
 * When the worker ends, the calls of its batch fail as if the database were unavailable, because their outcome is
 * unknown. The next batch starts it again.
 */
export function createWorkerCalls(name: string, file: string, data: ThreadData): WorkerCalls {
  let worker: Worker | undefined
  let next: PendingCall[] = []
  let batch: PendingCall[] = []
  let closed = false

  function start(): Worker {
    const started = new Worker(file, { workerData: data, name })
    watchWorker<Result[]>(
      started,
      (results) => {
        const calls = take()
        results.forEach(({ value, failure }, index) => {
          if (failure) calls[index]?.reject(unpackError(failure))
          else calls[index]?.resolve(value)
        })
      },
      (error = new Error(`the thread "${name}" has ended`)) => {
        worker = undefined
        for (const { reject } of take()) reject(new DatabaseUnavailable(error))
      },
    )
    return started
  }
  /** Ends the batch. The next one also includes the calls that its callers make now. */
  function take(): PendingCall[] {
    const calls = batch
    batch = []
    if (next.length > 0) setImmediate(send)
    return calls
  }
  function send(): void {
    if (batch.length > 0 || next.length === 0) return
    if (closed) {
      for (const { reject } of next.splice(0))
        reject(new DatabaseUnavailable({ message: `the thread "${name}" is closed` }))
      return
    }
    batch = next
    next = []
    const calls = batch.map(({ method, parameters }): Call => ({ method, parameters }))
    try {
      worker ??= start()
      worker.postMessage(
        calls,
        batch.flatMap(({ transfer }) => transfer),
      )
    } catch (error) {
      for (const { reject } of take()) reject(error as Error) // a parameter cannot be cloned
    }
  }
  return {
    call: <T>(method: string, parameters: readonly unknown[], transfer: readonly Transferable[] = []) =>
      new Promise<T>((resolve, reject) => {
        next.push({ method, parameters, transfer, resolve: resolve as (value: unknown) => void, reject })
        if (next.length === 1 && batch.length === 0) setImmediate(send)
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
