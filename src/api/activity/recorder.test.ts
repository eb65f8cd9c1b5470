import { expect, it } from 'vitest'
import { Problem } from '../../contract/errors.ts'
import { unpack } from '../../store/activity-writer.ts'
import { createRequestId } from '../../store/request-id.ts'
import type { Account, RecordedActivity } from '../../store/store.ts'
import { recordSwept } from './hooks.ts'
import { createActivityRecorder } from './recorder.ts'
import { type Finished, toEntry } from './trace.ts'

const finished = (more: Partial<Finished> = {}): Finished => ({
  requestId: createRequestId(),
  workspaceId: 'w',
  accountId: 'a',
  platform: 'square',
  credentialId: 'k',
  method: 'GET',
  entityType: 'order',
  operation: 'list',
  status: 200,
  totalMs: 10,
  errorCode: undefined,
  externalId: undefined,
  nativeId: undefined,
  about: {},
  ...more,
})

function createKept({ failing = false, blocks = 16, blockBytes = 64 * 1024 } = {}) {
  const batches: RecordedActivity[][] = []
  const seen = { dropped: 0, errors: 0 }
  const during: (() => void)[] = []
  const write = async (lines: Uint8Array) => {
    if (failing) throw new Error('away')
    batches.push(unpack(lines).map((entry) => ({ ...entry, trace: String(entry.trace) })))
    await Promise.resolve()
    during.shift()?.()
  }
  const recorder = createActivityRecorder({
    writer: { write, prune: async () => 0, close: async () => {} },
    days: 14,
    blocks,
    blockBytes,
    flushMs: 60_000,
    onDropped: (entries) => {
      seen.dropped += entries
    },
    onError: () => {
      seen.errors++
    },
  })
  return { recorder, batches, seen, during }
}

it('writes all that waits in one batch when it closes', async () => {
  const { recorder, batches } = createKept()
  const [one, two] = [finished(), finished()]
  recorder.finish(one)
  recorder.finish(two)
  await recorder.close()
  expect(batches.map((batch) => batch.map(({ requestId }) => requestId))).toEqual([[one.requestId, two.requestId]])
})

it('what comes while it writes waits for the next time, instead of being written in ever smaller pieces', async () => {
  const { recorder, batches, during } = createKept()
  recorder.finish(finished())
  during.push(() => recorder.finish(finished()))
  await recorder.flush()
  expect(batches).toHaveLength(1)
  await recorder.close()
  expect(batches).toHaveLength(2)
})

it('drops the oldest when there is no room, counts them, and keeps the rest in order, the largest as well', async () => {
  const { recorder, batches, seen } = createKept({ blocks: 3, blockBytes: 4096 })
  const all = Array.from({ length: 100 }, (_, number) =>
    finished({ about: number === 98 ? { body: 'ä'.repeat(5_000) } : {} }),
  )
  for (const entry of all) recorder.finish(entry)
  await recorder.close()
  const kept = batches.flat()
  expect(kept.map(({ requestId }) => requestId)).toEqual(all.slice(-kept.length).map(({ requestId }) => requestId))
  expect(kept.at(-2)?.trace).toContain('ä'.repeat(5_000))
  expect(kept.length).toBeGreaterThan(10)
  expect(seen.dropped).toBe(all.length - kept.length)
})

it('a database that rejects an entry, and a call that cannot be shown, fail no request', async () => {
  const { recorder, seen } = createKept({ failing: true })
  const entry = finished()
  const { requestId, workspaceId, accountId, platform } = entry
  const wire = () => {
    throw new Error('cannot be shown')
  }
  recorder.nativeCall({
    requestId,
    workspaceId,
    accountId,
    platform,
    kind: 'read',
    method: 'GET',
    path: '/',
    attempt: 1,
    waitedMs: 0,
    durationMs: 1,
    wire,
  })
  recorder.finish(entry)
  await recorder.close()
  expect(seen).toEqual({ dropped: 1, errors: 2 })
})

it('puts calls and stages at their place in the request, with the reason of a repetition at the call before it', async () => {
  const { recorder, batches } = createKept()
  const entry = finished({ totalMs: 1_000 })
  const { requestId, workspaceId, accountId, platform } = entry
  const call = {
    requestId,
    workspaceId,
    accountId,
    platform,
    kind: 'read' as const,
    method: 'GET',
    path: '/',
    attempt: 1,
    waitedMs: 30,
    durationMs: 200,
    used: 0.4,
  }
  recorder.nativeCall({ ...call, status: 429 })
  recorder.stage({ requestId, name: 'retry', durationMs: 0, note: 'refused as too many' })
  recorder.nativeCall({ ...call, status: 200, used: 0.6 })
  recorder.finish(entry)
  await recorder.close()
  const [kept] = batches.flat() as [RecordedActivity]
  const { calls } = JSON.parse(kept.trace) as { calls: { retry?: string; startMs: number }[] }
  expect(kept).toMatchObject({ nativeCalls: 2, throttled: 1, used: 0.6 })
  expect(calls.map(({ retry }) => retry)).toEqual(['refused as too many', undefined])
  for (const { startMs } of calls) expect(startMs).toBeGreaterThan(0)
})

it('counts waits and calls at the same time once, and the pause before a retry as a wait', () => {
  const event = { ...finished({}), kind: 'read' as const, path: '/', durationMs: 100, used: 0, status: 200 }
  const call = (endedAt: number, more: object, retry?: string) => ({
    event: { ...event, attempt: 1, waitedMs: 0, ...more },
    endedAt,
    retry,
  })
  const split = (...calls: ReturnType<typeof call>[]) => {
    const { waitMs, platformMs } = toEntry(finished({ totalMs: 1_000 }), { stages: [], calls }, 5_000, () => {})
    return [waitMs, platformMs]
  }
  // Both wait for 200 ms and are under way for 100 ms.
  expect(split(call(4_300, { waitedMs: 200 }), call(4_300, { waitedMs: 200 }))).toEqual([200, 100])
  // The second waits while the first is under way.
  expect(split(call(4_100, {}), call(4_300, { waitedMs: 200 }))).toEqual([100, 200])
  expect(split(call(4_100, {}, 'HTTP 503'), call(4_700, { attempt: 2 }))).toEqual([500, 200])
  expect(split(call(4_100, {}), call(4_700, {}))).toEqual([0, 200])
})

it('does not count a write in progress, which the sweep takes up again, as a failed request', async () => {
  const { recorder, batches } = createKept()
  const account = { id: 'a', workspaceId: 'w', platform: 'square' } as Account
  const key = { accountId: 'a', entityType: 'product', externalId: 'P-1' } as const
  const swept = (error?: unknown) =>
    recordSwept(recorder, { requestId: createRequestId(), account, key, totalMs: 5, error })
  swept(new Problem('write_in_progress', 'Its outcome cannot be known yet.'))
  swept(new Problem('downstream_error', 'Square failed.'))
  swept()
  await recorder.close()
  expect(batches.flat().map(({ status }) => status)).toEqual([502, 201])
})

it('counts an entry that cannot be put into words as dropped, and keeps the others', async () => {
  const { recorder, seen, batches } = createKept()
  const about = new Proxy(
    {},
    {
      get() {
        throw new Error('cannot be read')
      },
    },
  )
  const good = finished()
  recorder.finish(finished({ about }))
  recorder.finish(good)
  await recorder.close()
  expect(seen).toEqual({ dropped: 1, errors: 1 })
  expect(batches.flat().map(({ requestId }) => requestId)).toEqual([good.requestId])
})
