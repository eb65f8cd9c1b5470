import { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { Problem } from '../contract/errors.ts'
import { createFacts } from '../engine/facts.ts'
import type { Channel } from '../engine/outbound/channel.ts'
import { TransportError } from '../engine/outbound/transport.ts'
import type { CompletedRows } from '../engine/read/completed-rows.ts'
import type { ListAnswer, Reading } from '../engine/read/list.ts'
import { createTargets } from '../engine/target.ts'
import { connectors } from '../platforms/registry.ts'
import type { Account, MappingOverlay } from '../store/store.ts'
import { packError, unpackError } from './errors.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import { createReaders, type ReaderOptions } from './readers.ts'

const account = {
  id: 'a',
  workspaceId: 'w',
  platform: 'square',
  vertical: 'restaurant',
  auth: 'oauth2',
  state: 'active',
  settings: { currency: 'USD' },
  credentials: { accessToken: 'the-secret-token', refreshToken: 'the-secret-refresh' },
} as unknown as Account
const target = createTargets(connectors).target(account, 'customer')
const context = { requestId: 'req_1', caller: 'c', maxWaitMs: 1000 }
const mapping = (id: string) => ({ id, version: 1, rules: {} }) as MappingOverlay

/** A thread that records its messages. */
class Listener extends EventEmitter {
  readonly received: ToReader[] = []
  postMessage(message: ToReader) {
    this.received.push(structuredClone(message))
  }
  unref() {}
  async terminate() {
    this.emit('exit', 1)
  }
  sends(message: FromReader) {
    this.emit('message', message)
  }
  reads = () => this.received.filter((message): message is Extract<ToReader, { read: number }> => 'read' in message)
}

function setUp({ most = 1, from = 1, gate = {} as Partial<Channel & CompletedRows> } = {}) {
  const threads: Listener[] = []
  const start = () => {
    threads.push(new Listener())
    return threads.at(-1) as unknown as ReturnType<ReaderOptions['start']>
  }
  const ends: ((answer: ListAnswer) => void)[] = []
  const reading = { list: () => new Promise<ListAnswer>((resolve) => ends.push(resolve)) } as unknown as Reading
  const facts = createFacts(120_000)
  const readers = createReaders({ start, most, from }, gate as Channel & CompletedRows, reading, facts)
  const list = (over?: MappingOverlay) => readers.list(target, { pageSize: 3 }, over, context)
  return { readers, facts, threads, ends, list }
}
afterEach(() => void vi.useRealTimers())

/** With a thread that is ready, while the process reads two pages. */
function withThread(options: Parameters<typeof setUp>[0] = {}) {
  const all = setUp(options)
  void all.list()
  void all.list()
  const thread = all.threads[0] as Listener
  thread.sends({ ready: true })
  return { ...all, thread }
}

it('reads a single page in the process, without a thread', () => {
  const { list, threads, ends } = setUp()
  void list()
  expect([threads.length, ends.length]).toEqual([0, 1])
})

it('reads a few pages at once in the process, and starts a thread for one more', () => {
  const { list, threads, ends } = setUp({ from: 3 })
  for (let index = 0; index < 3; index++) void list()
  expect([threads.length, ends.length]).toEqual([0, 3])
  void list()
  expect(threads).toHaveLength(1)
  threads[0]?.sends({ ready: true })
  void list()
  expect([threads[0]?.reads().length, ends.length]).toEqual([1, 4])
})

it('sends pages to a thread that is ready while the process reads others, and never a credential', async () => {
  const { list, ends, thread, readers } = withThread()
  expect(ends).toHaveLength(2) // it was not ready for the second one
  const page = list()
  expect(thread.reads()).toMatchObject([
    { account: { id: 'a', platform: 'square' }, entityType: 'customer', query: { pageSize: 3 } },
  ])
  expect(JSON.stringify(thread.received)).not.toContain('secret')
  thread.sends({
    read: thread.reads()[0]?.read as number,
    body: new TextEncoder().encode('{"data":[]}'),
    cursor: 'next',
  })
  expect(await page).toEqual({ body: Buffer.from('{"data":[]}'), cursor: 'next' })
  expect(readers.status()).toEqual({ threads: 1, reads: 1 })
})

it('gives a thread at most twelve reads for each read in the process', () => {
  const { list, ends, thread } = withThread()
  for (let index = 0; index < 30; index++) void list()
  // The process reads two pages: the thread gets 24, the process the next one, and then the thread may have 12 more.
  expect([thread.reads().length, ends.length]).toEqual([29, 3])
})

it('gives a thread the completed rows of its account', async () => {
  const completedRows = vi.fn().mockResolvedValue([{ id: 1 }])
  const { list, thread } = withThread({ gate: { completedRows } })
  void list()
  const { read } = thread.reads()[0] as { read: number }
  const versions = [{ id: '1', version: 'v' }]
  thread.sends({ read, call: 1, method: 'completedRows', parameters: ['customer', versions] })
  await vi.waitFor(() => expect(thread.received.at(-1)).toEqual({ call: 1, result: [{ id: 1 }] }), { timeout: 120_000 })
  expect(completedRows).toHaveBeenCalledWith(expect.objectContaining({ account }), 'customer', versions)
})

it('makes the calls of a thread and returns their outcome: bytes, a problem, a lost response', async () => {
  const attempt = vi
    .fn()
    .mockResolvedValueOnce({ status: 200, headers: {}, bytes: Buffer.from('{}') })
    .mockRejectedValueOnce(new Problem('too_many_requests', 'later', { headers: { 'retry-after': '7' } }))
    .mockRejectedValueOnce(new TransportError('reset', { sent: true, timeout: false }))
  const { list, thread } = withThread({ gate: { attempt } as unknown as Channel })
  void list()
  const { read } = thread.reads()[0] as { read: number }
  for (let call = 1; call <= 3; call++)
    thread.sends({ read, call, method: 'attempt', parameters: [{ method: 'GET', path: '/x' }, 'read', 1] })
  await vi.waitUntil(() => thread.received.length >= 4, { timeout: 120_000 })
  expect(attempt.mock.calls[0]).toEqual([
    expect.objectContaining({ account, context }),
    { method: 'GET', path: '/x' },
    'read',
    1,
  ])
  const [answered, refused, lost] = thread.received.slice(1) as Extract<ToReader, { call: number }>[]
  expect(answered).toEqual({ call: 1, result: { status: 200, headers: {}, bytes: new Uint8Array([123, 125]) } })
  const refusal = unpackError((refused as { failure: Parameters<typeof unpackError>[0] }).failure)
  expect(refusal).toBeInstanceOf(Problem)
  expect(refusal).toMatchObject({ code: 'too_many_requests', detail: 'later', headers: { 'retry-after': '7' } })
  const loss = unpackError((lost as { failure: Parameters<typeof unpackError>[0] }).failure)
  expect(loss).toBeInstanceOf(TransportError)
  expect(loss).toMatchObject({ message: 'reset', sent: true, timeout: false })
})

it('passes a problem of a thread on unchanged, with its cause for the log', async () => {
  const { list, thread } = withThread()
  const page = list()
  const cause = new TypeError('no such field')
  thread.sends({
    read: thread.reads()[0]?.read as number,
    failure: packError(
      new Problem('downstream_error', 'odd', { downstream: { platform: 'square', status: 200 }, cause }),
    ),
  })
  const error = await page.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    code: 'downstream_error',
    status: 502,
    downstream: { platform: 'square', status: 200 },
    cause: { message: 'no such field', stack: cause.stack },
  })
})

it('reads the pages of a thread that ended in the process, and does not restart a failed thread at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { list, ends, thread, threads, readers } = withThread()
  const page = list()
  thread.emit('error', new Error('out of memory'))
  thread.emit('exit', 1)
  expect(ends).toHaveLength(3)
  ends[2]?.({ body: '{"data":[1]}' })
  expect(await page).toEqual({ body: '{"data":[1]}' })
  void list()
  expect([threads.length, readers.status().threads]).toEqual([1, 0])
  vi.advanceTimersByTime(61_000)
  void list()
  expect(threads).toHaveLength(2)
})

it('sends a mapping to a thread once, and removes the oldest when there are too many', () => {
  const { list, thread } = withThread()
  for (const id of ['m1', 'm1', 'm2']) void list(mapping(id))
  expect(thread.reads().map((read) => read.mapping)).toEqual(['m1 1', 'm1 1', 'm2 1'])
  const sent = () => thread.received.filter((message) => 'rules' in message)
  expect(sent().map((message) => 'mapping' in message && message.mapping)).toEqual(['m1 1', 'm2 1'])
  const { list: more, thread: other, ends } = withThread()
  for (let index = 0; index < 600; index++) {
    void more(mapping(`n${index}`))
    for (const { read } of other.reads().slice(-1)) other.sends({ read, body: new Uint8Array() })
  }
  expect(ends.length).toBeLessThan(10)
  const forgotten = other.received.filter((message) => 'rules' in message && message.rules === undefined)
  expect(forgotten.length).toBeGreaterThan(80)
  expect(forgotten[0]).toEqual({ mapping: 'n0 1', rules: undefined })
})

it('removes the facts of an account in all threads, and ends threads that have been idle for a minute', async () => {
  vi.useFakeTimers()
  const { readers, thread, list } = withThread()
  const page = list()
  thread.sends({ read: thread.reads()[0]?.read as number, body: new Uint8Array() })
  await page
  readers.forgetFacts('a')
  expect(thread.received.at(-1)).toEqual({ forget: 'a' })
  vi.advanceTimersByTime(75_000)
  expect(readers.status().threads).toBe(0)
})

it('loads a fact once for the process and all threads; when the thread that loads it ends, the next caller loads it', async () => {
  const { list, thread, threads, facts } = withThread({ most: 2 })
  for (let index = 0; index < 6; index++) void list() // begins the second thread
  const other = threads[1] as Listener
  other.sends({ ready: true })
  void list()
  const readOf = (listener: Listener) => listener.reads()[0]?.read as number
  const results = (listener: Listener) => listener.received.filter((message) => 'result' in message)
  thread.sends({ read: readOf(thread), call: 1, fact: 'currency' })
  expect(thread.received.at(-1)).toEqual({ load: 1 })
  other.sends({ read: readOf(other), call: 1, fact: 'currency' })
  const inProcess = facts.cached('a', 'currency', async () => 'loaded in the process')
  await thread.terminate()
  await vi.waitUntil(() => other.received.some((message) => 'load' in message), { timeout: 120_000 }) // it asked first
  other.sends({ loaded: 1, value: 'USD' })
  expect(await inProcess).toBe('USD')
  await vi.waitUntil(() => results(other).length > 0, { timeout: 120_000 })
  expect(results(other)).toEqual([{ call: 1, result: { value: 'USD', leftMs: expect.any(Number) } }])
})
