// Inside a reader thread: adapters and mappings run here, and the process makes their calls.
import { parentPort, workerData } from 'node:worker_threads'
import { createFacts, type Fact, type Facts } from '../engine/facts.ts'
import type { Channel } from '../engine/outbound/channel.ts'
import { createOutbound } from '../engine/outbound/retry.ts'
import type { CompletedRows } from '../engine/read/completed-rows.ts'
import { createCursors } from '../engine/read/cursor.ts'
import { createReading } from '../engine/read/list.ts'
import { createTargets } from '../engine/target.ts'
import { connectors } from '../platforms/registry.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import { createVault } from '../store/vault.ts'
import { packError, unpackError } from './errors.ts'
import { type FromReader, type ReaderData, type ToReader, transferable } from './reader-messages.ts'

const { encryptionKeys, paceScale } = workerData as ReaderData
const cursors = createCursors(createVault(encryptionKeys.map((key) => Buffer.from(key))))
const facts = createFacts(120_000 * paceScale)
const { target } = createTargets(connectors)
const mappings = new Map<string, MappingOverlay>()
const calls = new Map<number, { resolve(result: never): void; reject(error: Error): void }>()
const failures = new Map<number, Error>() // of loads: an error of a connector would lose its class between threads
const loads = new Map<number, () => Promise<unknown>>() // of facts that this thread asked for
let called = 0

const send = (message: FromReader, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

/** The outbound channel and the completed rows of the process, for one read. */
function channelOf(read: number): Channel & CompletedRows {
  const forward =
    (method: keyof (Channel & CompletedRows)) =>
    (_: unknown, ...parameters: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        calls.set(++called, { resolve, reject })
        send({ read, call: called, method, parameters })
      })
  return {
    attempt: forward('attempt'),
    hold: forward('hold'),
    renew: forward('renew'),
    renewedInVain: forward('renewedInVain'),
    lost: forward('lost'),
    withoutSecrets: forward('withoutSecrets'),
    retrying: forward('retrying'),
    freeNow: forward('freeNow'),
    completedRows: forward('completedRows'),
    keepCompleted: forward('keepCompleted'),
  }
}

/** The facts of the process, cached here for as long as they are valid there. */
const factsOf = (read: number): Pick<Facts, 'cached'> => ({
  async cached<T>(accountId: string, name: string, load: () => Promise<T>) {
    const fact = await facts.take<T>(accountId, name, () => {
      const call = ++called
      loads.set(call, load)
      const loaded = new Promise<Fact<T>>((resolve, reject) => {
        calls.set(call, { resolve, reject })
        send({ read, call, fact: name })
      })
      return loaded.finally(() => loads.delete(call))
    })
    return fact.value
  },
})
async function loadFact(call: number): Promise<void> {
  try {
    send({ loaded: call, value: await loads.get(call)?.() })
  } catch (error) {
    failures.set(call, error as Error)
    send({ loaded: call, failed: true })
  }
}

async function readPage({
  read,
  requestId,
  account,
  entityType,
  query,
  mapping,
}: Extract<ToReader, { read: number }>): Promise<void> {
  try {
    const shared = channelOf(read)
    const reading = createReading({
      outbound: createOutbound(shared, paceScale),
      facts: factsOf(read),
      cursors,
      completed: shared,
    })
    const readTarget = target({ ...account, credentials: {} } as Account, entityType)
    const overlay = mapping === undefined ? undefined : mappings.get(mapping)
    // Never read without it.
    if (mapping !== undefined && !overlay) throw new Error('this thread does not have the mapping')
    const { body, cursor } = await reading.list(readTarget, query, overlay, { requestId, caller: '', maxWaitMs: 0 })
    const bytes = transferable(Buffer.from(body))
    send({ read, body: bytes, cursor }, [bytes.buffer])
  } catch (error) {
    send({ read, failure: packError(error) })
  }
}

parentPort?.on('message', (message: ToReader) => {
  if ('read' in message) return void readPage(message)
  if ('forget' in message) return facts.forget(message.forget)
  if ('load' in message) return void loadFact(message.load)
  if ('mapping' in message) {
    if (message.rules) mappings.set(message.mapping, message.rules)
    else mappings.delete(message.mapping)
    return
  }
  const call = calls.get(message.call)
  calls.delete(message.call)
  const own = failures.get(message.call)
  failures.delete(message.call)
  if ('failure' in message) call?.reject(own ?? unpackError(message.failure))
  else call?.resolve(message.result as never)
})
send({ ready: true })
