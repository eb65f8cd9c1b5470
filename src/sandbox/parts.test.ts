// Unit tests of the parts that simulators are built from.
import { describe, expect, it } from 'vitest'
import { createState } from './collection.ts'
import { isObject, Refusal, readBasic, refusing, retryAfter } from './http.ts'
import { createMovableClock } from './movable-clock.ts'
import { carriedInCursor, cursorPage, numberedPage, offsetPage, pageAfter } from './paging.ts'
import { createReferee } from './referee.ts'
import { createRouter } from './router.ts'
import { createSeed } from './seeds.ts'
import { challengeOf, createTokenIssuer, type RefreshStyle } from './token-issuer.ts'

describe('the referee', () => {
  it('allows a call as soon as the oldest leaves the window, and not a millisecond earlier', () => {
    let now = 0
    const referee = createReferee({ limit: [{ requests: 2, seconds: 1 }], now: () => now })
    const at = (time: number) => {
      now = time
      return referee.call('a').allowed
    }
    expect([at(0), at(400), at(999), at(1000), at(1399), at(1400)]).toEqual([true, true, false, true, false, true])
    expect(referee.violations()).toBe(2)
    expect(referee.call('b').allowed).toBe(true)
  })
  it('matches a brute-force count of every window, for random arrivals and two rates', () => {
    const seed = createSeed('referee')
    const limit = [
      { requests: 3, seconds: 1 },
      { requests: 7, seconds: 5 },
    ]
    let now = 0
    const referee = createReferee({ limit, now: () => now })
    const taken: number[] = []
    for (let call = 0; call < 2000; call += 1) {
      now += seed.int(0, 400)
      const fits = limit.every(
        ({ requests, seconds }) => taken.filter((time) => time > now - seconds * 1000).length < requests,
      )
      expect(referee.call('a').allowed).toBe(fits)
      if (fits) taken.push(now)
    }
  })
  it('returns the wait, in windows multiplied by the scale', () => {
    let now = 0
    const referee = createReferee({ limit: [{ requests: 1, seconds: 10 }], now: () => now, paceScale: 0.01 })
    referee.call('a')
    now = 30
    expect(referee.call('a')).toEqual({ allowed: false, retryAfterMs: 70, left: 0 })
    now = 100
    expect(referee.call('a').allowed).toBe(true)
  })
  it('allows only so many calls of a tenant in progress', () => {
    const referee = createReferee({ limit: [], concurrency: 2, now: () => 0 })
    const calls = (tenant: string, count: number) => Array.from({ length: count }, () => referee.call(tenant).allowed)
    expect([...calls('a', 3), ...calls('b', 1)]).toEqual([true, true, false, true])
    referee.ended('a')
    referee.ended('a')
    expect(calls('a', 2)).toEqual([true, false])
    expect(referee.violations()).toBe(2)
  })
})

describe('the token issuer', () => {
  const open = (refresh: RefreshStyle) => {
    const clock = createMovableClock(1_000_000)
    return {
      clock,
      issuer: createTokenIssuer({ state: createState(), now: clock.now, accessSeconds: 60, refresh }),
    }
  }
  it('expires access tokens on time, on request and by revocation', () => {
    const { clock, issuer } = open({ style: 'reusable' })
    const { accessToken, refreshToken } = issuer.issue('a', ['READ'])
    clock.skip(59_999)
    expect(issuer.lookup(accessToken)).toMatchObject({ tenant: 'a', status: 'active', scopes: ['READ'] })
    clock.skip(1)
    expect(issuer.lookup(accessToken)?.status).toBe('expired')
    const second = issuer.refresh(refreshToken)!
    issuer.expire('b')
    expect(issuer.lookup(second.accessToken)?.status).toBe('active')
    issuer.expire('a')
    expect(issuer.lookup(second.accessToken)?.status).toBe('expired')
    issuer.revoke('a')
    expect(issuer.lookup(second.accessToken)?.status).toBe('revoked')
    expect(issuer.refresh(refreshToken)).toBeUndefined()
    expect(issuer.refreshes('a')).toBe(1)
    expect(issuer.lookup('made up')).toBeUndefined()
  })
  it('returns a reusable refresh token again', () => {
    const { issuer } = open({ style: 'reusable' })
    const { refreshToken, accessToken } = issuer.issue('a')
    expect(issuer.refresh(refreshToken)?.refreshToken).toBe(refreshToken)
    expect(issuer.refresh(refreshToken)?.accessToken).not.toBe(accessToken)
    expect(issuer.refreshes()).toBe(2)
  })
  it('accepts the previous rotating token only within the grace period', () => {
    const { clock, issuer } = open({ style: 'rotates', graceSeconds: 10 })
    const { refreshToken } = issuer.issue('a')
    const next = issuer.refresh(refreshToken)!
    expect(next.refreshToken).not.toBe(refreshToken)
    clock.skip(9999)
    expect(issuer.refresh(refreshToken)).toBeDefined()
    clock.skip(1)
    expect(issuer.refresh(refreshToken)).toBeUndefined()
    expect(issuer.refresh(next.refreshToken)).toBeDefined()
  })
  it('invalidates a single-use token when it is used', () => {
    const { issuer } = open({ style: 'single_use' })
    const { refreshToken } = issuer.issue('a')
    const next = issuer.refresh(refreshToken)!
    expect(issuer.refresh(refreshToken)).toBeUndefined()
    expect(issuer.current('a')?.refreshToken).toBe(next.refreshToken)
    expect(issuer.refreshes('a')).toBe(1)
  })
  it('redeems a code once, in time, for its redirect_uri and its verifier', () => {
    const { clock, issuer } = open({ style: 'reusable' })
    const consent = {
      tenant: 'a',
      scopes: ['READ'],
      redirectUri: 'http://back',
      codeChallenge: challengeOf('verifier'),
    }
    const proof = { redirectUri: 'http://back', codeVerifier: 'verifier' }
    const code = issuer.authorize(consent)
    expect(issuer.redeem(code, proof)).toMatchObject({ tenant: 'a', scopes: ['READ'] })
    expect(issuer.redeem(code, proof)).toBeUndefined()
    expect(issuer.redeem(issuer.authorize(consent), { ...proof, codeVerifier: 'other' })).toBeUndefined()
    expect(issuer.redeem(issuer.authorize(consent), { ...proof, redirectUri: 'http://else' })).toBeUndefined()
    const late = issuer.authorize(consent)
    clock.skip(300_000)
    expect(issuer.redeem(late, proof)).toBeUndefined()
  })
  it('counts logins', () => {
    const { issuer } = open({ style: 'reusable' })
    expect(issuer.lookup(issuer.login('a').accessToken)?.status).toBe('active')
    expect(issuer.logins('a')).toBe(1)
  })
})

describe('paging', () => {
  const rows = ['b', 'd', 'a', 'c', 'e'].map((id) => ({ id }))
  const key = ({ id }: { id: string }) => id
  const walk = (list: { id: string }[], cursor?: string, descending = false) =>
    cursorPage(list, { limit: 2, cursor, query: { q: 1 }, key, descending, carried: 'end' })

  it('walks by cursor in key order, in both directions, and ends without a cursor on a full last page', () => {
    const first = walk(rows)!
    const second = walk(rows, first.cursor)!
    expect([first.rows, second.rows, walk(rows, second.cursor)].flat()).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
      { id: 'd' },
      { rows: [{ id: 'e' }] },
    ])
    expect(walk(rows, walk(rows, undefined, true)!.cursor, true)!.rows).toEqual([{ id: 'c' }, { id: 'b' }])
    expect(cursorPage(rows, { limit: 5, query: 0, key })!.cursor).toBeUndefined()
  })
  it('neither repeats nor skips rows when returned rows are removed', () => {
    const { cursor } = walk(rows)!
    expect(
      walk(
        rows.filter(({ id }) => id > 'b'),
        cursor,
      )!.rows,
    ).toEqual([{ id: 'c' }, { id: 'd' }])
  })
  it('binds a cursor to its query and carries a value', () => {
    const { cursor } = walk(rows)!
    expect(carriedInCursor(cursor, { q: 1 })).toBe('end')
    expect(cursorPage(rows, { limit: 2, cursor, query: { q: 2 }, key })).toBeUndefined()
    expect(cursorPage(rows, { limit: 2, cursor: 'rubbish', query: { q: 1 }, key })).toBeUndefined()
  })
  it('pages by number, by offset and after an id', () => {
    expect(numberedPage(rows, { page: 3, size: 2 })).toEqual({
      rows: [{ id: 'e' }],
      page: 3,
      size: 2,
      pages: 3,
      total: 5,
      more: false,
    })
    expect(offsetPage(rows, { offset: 2, limit: 2 })).toEqual({
      rows: [{ id: 'a' }, { id: 'c' }],
      offset: 2,
      limit: 2,
      total: 5,
      more: true,
    })
    expect(pageAfter(rows, { after: 'd', limit: 2, id: key })).toEqual({ rows: [{ id: 'a' }, { id: 'c' }], more: true })
    expect(pageAfter(rows, { after: 'no-such-id', limit: 2, id: key })).toBeUndefined()
  })
})

describe('the router', () => {
  const router = createRouter<string>(
    {
      'GET /orders/:id': ({ params, context }) => ({ status: 200, body: [context, params.id] }),
      'GET /orders/search': () => ({ status: 200, body: 'search' }),
      'GET /files/:name.json': ({ params }) => ({ status: 200, body: params.name }),
      'DELETE /orders/:id': () => ({ status: 204 }),
    },
    { notFound: () => ({ status: 404 }), methodNotAllowed: (_, allowed) => ({ status: 405, body: allowed }) },
  )
  const call = (method: string, path: string) =>
    router({ method, path, query: new URLSearchParams(), headers: {}, body: '' }, 'context')

  it('prefers a static segment, decodes parameters and supports suffixes', async () => {
    expect((await call('GET', '/orders/search')).body).toBe('search')
    expect((await call('GET', '/orders/a%2Fb')).body).toEqual(['context', 'a/b'])
    expect((await call('GET', '/files/x.json')).body).toBe('x')
  })
  it("uses the simulator's fallbacks", async () => {
    expect(await call('POST', '/orders/1')).toEqual({ status: 405, body: ['GET', 'DELETE'] })
    expect((await call('GET', '/orders/1/2')).status).toBe(404)
    expect((await call('GET', '/orders/%')).status).toBe(404)
  })
})

describe('a seed', () => {
  it('returns the same values for the same text and different ones for another text', () => {
    const draw = (text: string) => {
      const seed = createSeed(text)
      return [
        seed.person(),
        seed.company(),
        seed.dish(),
        seed.article(),
        seed.address('US'),
        seed.phone('US'),
        seed.sku(),
        seed.uuid(),
        seed.instant(0, 1e12),
      ]
    }
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
  })
  it('generates valid numbers', () => {
    const seed = createSeed('numbers')
    for (let round = 0; round < 200; round += 1) {
      expect(seed.phone(seed.pick(['US', 'CA', 'GB', 'DE', 'FR', 'NZ', 'TH']))).toMatch(/^\+[1-9]\d{7,14}$/)
      const ean = [...seed.ean13()].map(Number)
      expect(ean).toHaveLength(13)
      expect(ean.reduce((sum, digit, index) => sum + digit * (index % 2 ? 3 : 1), 0) % 10).toBe(0)
      const price = seed.cents(100, 900)
      expect(price >= 100 && price <= 900 && Number.isInteger(price)).toBe(true)
    }
  })
  it('generates a different address for every person', () => {
    const seed = createSeed('people')
    expect(new Set(Array.from({ length: 500 }, () => seed.person().email)).size).toBe(500)
  })
})

it('reads HTTP Basic with a colon in the password', () => {
  const authorization = `Basic ${Buffer.from('user:pass:word').toString('base64')}`
  expect(
    readBasic({ method: 'GET', path: '/', query: new URLSearchParams(), headers: { authorization }, body: '' }),
  ).toEqual({ user: 'user', password: 'pass:word' })
})
it("rejects a request with the platform's error", () => {
  const refuse = refusing((status: number, message: string) => ({ status, body: { message } }))
  expect(() => refuse(404, 'no such product')).toThrow(Refusal)
  expect(() => refuse(404, 'no such product')).toThrow(
    expect.objectContaining({ response: { status: 404, body: { message: 'no such product' } } }),
  )
})
it('distinguishes objects from arrays and null, and sends Retry-After only with a number', () => {
  expect([{}, [], null, undefined, 'text'].map(isObject)).toEqual([true, false, false, false, false])
  expect([retryAfter(3), retryAfter(undefined)]).toEqual([{ headers: { 'retry-after': '3' } }, {}])
})
