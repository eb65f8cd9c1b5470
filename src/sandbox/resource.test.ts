import { expect, it } from 'vitest'
import { type Collection, createState } from './collection.ts'
import { emitEvents } from './emitter.ts'
import { type Fields, readJson, refusing } from './http.ts'
import { resourcesOf } from './resource.ts'
import { createRouter } from './router.ts'
import { createAcceptor } from './schema.ts'
import type { Webhooks, WireResponse } from './simulator.ts'

const failure = (status: number, message: string): WireResponse => ({ status, body: { message } })
const refuse = refusing(failure)
interface Rate {
  id: string
  name: string
  version: number
  deleted?: true
}
interface World {
  rates: Collection<Rate>
  keys: Map<string, WireResponse>
}
const resource = resourcesOf<World>({
  body: (request) => (readJson(request) as Fields | undefined) ?? refuse(400, 'no JSON'),
  one: (rate, name, operation) => ({ status: operation === 'create' ? 201 : 200, body: { [name]: rate } }),
  missing: (name, id) => refuse(404, `no ${name} ${id}`),
  updates: 'PATCH',
})
const rates = resource<Rate>({
  name: 'rate',
  path: '/rates',
  records: (world) => world.rates,
  lists: ({ deleted }) => !deleted,
  finds: ({ name }) => name !== 'secret',
  show: ({ id, name, version }) => ({ id, name, version }),
  list: {
    GET: (rows) => ({ status: 200, body: rows.map(({ id }) => id) }),
    'POST /count': (rows) => ({ status: rows.length }),
  },
  accepts: ({ name, version }) => ({ name, version }),
  create: ({ name }, { context }) => ({ id: `R${context.rates.count() + 1}`, name: String(name), version: 1 }),
  update: (current, { name }) => ({ ...current, name: String(name), version: current.version + 1 }),
  version: {
    of: ({ version }) => version,
    given: ({ version }, { request }, operation) => (operation === 'update' ? version : request.headers['if-match']),
    stale: ({ version }, given, operation) => refuse(409, `${operation} of ${String(given)}, not ${version}`),
  },
  remove: (rate) => (rate.name === 'gone' ? undefined : { ...rate, deleted: true }),
  once({ context, request }, _, run) {
    const key = request.headers['idempotency-key'] ?? ''
    const response = context.keys.get(key) ?? run()
    if (key) context.keys.set(key, response)
    return response
  },
})

it('a declared resource lists, gets, creates, changes and deletes records', async () => {
  const world: World = { rates: createState().collection('rates'), keys: new Map() }
  const router = createRouter(rates.routes, {
    notFound: () => failure(404, 'no page'),
    methodNotAllowed: () => failure(405, 'no method'),
  })
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const request = { method, path, query: new URLSearchParams(), headers, body: body ? JSON.stringify(body) : '' }
    const { status, body: answer } = await router(request, world)
    return [status, answer] as const
  }
  const named = (name: string, version = 1, id = 'R1') => ({ rate: { id, name, version } })
  expect(await call('POST', '/rates', { name: 'Low', unknown: 1 }, { 'idempotency-key': 'a' })).toEqual([
    201,
    named('Low'),
  ])
  expect(await call('POST', '/rates', { name: 'Low' }, { 'idempotency-key': 'a' })).toEqual([201, named('Low')])
  expect(await call('GET', '/rates/R1')).toEqual([200, named('Low')])
  expect(await call('GET', '/rates/R9')).toEqual([404, { message: 'no rate R9' }])
  expect(await call('PATCH', '/rates/R1')).toEqual([400, { message: 'no JSON' }])
  expect(await call('PATCH', '/rates/R9')).toEqual([404, { message: 'no rate R9' }])
  expect(await call('PATCH', '/rates/R1', { name: 'High' })).toEqual([200, named('High', 2)])
  expect(await call('PATCH', '/rates/R1', { name: 'Late', version: 1 })).toEqual([
    409,
    { message: 'update of 1, not 2' },
  ])
  expect(await call('DELETE', '/rates/R1', undefined, { 'if-match': '1' })).toEqual([
    409,
    { message: 'remove of 1, not 2' },
  ])
  await call('POST', '/rates', { name: 'gone' })
  await call('POST', '/rates', { name: 'secret' })
  expect(await call('GET', '/rates')).toEqual([200, ['R1', 'R2', 'R3']])
  expect(await call('DELETE', '/rates/R1')).toEqual([200, named('High', 2)])
  expect(await call('DELETE', '/rates/R2')).toEqual([200, named('gone', 1, 'R2')])
  expect([await call('GET', '/rates'), await call('POST', '/rates/count')]).toEqual([
    [200, ['R3']],
    [1, undefined],
  ])
  expect([(await call('GET', '/rates/R1'))[0], (await call('GET', '/rates/R3'))[0]]).toEqual([200, 404])
  expect([(await call('PUT', '/rates/R1'))[0], world.rates.ids()]).toEqual([405, ['R1', 'R3']])
})

it('an operation that is not declared does not exist, and one that comes first is rejected first', () => {
  const { routes } = resource<Rate>({
    name: 'rate',
    path: '/rates',
    records: (world) => world.rates,
    get: false,
    bodyFirst: true,
    update: (rate) => rate,
  })
  expect(Object.keys(routes)).toEqual(['PATCH /rates/:id'])
  const request = { method: 'PATCH', path: '/rates/R1', query: new URLSearchParams(), headers: {}, body: '' }
  const world: World = { rates: createState().collection('rates'), keys: new Map() }
  expect(() => routes['PATCH /rates/:id']!({ request, params: { id: 'R1' }, context: world })).toThrow(
    expect.objectContaining({ response: failure(400, 'no JSON') }),
  )
})

it('a schema takes the fields that it names, and leaves the errors to the platform', () => {
  const problems: string[] = []
  const accept = createAcceptor({
    invalid({ kind, path, value }) {
      problems.push(`${path} ${kind}`)
      return value === null ? '' : undefined
    },
    types: { reference: (value) => (typeof value === 'object' && value !== null && 'id' in value ? value : undefined) },
    resolve: (name) => (name === 'Address' ? { type: 'object', properties: { city: 3 } } : undefined),
  })
  const schemas = {
    name: { type: 'string', required: true, maxLength: 5, minLength: 2, pattern: /\S/ },
    code: 3,
    count: { type: 'integer', minimum: 1, maximum: 9 },
    price: 'number',
    active: 'boolean',
    kind: { enum: ['A', 'B'] },
    category: 'reference',
    address: { ref: 'Address' },
    tags: { type: 'array', items: 2 },
    day: { type: 'string', take: (text: string) => `${text}!` },
    more: { type: 'object', values: 'boolean' },
    created: { type: 'string', readOnly: true },
    any: {},
  } as const
  const valid = {
    ...{ name: 'Tea', code: 'T', count: 2, price: 1.5, active: false, kind: 'A', category: { id: 'C1' } },
    ...{ address: { city: 'Oz' }, tags: ['a', 'b'], more: { x: true }, any: [1] },
  }
  expect(accept({ ...valid, day: 'Mon' }, schemas)).toEqual({ ...valid, day: 'Mon!' })
  expect(problems.splice(0)).toEqual([])
  const wrong = {
    ...{
      code: 'TEAS',
      count: 1.5,
      price: '1',
      active: 0,
      kind: 'C',
      category: 'C1',
      tags: ['a', 'bbb', null],
      other: 1,
    },
    ...{ address: { city: 'Oslo', zip: '1' }, more: { x: 1 }, created: 'now' },
  }
  expect(accept(wrong, schemas, 'body')).toEqual({ address: {}, tags: ['a', undefined, ''], more: {} })
  expect(problems.splice(0)).toEqual([
    ...['body.name missing', 'body.code long', 'body.count type', 'body.price type', 'body.active type'],
    ...['body.kind enum', 'body.category type', 'body.address.city long', 'body.address.zip unknown'],
    ...['body.tags[1] long', 'body.tags[2] type', 'body.more.x type', 'body.created readOnly', 'body.other unknown'],
  ])
  expect(accept({ name: ' ', code: null, count: 0 }, schemas)).toEqual({ code: '' })
  expect(accept({ name: '  ', count: 10 }, schemas)).toEqual({})
  expect(problems).toEqual(['name short', 'code type', 'count low', 'name pattern', 'count high'])
})

it.each([
  ['absent', 'schema', { city: 'Rome' }],
  ['kept', 'body', { city: 'Rome', name: null }],
  ['nothing', 'schema', { name: null, city: 'Rome', zip: null }],
] as const)('with nulls that are %s, in the order of the %s', (nulls, order, expected) => {
  const accept = createAcceptor({ nulls, order, invalid: () => expect.unreachable() })
  const accepted = accept({ city: 'Rome', name: null }, { name: 9, city: 9, zip: 9 })
  expect([accepted, Object.keys(accepted)]).toEqual([expected, Object.keys(expected)])
})

it('changes become events, one by one or those of one call together', async () => {
  const listeners: Parameters<Webhooks['onChange']>[0][] = []
  const webhooks: Webhooks = { onChange: (listener) => void listeners.push(listener), send: () => {} }
  const sent: string[][] = []
  for (const together of [false, true])
    emitEvents<string>({
      webhooks,
      together,
      nameOf: (collection) => collection.split('/')[1],
      emissions: {
        rates: {
          isDeleted: ({ deleted }: Rate) => deleted === true,
          event: ({ kind, id, record, before }) =>
            record.name === 'silent'
              ? undefined
              : kind === 'updated'
                ? [`${kind} ${id}`, String(before?.name)]
                : `${kind} ${id}`,
        },
      },
      send: (events) => void sent.push([...events]),
    })
  const change = (before: Partial<Rate> | undefined, record: Partial<Rate> | undefined, collection = 'us/rates') => {
    for (const listener of listeners) listener({ collection, id: 'R1', before, record })
  }
  change(undefined, { name: 'a' })
  change({ name: 'a' }, { name: 'b' })
  change({ name: 'b' }, { name: 'silent' })
  change({ name: 'b' }, { name: 'b', deleted: true })
  change({ deleted: true }, undefined)
  change(undefined, {}, 'us/toString')
  await Promise.resolve()
  const told = ['created R1', 'updated R1', 'a', 'deleted R1', 'deleted R1']
  expect(sent).toEqual([...told.map((event) => [event]), told])
})
