import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packError, unpackError } from '../../threads/errors.ts'
import { createFacts, LoadAborted } from '../facts.ts'
import type { ReadAheadOutcome, RequestContext } from '../options.ts'
import { ReadAheadEnded } from '../outbound/read-ahead-ended.ts'
import type { Target } from '../target.ts'
import type { ListAnswer } from './list.ts'
import { createReadAhead } from './read-ahead.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const mebibyte = 1024 * 1024
const target = (id: string, revision = 1, list: object = {}): Target =>
  ({
    adapter: { list },
    account: { id, revision, platform: 'demo', settings: {}, credentials: {} },
    connector: { limit: [] },
  }) as never

/** Each read ends when the test says so, or at once. */
function setUp({ atOnce = true, bytes = 10 } = {}) {
  const counted: ReadAheadOutcome[] = []
  const reads: { context: RequestContext; cursor: string | undefined; end(): void }[] = []
  const read = (_: Target, { cursor }: { cursor?: string }, __: unknown, context: RequestContext) =>
    new Promise<ListAnswer>((resolve) => {
      const number = reads.length
      const end = () => {
        context.nativeCalls = 1
        resolve({ body: 'x'.repeat(bytes), cursor: `c${number}` })
      }
      reads.push({ context, cursor, end })
      if (atOnce || !context.ahead) end()
    })
  const ahead = createReadAhead(read as never, {
    pacer: { allowsBackground: async () => true } as never,
    countReadAhead: (outcome) => counted.push(outcome),
  })
  const list = (of: Target, cursor?: string, more: object = {}) =>
    ahead.list(of, { pageSize: 10, cursor, ...more }, undefined, { requestId: 'req_1', caller: 'k', maxWaitMs: 0 })
  const settled = () => vi.advanceTimersByTimeAsync(0)
  const readAhead = () => reads.filter(({ context }) => context.ahead).length
  return { ahead, list, reads, readAhead, counted, settled }
}

describe('a page that was read ahead', () => {
  it('is dropped after ten seconds, and the request reads the page', async () => {
    const { list, counted, settled, reads } = setUp()
    const { cursor } = await list(target('a'), 'first')
    await settled()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(counted).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(counted).toEqual(['unused'])
    const before = reads.length
    await list(target('a'), cursor)
    expect(reads[before]?.context.ahead).toBeUndefined()
  })
  it('is used only for the same revision of the account and the same updatedAfter', async () => {
    const { list, counted, settled } = setUp()
    const one = await list(target('a'), 'first')
    await settled()
    const two = await list(target('a', 2), one.cursor) // changed by another instance
    await settled()
    const three = await list(target('a', 2), two.cursor, { updatedAfter: '2026-01-01T00:00:00Z' })
    await settled()
    await list(target('a', 2), three.cursor, { updatedAfter: '2026-01-01T00:00:00Z' })
    expect(counted).toEqual(['unused', 'unused', 'used'])
  })
  it('never follows a page that is larger than 4 MiB', async () => {
    const { list, counted, settled, readAhead, reads } = setUp({ bytes: 4 * mebibyte + 1 })
    await list(target('a'), 'first')
    await settled()
    expect([readAhead(), counted, reads.length]).toEqual([0, [], 1])
  })
  it('replaces the oldest one when all together have more than 32 MiB', async () => {
    const { list, counted, settled } = setUp({ bytes: 4 * mebibyte })
    const cursors: (string | undefined)[] = []
    for (let number = 0; number < 9; number++) {
      cursors.push((await list(target(`a${number}`), 'first')).cursor)
      await settled()
    }
    expect(counted).toEqual(['unused'])
    await list(target('a1'), cursors[1])
    expect(counted.at(-1)).toBe('used')
  })
  it('does not exist after the shutdown began', async () => {
    const { ahead, list, counted, settled, readAhead } = setUp()
    await list(target('a'), 'first')
    await settled()
    ahead.close()
    await list(target('a'), 'second')
    expect([counted, readAhead()]).toEqual([['unused'], 1])
  })
})

it('a list whose rows need second calls is not read ahead', async () => {
  const { list, readAhead, settled } = setUp()
  await list(target('a', 1, { complete: { size: 1, rows: async () => [] } }), 'first')
  await settled()
  expect(readAhead()).toBe(0)
})

it('one page of an account and sixteen of an instance are read ahead at once', async () => {
  const { list, readAhead, reads, settled } = setUp({ atOnce: false })
  await list(target('a0'), 'first')
  await list(target('a0'), 'second')
  await settled()
  expect(readAhead()).toBe(1)
  for (let number = 1; number < 20; number++) await list(target(`a${number}`), 'first')
  await settled()
  expect(readAhead()).toBe(16)
  for (const { end } of reads) end()
  await settled()
  await list(target('a19'), 'first')
  await settled()
  expect(readAhead()).toBe(17)
})

it('a caller that waits for a fact loads it when the page that was loading it ends, also in a thread', async () => {
  const facts = createFacts(1_000)
  const failing = facts.cached('a', 'currency', async () => {
    throw new ReadAheadEnded('there is no spare slot')
  })
  const waiting = facts.cached('a', 'currency', async () => 'USD')
  await expect(failing).rejects.toBeInstanceOf(ReadAheadEnded)
  expect(await waiting).toBe('USD')
  expect(unpackError(packError(new ReadAheadEnded('x')))).toBeInstanceOf(LoadAborted)
})
