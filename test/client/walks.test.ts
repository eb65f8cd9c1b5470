import { afterEach, describe, expect, it } from 'vitest'
import { createClient, type UnifiedError } from '../../packages/client/src/index.ts'
import { quiet } from '../until.ts'
import {
  collect,
  createScriptedServer,
  page,
  problem,
  type Script,
  type Scripted,
  type ScriptedServer,
  written,
} from './scripted-server.ts'

const open: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function start(script: Script | Scripted[], maxRetries = 4) {
  const server = await createScriptedServer(script)
  open.push(server)
  return {
    server,
    products: createClient({ url: server.url, apiKey: 'urk_test.secret', maxRetries }).account('a').product,
  }
}
/** Pages 1, 2, 3 … of two records each, up to `last`. */
const walk =
  (last: number): Script =>
  ({ query }) => {
    const number = Number(query.cursor ?? 1)
    return page([number * 2 - 1, number * 2], number < last ? String(number + 1) : undefined)
  }

describe('a list', () => {
  it('is one page when awaited, all records when iterated, and requests the first page once', async () => {
    const { server, products } = await start(walk(3))
    const list = products.list({ pageSize: 2 })
    expect(server.asked).toHaveLength(0)
    expect(await list).toMatchObject({
      data: [{ externalId: '1' }, { externalId: '2' }],
      pagination: { cursor: '2', hasMore: true },
    })
    expect((await collect(list)).map(({ externalId }) => externalId)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(server.asked.map(({ query }) => query)).toEqual([{ pageSize: '2' }, { cursor: '2' }, { cursor: '3' }])
  })

  it('fetches one page ahead and never two', async () => {
    const { server, products } = await start(walk(9))
    const pages = products.list().pages()[Symbol.asyncIterator]()
    for (const asked of [2, 3]) {
      await pages.next()
      await expect.poll(() => server.asked.length).toBe(asked)
      await quiet(50)
      expect(server.asked).toHaveLength(asked)
    }
  })

  it('that ends early cancels the pending page without an error', async () => {
    const { server, products } = await start(({ query }) => (query.cursor ? { silent: true } : page([1, 2], '2')))
    for await (const { externalId } of products.list()) if (externalId === '1') break
    expect(server.asked.length).toBeLessThanOrEqual(2)
  })

  it('continues after an empty page with a cursor, and from a given cursor', async () => {
    const { server, products } = await start([page([], 'x'), page([1])])
    expect(await collect(products.list({ cursor: 'start' }))).toHaveLength(1)
    expect(server.asked.map(({ query }) => query.cursor)).toEqual(['start', 'x'])
  })

  it('yields its records before it throws the error of the next page', async () => {
    const { products } = await start([page([1, 2], '2'), problem(400, 'invalid_cursor')])
    const seen: string[] = []
    const reading = (async () => {
      for await (const { externalId } of products.list()) {
        seen.push(externalId)
        await quiet(50) // the request fails long before its page is used
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect(seen).toEqual(['1', '2'])
  })

  it('ends when the caller aborts', async () => {
    const abort = new AbortController()
    const { server, products } = await start(walk(1000))
    const seen: string[] = []
    const reading = (async () => {
      for await (const { externalId } of products.list({ signal: abort.signal })) {
        seen.push(externalId)
        if (seen.length === 3) abort.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toHaveLength(3)
    expect(server.asked.length).toBeLessThanOrEqual(3)
  })
})

describe('createMany', () => {
  const records = ['A', 'B', 'C', 'D'].map((externalId) => ({ externalId, name: externalId }))
  const keyOf = ({ body }: { body: string }) => (JSON.parse(body) as { externalId: string }).externalId

  it('continues after a failure, counts replays, and reports each record', async () => {
    const { products } = await start((asked) => {
      const key = keyOf(asked)
      return key === 'B' ? problem(422, 'downstream_rejected') : written(key, key === 'A')
    })
    const reported: unknown[] = []
    const result = await products.createMany(records, {
      onProgress: ({ index, done, replayed, failed, record, error, reference }) =>
        reported.push([
          index,
          record.externalId,
          done,
          replayed,
          failed,
          (error as UnifiedError)?.code ?? reference?.id,
        ]),
    })
    expect(result).toMatchObject({
      done: 3,
      replayed: 1,
      failed: [{ index: 1, externalId: 'B', error: { code: 'downstream_rejected' } }],
    })
    expect(reported).toEqual([
      [0, 'A', 1, 1, 0, 'native-A'],
      [1, 'B', 1, 1, 1, 'downstream_rejected'],
      [2, 'C', 2, 1, 1, 'native-C'],
      [3, 'D', 3, 1, 1, 'native-D'],
    ])
  })

  it('sends one record at a time, and reads an async source only when needed', async () => {
    let taken = 0
    const takenWhenAsked: number[] = []
    const { server, products } = await start((asked) => {
      takenWhenAsked.push(taken)
      return written(keyOf(asked))
    })
    const source = async function* () {
      for (const record of records) {
        taken++
        yield record
      }
    }
    expect((await products.createMany(source())).done).toBe(4)
    expect(server.asked.map(keyOf)).toEqual(['A', 'B', 'C', 'D'])
    expect(takenWhenAsked).toEqual([1, 2, 3, 4])
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'unknown_account'],
    [409, 'account_disabled'],
    [502, 'reconnect_required'],
    [503, 'unavailable'],
  ])('stops at %i %s, which no record would survive', async (status, code) => {
    const { server, products } = await start(
      (asked) => (keyOf(asked) === 'B' ? problem(status, code) : written(keyOf(asked))),
      0,
    )
    await expect(products.createMany(records)).rejects.toMatchObject({ code })
    expect(server.asked.map(keyOf)).toEqual(['A', 'B'])
  })

  it('waits for the rate limit as often as needed', async () => {
    const { server, products } = await start(
      (asked, index) => (index < 6 ? problem(429, 'too_many_requests') : written(keyOf(asked))),
      1,
    )
    expect(await products.createMany(records.slice(0, 1))).toEqual({ done: 1, replayed: 0, failed: [] })
    expect(server.asked).toHaveLength(7)
  })

  it('stops when the caller aborts', async () => {
    const abort = new AbortController()
    const { server, products } = await start((asked) => written(keyOf(asked)))
    await expect(
      products.createMany(records, { signal: abort.signal, onProgress: ({ index }) => index === 1 && abort.abort() }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.asked).toHaveLength(2)
  })
})
