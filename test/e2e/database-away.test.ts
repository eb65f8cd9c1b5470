// The database stops, hangs, and returns: requests fail cleanly, nothing acknowledged is lost, nothing is written
// twice, and no restart is needed.
import { randomBytes } from 'node:crypto'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres.ts'
import { DatabaseUnavailable } from '../../src/store/unavailable.ts'
import { createVault } from '../../src/store/vault.ts'
import { listenHere } from '../listen.ts'
import { freshDatabase, type Postgres, startPostgres } from '../postgres.ts'
import { quiet, until } from '../until.ts'

let postgres: Postgres
let harness: Harness
let databaseUrl: string
const base = '/unified/square-restaurant'
const create = (key: string) =>
  harness.call('POST', `${base}/customer`, { externalId: key, name: `Customer ${key}` }, { prefer: 'wait=30' })
const summary = ({ status, body, headers }: Reply) => [status, body.code, headers.get('retry-after')]
const unavailable = [503, 'unavailable', '5']

beforeAll(async () => {
  postgres = await startPostgres({ durable: true })
  databaseUrl = await freshDatabase(postgres.url)
  harness = await createHarness({ connectors, simulators, platform: 'square', databaseUrl })
})
afterAll(async () => {
  await harness?.close()
  await postgres?.stop()
})

it('without the database, reads, writes, the token endpoint and the management API return 503 with Retry-After; afterwards every acknowledged record exists once', async () => {
  const customers = harness.tenants[0]?.records.customer
  const before = customers?.ids().length ?? 0
  const asked = new Set(['AWAY'])
  const acknowledged = new Map<string, string>()
  const replies: Reply[] = []
  let going = true
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; going; number++) {
        const key = `W${writer}-${number}`
        asked.add(key)
        const reply = await create(key)
        replies.push(reply)
        if (reply.status === 201) acknowledged.set(key, reply.body.reference.id)
        else await quiet(50) // as a client does
      }
    }),
  )
  await until('20 records', () => acknowledged.size >= 20)
  await postgres.halt()
  await until('a refused write', () => replies.some(({ status }) => status === 503))
  expect(summary(await harness.call('GET', `${base}/product`))).toEqual(unavailable)
  expect(summary(await create('AWAY'))).toEqual(unavailable)
  expect(summary(await harness.manage('GET', '/accounts'))).toEqual(unavailable)
  expect((await fetch(`${harness.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${harness.url}/healthz`)).status).toBe(200)
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' })
  expect(
    (
      await fetch(`${harness.url}/api/1.0/standalone-link-engine-service/oauth/server/access-token`, {
        method: 'POST',
        body: form,
      })
    ).status,
  ).toBe(503)
  await postgres.resume()
  await expect.poll(async () => (await fetch(`${harness.url}/readyz`)).status).toBe(200)
  const count = acknowledged.size
  await until('10 more records', () => acknowledged.size >= count + 10)
  going = false
  await load

  for (const reply of replies.filter(({ status }) => status !== 201)) expect(summary(reply)).toEqual(unavailable)
  for (const [key, id] of acknowledged) {
    const again = await create(key)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.reference.id]).toEqual([200, 'true', id])
  }
  // The others are retried until they succeed: at most one lease later.
  for (const key of asked) await expect.poll(async () => (await create(key)).status).toBeOneOf([200, 201])
  expect(customers?.ids().length).toBe(before + asked.size)
})

it('queries to a hanging database fail after a few seconds, and the service recovers by itself', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin; lock table lookup_version in access exclusive mode')
  expect(summary(await harness.call('GET', `${base}/product`))).toEqual(unavailable)
  await client.query('rollback')
  await client.end()
  expect((await harness.call('GET', `${base}/product`)).status).toBe(200)
})

it.each([
  ['for a moment', 2, 201],
  ['for long', Number.POSITIVE_INFINITY, 503],
])(
  'a database that stops %s just after the platform accepted a record leaves one record',
  async (duration, attempts, status) => {
    const key = `GONE ${duration}`
    const journals = harness.services.map(({ store }) => store.journal)
    const originals = journals.map(({ stepDone, done, park }) => ({ stepDone, done, park }))
    const customers = harness.tenants[0]?.records.customer
    const before = customers?.ids().length ?? 0
    let left = attempts // that fail
    const away =
      <T extends unknown[], R>(work: (...parameters: T) => Promise<R>) =>
      async (...parameters: T): Promise<R> => {
        if (left-- > 0) throw new DatabaseUnavailable(new Error('away'))
        return work(...parameters)
      }
    for (const journal of journals)
      Object.assign(journal, { stepDone: away(journal.stepDone), done: away(journal.done), park: away(journal.park) })
    try {
      const reply = await create(key)
      expect(reply.status).toBe(status)
      if (status === 503) expect(summary(reply)).toEqual(unavailable)
      left = 0
      await expect.poll(async () => (await create(key)).status).toBe(200)
      expect(customers?.ids().length).toBe(before + 1)
    } finally {
      for (const [index, journal] of journals.entries()) Object.assign(journal, originals[index])
    }
  },
)

/** A network that drops everything from one moment on. */
async function createTunnel(
  target: URL,
): Promise<{ url: string; swallow(yes: boolean): void; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  let swallowing = false
  const server = createServer((near) => {
    const far = createConnection(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => swallowing || to.write(chunk))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  const url = new URL(target)
  url.port = String(await listenHere(server))
  return {
    url: url.href,
    server,
    sockets,
    swallow: (yes) => {
      swallowing = yes
    },
  }
}

it('a connection that stops responding is closed and replaced', async () => {
  const tunnel = await createTunnel(new URL(await freshDatabase(postgres.url)))
  const store = await createPostgresStore({ url: tunnel.url, vault: createVault([randomBytes(32)]) })
  await store.migrate()
  await store.workspaces.create({ id: 'w', name: 'Before' })
  tunnel.swallow(true)
  await expect(store.workspaces.get('w')).rejects.toBeInstanceOf(DatabaseUnavailable)
  tunnel.swallow(false)
  expect((await store.workspaces.get('w'))?.name).toBe('Before') // on a new connection: the old query never ends
  await store.close()
  for (const socket of tunnel.sockets) socket.destroy()
  tunnel.server.close()
})
