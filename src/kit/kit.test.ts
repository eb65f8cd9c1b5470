import { describe, expect, it } from 'vitest'
import { NativeFailure } from '../contract/native-failure.ts'
import { collectUnread } from '../contract/unread.ts'
import { firstChanged, sameAddress, sameLine } from './differences.ts'
import { errorTable, objectIn } from './error-table.ts'
import { errorByStatus, errorKindByStatus, ifFound, refusal, retryAfterMs } from './errors.ts'
import { compact, filled, flag, list, members, number, orNull, reference, text } from './fields.ts'
import { fromDecimal } from './money.ts'
import { displayName, fullName, personName, splitName } from './names.ts'
import { authorizationCode } from './oauth.ts'
import { del, get, graphql, path, post, postForm } from './requests.ts'
import { stateTable } from './states.ts'
import { fromUnixMs, fromUnixSeconds, toUtc } from './time.ts'

describe('names', () => {
  it('are split so that joining them gives the name again', () => {
    for (const name of ['Ada Lovelace', 'Ludwig van Beethoven', 'Cher', 'Ana Maria de la Cruz']) {
      const { first, last } = splitName(name)
      expect(fullName(first, last)).toBe(name)
    }
    expect(splitName('Cher')).toEqual({ first: 'Cher' })
  })
  it('are completed from the whole name when one part is missing', () => {
    expect(personName({ name: 'Ada King Lovelace', firstName: 'Ada' })).toEqual({ first: 'Ada', last: 'King Lovelace' })
    expect(personName({ name: 'Ada King Lovelace', lastName: 'King Lovelace' })).toEqual({
      first: 'Ada',
      last: 'King Lovelace',
    })
    expect(personName({ name: 'The Countess', firstName: 'Ada', lastName: 'Lovelace' })).toEqual({
      first: 'Ada',
      last: 'Lovelace',
    })
    expect(personName({ name: 'The Countess', lastName: 'Lovelace' })).toEqual({ last: 'Lovelace' })
  })
  it('are shown by the first candidate that says something', () => {
    expect(displayName('', null, '  ', fullName(undefined, ' '), 'Analytical Engines')).toBe('Analytical Engines')
    expect(displayName(undefined)).toBeUndefined()
  })
})
describe('requests', () => {
  it('keep an id in its place in the path', () => {
    expect(path`/v2/orders/${'a/b?c=1'}/lines/${7}`).toBe('/v2/orders/a%2Fb%3Fc%3D1/lines/7')
    for (const id of ['', '.', '..']) expect(() => path`/v2/orders/${id}`).toThrow('No record')
  })
  it('carry only what was given', () => {
    expect(get('/a')).toEqual({ method: 'GET', path: '/a' })
    expect(del('/a', { version: 3 })).toEqual({ method: 'DELETE', path: '/a', query: { version: 3 } })
    expect(post('/a', { b: 1 }, { lane: 'slow' })).toEqual({ method: 'POST', path: '/a', body: { b: 1 }, lane: 'slow' })
    expect(graphql('/graphql', 'query { shop }')).toEqual({
      method: 'POST',
      path: '/graphql',
      body: { query: 'query { shop }', variables: {} },
    })
  })
  it('encode forms', () => {
    expect(postForm('/a', { b: 'x y&z', c: undefined, d: true })).toMatchObject({
      body: 'b=x+y%26z&d=true',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })
})
describe('errors', () => {
  it('have a kind by status', () => {
    expect([200, 400, 401, 403, 404, 409, 422, 429, 500, 503].map(errorKindByStatus)).toEqual([
      undefined,
      'invalid',
      'token',
      'forbidden',
      'not_found',
      'stale',
      'invalid',
      'throttled',
      'unavailable',
      'unavailable',
    ])
  })
  it('say something short whatever the body is', () => {
    const of = (body: unknown) => errorByStatus({ status: 502, headers: {}, body })?.message
    expect(of('<html><head><title>x</title></head><body><h1>Bad   gateway</h1></body></html>')).toBe('Bad gateway')
    expect(of({ error: { message: 'No such thing' } })).toBe('No such thing')
    expect([of({}), of(undefined), of(null), of('')]).toEqual(Array(4).fill('HTTP 502'))
    expect(of('long '.repeat(100))).toHaveLength(200)
    expect(errorByStatus({ status: 200, headers: {}, body: {} })).toBeUndefined()
  })
  it('tell how long to wait, in seconds or until a date', () => {
    expect(retryAfterMs({ 'retry-after': '1.5' })).toBe(1500)
    expect(
      retryAfterMs({ 'retry-after': 'Wed, 15 Jul 2020 15:04:05 GMT', date: 'Wed, 15 Jul 2020 15:04:00 GMT' }),
    ).toBe(5000)
    expect(
      retryAfterMs({ 'retry-after': 'Wed, 15 Jul 2020 15:04:05 GMT', date: 'Wed, 15 Jul 2020 15:05:00 GMT' }),
    ).toBe(0)
    expect([retryAfterMs({}), retryAfterMs({ 'retry-after': 'soon' })]).toEqual([undefined, undefined])
  })
  it('become undefined only when the record is not there', async () => {
    expect(await ifFound(Promise.reject(new NativeFailure({ kind: 'not_found', message: '' }, 404)))).toBeUndefined()
    expect(await ifFound(Promise.resolve(1))).toBe(1)
    await expect(ifFound(Promise.reject(refusal('order.location_id', 'which one?')))).rejects.toMatchObject({
      error: { kind: 'invalid', fields: [{ native: 'order.location_id' }] },
    })
  })
})
describe('an error table', () => {
  const findings = (body: unknown) =>
    objectIn<{ errors: { code?: string; message?: string; field?: string }[] }>(body).errors ?? []
  const table = { findings, kinds: { TAKEN: 'duplicate' }, statuses: { 402: 'forbidden' } } as const
  const read = errorTable(table)
  const answer = (status: number, ...errors: object[]) => ({ status, headers: {}, body: { errors } })
  it('reads code, message and kind of the first error, and the fields of all', () => {
    expect(read(answer(400, { code: 'TAKEN', message: 'taken', field: 'sku' }, { field: 'name' }))).toEqual({
      kind: 'duplicate',
      code: 'TAKEN',
      message: 'taken',
      fields: [
        { native: 'sku', message: 'taken' },
        { native: 'name', message: 'taken' },
      ],
    })
    expect(read(answer(402, { code: 'ELSE', message: 'pay' }))?.kind).toBe('forbidden')
    expect(read({ status: 502, headers: { 'retry-after': '2' }, body: '<h1>Bad gateway</h1>' })).toEqual({
      kind: 'unavailable',
      message: 'Bad gateway',
      retryAfterMs: 2000,
    })
  })
  it('looks into a success only where the platform puts errors there', () => {
    expect(read(answer(200, { code: 'TAKEN', message: 'taken' }))).toBeUndefined()
    const any = errorTable({ ...table, anyStatus: true })
    expect([
      any(answer(200, { code: 'TAKEN' }))?.kind,
      any(answer(200, { message: 'no' }))?.kind,
      any(answer(200)),
    ]).toEqual(['duplicate', 'invalid', undefined])
  })
  it('leaves the last decision to the connector', () => {
    const own = errorTable({
      ...table,
      kind: ({ kind }, status, { field }) => (status === 'invalid' && field === 'cursor' ? 'cursor' : kind),
      retryAfterMs: () => 50,
    })
    expect(own(answer(400, { message: 'old', field: 'cursor' }))).toMatchObject({ kind: 'cursor', retryAfterMs: 50 })
    expect(own(answer(404, { message: 'old', field: 'cursor' }))?.kind).toBe('not_found')
  })
})
describe('fields', () => {
  it('are read leniently', () => {
    expect([text(' a '), text(' '), text(7), text(null), text({})]).toEqual(['a', undefined, '7', undefined, undefined])
    expect([flag(true), flag('false'), flag(1), flag('yes'), flag(null)]).toEqual([
      true,
      false,
      true,
      undefined,
      undefined,
    ])
    expect([list(null), list([1]), list([1, null, 2])]).toEqual([[], [1], [1, 2]])
    expect([undefined, null, '', [], { a: 1 }].map((value) => members(value as object))).toEqual([
      {},
      {},
      {},
      {},
      { a: 1 },
    ])
  })
  it('that are absent are left out, or made null where null clears', () => {
    expect(compact({ a: 1, b: undefined, c: null, d: false, e: '' })).toEqual({ a: 1, d: false, e: '' })
    const hostile = compact(JSON.parse('{"__proto__":{"polluted":1},"a":2}'))
    expect([Object.getPrototypeOf(hostile), JSON.stringify(hostile)]).toEqual([
      Object.prototype,
      '{"__proto__":{"polluted":1},"a":2}',
    ])
    expect(filled({ a: undefined, b: null })).toBeUndefined()
    expect(filled({ a: 0 })).toEqual({ a: 0 })
    expect(orNull({ a: undefined, b: 0 })).toEqual({ a: null, b: 0 })
  })
})
describe('a state table', () => {
  const states = stateTable({ open: 'OPEN', parked: 'OPEN', done: 'COMPLETED' })
  it('reads every native state and writes the first', () => {
    const warn = () => expect.unreachable()
    expect([states.read('parked', { warn }), states.read('DONE', { warn }), states.read(undefined, { warn })]).toEqual([
      'OPEN',
      'COMPLETED',
      undefined,
    ])
    expect([states.write('OPEN'), states.write('CANCELED'), states.write(undefined)]).toEqual([
      'open',
      undefined,
      undefined,
    ])
  })
  it('warns of a state it does not know', () => {
    const warnings: string[] = []
    expect(states.read('held', { warn: (pointer, message) => warnings.push(`${pointer} ${message}`) })).toBeUndefined()
    expect(warnings.join()).toContain('/state The platform\'s state "held"')
  })
})
describe('differences', () => {
  const line = { productExternalId: 'P', quantity: 2, name: 'Tea', unitPrice: 3 }
  it('of a line are its product, quantity and discount, and what it says otherwise', () => {
    expect(sameLine({ productExternalId: 'P', quantity: 2 }, line, ['name', 'unitPrice'])).toBe(true)
    expect(sameLine({ ...line, lineDiscount: 0 }, line, [])).toBe(true)
    expect(sameLine({ ...line, name: 'Coffee' }, line, ['unitPrice'])).toBe(true)
    for (const other of [{ name: 'Coffee' }, { quantity: 1 }, { lineDiscount: 1 }, { productExternalId: undefined }])
      expect(sameLine({ ...line, ...other }, line, ['name', 'unitPrice'])).toBe(false)
  })
  it('of lines begin at the first that differs or is new', () => {
    const other = { ...line, quantity: 5 }
    expect([
      firstChanged([line, line], [line, line], []),
      firstChanged([line, other], [line, line], []),
      firstChanged([line], [], []),
    ]).toEqual([2, 1, 0])
    expect(firstChanged([line], [line, line], [])).toBe(1)
  })
  it('of addresses are those of what they say', () => {
    expect(sameAddress(undefined, { line2: ' ' })).toBe(true)
    expect(sameAddress({ line1: 'Main St', city: 'Salem' }, { line1: 'Main St', city: 'Portland' })).toBe(false)
  })
})
describe('the authorization code flow', () => {
  const flow = { authorize: { origin: 'login', path: '/authorize', scope: 'a b' }, refreshToken: 'rotates' } as const
  it('sends the id and secret of the client in the body, or in a header', () => {
    const body = authorizationCode({
      ...flow,
      token: { path: '/token', encoding: 'form' },
      refresh: { redirect_uri: '{redirectUri}' },
    })
    expect(body.exchange.fields).toEqual({
      client_id: '{clientId}',
      client_secret: '{clientSecret}',
      grant_type: 'authorization_code',
      code: '{code}',
      redirect_uri: '{redirectUri}',
    })
    expect(body.refresh?.fields).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: '{refreshToken}',
      redirect_uri: '{redirectUri}',
    })
    const header = authorizationCode({
      ...flow,
      token: { path: '/token', encoding: 'form', basic: true },
      answer: { keep: { scope: '/scope' } },
    })
    expect([header.exchange.fields.client_secret, header.refresh?.fields.client_secret, header.exchange.basic]).toEqual(
      [undefined, undefined, true],
    )
    expect(header.answer).toEqual({
      access: '/access_token',
      refresh: '/refresh_token',
      expires: { in: '/expires_in' },
      keep: { scope: '/scope' },
    })
  })
})

describe('values of another type', () => {
  const read = <T>(run: () => T): [T, unknown[]] => {
    const values: unknown[] = []
    return [collectUnread(values, run), values]
  }
  it('are converted if they mean the same', () => {
    expect(read(() => [number('12.5'), text(7), flag('true'), reference(0), reference('8'), list(null)])).toEqual([
      [12.5, '7', true, undefined, '8', []],
      [],
    ])
  })
  it('are collected if they cannot be read, and absent ones are not', () => {
    const odd = { a: 1 }
    const readers = [text, number, flag, fromDecimal, toUtc, fromUnixMs, fromUnixSeconds, list] as ((
      value: unknown,
    ) => unknown)[]
    for (const reader of readers) {
      expect(read(() => reader(odd))[1]).toEqual([odd])
      for (const absent of [undefined, null, '', ' ']) expect(read(() => reader(absent))[1]).toEqual([])
    }
    const missing = [1, null]
    expect(read(() => [list(missing), members('1 Main St' as never)])).toEqual([
      [[1], {}],
      [missing, '1 Main St'],
    ])
    expect(read(() => [members(null), members({ a: null }), members([])])[1]).toEqual([])
    expect(read(() => [number('1,234.50'), toUtc('yesterday'), toUtc('2026-13-01T00:00:00Z')])[1]).toHaveLength(3)
    expect(toUtc('yesterday')).toBeUndefined() // outside of a mapping nothing is collected
  })
})
