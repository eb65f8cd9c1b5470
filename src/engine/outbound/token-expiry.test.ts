// When a token expires, on our clock, whatever clock the platform has and whatever it sends.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connector, TokenAnswer } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import type { EngineOptions } from '../options.ts'
import { createCredentials } from './credentials.ts'
import { createTransport } from './transport.ts'

const minute = 60_000
const hour = 60 * minute
let response: { date?: string; body: object } = { body: {} }
const platform = createServer((_, reply) => {
  reply.sendDate = false
  if (response.date !== undefined) reply.setHeader('date', response.date)
  reply.end(JSON.stringify({ access_token: 't', ...response.body }))
})
const transport = createTransport()
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
})
afterAll(async () => {
  await transport.close()
  platform.close()
})

/** In whole minutes from now; undefined if it is unknown. */
async function minutesLeft(expires: TokenAnswer['expires'], body: object, date?: string): Promise<number | undefined> {
  response = { body, date }
  const connector = {
    id: 'demo',
    name: 'Demo',
    auth: [
      {
        kind: 'client_credentials',
        login: { path: '/', encoding: 'form', fields: {} },
        answer: { access: '/access_token', expires },
      },
    ],
  } as unknown as Connector
  const options = {
    connectors: { demo: connector },
    store: {},
    transport,
    callTimeoutMs: 5000,
    originOverride: () => origin,
  }
  const account = {
    id: 'a',
    platform: 'demo',
    auth: 'client_credentials',
    settings: {},
    credentials: {},
  } as unknown as Account
  const credentials = createCredentials(options as unknown as EngineOptions)
  const { expiresAt } = await credentials.exchange(
    account,
    connector,
    {},
    { requestId: 'r', caller: 'c', maxWaitMs: 0 },
  )
  return expiresAt === undefined ? undefined : Math.round((Date.parse(expiresAt) - Date.now()) / minute)
}
const unix = { at: '/at', as: 'unix' } as const
const iso = { at: '/at', as: 'iso' } as const
const httpDate = (aheadMs: number) => new Date(Date.now() + aheadMs).toUTCString()
const seconds = (aheadMs: number) => Math.round((Date.now() + aheadMs) / 1000)
const text = (aheadMs: number) => new Date(Date.now() + aheadMs).toISOString()

it.each([-3 * hour, 0, 3 * hour])('judges an instant by the clock of the platform, %i ms from ours', async (ahead) => {
  expect(await minutesLeft(unix, { at: seconds(ahead + hour) }, httpDate(ahead))).toBe(60)
  expect(await minutesLeft(iso, { at: text(ahead + hour) }, httpDate(ahead))).toBe(60)
  expect(await minutesLeft({ in: '/in' }, { in: 3600 }, httpDate(ahead))).toBe(60)
})
it('takes an instant as it is if the response has no valid date', async () => {
  expect(await minutesLeft(unix, { at: seconds(hour) })).toBe(60)
  expect(await minutesLeft(unix, { at: seconds(hour) }, 'yesterday')).toBe(60)
})
it.each([
  ['no value', {}],
  ['text', { at: 'soon', in: 'soon' }],
  ['more than a date can hold', { at: 1e18, in: 1e18 }],
])('does not know the expiry of a token with %s', async (_, body) => {
  expect(await minutesLeft(unix, body, httpDate(0))).toBeUndefined()
  expect(await minutesLeft({ in: '/in' }, body, httpDate(0))).toBeUndefined()
})
