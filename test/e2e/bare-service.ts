// The service without sandbox and accounts, with a workspace and its credentials, called without sockets: for tests
// that need no platform.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Limits } from '../../src/api/admission.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { createService } from '../../src/service.ts'
import { copyMigrated } from '../migrated-sqlite.ts'

const generous: Limits = {
  maxInFlight: 1000,
  maxConnections: 1000,
  shedWaitMs: 0,
  credentialConcurrency: 1000,
  credentialPerMinute: 1000,
}
const closing: (() => Promise<void>)[] = []
export async function closeServices(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

interface Sending {
  payload?: object | string
  from?: string
  headers?: Record<string, string>
}
export async function startBare(limits: Partial<Limits> = {}, trustProxy: string[] = [], databaseUrl?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-bare-'))
  if (!databaseUrl) await copyMigrated(dataDir)
  const adminToken = randomBytes(24).toString('hex')
  const service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: false,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'silent',
      paceScale: 1,
      maxWaitMs: 1000,
      callTimeoutMs: 1000,
      adminToken,
      metricsToken: adminToken, // one token for all that the tests look at
      limits: { ...generous, ...limits },
      trustProxy,
      databaseUrl,
    },
    connectors,
    logger: pino({ level: 'silent' }),
  })
  closing.push(async () => {
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  // Sent at once: inject starts only when its promise is awaited.
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    token: string,
    { payload, from = '10.0.0.1', headers = {} }: Sending = {},
  ) =>
    service.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      remoteAddress: from,
      payload,
    })
  const workspace: string = (await send('POST', '/manage/v1/workspaces', adminToken, { payload: { name: 'w' } })).json()
    .id
  const key = async () =>
    (await send('POST', `/manage/v1/workspaces/${workspace}/api-keys`, adminToken, { payload: { name: 'k' } })).json()
  const access = (
    await send('POST', `/manage/v1/workspaces/${workspace}/access-ids`, adminToken, { payload: { name: 'a' } })
  ).json()
  return { service, send, key, access, adminToken, workspace }
}
