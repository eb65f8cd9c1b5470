// Calls to a thread that has the database open too. Those of one turn of the event loop go over together, and so do the answers: being woken costs more than the call.
import { once } from 'node:events'
import { type Transferable, Worker } from 'node:worker_threads'
import { LostEntry } from '../store/lost-entry.ts'
import { DatabaseDamaged } from '../store/sqlite/damaged.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'

export interface ThreadData {
  databaseUrl?: string
  dataDir: string
  encryptionKeys: readonly Buffer[]
}
export interface Call {
  method: string
  parameters: readonly unknown[]
}
export interface Answer {
  value?: unknown
  failure?: Failure
}
/** What an error is made of: of its class nothing crosses between threads. */
interface Failure {
  kind: 'lost' | 'unavailable' | 'damaged' | 'other'
  message: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof LostEntry) return { kind: 'lost', message: error.message }
  if (error instanceof DatabaseUnavailable) return { kind: 'unavailable', message: error.reason }
  if (error instanceof DatabaseDamaged) return { kind: 'damaged', message: error.what }
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) }
}
function errorOf({ kind, message }: Failure): Error {
  if (kind === 'lost') return new LostEntry(message)
  if (kind === 'unavailable') return new DatabaseUnavailable({ message })
  return kind === 'damaged' ? new DatabaseDamaged(message) : new Error(message)
}

export interface ThreadCalls {
  call<T>(method: string, parameters: readonly unknown[], transfer?: readonly Transferable[]): Promise<T>
  close(): Promise<void>
}
interface Waiting extends Call {
  transfer: readonly Transferable[]
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * The thread has one lot of calls at a time, and what comes meanwhile is the next: the more there is to do, the fewer lots, wakings and commits.
 * It begins with the first call, and again should it ever end. Whoever waits for it then is told as if the database had gone: nobody knows what became of the call.
 */
export function createThreadCalls(name: string, file: string, data: ThreadData): ThreadCalls {
  let worker: Worker | undefined
  let next: Waiting[] = []
  let underWay: Waiting[] = []
  let closed = false

  function begin(): Worker {
    const begun = new Worker(file, { workerData: data, name })
    let reason = new Error(`the thread "${name}" has ended`)
    begun.on('message', (answers: Answer[]) => {
      const lot = take()
      answers.forEach(({ value, failure }, place) => {
        if (failure) lot[place]?.reject(errorOf(failure))
        else lot[place]?.resolve(value)
      })
    })
    begun.on('error', (error) => {
      reason = error as Error
    })
    begun.on('exit', () => {
      worker = undefined
      for (const waiting of take()) waiting.reject(new DatabaseUnavailable(reason))
    })
    begun.unref()
    return begun
  }
  /** What was under way is answered: the next lot goes with what the answers lead to. */
  function take(): Waiting[] {
    const lot = underWay
    underWay = []
    if (next.length > 0) setImmediate(send)
    return lot
  }
  function send(): void {
    if (underWay.length > 0 || next.length === 0) return
    if (closed) {
      for (const { reject } of next.splice(0)) reject(new DatabaseUnavailable({ message: `the thread "${name}" is closed` }))
      return
    }
    underWay = next
    next = []
    const calls = underWay.map(({ method, parameters }): Call => ({ method, parameters }))
    try {
      worker ??= begin()
      worker.postMessage(
        calls,
        underWay.flatMap(({ transfer }) => transfer),
      )
    } catch (error) {
      for (const { reject } of take()) reject(error as Error) // something in it is no plain value
    }
  }
  return {
    call: <T>(method: string, parameters: readonly unknown[], transfer: readonly Transferable[] = []) =>
      new Promise<T>((resolve, reject) => {
        next.push({ method, parameters, transfer, resolve: resolve as (value: unknown) => void, reject })
        if (next.length === 1 && underWay.length === 0) setImmediate(send)
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
