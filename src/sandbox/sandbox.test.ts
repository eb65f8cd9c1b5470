import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createState } from './collection.ts'
import { readBearer, readJson } from './http.ts'
import { createRouter } from './router.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { type CreateSimulator, type FaultKind, faultKinds, type Tenant } from './simulator.ts'

/** A shop that stores notes: enough to check whether a call was processed. */
const createNotes: CreateSimulator = ({ state, seededAt }) => {
  const notes = state.collection<{ id: string; text: string }>('notes')
  for (const id of ['1', '2']) notes.set(id, { id, text: `seeded ${seededAt}` })
  let expired = false
  const tenant: Tenant = {
    vertical: 'retail_pos',
    credentials: { accessToken: 'good' },
    settings: {},
    locations: [],
    records: {
      product: {
        ids: () => notes.ids(),
        add: (count) =>
          Array.from(
            { length: count },
            () => notes.set(String(notes.count() + 1), { id: String(notes.count() + 1), text: 'added' }).id,
          ),
        touch: (id) => void notes.set(id, { id, text: 'touched' }),
        remove: (id) => void notes.delete(id),
      },
    },
    expireTokens() {
      expired = true
    },
    revokeTokens() {
      expired = true
    },
  }
  const router = createRouter<undefined>(
    {
      'GET /notes/:id': ({ params: { id = '' } }) => ({ status: notes.has(id) ? 200 : 404, body: notes.get(id) ?? {} }),
      'POST /notes': ({ request }) => {
        const { id, text } = readJson(request) as { id: string; text: string }
        return { status: 201, body: notes.set(id, { id, text }) }
      },
      'GET /bug': () => {
        throw new Error('a bug in the simulator')
      },
    },
    {
      notFound: () => ({ status: 404, body: { lost: true } }),
      methodNotAllowed: (_, allowed) => ({ status: 405, headers: { allow: allowed.join() } }),
    },
  )
  return {
    platform: 'notes',
    limit: [{ requests: 5, seconds: 60 }],
    tenants: [tenant],
    tenantOf: (request) => (readBearer(request) === 'good' ? tenant : undefined),
    handle: (request) => (expired ? { status: 401, body: { expired } } : router(request, undefined)),
    throttled: (seconds) => ({
      status: 429,
      ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
      body: { slow: 'down' },
    }),
    broken: (status) => ({ status, body: { broken: true } }),
  }
}

let sandbox: Sandbox
const start = (options: object = {}) => createSandbox({ simulators: { notes: createNotes }, size: 'small', ...options })
const post = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.origin('notes')}/notes`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id, text: 'a text that is long enough to be cut in half' }),
  })
const control = (path: string, init?: RequestInit) => fetch(`${sandbox.url}/_sandbox${path}`, init)
const noteIds = () => sandbox.simulator('notes').tenants[0]!.records.product!.ids()

describe('a fault happens on the socket', () => {
  beforeEach(async () => {
    sandbox = await start()
  })
  afterEach(() => sandbox.close())

  const outcome = async (kind: FaultKind, delayMs?: number) => {
    sandbox.fault('notes', { kind, times: 1, delayMs })
    try {
      const response = await post('new', { authorization: 'Bearer good' })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      return { status: 0, error }
    }
  }
  const refused: [FaultKind, number][] = [
    ['throttle', 429],
    ['throttle_silent', 429],
    ['error_before', 500],
    ['unavailable', 503],
    ['html', 502],
    ['forbidden', 403],
    ['reset_before', 0],
    ['expired_token', 401],
    ['foreign_before', 200],
    ['late', 504],
  ]
  it.each(refused)('%s returns %i and nothing is stored', async (kind, status) => {
    expect((await outcome(kind)).status).toBe(status)
    expect(noteIds()).not.toContain('new')
  })
  const done: [FaultKind, number][] = [
    ['error_after', 500],
    ['reset_after', 0],
    ['truncated', 0],
    ['malformed', 200],
    ['stall', 201],
    ['slow_body', 201],
    ['foreign_after', 200],
  ]
  it.each(done)('%s returns %i and the note is stored', async (kind, status) => {
    expect((await outcome(kind, 50)).status).toBe(status)
    expect(noteIds()).toContain('new')
  })
  it('late processes the call after the delay', async () => {
    expect((await outcome('late', 50)).status).toBe(504)
    await vi.waitFor(() => expect(noteIds()).toContain('new'), { timeout: 120_000 })
  })
  it('covers every kind of a call', () => {
    const kinds = Object.keys(faultKinds).filter((kind) => !kind.startsWith('webhook_'))
    expect([...refused, ...done].map(([kind]) => kind).sort()).toEqual(kinds.sort())
  })
  it('throttles with a Retry-After unless the fault is silent', async () => {
    expect((await outcome('throttle')).headers?.get('retry-after')).toBe('1')
    expect((await outcome('throttle_silent')).headers?.has('retry-after')).toBe(false)
  })
  it('sends less than the content-length of a truncated response', async () => {
    sandbox.fault('notes', { kind: 'truncated' })
    const response = await post('new')
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(50)
    await expect(response.text()).rejects.toThrow()
  })
  it('sends a complete malformed response that does not parse', async () => {
    const { text } = await outcome('malformed')
    expect(() => JSON.parse(text!)).toThrow(SyntaxError)
  })
  it('delays a stalled response and a slow body, and sends the slow body completely', async () => {
    for (const kind of ['stall', 'slow_body'] as const) {
      const before = performance.now()
      expect(JSON.parse((await outcome(kind, 200)).text!)).toMatchObject({ id: 'new' })
      expect(performance.now() - before).toBeGreaterThanOrEqual(200)
    }
  })
  it('applies to the repetitions of its first call, and to no other', async () => {
    sandbox.fault('notes', { kind: 'error_before', skip: 1, repeats: true })
    const statuses: number[] = []
    for (const page of [1, 2, 1, 2, 3])
      statuses.push((await fetch(`${sandbox.origin('notes')}/notes/1?page=${page}`)).status)
    expect(statuses).toEqual([200, 500, 200, 500, 200])
    sandbox.clearFaults()
  })
  it('ends a stall when the faults are cleared: the call was processed before', async () => {
    sandbox.fault('notes', { kind: 'stall', delayMs: 600_000 })
    const stalled = post('new')
    await expect.poll(() => sandbox.calls('notes').map(({ fault }) => fault)).toEqual(['stall'])
    sandbox.clearFaults('notes')
    expect(await (await stalled).json()).toMatchObject({ id: 'new' })
  })
  it('applies to its method and path, skips calls first, and ends after its times', async () => {
    sandbox.fault('notes', { kind: 'error_before', method: 'GET', path: '/notes/1', skip: 1, times: 2 })
    const statuses: number[] = []
    for (const path of ['/notes/2', '/notes/1', '/notes/1', '/notes/1', '/notes/1'])
      statuses.push((await fetch(sandbox.origin('notes') + path)).status)
    expect(statuses).toEqual([200, 200, 500, 500, 200])
    expect(sandbox.faults('notes')).toEqual([])
  })
})

describe('the sandbox', () => {
  beforeEach(async () => {
    sandbox = await start()
  })
  afterEach(() => sandbox.close())

  it('keeps an idle connection longer than a client uses it', async () => {
    const { headers } = await fetch(`${sandbox.url}/_sandbox`)
    expect(headers.get('keep-alive')).toBe('timeout=72')
  })
  it("rejects a call above the limit with the platform's error, counts it, and does not affect other tenants", async () => {
    const statuses: number[] = []
    for (let call = 0; call < 6; call += 1) statuses.push((await post('x', { authorization: 'Bearer good' })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    expect(sandbox.violations('notes')).toBe(1)
    expect((await post('y')).status).toBe(201)
    expect(sandbox.calls('notes').filter(({ overLimit }) => overLimit)).toHaveLength(1)
  })
  it('only counts violations if it is not strict', async () => {
    await sandbox.close()
    sandbox = await start({ strict: false })
    const statuses: number[] = []
    for (let call = 0; call < 6; call += 1) statuses.push((await post('x', { authorization: 'Bearer good' })).status)
    expect(statuses.at(-1)).toBe(201)
    expect(sandbox.violations('notes')).toBe(1)
  })
  it('logs calls with body, status, tenant and fault', async () => {
    sandbox.fault('notes', { kind: 'reset_before', times: 1 })
    await post('lost', { authorization: 'Bearer good' }).catch(() => undefined)
    await fetch(`${sandbox.origin('notes')}/notes/1?a=b`)
    expect(sandbox.calls('notes')).toMatchObject([
      {
        method: 'POST',
        path: '/notes',
        status: 0,
        vertical: 'retail_pos',
        fault: 'reset_before',
        body: { id: 'lost' },
      },
      { method: 'GET', path: '/notes/1', query: 'a=b', status: 200 },
    ])
    sandbox.clearCalls()
    expect(sandbox.calls('notes')).toEqual([])
  })
  it('reports a bug in a simulator as 500 and on stderr', async () => {
    const printed: unknown[] = []
    const { error } = console
    console.error = (...parts: unknown[]) => void printed.push(...parts)
    expect((await fetch(`${sandbox.origin('notes')}/bug`)).status).toBe(500)
    console.error = error
    expect(String(printed)).toContain('a bug in the simulator')
  })
  it('rejects a body that is too large', async () => {
    const response = await fetch(`${sandbox.origin('notes')}/notes`, {
      method: 'POST',
      body: 'x'.repeat(9 * 1024 * 1024),
    }).catch(() => ({ status: 413 }))
    expect(response.status).toBe(413)
    expect(noteIds()).toEqual(['1', '2'])
  })
  it('is controlled through its control endpoint', async () => {
    expect(await (await control('')).json()).toMatchObject({
      platforms: [{ platform: 'notes', tenants: [{ vertical: 'retail_pos', records: { product: 2 } }] }],
      faultKinds,
    })
    const added = await control('/notes/faults', {
      method: 'POST',
      body: JSON.stringify({ kind: 'unavailable', times: 3 }),
    })
    expect(await added.json()).toEqual({ faults: [{ kind: 'unavailable', times: 3 }] })
    expect((await post('x')).status).toBe(503)
    expect(await (await control('/notes/faults', { method: 'DELETE' })).json()).toEqual({ faults: [] })
    expect(await (await control('/notes/calls')).json()).toMatchObject({ violations: 0, calls: [{ status: 503 }] })
    expect(await (await control('/notes/tenants/retail_pos/product?add=2', { method: 'POST' })).json()).toEqual({
      ids: ['3', '4'],
    })
    expect((await control('/notes/tenants/retail_pos/product?touch=3', { method: 'POST' })).status).toBe(200)
    expect((await control('/notes/tenants/retail_pos/product?remove=4', { method: 'POST' })).status).toBe(200)
    expect(await (await control('/notes/tenants/retail_pos/product')).json()).toEqual({
      count: 3,
      ids: ['1', '2', '3'],
    })
    expect((await control('/notes/tenants/retail_pos/expire-tokens', { method: 'POST' })).status).toBe(204)
    expect((await post('x')).status).toBe(401)
  })
  it('explains what is wrong with a control call', async () => {
    expect((await control('/nowhere/faults')).status).toBe(404)
    expect((await control('/notes/tenants/accounting/product')).status).toBe(404)
    expect((await control('/notes/tenants/retail_pos/order')).status).toBe(404)
    expect((await control('/notes/faults', { method: 'PATCH' })).status).toBe(405)
    expect((await control('/notes/faults', { method: 'POST', body: '{"kind":"gremlin"}' })).status).toBe(400)
    expect((await control('/notes/faults', { method: 'POST', body: '{"kind":"stall","delay":3}' })).status).toBe(400)
    expect((await control('/notes/tenants/retail_pos/product?add=0', { method: 'POST' })).status).toBe(400)
  })
})

describe('a collection', () => {
  it('preserves insertion order and rejects changes in place', () => {
    const rows = createState().collection<{ n: number }>('rows')
    for (const n of [3, 1, 2]) rows.set(String(n), { n })
    rows.set('3', { n: 30 })
    expect(rows.values()).toEqual([{ n: 30 }, { n: 1 }, { n: 2 }])
    expect(() => Object.assign(rows.get('1')!, { n: 9 })).toThrow(TypeError)
    expect(rows.filter(({ n }) => n < 3)).toEqual([{ n: 1 }, { n: 2 }])
  })
})
