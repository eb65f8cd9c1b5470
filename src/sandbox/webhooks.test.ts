import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createState } from './collection.ts'
import { createFaults } from './faults.ts'
import { createWebhookSender } from './webhooks.ts'

const received: string[] = []
const statuses: number[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => {
    body += part.toString()
  })
  request.on('end', () => {
    received.push(body)
    response.writeHead(statuses.shift() ?? 200).end()
  })
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
})
afterAll(() => void server.close())
beforeEach(() => {
  received.length = 0
  statuses.length = 0
})
const setUp = () => {
  const faults = createFaults()
  const sender = createWebhookSender(faults, 0.001, Date.now)
  return { faults, sender, send: (body: string) => sender.send({ url, headers: {}, body }) }
}

it('sends a webhook again until it is accepted, and tells every attempt', async () => {
  const { sender } = setUp()
  statuses.push(500, 503)
  const attempts: number[] = []
  sender.send({ url, headers: {}, body: 'a', retrySeconds: [1, 1, 1], attempted: (status) => attempts.push(status) })
  await expect.poll(() => attempts).toEqual([500, 503, 200])
  expect(received).toEqual(['a', 'a', 'a'])
  expect(sender.sent().map(({ status, attempt }) => [status, attempt])).toEqual([
    [500, 1],
    [503, 2],
    [200, 3],
  ])
})

it('reports status 0 if nothing listens', async () => {
  const { sender } = setUp()
  const attempts: number[] = []
  sender.send({ url: 'http://127.0.0.1:1/', headers: {}, body: 'a', attempted: (status) => attempts.push(status) })
  await expect.poll(() => attempts).toEqual([0])
})

it('loses, repeats, delays and reorders webhooks as faults require', async () => {
  const { faults, send, sender } = setUp()
  faults.add({ kind: 'webhook_lost', times: 1 })
  faults.add({ kind: 'webhook_twice', times: 1, delayMs: 1 })
  send('lost')
  send('twice')
  await expect.poll(() => received).toEqual(['twice', 'twice'])
  faults.add({ kind: 'webhook_reordered', times: 1, delayMs: 60_000 })
  send('first')
  send('second')
  await expect.poll(() => received.slice(2).toSorted()).toEqual(['first', 'second'])
  expect(sender.sent().filter(({ fault }) => fault === 'webhook_reordered')).toHaveLength(1)
  faults.add({ kind: 'webhook_late', times: 1, delayMs: 20 })
  send('late')
  await expect.poll(() => received.at(-1)).toBe('late')
  expect(faults.list()).toEqual([])
})

it('leaves faults of calls alone, and calls the faults of webhooks', () => {
  const faults = createFaults()
  faults.add({ kind: 'webhook_lost' })
  faults.add({ kind: 'html' })
  expect(faults.take({ method: 'GET', path: '/' })?.kind).toBe('html')
  expect(faults.takeWebhook()?.kind).toBe('webhook_lost')
})

it('tells a record that one turn stores twice as one change', async () => {
  const { sender } = setUp()
  const state = createState()
  const told: unknown[] = []
  sender.onChange((change) => told.push(change))
  state.observe(sender.changed)
  const items = state.collection<{ n: number }>('items')
  items.set('1', { n: 1 })
  items.set('1', { n: 2 })
  items.set('2', { n: 1 })
  items.delete('2')
  await expect.poll(() => told).toEqual([{ collection: 'items', id: '1', record: { n: 2 }, before: undefined }])
  items.delete('1')
  await expect.poll(() => told[1]).toEqual({ collection: 'items', id: '1', record: undefined, before: { n: 2 } })
})
