import { expect, it } from 'vitest'
import type { NativeRequest, ReadCall, Step, WriteCall } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { flatEntity } from './flat.ts'
import { get, path, post, put } from './requests.ts'
import { fieldTable } from './table.ts'

interface Native {
  id: string
  first?: string
}
const table = fieldTable<'customer', Native>({
  '/name': { from: ({ id, first }) => first ?? id },
  '/firstName': ['/first', { longest: 30 }],
  '/phone': null,
})
const adapter = flatEntity('customer', {
  id: ({ id }: Native) => id,
  table,
  rowIn: ({ body }) => body.customer,
  list: { pageLimit: 10, updatedAfter: 'none', page: async () => ({ rows: [] }) },
  one: (_, id) => (id === 'no id' ? undefined : get(path`/customers/${id}`)),
  write: { requires: ['/firstName'], longest: { '/name': 60 }, places: { country: 'code' } },
  create: {
    requires: ['/email'],
    fields: { name: '/name' },
    send: async (call, record) => ({
      request: post('/customers', table.body(record), { headers: { key: call.key('customer') } }),
      recovery: 'key',
    }),
  },
  update: {
    send: (_, current, record) => {
      const change = table.differences(record, current)
      if (Object.keys(change).length > 0)
        return { request: put(path`/customers/${current.id}`, change), recovery: 'repeat' }
      return undefined
    },
  },
})
function calls(answer: unknown = { customer: { id: '7', first: 'Ada' } }) {
  const log: unknown[] = []
  const respond = (request: NativeRequest) => {
    log.push(request)
    if (answer instanceof Error) throw answer
    return { status: 200, headers: {}, body: answer }
  }
  const call = {
    key: (step: string) => `key of ${step}`,
    read: async (request: NativeRequest) => respond(request),
    write: async (name: string, step: Step<Native>) => {
      log.push(name, step.recovery)
      return step.read(respond(step.request))
    },
  } as unknown as WriteCall & ReadCall
  return { call, log }
}

it('reads a record, and has none for a 404 or an id that no record can have', async () => {
  const { call, log } = calls()
  expect(adapter.toUnified((await adapter.get!(call, '7'))!, {} as never)).toEqual({
    externalId: '7',
    name: 'Ada',
    firstName: 'Ada',
  })
  expect(await adapter.get!(call, 'no id')).toBeUndefined()
  expect(log).toHaveLength(1)
  const missing = calls(new NativeFailure({ kind: 'not_found', message: 'none' }))
  expect(await adapter.get!(missing.call, '8')).toBeUndefined()
  const broken = calls(new NativeFailure({ kind: 'unavailable', message: 'down' }))
  await expect(adapter.get!(broken.call, '8')).rejects.toThrow('down')
})
it('creates with one step, named like the entity type', async () => {
  const { call, log } = calls()
  expect(await adapter.create!.run(call, { externalId: 'S', name: 'Ada', firstName: 'Ada' })).toEqual({
    id: '7',
    row: { id: '7', first: 'Ada' },
  })
  expect(log).toEqual([
    'customer',
    'key',
    post('/customers', { first: 'Ada' }, { headers: { key: 'key of customer' } }),
  ])
})
it('changes with one step, or none where nothing would change', async () => {
  const { call, log } = calls()
  const current = { id: '7', first: 'Augusta' }
  await adapter.update!.run(call, current, { externalId: '7', name: 'Ada', firstName: 'Ada' })
  expect(log).toEqual(['customer', 'repeat', put('/customers/7', { first: 'Ada' })])
  expect(await adapter.update!.run(call, current, { externalId: '7', name: 'Ada', firstName: 'Augusta' })).toEqual({
    id: '7',
    row: current,
  })
  expect(log).toHaveLength(3)
})
it('declares what the table, both writes and each of them say', () => {
  const { run: _, ...create } = adapter.create!
  expect(create).toEqual({
    requires: ['/firstName', '/email'],
    longest: { '/firstName': 30, '/name': 60 },
    notStored: { '/phone': true },
    places: { country: 'code' },
    fields: { first: '/firstName', name: '/name' },
  })
  expect(adapter.update).toMatchObject({ requires: ['/firstName'], fields: { first: '/firstName' } })
})
it('keeps every member that is given by hand, and has no operation that is not given', () => {
  const { update: __, create: ___, ...rest } = adapter
  const own = flatEntity('customer', {
    id: rest.id,
    list: rest.list,
    toUnified: () => ({ externalId: 'own', name: 'own' }),
    get: async () => ({ id: 'own' }),
    create: { longest: { '/name': 5 }, run: async () => ({ id: 'own' }) },
  })
  expect(Object.keys(own).sort()).toEqual(['create', 'get', 'id', 'list', 'toUnified'])
  expect(own.create).toMatchObject({ longest: { '/name': 5 } })
  expect(own.toUnified({ id: '7' }, {} as never).name).toBe('own')
})
