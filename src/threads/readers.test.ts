import { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { Problem } from '../contract/errors.ts'
import { createFacts } from '../engine/facts.ts'
import type { Channel } from '../engine/outbound/channel.ts'
import { TransportError } from '../engine/outbound/transport.ts'
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

/** A thread that only listens. */
class Listener extends EventEmitter {
  readonly heard: ToReader[] = []
  postMessage(message: ToReader) {
    this.heard.push(structuredClone(message))
  }
  unref() {}
  async terminate() {
    this.emit('exit', 1)
  }
  says(message: FromReader) {
    this.emit('message', message)
  }
  reads = () => this.heard.filter((message): message is Extract<ToReader, { read: number }> => 'read' in message)
}

function setUp({ most = 1, from = 1, gate = {} as Channel } = {}) {
  const threads: Listener[] = []
  const start = () => {
    threads.push(new Listener())
    return threads.at(-1) as unknown as ReturnType<ReaderOptions['start']>
  }
  const ends: ((answer: ListAnswer) => void)[] = []
  const reading = { list: () => new Promise<ListAnswer>((resolve) => ends.push(resolve)) } as unknown as Reading
  const facts = createFacts(120_000)
  const readers = createReaders({ start, most, from }, gate, reading, facts)
  const list = (over?: MappingOverlay) => readers.list(target, { pageSize: 3 }, over, context)
  return { readers, facts, threads, ends, list }
}
afterEach(() => void vi.useRealTimers())

/** One that is ready, while one page is being read here. */
function withThread(options: Parameters<typeof setUp>[0] = {}) {
  const all = setUp(options)
  void all.list()
  void all.list()
  const thread = all.threads[0] as Listener
  thread.says({ ready: true })
  return { ...all, thread }
}

it('reads a single page here: no thread begins', () => {
  const { list, threads, ends } = setUp()
  void list()
  expect([threads.length, ends.length]).toEqual([0, 1])
})

it('reads a few at once here, and begins a thread with one more', () => {
  const { list, threads, ends } = setUp({ from: 3 })
  for (let index = 0; index < 3; index++) void list()
  expect([threads.length, ends.length]).toEqual([0, 3])
  void list()
  expect(threads).toHaveLength(1)
  threads[0]?.says({ ready: true })
  void list()
  expect([threads[0]?.reads().length, ends.length]).toEqual([1, 4])
})

it('hands over what comes while others are read, once the thread is ready, and never a credential', async () => {
  const { list, ends, thread, readers } = withThread()
  expect(ends).toHaveLength(2) // it was not ready for the second one
  const handed = list()
  expect(thread.reads()).toMatchObject([
    { account: { id: 'a', platform: 'square' }, entityType: 'customer', query: { pageSize: 3 } },
  ])
  expect(JSON.stringify(thread.heard)).not.toContain('secret')
  thread.says({
    read: thread.reads()[0]?.read as number,
    body: new TextEncoder().encode('{"data":[]}'),
    cursor: 'next',
  })
  expect(await handed).toEqual({ body: Buffer.from('{"data":[]}'), cursor: 'next' })
  expect(readers.status()).toEqual({ threads: 1, reads: 1 })
})

it('a thread has a dozen under way for each that is read here, not more', () => {
  const { list, ends, thread } = withThread()
  for (let index = 0; index < 30; index++) void list()
  // Two were read here before: 24 there, the next one here, and then there is room for 12 more.
  expect([thread.reads().length, ends.length]).toEqual([29, 3])
})

it('makes the calls of a thread, and tells it what came of them: bytes, a refusal, no answer', async () => {
  const attempt = vi
    .fn()
    .mockResolvedValueOnce({ status: 200, headers: {}, bytes: Buffer.from('{}') })
    .mockRejectedValueOnce(new Problem('too_many_requests', 'later', { headers: { 'retry-after': '7' } }))
    .mockRejectedValueOnce(new TransportError('reset', { sent: true, timeout: false }))
  const { list, thread } = withThread({ gate: { attempt } as unknown as Channel })
  void list()
  const { read } = thread.reads()[0] as { read: number }
  for (let call = 1; call <= 3; call++)
    thread.says({ read, call, method: 'attempt', parameters: [{ method: 'GET', path: '/x' }, 'read', 1] })
  await vi.waitUntil(() => thread.heard.length >= 4)
  expect(attempt.mock.calls[0]).toEqual([
    expect.objectContaining({ account, context }),
    { method: 'GET', path: '/x' },
    'read',
    1,
  ])
  const [answered, refused, lost] = thread.heard.slice(1) as Extract<ToReader, { call: number }>[]
  expect(answered).toEqual({ call: 1, result: { status: 200, headers: {}, bytes: new Uint8Array([123, 125]) } })
  const refusal = unpackError((refused as { failure: Parameters<typeof unpackError>[0] }).failure)
  expect(refusal).toBeInstanceOf(Problem)
  expect(refusal).toMatchObject({ code: 'too_many_requests', detail: 'later', headers: { 'retry-after': '7' } })
  const loss = unpackError((lost as { failure: Parameters<typeof unpackError>[0] }).failure)
  expect(loss).toBeInstanceOf(TransportError)
  expect(loss).toMatchObject({ message: 'reset', sent: true, timeout: false })
})

it('a refusal from a thread is the same refusal, with its cause for the log', async () => {
  const { list, thread } = withThread()
  const handed = list()
  const cause = new TypeError('no such field')
  thread.says({
    read: thread.reads()[0]?.read as number,
    failure: packError(
      new Problem('downstream_error', 'odd', { downstream: { platform: 'square', status: 200 }, cause }),
    ),
  })
  const error = await handed.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    code: 'downstream_error',
    status: 502,
    downstream: { platform: 'square', status: 200 },
    cause: { message: 'no such field', stack: cause.stack },
  })
})

it('what a thread was reading when it died is read here, and a thread that fails is not begun again at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { list, ends, thread, threads, readers } = withThread()
  const handed = list()
  thread.emit('error', new Error('out of memory'))
  thread.emit('exit', 1)
  expect(ends).toHaveLength(3)
  ends[2]?.({ body: '{"data":[1]}' })
  expect(await handed).toEqual({ body: '{"data":[1]}' })
  void list()
  expect([threads.length, readers.status().threads]).toEqual([1, 0])
  vi.advanceTimersByTime(61_000)
  void list()
  expect(threads).toHaveLength(2)
})

it('a mapping is told once, and forgotten when there are too many', () => {
  const { list, thread } = withThread()
  for (const id of ['m1', 'm1', 'm2']) void list(mapping(id))
  expect(thread.reads().map((read) => read.mapping)).toEqual(['m1 1', 'm1 1', 'm2 1'])
  const told = () => thread.heard.filter((message) => 'rules' in message)
  expect(told().map((message) => 'mapping' in message && message.mapping)).toEqual(['m1 1', 'm2 1'])
  const { list: more, thread: other, ends } = withThread()
  for (let index = 0; index < 600; index++) {
    void more(mapping(`n${index}`))
    for (const { read } of other.reads().slice(-1)) other.says({ read, body: new Uint8Array() })
  }
  expect(ends.length).toBeLessThan(10)
  const forgotten = other.heard.filter((message) => 'rules' in message && message.rules === undefined)
  expect(forgotten.length).toBeGreaterThan(80)
  expect(forgotten[0]).toEqual({ mapping: 'n0 1', rules: undefined })
})

it('facts of an account are forgotten in all threads; threads end when nothing was read for a minute', async () => {
  vi.useFakeTimers()
  const { readers, thread, list } = withThread()
  const handed = list()
  thread.says({ read: thread.reads()[0]?.read as number, body: new Uint8Array() })
  await handed
  readers.forgetFacts('a')
  expect(thread.heard.at(-1)).toEqual({ forget: 'a' })
  vi.advanceTimersByTime(75_000)
  expect(readers.status().threads).toBe(0)
})

it('a fact is loaded once for the process and all threads; when the thread that loads it ends, the next caller loads it', async () => {
  const { list, thread, threads, facts } = withThread({ most: 2 })
  for (let index = 0; index < 6; index++) void list() // begins the second thread
  const other = threads[1] as Listener
  other.says({ ready: true })
  void list()
  const readOf = (listener: Listener) => listener.reads()[0]?.read as number
  const results = (listener: Listener) => listener.heard.filter((message) => 'result' in message)
  thread.says({ read: readOf(thread), call: 1, fact: 'currency' })
  expect(thread.heard.at(-1)).toEqual({ load: 1 })
  other.says({ read: readOf(other), call: 1, fact: 'currency' })
  const here = facts.cached('a', 'currency', async () => 'loaded here')
  await thread.terminate()
  await vi.waitUntil(() => other.heard.some((message) => 'load' in message)) // it asked first
  other.says({ loaded: 1, value: 'USD' })
  expect(await here).toBe('USD')
  await vi.waitUntil(() => results(other).length > 0)
  expect(results(other)).toEqual([{ call: 1, result: { value: 'USD', leftMs: expect.any(Number) } }])
})
