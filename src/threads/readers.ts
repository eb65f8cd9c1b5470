// When many pages are requested at once, threads read them: parsing, mapping and writing JSON use another core, and a
// huge response of a platform blocks no other request.
// All that must exist only once stays in the process: credentials, slots, connections, the database.
import { Worker } from 'node:worker_threads'
import { viewOf } from '../engine/account-view.ts'
import { type Facts, LoadAborted } from '../engine/facts.ts'
import type { RequestContext } from '../engine/options.ts'
import type { Channel, Operation } from '../engine/outbound/channel.ts'
import type { WireAnswer } from '../engine/outbound/transport.ts'
import type { CompletedRows } from '../engine/read/completed-rows.ts'
import type { ListAnswer, Reading } from '../engine/read/list.ts'
import type { ListQuery } from '../engine/read/page.ts'
import type { Readers } from '../engine/read/readers.ts'
import type { Target } from '../engine/target.ts'
import type { MappingOverlay } from '../store/store.ts'
import { packError, unpackError } from './errors.ts'
import { type FromReader, type ReaderData, type ToReader, transferable } from './reader-messages.ts'
import { watchWorker } from './worker.ts'

/** The threads that read pages. */
export interface ReaderOptions {
  start(): Worker
  most: number
  /** Threads are used when this many pages are being read. */
  from: number
  onError?(error: unknown): void // a thread has ended; nothing is lost
}
type ListCall = [target: Target, query: ListQuery, mapping: MappingOverlay | undefined, context: RequestContext]
interface Read {
  list: ListCall
  operation: Operation
  resolve(answer: ListAnswer | Promise<ListAnswer>): void
  reject(error: Error): void
}
interface Reader {
  worker: Worker
  ready: boolean
  reads: Map<number, Read>
  mappings: Set<string> // that it has, the oldest first; not a BoundedMap: the thread learns what was evicted
  // The loads of facts, by the call that asked for each.
  loads: Map<number, { resolve(value: unknown): void; reject(error: Error): void }>
  usedAt: number
}
/** How many reads a thread may have for each read in the process, which has other work to do. */
const readsPerOwn = 12
const maxMappings = 500
const idleMs = 60_000
const restartAfterMs = 60_000

/**
 * Threads that run this file. By default up to six pages at once are read in the process: a transfer takes time, and a
 * thread takes a core from other work. The young generation is small, so that the garbage of a page is collected early.
 */
export const readerThreads = (file: string, data: ReaderData, most: number, from = 6): ReaderOptions => ({
  most,
  from,
  start: () => new Worker(file, { workerData: data, name: 'reader', resourceLimits: { maxYoungGenerationSizeMb: 48 } }),
})

export function createReaders(
  { start, most, from, onError }: ReaderOptions,
  shared: Channel & CompletedRows,
  reading: Reading,
  facts: Facts,
): Readers {
  const readers = new Set<Reader>()
  let ownReads = 0
  let handedOver = 0
  let notBefore = 0
  const endIdle = setInterval(() => {
    for (const reader of readers)
      if (reader.reads.size === 0 && performance.now() - reader.usedAt > idleMs) void reader.worker.terminate()
  }, 10_000)
  endIdle.unref()

  function begin(): void {
    const reader: Reader = {
      worker: start(),
      ready: false,
      reads: new Map(),
      mappings: new Set(),
      loads: new Map(),
      usedAt: performance.now(),
    }
    readers.add(reader)
    watchWorker<FromReader>(
      reader.worker,
      (message) => receive(reader, message),
      (error) => {
        readers.delete(reader)
        if (error) {
          notBefore = performance.now() + restartAfterMs
          onError?.(error)
        }
        // The process reads its pages again: no caller notices.
        for (const { reject } of reader.loads.values()) reject(new LoadAborted())
        for (const { list, resolve } of reader.reads.values()) resolve(readInProcess(...list))
      },
    )
  }
  function receive(reader: Reader, message: FromReader): void {
    if ('ready' in message) {
      reader.ready = true
      return
    }
    if ('loaded' in message) {
      const load = reader.loads.get(message.loaded)
      reader.loads.delete(message.loaded)
      if ('failed' in message) load?.reject(new LoadAborted())
      else load?.resolve(message.value)
      return
    }
    const read = reader.reads.get(message.read)
    if ('call' in message) return void respond(reader, read?.operation, message)
    if (!read) return
    reader.reads.delete(message.read)
    if ('failure' in message) read.reject(unpackError(message.failure))
    else read.resolve({ body: Buffer.from(message.body.buffer), cursor: message.cursor })
  }
  /**
   * One load at a time for all threads and the process. When the load of another caller fails, the thread loads the
   * fact itself.
   */
  async function factFor({ worker, loads }: Reader, accountId: string, call: number, name: string): Promise<unknown> {
    let own = false
    async function load() {
      own = true
      const value = await new Promise<unknown>((resolve, reject) => {
        loads.set(call, { resolve, reject })
        worker.postMessage({ load: call } satisfies ToReader)
      })
      return { value, leftMs: Infinity }
    }
    for (;;) {
      try {
        return await facts.take(accountId, name, load)
      } catch (error) {
        if (own) throw error
      }
    }
  }
  async function respond(
    reader: Reader,
    operation: Operation | undefined,
    message: Extract<FromReader, { call: number }>,
  ): Promise<void> {
    const { call } = message
    const send = (message: ToReader, transfer: ArrayBuffer[] = []) => reader.worker.postMessage(message, transfer)
    try {
      if (!operation) throw new Error('a call after its read ended')
      if ('fact' in message)
        return send({ call, result: await factFor(reader, operation.account.id, call, message.fact) })
      const { method, parameters } = message
      const result: unknown = await (shared[method] as (...all: unknown[]) => Promise<unknown>)(
        operation,
        ...parameters,
      )
      if (method !== 'attempt') return send({ call, result })
      const bytes = transferable((result as WireAnswer).bytes)
      send({ call, result: { ...(result as WireAnswer), bytes } }, [bytes.buffer])
    } catch (error) {
      send({ call, failure: packError(error) })
    }
  }

  /**
   * The thread with the fewest reads. None when few pages are being read, the process reads none, or the threads have
   * their share.
   */
  function idlest(): Reader | undefined {
    let total = ownReads
    for (const { reads } of readers) total += reads.size
    if (ownReads === 0 || total < from) return undefined
    let best: Reader | undefined
    for (const reader of readers) if (reader.ready && (!best || reader.reads.size < best.reads.size)) best = reader
    const busy = !best || best.reads.size > ownReads
    if (busy && readers.size < most && [...readers].every(({ ready }) => ready) && performance.now() >= notBefore)
      begin()
    return best && best.reads.size < readsPerOwn * ownReads ? best : undefined
  }
  function sendMapping({ worker, mappings }: Reader, mapping: MappingOverlay): string {
    const name = `${mapping.id} ${mapping.version}`
    if (mappings.has(name)) return name
    const [oldest] = mappings
    if (oldest !== undefined && mappings.size >= maxMappings) {
      mappings.delete(oldest)
      worker.postMessage({ mapping: oldest, rules: undefined } satisfies ToReader)
    }
    mappings.add(name)
    worker.postMessage({ mapping: name, rules: mapping } satisfies ToReader)
    return name
  }
  async function readInProcess(...list: ListCall): Promise<ListAnswer> {
    ownReads++
    try {
      return await reading.list(...list)
    } finally {
      ownReads--
    }
  }
  function readInThread(reader: Reader, ...list: ListCall): Promise<ListAnswer> {
    const [{ account, connector, flavor }, query, mapping, context] = list
    const read = ++handedOver
    reader.usedAt = performance.now()
    return new Promise((resolve, reject) => {
      reader.reads.set(read, {
        list,
        operation: { account, connector, context, patient: false },
        resolve,
        reject,
      })
      const { id, platform, vertical } = account
      reader.worker.postMessage({
        read,
        requestId: context.requestId,
        account: { id, platform, vertical, settings: viewOf(account, connector).settings as Record<string, string> },
        entityType: flavor.definition.entityType,
        query,
        mapping: mapping && sendMapping(reader, mapping),
      } satisfies ToReader)
    })
  }

  return {
    list(...call) {
      const reader = idlest()
      return reader ? readInThread(reader, ...call) : readInProcess(...call)
    },
    status: () => ({ threads: readers.size, reads: handedOver }),
    forgetFacts(accountId) {
      for (const { worker } of readers) worker.postMessage({ forget: accountId } satisfies ToReader)
    },
    async close() {
      clearInterval(endIdle)
      await Promise.all([...readers].map(({ worker }) => worker.terminate()))
    },
  }
}
