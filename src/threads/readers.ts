// Where many requests want a page at once, pages are read in threads: parsing, mapping and writing JSON then take another core, and a huge answer of a platform holds nobody up.
// Everything that must be one for all stays here: credentials, slots, connections, the database.
import { Worker } from 'node:worker_threads'
import { viewOf } from '../engine/call.ts'
import { type Facts, LoadAborted } from '../engine/facts.ts'
import type { RequestContext } from '../engine/options.ts'
import type { Channel, Operation } from '../engine/outbound/channel.ts'
import type { WireAnswer } from '../engine/outbound/transport.ts'
import type { ListAnswer, Reading } from '../engine/read/list.ts'
import type { ListQuery } from '../engine/read/page.ts'
import type { Readers } from '../engine/read/readers.ts'
import type { Target } from '../engine/target.ts'
import type { MappingOverlay } from '../store/store.ts'
import { packError, unpackError } from './errors.ts'
import { type FromReader, owned, type ReaderData, type ToReader } from './reader-messages.ts'
import { watchWorker } from './worker.ts'

/** Threads in which pages are read. */
export interface ReaderOptions {
  start(): Worker
  most: number
  /** Used when so many pages are under way already. */
  from: number
  onError?(error: unknown): void // a thread has ended; nothing is lost
}
type Wanted = [target: Target, query: ListQuery, mapping: MappingOverlay | undefined, context: RequestContext]
interface Read {
  wanted: Wanted
  operation: Operation
  resolve(answer: ListAnswer | Promise<ListAnswer>): void
  reject(error: Error): void
}
interface Reader {
  worker: Worker
  ready: boolean
  reads: Map<number, Read>
  mappings: Set<string> // that it was told, the oldest first; not a BoundedMap: the thread learns what was evicted
  loads: Map<number, { resolve(value: unknown): void; reject(error: Error): void }> // of facts, by the call that asked for each
  usedAt: number
}
/** This process has more to do than reading: a thread may have so many reads under way for each one that is read here. */
const handed = 12
const mappingsTold = 500
const idleMs = 60_000
const againMs = 60_000

/** Threads that run this file. Up to six pages at once are read here: handing one over takes time, and a core from whoever else uses it. A small nursery: what a page leaves behind is collected before it spreads. */
export const readerThreads = (file: string, data: ReaderData, most: number, from = 6): ReaderOptions => ({
  most,
  from,
  start: () => new Worker(file, { workerData: data, name: 'reader', resourceLimits: { maxYoungGenerationSizeMb: 48 } }),
})

export function createReaders(
  { start, most, from, onError }: ReaderOptions,
  gate: Channel,
  reading: Reading,
  facts: Facts,
): Readers {
  const readers = new Set<Reader>()
  let here = 0
  let asked = 0
  let notBefore = 0
  const lookAround = setInterval(() => {
    for (const reader of readers)
      if (reader.reads.size === 0 && performance.now() - reader.usedAt > idleMs) void reader.worker.terminate()
  }, 10_000)
  lookAround.unref()

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
      (message) => hear(reader, message),
      (error) => {
        readers.delete(reader)
        if (error) {
          notBefore = performance.now() + againMs
          onError?.(error)
        }
        // What it was reading is read here: no caller notices.
        for (const { reject } of reader.loads.values()) reject(new LoadAborted())
        for (const { wanted, resolve } of reader.reads.values()) resolve(readHere(...wanted))
      },
    )
  }
  function hear(reader: Reader, message: FromReader): void {
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
    if ('call' in message) return void answer(reader, read?.operation, message)
    if (!read) return
    reader.reads.delete(message.read)
    if ('failure' in message) read.reject(unpackError(message.failure))
    else
      read.resolve({
        body: Buffer.from(message.body.buffer),
        ...(message.cursor === undefined ? {} : { cursor: message.cursor }),
      })
  }
  /** One load at a time for all threads and the process. The failure of another caller's load is not this caller's: then the thread loads the fact itself. */
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
  async function answer(
    reader: Reader,
    operation: Operation | undefined,
    message: Extract<FromReader, { call: number }>,
  ): Promise<void> {
    const { call } = message
    const say = (message: ToReader, transfer: ArrayBuffer[] = []) => reader.worker.postMessage(message, transfer)
    try {
      if (!operation) throw new Error('a call after its read ended')
      if ('fact' in message)
        return say({ call, result: await factFor(reader, operation.account.id, call, message.fact) })
      const { method, parameters } = message
      const result: unknown = await (gate[method] as (...all: unknown[]) => Promise<unknown>)(operation, ...parameters)
      if (method !== 'attempt') return say({ call, result })
      const bytes = owned((result as WireAnswer).bytes)
      say({ call, result: { ...(result as WireAnswer), bytes } }, [bytes.buffer])
    } catch (error) {
      say({ call, failure: packError(error) })
    }
  }

  /** The thread with the least to do; none where few are under way, where nothing is being read here, or where the threads have their share. */
  function idlest(): Reader | undefined {
    let underWay = here
    for (const { reads } of readers) underWay += reads.size
    if (here === 0 || underWay < from) return undefined
    let best: Reader | undefined
    for (const reader of readers) if (reader.ready && (!best || reader.reads.size < best.reads.size)) best = reader
    const busy = !best || best.reads.size > here
    if (busy && readers.size < most && [...readers].every(({ ready }) => ready) && performance.now() >= notBefore)
      begin()
    return best && best.reads.size < handed * here ? best : undefined
  }
  function told({ worker, mappings }: Reader, mapping: MappingOverlay): string {
    const name = `${mapping.id} ${mapping.version}`
    if (mappings.has(name)) return name
    const [oldest] = mappings
    if (oldest !== undefined && mappings.size >= mappingsTold) {
      mappings.delete(oldest)
      worker.postMessage({ mapping: oldest, rules: undefined } satisfies ToReader)
    }
    mappings.add(name)
    worker.postMessage({ mapping: name, rules: mapping } satisfies ToReader)
    return name
  }
  async function readHere(...wanted: Wanted): Promise<ListAnswer> {
    here++
    try {
      return await reading.list(...wanted)
    } finally {
      here--
    }
  }
  function readThere(reader: Reader, ...wanted: Wanted): Promise<ListAnswer> {
    const [{ account, connector, flavor }, query, mapping, context] = wanted
    const read = ++asked
    reader.usedAt = performance.now()
    return new Promise((resolve, reject) => {
      reader.reads.set(read, {
        wanted,
        operation: { account, connector, context, waitedMs: 0, patient: false },
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
        ...(mapping ? { mapping: told(reader, mapping) } : {}),
      } satisfies ToReader)
    })
  }

  return {
    list(...wanted) {
      const reader = idlest()
      return reader ? readThere(reader, ...wanted) : readHere(...wanted)
    },
    status: () => ({ threads: readers.size, reads: asked }),
    forgetFacts(accountId) {
      for (const { worker } of readers) worker.postMessage({ forget: accountId } satisfies ToReader)
    },
    async close() {
      clearInterval(lookAround)
      await Promise.all([...readers].map(({ worker }) => worker.terminate()))
    },
  }
}
