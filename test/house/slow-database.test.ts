// A database that takes five seconds for every response: requests are slow or rejected, none hangs, nothing
// acknowledged is lost, and the service recovers by itself. For a stopped database, see test/e2e/database-away.test.ts.
import { createConnection, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { listenHere } from '../listen.ts'
import { freshDatabase } from '../postgres.ts'
import { createLedger, unavailable } from './ledger.ts'

let harness: Harness
let delayMs = 0
const sockets = new Set<Socket>()
const server = createServer((near) => {
  const far = createConnection(Number(target.port), target.hostname)
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(from)
    from.on('data', (chunk) =>
      from === far && delayMs > 0 ? setTimeout(() => to.write(chunk), delayMs) : to.write(chunk),
    )
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
})
let target: URL

beforeAll(async () => {
  target = new URL(await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')))
  const databaseUrl = new URL(target)
  databaseUrl.search = '' // the limits of an operator who sets none, not the long ones of the tests
  databaseUrl.port = String(await listenHere(server))
  harness = await createHarness({
    connectors,
    simulators,
    platform: 'square',
    databaseUrl: databaseUrl.href,
    callTimeoutMs: 30_000,
  })
})
afterAll(async () => {
  await harness.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

it('a database that takes five seconds for every response delays requests but loses nothing', async () => {
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'house' })).body as { key: string }
  const ids = () => harness.tenants[0]?.records.customer?.ids() ?? []
  const ledger = createLedger({ url: () => harness.url, apiKey: () => key, accountId: 'square-restaurant', ids })
  const keys = (name: string) => Array.from({ length: 5 }, (_, number) => `${name}-${number}`)
  for (const one of keys('BEFORE')) expect((await ledger.write(one)).status).toBe(201)

  const underWay = Promise.all(keys('BETWEEN').map(ledger.write)) // started before, ended while it is slow
  delayMs = 5_000
  const meanwhile = Promise.all(keys('MEANWHILE').map(ledger.write))
  const replies = [...(await underWay), ...(await meanwhile)] // none hangs
  expect((await fetch(`${harness.url}/healthz`)).status).toBe(200)
  delayMs = 0

  for (const reply of replies) if (reply.status !== 201) expect(reply).toMatchObject(unavailable)
  for (const one of keys('AFTER')) expect((await ledger.write(one)).status).toBe(201)
  expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(10)
  await ledger.verify()
})
