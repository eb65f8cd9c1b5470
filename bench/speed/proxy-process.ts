// The baselines: a proxy that passes bytes through, one that only maps, one that only forwards a write. No
// authentication, no pacing, no log, and a journal only for `/journaled` and `/own-journal`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import type { AccountView, Connector, NativeResponse } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { openBareJournal } from './bare-journal.ts'
import { type OwnJournalOptions, openOwnJournal } from './own-journal.ts'

const { ORIGIN = '', TOKEN = '', JOURNAL, OWN_JOURNAL } = process.env
const journal = JOURNAL === undefined ? undefined : await openBareJournal(JOURNAL)
const own = OWN_JOURNAL === undefined ? undefined : await openOwnJournal(JSON.parse(OWN_JOURNAL) as OwnJournalOptions)
const pool = new Pool(ORIGIN, { connections: 64 })
const headers = { authorization: `Bearer ${TOKEN}`, 'square-version': '2025-01-23' }
const square = connectors.square as Connector
const customer = square.entities.customer as unknown as {
  list: { page(call: unknown, query: { size: number }): Promise<{ rows: unknown[] }> }
  toUnified(row: unknown, mapping: { account: AccountView; warn(): void }): unknown
}
const account: AccountView = { id: 'bench', vertical: 'restaurant', settings: {} }
const mapping = { account, warn: () => undefined }

async function native(path: string): Promise<NativeResponse> {
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/square${path}`, headers })
  return { status: statusCode, headers: {}, body: JSON.parse(await body.text()) } as NativeResponse
}
/** A minimal call object for the connector. */
const call = {
  account,
  now: new Date().toISOString(),
  read: (request: { path: string; query?: Record<string, unknown> }) =>
    native(
      `${request.path}?${new URLSearchParams(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined) as [string, string][])}`,
    ),
}

async function passThrough(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await pool.request({
    method: 'GET',
    path: '/square/v2/customers?limit=100&sort_field=CREATED_AT&sort_order=ASC',
    headers,
  })
  response.writeHead(sent.statusCode, { 'content-type': 'application/json' })
  await pipeline(sent.body, response)
}
async function map(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const { rows } = await customer.list.page(call, { size: 100 })
  const data = rows.map((row) => customer.toUnified(row, mapping))
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify({ data, pagination: { hasMore: true } }))
}
type Journaled = (
  externalId: string,
  text: string,
  request: string,
  send: () => Promise<{ id: string; answer: unknown }>,
) => Promise<{ answer: unknown }>
/** Exactly once in one process, and nothing else. */
const bare: Journaled = async (externalId, text, _, send) => {
  await journal?.begin(externalId, text)
  const outcome = await send()
  await journal?.done(externalId, JSON.stringify(outcome.answer))
  return outcome
}
const write =
  (journaled: Journaled = (_, __, ___, send) => send()) =>
  async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { name, email, externalId = '' } = JSON.parse(text) as Record<string, string>
    const body = JSON.stringify({
      idempotency_key: externalId,
      reference_id: externalId,
      given_name: name,
      email_address: email,
    })
    const { answer } = await journaled(externalId, text, body, async () => {
      const sent = await pool.request({
        method: 'POST',
        path: '/square/v2/customers',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const row = ((await sent.body.json()) as { customer: { id: string } }).customer
      return { id: row.id, answer: { success: true, data: customer.toUnified(row, mapping) } }
    })
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
  '/pass': passThrough,
  '/map': map,
  '/forward': write(),
  '/journaled': write(bare),
  '/own-journal': write(own),
}
const server = createServer(
  (request, response) => void routes[request.url ?? '']?.(request, response).catch(() => response.destroy()),
)
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
)
process.on('disconnect', () => process.exit(0))
