// A page without any member where the platform named one.
import { expect, it } from 'vitest'
import type { Connector, NativeRequest } from '../../contract/connector.ts'
import type { Channel, Operation } from './channel.ts'
import { createOutbound, LostAnswer } from './retry.ts'
import { TransportError } from './transport.ts'

const connector = {
  id: 'demo',
  name: 'Demo',
  shapes: {
    'GET /rows': { '/rows': 'array?', '/cursor': 'position?' },
    'POST /search': { '/rows': 'array?', '/cursor': 'position?' },
    'GET /strict': { '/rows': 'array', '/cursor': 'position?' },
  },
  readError: () => undefined,
} as unknown as Connector

function setUp(...answers: (object | 'lost')[]) {
  const notes: string[] = []
  let sent = 0
  const channel = {
    attempt: async () => {
      const answer = answers[Math.min(sent++, answers.length - 1)]
      if (answer === 'lost') throw new TransportError('reset', { sent: true, timeout: false })
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        bytes: Buffer.from(JSON.stringify(answer)),
      }
    },
    retrying: async (_: unknown, note: string) => void notes.push(note),
  } as unknown as Channel
  const operation = { account: {}, connector, context: {}, patient: false } as unknown as Operation
  const outbound = createOutbound(channel, 0)
  const read = (request: NativeRequest) => outbound.send(operation, request, 'read')
  return { outbound, operation, notes, read, sent: () => sent }
}
const later: NativeRequest[] = [
  { method: 'GET', path: '/rows', query: { cursor: 'c1' } },
  { method: 'POST', path: '/search', body: { cursor: 'c1', limit: 5 } },
]
const first: NativeRequest[] = [
  { method: 'GET', path: '/rows', query: { cursor: undefined } },
  { method: 'POST', path: '/search', body: { limit: 5 } },
]

it.each(later)('reads it once more, and takes what comes then: $method', async (request) => {
  const { read, notes, operation, sent } = setUp({}, { rows: [1] })
  expect((await read(request)).body).toEqual({ rows: [1] })
  expect(sent()).toBe(2)
  expect(notes).toEqual(['the platform named this page, and it is empty: it is read once more'])
  expect(operation.doubtful).toBeUndefined()
})
it.each(later)('believes it the second time, and notes that: $method', async (request) => {
  const { read, operation, sent } = setUp({})
  expect((await read(request)).body).toEqual({})
  expect([sent(), operation.doubtful]).toEqual([2, true])
})
it('does not believe it if the second response is lost', async () => {
  const { read, operation } = setUp({}, 'lost')
  await expect(read(later[0]!)).rejects.toThrow(LostAnswer)
  expect(operation.doubtful).toBeUndefined()
})
it.each(first)('believes the first page at once: $method', async (request) => {
  const { read, operation, sent } = setUp({})
  expect((await read(request)).body).toEqual({})
  expect([sent(), operation.doubtful]).toEqual([1, undefined])
})
it.each([{ rows: [] }, { rows: [1] }, { cursor: 'c2' }])('makes one call for a later page with %j', async (body) => {
  const { read, sent } = setUp(body)
  expect((await read(later[0]!)).body).toEqual(body)
  expect(sent()).toBe(1)
})
it('never believes it where the list must be there', async () => {
  const { read } = setUp({})
  await expect(read({ method: 'GET', path: '/strict', query: { cursor: 'c1' } })).rejects.toThrow(LostAnswer)
})
it('shows a caller of the native API what the platform sent first', async () => {
  const { outbound, operation, sent } = setUp({})
  expect((await outbound.sendRaw(operation, later[0]!, 'read')).body).toBe('{}')
  expect(sent()).toBe(1)
})
