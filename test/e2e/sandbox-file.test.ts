// DATA_DIR/sandbox.json is there when the sandbox is ready, and has the same credentials after every start.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { SandboxFile } from '../../src/sandbox-workspace.ts'
import { hideSandboxFile } from '../../src/sandbox-workspace.ts'
import type { Service } from '../../src/service.ts'
import { assembleService, joinSandbox, openService } from '../../src/start.ts'
import { copyMigrated } from '../migrated-sqlite.ts'

let dataDir: string
let file: string
let sandbox: Sandbox
let service: Service
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'unified-records-sandbox-file-'))
  file = join(dataDir, 'sandbox.json')
  await copyMigrated(dataDir)
  const { square } = simulators
  sandbox = await createSandbox({ simulators: { square: square! }, size: 'small' })
})
afterEach(async () => {
  await service.close()
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const known = () => JSON.parse(readFileSync(file, 'utf8')) as SandboxFile
/** As `start` does it; `during` runs while the accounts are connected. */
async function start(during: () => Promise<void> = async () => {}): Promise<void> {
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'fatal', DATABASE_URL: '' })
  hideSandboxFile(dataDir)
  const joined = await joinSandbox(sandbox.url)
  service = await assembleService(config, joined)
  const { put } = service.store.platformApps
  service.store.platformApps.put = async (app) => {
    await during()
    return put(app)
  }
  await openService(service, config, joined)
}
const logIn = async () => {
  const { url, user, password } = known().dashboard
  const response = await fetch(new URL('/manage/v1/sessions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, password }),
  })
  return response.status
}
const credentialsOf = ({ apiKey, accessId, accessSecret, dashboard: { user, password } }: SandboxFile) => ({
  apiKey,
  accessId,
  accessSecret,
  user,
  password,
})

it('is there when the service is ready, and not before, at every start', async () => {
  const seen: { status: number; body: unknown; exists: boolean }[] = []
  const look = async () => {
    const response = await fetch(`${service.url()}/readyz`)
    seen.push({ status: response.status, body: await response.json(), exists: existsSync(file) })
  }
  for (const round of [1, 2]) {
    seen.length = 0
    await start(look)
    await look()
    expect(seen, `start ${round}`).toMatchObject([
      ...seen.slice(1).map(() => ({ status: 503, body: { detail: 'The sandbox is not ready yet.' }, exists: false })),
      { status: 200, exists: true },
    ])
    expect(seen.length).toBeGreaterThan(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    if (round === 1) await service.close()
  }
})

it('has the credentials of an earlier start that was interrupted, and they work', async () => {
  const interrupted = start(() => Promise.reject(new Error('the power failed')))
  await expect(interrupted).rejects.toThrow('the power failed')
  expect(existsSync(file)).toBe(false)
  await service.close()
  await start()
  const first = known()
  expect(first.dashboard.user).toBe('admin')
  expect(await logIn()).toBe(201)
  await service.close()
  await expect(start(() => Promise.reject(new Error('the power failed again')))).rejects.toThrow('again')
  await service.close()
  await start()
  expect(credentialsOf(known())).toEqual(credentialsOf(first))
  expect(await logIn()).toBe(201)
})
