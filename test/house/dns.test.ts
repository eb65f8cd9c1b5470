// Names cannot be resolved for a while: the error names the platform, no outcome is unknown, and the account works
// again afterwards.
import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { createService, type Service } from '../../src/service.ts'
import { createLedger } from './ledger.ts'

let sandbox: Sandbox
let service: Service
let url: string
let away = false
const asked: string[] = []
const adminToken = randomBytes(24).toString('hex')
const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-dns-'))
const { lookup } = dns

beforeAll(async () => {
  const failing = (name: string, options: never, done: (error: NodeJS.ErrnoException | null) => void) => {
    if (isIP(name)) return lookup(name, options, done)
    asked.push(name)
    done(Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }))
  }
  dns.lookup = failing as never
  syncBuiltinESMExports()
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    sandbox: true,
    encryptionKeys: [randomBytes(32)],
    logLevel: 'silent',
    paceScale: 0.01,
    maxWaitMs: 10_000,
    callTimeoutMs: 30_000,
    adminToken,
  }
  // While names fail, the account is called at the platform's own host, through the guarded lookup.
  service = await createService({
    config,
    connectors,
    originOverride: ({ platform }) => (away ? undefined : sandbox.origin(platform)),
    logger: pino({ level: 'silent' }),
  })
  url = await service.listen()
})
afterAll(async () => {
  dns.lookup = lookup
  syncBuiltinESMExports()
  await service.close()
  await sandbox.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('names that cannot be resolved', async () => {
  const manage = async (path: string, body: unknown) =>
    (await (
      await fetch(`${url}/manage/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()) as Record<string, string>
  const { id: workspaceId } = await manage('/workspaces', { name: 'House' })
  const { key } = await manage(`/workspaces/${workspaceId}/api-keys`, { name: 'house' })
  const [tenant] = sandbox.simulator('square').tenants
  const { vertical, credentials, settings } = tenant as NonNullable<typeof tenant>
  await manage(`/workspaces/${workspaceId}/accounts`, {
    id: 'shop',
    platform: 'square',
    vertical,
    credentials,
    settings,
  })
  const ledger = createLedger({
    url: () => url,
    apiKey: () => key as string,
    accountId: 'shop',
    ids: () => tenant?.records.customer?.ids() ?? [],
  })
  const read = async () => {
    const response = await fetch(`${url}/unified/shop/customer?pageSize=2`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return [
      response.status,
      ((await response.json()) as { code?: string; downstream?: { platform: string } }).downstream?.platform,
    ]
  }

  for (const number of [1, 2, 3]) expect((await ledger.write(`BEFORE-${number}`)).status).toBe(201)
  away = true
  expect(await read()).toEqual([502, 'square'])
  for (const number of [1, 2, 3])
    expect(await ledger.write(`MEANWHILE-${number}`)).toMatchObject({ status: 502, code: 'downstream_error' })
  expect(new Set(asked)).toEqual(new Set(['connect.squareup.com']))
  away = false
  expect(await read()).toEqual([200, undefined])
  // Provably never sent, so the keys were free again at once.
  for (const number of [1, 2, 3]) expect((await ledger.write(`MEANWHILE-${number}`)).status).toBe(201)
  await ledger.verify()
})
