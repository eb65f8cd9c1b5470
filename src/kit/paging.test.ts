import { describe, expect, it } from 'vitest'
import type { ListQuery, ReadCall } from '../contract/connector.ts'
import { fakeCallFor } from '../platforms/fake-call.ts'
import { chunksOf, overChunks, type PageFunction, singleCall, windows } from './paging.ts'
import { get } from './requests.ts'
import { walkByNumber } from './walk-by-number.ts'
import { walkByTime } from './walk-by-time.ts'

interface Row {
  id: string
  time: number
}
type Change = 'add' | 'touch' | 'remove' | 'none'
const { call: fakeCall } = fakeCallFor()()

/** The same numbers every time: a failing case can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
class Platform {
  rows: Row[]
  clock = 1000
  changed = new Set<string>()
  constructor(count: number, timeOf: (n: number) => number) {
    this.rows = Array.from({ length: count }, (_, n) => ({ id: `r${n}`, time: timeOf(n) }))
  }
  apply(change: Change, pick: number): void {
    const row = this.rows[pick % Math.max(1, this.rows.length)]
    if (change === 'add') this.rows.push({ id: `new${this.clock}`, time: this.clock++ })
    if (change === 'touch' && row) {
      row.time = this.clock++
      this.changed.add(row.id)
    }
    if (change === 'remove' && row) this.rows.splice(this.rows.indexOf(row), 1)
  }
}
async function walk<At>(page: PageFunction<Row, At>, size: number, between: () => void): Promise<string[]> {
  const served: string[] = []
  const query: ListQuery = { size }
  for (let at: At | undefined, calls = 0; calls < 500; calls++) {
    const result = await page(fakeCall, query, at)
    served.push(...result.rows.map((row) => row.id))
    if (result.next === undefined) return served
    at = JSON.parse(JSON.stringify(result.next)) as At
    between()
  }
  throw new Error('the walk does not end')
}
const byTime = (platform: Platform, maximum?: number) =>
  walkByTime<Row, number>({
    id: (row) => row.id,
    time: (row) => row.time,
    fetch: async (_call, _query, { since = 0, limit, offset }) =>
      platform.rows
        .filter((row) => row.time >= since)
        .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
        .slice(offset, offset + limit)
        .map((row) => ({ ...row })),
    maximum,
  })
const byNumber = (platform: Platform, newestFirst = false) =>
  walkByNumber<Row>({
    id: (row) => row.id,
    fetch: async (_call, { size }, page) => {
      const rows = newestFirst ? platform.rows.toReversed() : platform.rows
      return { rows: rows.slice((page - 1) * size, page * size), more: rows.length > page * size }
    },
  })
async function expectExact<At>(
  platform: Platform,
  pageOf: (platform: Platform) => PageFunction<Row, At>,
  size: number,
  between: () => void,
  modifiedAreSafe: boolean,
): Promise<void> {
  const before = platform.rows.map((row) => row.id)
  const served = await walk(pageOf(platform), size, between)
  const still = before.filter((id) => platform.rows.some((row) => row.id === id))
  for (const id of still) {
    const times = served.filter((other) => other === id).length
    if (modifiedAreSafe && platform.changed.has(id)) expect(times, id).toBeGreaterThanOrEqual(1)
    else expect(times, id).toBe(1)
  }
}

it('a walk by number serves what lies before a row that was served and has moved since', async () => {
  let list = ['a', 'b', 'c', 'd', 'e']
  const page = walkByNumber<Row>({
    id: (row) => row.id,
    fetch: async (_call, { size }, number) => ({
      rows: list.slice((number - 1) * size, number * size).map((id) => ({ id, time: 0 })),
      more: list.length > number * size,
    }),
  })
  let pages = 0
  const served = await walk(page, 1, () => {
    // `a` and `b` were served. Then `b` moves behind `e`.
    if (++pages === 2) list = ['a', 'e', 'b', 'c', 'd']
  })
  for (const id of ['a', 'c', 'd', 'e']) expect(served.filter((other) => other === id)).toEqual([id])
})

describe('walks while rows change between the pages', () => {
  const kinds: [string, (platform: Platform) => PageFunction<Row, never>, (n: number) => number][] = [
    ['by time', (platform) => byTime(platform) as never, (n) => n],
    ['by time, rows sharing times', (platform) => byTime(platform) as never, (n) => Math.floor(n / 4)],
    ['by time, all rows at one time', (platform) => byTime(platform) as never, () => 5],
    ['by number', (platform) => byNumber(platform) as never, (n) => n],
    ['by number, newest first', (platform) => byNumber(platform, true) as never, (n) => n],
  ]
  for (const [name, pageOf, timeOf] of kinds) {
    for (const size of [1, 2, 3, 10]) {
      it(`${name}, ${size} a page: none is skipped, unmodified ones come once`, async () => {
        for (let seed = 1; seed <= 40; seed++) {
          const random = randomNumbers(seed * 7919)
          const platform = new Platform(30, timeOf)
          const changes: Change[] = ['add', 'touch', 'remove', 'none']
          let budget = 25
          await expectExact(
            platform,
            pageOf,
            size,
            () => budget-- > 0 && platform.apply(changes[random(4)]!, random(1000)),
            true,
          )
        }
      })
    }
  }
  it('by time survives more rows of one time than it remembers', async () => {
    const platform = new Platform(350, () => 5)
    await expectExact(
      platform,
      (p) => byTime(p),
      20,
      () => platform.apply('remove', 0),
      true,
    )
  })
  it('by time reads a time again from its first row when nothing remembered is left in sight', async () => {
    const platform = new Platform(400, () => 5)
    let pages = 0
    const before = platform.rows.map((row) => row.id)
    const served = await walk(byTime(platform, 30), 20, () => {
      if (++pages === 10) platform.rows = platform.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(199)
    })
    expect(before.filter((id) => platform.rows.some((row) => row.id === id) && !served.includes(id))).toEqual([])
  })
  it('by time needs no promised order among rows of one time', async () => {
    const random = randomNumbers(5)
    const page = walkByTime<Row, number>({
      id: (row) => row.id,
      time: (row) => row.time,
      fetch: async (_call, _query, { limit }) => {
        const shuffled = Array.from({ length: 40 }, (_, n) => ({
          row: { id: `r${n}`, time: 1 },
          place: random(1000),
        })).sort((a, b) => a.place - b.place)
        return shuffled.slice(0, limit).map(({ row }) => row)
      },
    })
    expect((await walk(page, 3, () => {})).toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `r${n}`).toSorted())
  })
  it('by time never asks for more than the platform gives at once', async () => {
    const limits: number[] = []
    const page = walkByTime<Row, number>({
      id: (row) => row.id,
      time: (row) => row.time,
      maximum: 50,
      fetch: async (_call, _query, { limit, offset }) => {
        limits.push(limit)
        return Array.from({ length: 120 }, (_, n) => ({ id: `r${n}`, time: 1 })).slice(offset, offset + limit)
      },
    })
    expect(await walk(page, 40, () => {})).toHaveLength(120)
    expect(Math.max(...limits)).toBeLessThanOrEqual(50)
  })
  it('by time reads a page without any row once more, because it contains what was served last', async () => {
    const platform = new Platform(9, (n) => n)
    let calls = 0
    const page = walkByTime<Row, number>({
      id: (row) => row.id,
      time: (row) => row.time,
      fetch: async (_call, _query, { since = 0, limit }) =>
        ++calls === 3 ? [] : platform.rows.filter((row) => row.time >= since).slice(0, limit),
    })
    expect(await walk(page, 2, () => {})).toHaveLength(9)
    expect(calls).toBe(6)
    platform.rows = []
    expect(await page(fakeCall, { size: 2 }, { since: 8, seen: ['r8'], skip: 0 })).toEqual({
      rows: [],
      doubtful: true,
    })
    expect(calls).toBe(8)
  })
  it('by number finds its place again after all rows it remembers are gone', async () => {
    const platform = new Platform(9, (n) => n)
    let pages = 0
    await expectExact(
      platform,
      (p) => byNumber(p),
      2,
      () => ++pages === 1 && platform.rows.splice(0, 2),
      true,
    )
  })
  it('by number ends the walk with a cursor failure rather than searching the whole list', async () => {
    const platform = new Platform(200, (n) => n)
    const page = byNumber(platform)
    await expect(
      page(fakeCall, { size: 2 }, { page: 50, seen: Array.from({ length: 20 }, (_, n) => `gone${n}`) }),
    ).rejects.toMatchObject({ error: { kind: 'cursor' } })
  })
})

describe('overChunks', () => {
  const page = async (_call: ReadCall, { size }: ListQuery, chunk: readonly string[], at = 0) => {
    const rows = chunk.flatMap((location) => [0, 1, 2].map((n) => ({ id: `${location}-${n}`, time: n })))
    return { rows: rows.slice(at, at + size), ...(at + size < rows.length ? { next: at + size } : {}) }
  }
  it('serves every chunk once although chunks grow and are appended meanwhile', async () => {
    const locations = ['a', 'b', 'c', 'd', 'e']
    const served = await walk(
      overChunks(() => chunksOf(locations, 2), page),
      2,
      () => locations.length < 9 && locations.push(`later${locations.length}`),
    )
    for (const id of ['a', 'b', 'c', 'd', 'e'].flatMap((location) => [0, 1, 2].map((n) => `${location}-${n}`)))
      expect(served.filter((other) => other === id)).toHaveLength(1)
  })
  it('keeps a chunk as it was for the positions inside it', async () => {
    const seen: string[][] = []
    const locations = ['a']
    await walk(
      overChunks(
        () => chunksOf(locations, 10),
        (call, query, chunk: string[], at?: number) => {
          seen.push(chunk)
          return page(call, query, chunk, at)
        },
      ),
      1,
      () => locations.push('x'),
    )
    expect(seen).toEqual([['a'], ['a'], ['a']])
  })
  it('ends an open window where it is, although time has moved on', async () => {
    let now = '2026-01-02T12:00:00.000Z'
    const starts: string[] = []
    await walk(
      overChunks(
        () => windows('2026-01-01T00:00:00.000Z', now, 86_400_000),
        async (_call, _query, window) => {
          starts.push(window.from)
          return { rows: [] as Row[] }
        },
      ),
      1,
      () => {
        now = '2026-01-05T12:00:00.000Z'
      },
    )
    expect(starts).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'])
  })
  it('says the cursor is no longer good when its chunk is gone', async () => {
    await expect(overChunks(() => [['a']], page)(fakeCall, { size: 9 }, { chunk: ['gone'] })).rejects.toMatchObject({
      error: { kind: 'cursor' },
    })
  })
  it('is empty when there is nothing to walk', async () => {
    expect(await overChunks(() => [] as string[][], page)(fakeCall, { size: 9 })).toEqual({ rows: [] })
  })
})

describe('windows', () => {
  it('have fixed borders and an open end', () => {
    expect(windows('2026-01-01T00:00:00.000Z', '2026-01-02T12:00:00.000Z', 86_400_000)).toEqual([
      { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
      { from: '2026-01-02T00:00:00.000Z' },
    ])
  })
  it('are one open window when the beginning is after the end', () => {
    expect(windows('2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z', 1000)).toEqual([
      { from: '2026-01-03T00:00:00.000Z' },
    ])
  })
})

describe('singleCall', () => {
  it('hands the position to the request and the next one back', async () => {
    const { call } = fakeCallFor()(({ query }) => query)
    const page = singleCall<object, string>(
      ({ size }, at) => get('/things', { at, size }),
      ({ body }, _query, at) => ({ rows: [body], next: `${at}+` }),
    )
    expect(await page(call, { size: 3 }, 'x')).toEqual({ rows: [{ at: 'x', size: 3 }], next: 'x+' })
  })
})
