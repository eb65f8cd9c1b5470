// A token that lacks a scope is refused like one that has expired. Renewing it does not help, and platforms count
// renewals.
import { expect, it } from 'vitest'
import type { Connector } from '../../contract/connector.ts'
import type { Account, Store } from '../../store/store.ts'
import type { EngineOptions } from '../options.ts'
import { createChannel, type Operation } from './channel.ts'
import { createCredentials } from './credentials.ts'
import { createMemorySlots } from './pacing/memory-slots.ts'
import { createPacer } from './pacing/pacer.ts'
import { createOutbound } from './retry.ts'

const connector = {
  id: 'demo',
  name: 'Demo',
  limit: [{ requests: 1000, seconds: 1 }],
  origins: { api: 'https://api.example.com' },
  auth: [
    {
      kind: 'oauth2',
      refresh: { path: '/token', encoding: 'form', fields: {} },
      answer: { access: '/access_token' },
      refreshToken: 'reusable',
    },
  ],
  frame: {},
  readError: ({ status }: { status: number }) => (status === 401 ? { kind: 'token', message: 'no' } : undefined),
} as unknown as Connector

function setUp(paceScale: number) {
  let account = {
    id: 'a',
    platform: 'demo',
    auth: 'oauth2',
    state: 'active',
    settings: {},
    credentials: { accessToken: 't0', refreshToken: 'r' },
    revision: 1,
  } as unknown as Account
  let renewals = 0
  const accepted = new Set<string>()
  const update = async (_: string, change: Partial<Account>) => {
    account = { ...account, ...change }
    return account
  }
  const options = {
    connectors: { demo: connector },
    store: {
      accounts: { get: async () => account, update },
      leases: { acquire: async () => true, release: async () => {} },
    } as unknown as Store,
    pacer: createPacer(createMemorySlots({ scale: 1 })),
    paceScale,
    callTimeoutMs: 1000,
    instance: 'i',
    transport: {
      async exchange({ path, headers }: { path: string; headers: Record<string, string> }) {
        if (path === '/token')
          return { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify({ access_token: `t${++renewals}` })) }
        return accepted.has(headers['x-token'] ?? '')
          ? { status: 200, headers: {}, bytes: Buffer.from('{}') }
          : { status: 401, headers: {}, bytes: Buffer.from('{}') }
      },
      close: async () => {},
    },
  } as unknown as EngineOptions
  const outbound = createOutbound(createChannel(options, createCredentials(options)), paceScale)
  const ask = (how: 'send' | 'sendRaw' = 'send') => {
    const operation = {
      account,
      connector,
      context: { requestId: 'r', caller: 'c', maxWaitMs: 1000 },
      patient: false,
    } as Operation
    const headers = { 'x-token': account.credentials.accessToken as string }
    return outbound[how](operation, { method: 'GET', path: '/x', headers }, 'read').then(
      () => 'answered',
      ({ error }) => error.kind as string,
    )
  }
  return {
    ask,
    renewals: () => renewals,
    accept: (token: string) => accepted.add(token),
    reconnect: (accessToken: string) => update('a', { credentials: { accessToken, refreshToken: 'r' } }),
  }
}

it('is renewed once, not once per request', async () => {
  const { ask, renewals } = setUp(1)
  expect([await ask(), await ask('sendRaw'), await ask()]).toEqual(['reconnect', 'reconnect', 'reconnect'])
  expect(renewals()).toBe(1)
})
it('is tried again after a while, and at once when it is another token', async () => {
  const patient = setUp(0)
  await patient.ask()
  await patient.ask()
  expect(patient.renewals()).toBe(2)
  const { ask, renewals, reconnect, accept } = setUp(1)
  await ask()
  await reconnect('other')
  await ask()
  expect(renewals()).toBe(2)
  accept('good')
  await reconnect('good')
  expect([await ask(), renewals()]).toEqual(['answered', 2])
})
