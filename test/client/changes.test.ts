import { afterEach, describe, expect, it } from 'vitest'
import { createClient, type UnifiedError } from '../../packages/client/src/index.ts'
import {
  collect,
  createScriptedServer,
  page,
  problem,
  type Script,
  type Scripted,
  type ScriptedServer,
} from './scripted-server.ts'

const open: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function start(script: Script | Scripted[]) {
  const server = await createScriptedServer(script)
  open.push(server)
  return { server, account: createClient({ url: server.url, apiKey: 'urk_test.secret', maxRetries: 0 }).account('a') }
}
/** A page of changes with these sequences. */
const changes = (sequences: number[], cursor: string, hasMore = false): Scripted => ({
  body: {
    data: sequences.map((sequence) => ({
      sequence,
      operation: 'updated',
      entityType: 'product',
      externalId: `p${sequence}`,
      detectedAt: '2026-11-16T08:00:00.000Z',
      origin: 'poll',
      record: { externalId: `p${sequence}`, name: 'P' },
    })),
    pagination: { cursor, hasMore },
    ...(hasMore ? {} : { completeUntil: { product: { modified: '2026-11-16T07:00:00.000Z' } } }),
  },
})

describe('changes', () => {
  it('are iterated page by page, wait only when caught up, and leave the cursor before an unfinished page', async () => {
    const { server, account } = await start([changes([1, 2], 'c1', true), changes([3], 'c2'), changes([4], 'c3')])
    const feed = account.changes({ entityTypes: ['product', 'order'], wait: 20, pageSize: 2 })
    expect(feed.cursor).toBeUndefined()
    const seen: [number, string | undefined][] = []
    for await (const change of feed) {
      seen.push([change.sequence, feed.cursor])
      if (change.sequence === 4) break
    }
    expect(seen).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 'c1'],
      [4, 'c2'],
    ])
    expect(feed.cursor).toBe('c2') // the page with 4 was not finished: it comes again
    expect(feed.completeUntil).toEqual({ product: { modified: '2026-11-16T07:00:00.000Z' } })
    expect(server.asked.map(({ query, headers }) => [query, headers.prefer])).toEqual([
      [{ entityType: 'product,order', pageSize: '2' }, undefined],
      [{ cursor: 'c1', pageSize: '2' }, undefined],
      [{ cursor: 'c2', pageSize: '2' }, 'wait=20'],
    ])
  })
  it('end with the last one so far without follow', async () => {
    const { server, account } = await start([changes([], 'c1', true), changes([1], 'c2')])
    const feed = account.changes({ cursor: 'c0', follow: false })
    expect((await collect(feed)).map(({ sequence }) => sequence)).toEqual([1])
    expect(feed.cursor).toBe('c2')
    expect(server.asked.map(({ query }) => query.cursor)).toEqual(['c0', 'c1'])
  })
  it('report the cursor of every page that was processed, also without changes', async () => {
    const { account } = await start([changes([1], 'c1'), changes([], 'c2'), changes([3], 'c3')])
    const log: unknown[] = []
    for await (const { sequence } of account.changes({ onCursor: (cursor) => log.push(cursor) }))
      if (log.push(sequence) && sequence === 3) break
    expect(log).toEqual([1, 'c1', 'c2', 3])
  })
  it('wait for the end of the first walk', async () => {
    const { server, account } = await start([problem(409, 'not_ready'), problem(409, 'not_ready'), changes([1], 'c1')])
    expect(await collect(account.changes({ follow: false }))).toHaveLength(1)
    expect(server.asked).toHaveLength(3)
  })
  it('fail with the reason when the cursor has expired', async () => {
    const { account } = await start([problem(410, 'cursor_expired', {}, { reason: 'pruned' })])
    const error = (await collect(account.changes({ cursor: 'c0' })).catch((thrown: unknown) => thrown)) as UnifiedError
    expect([error.code, error.status, error.reason]).toEqual(['cursor_expired', 410, 'pruned'])
  })
  it('end when the signal aborts, while they wait', async () => {
    const stop = new AbortController()
    const { account } = await start((_, index) => {
      if (index === 0) return changes([], 'c1')
      setImmediate(() => stop.abort())
      return { silent: true }
    })
    await expect(collect(account.changes({ signal: stop.signal }))).rejects.toThrow(/abort/i)
  })
})

describe('a copy', () => {
  it('takes the cursor, reads the lists, applies the recent changes, follows, and starts again after 410', async () => {
    const { server, account } = await start([
      changes([1], 'c1'),
      page([1, 2]),
      changes([2], 'c2', true),
      problem(410, 'cursor_expired', {}, { reason: 'epoch' }),
      changes([], 'd1'),
      page([3]),
      changes([], 'd2'),
    ])
    const log: string[] = []
    const cursor = await account.copy('product', {
      follow: false,
      onStart: () => log.push('start'),
      onRecord: async (record, entityType) => log.push(`${entityType} ${record.externalId}`),
      onCopied: () => log.push('copied'),
      onChange: ({ sequence }) => log.push(`change ${sequence}`),
      onCursor: (reached) => log.push(`cursor ${reached}`),
    })
    expect(log).toEqual([
      'start',
      'product 1',
      'product 2',
      'copied',
      'change 1',
      'cursor c1',
      'change 2',
      'cursor c2',
      'start',
      'product 3',
      'copied',
      'cursor d1',
      'cursor d2',
    ])
    expect(cursor).toBe('d2')
    expect(server.asked[0]?.query).toEqual({ entityType: 'product' })
  })
  it('continues from a stored cursor without reading a list', async () => {
    const { server, account } = await start([changes([7], 'c8')])
    const seen: number[] = []
    const options = { onRecord: () => {}, onChange: ({ sequence }: { sequence: number }) => seen.push(sequence) }
    expect(await account.copy(['product'], { cursor: 'c7', follow: false, ...options })).toBe('c8')
    expect([seen, server.asked.map(({ path }) => path)]).toEqual([[7], ['/unified/a/changes']])
  })
})
