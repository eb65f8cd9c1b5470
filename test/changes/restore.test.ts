// A database that is restored from a backup: no cursor from before is valid, and everything is read again at once.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { runCliHere } from '../cli-here.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'

const account = 'sandbox-square-restaurant'
const folders: string[] = []
let service: ServiceHere
/** For all starts: a sandbox of each service would simulate every platform. */
let sandbox: Sandbox
beforeAll(async () => {
  const square = simulators.square as CreateSimulator
  sandbox = await createSandbox({ simulators: { square }, size: 'small', paceScale: 0.01 })
})
afterAll(() => sandbox.close())
afterEach(async () => {
  await service?.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const begin = async (environment: Record<string, string>) => {
  service = await openServiceHere({ SANDBOX_URL: sandbox.url, ...environment })
}
const get = async (path: string) => {
  const { apiKey } = service.sandboxFile()
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${service.url}/unified/${account}/changes${path}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: responses of several shapes
  return { status: response.status, body: (await response.json()) as any }
}
const follow = async (cursor: string) => {
  const { status, body } = await get(`?cursor=${encodeURIComponent(cursor)}`)
  return status === 200 ? 'valid' : `${status} ${body.code} ${body.reason}`
}
/** When a walk other than `before` ended. It may have begun in the same second of the platform's clock. */
const lastWalk = async (before?: string): Promise<string> => {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    const { body } = await get('/status')
    const endedAt = body.entities?.customer?.lastWalk?.endedAt
    if (endedAt !== undefined && endedAt !== before) return endedAt
  }
  throw new Error('no walk')
}
/** A cursor of a feed that has had its first walk. */
async function watch(environment: Record<string, string>): Promise<{ cursor: string; walked: string }> {
  await begin(environment)
  const set = await runCliHere(['watch', 'set', account, 'customer', '--walk-hours', '168'], { environment })
  expect(set.stderr).toContain('is watched')
  const walked = await lastWalk()
  return { cursor: (await get('')).body.pagination.cursor, walked }
}
const stop = () => service.stop()

it('is noticed by unirec restore', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-restore-'))
  folders.push(dataDir)
  const environment = { DATA_DIR: dataDir, DATABASE_URL: '' }
  const { cursor, walked } = await watch(environment)
  expect((await runCliHere(['backup', join(dataDir, 'backup')], { environment })).code).toBe(0)
  await stop()
  await begin(environment)
  expect(await follow(cursor)).toBe('valid')
  await stop()
  expect(await runCliHere(['restore', join(dataDir, 'backup')], { environment })).toMatchObject({ code: 0 })
  await begin(environment)
  expect(await follow(cursor)).toBe('410 cursor_expired epoch')
  expect(await lastWalk(walked)).toBeTruthy()
})

it('is noticed at the start on PostgreSQL: a copy, and tables that were made again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-restore-'))
  folders.push(dataDir)
  const server = inject('postgresUrl')
  const url = await freshDatabase(server, inject('postgresTemplate'))
  const environment = { DATA_DIR: dataDir, DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const { cursor, walked } = await watch(environment)
  await stop()
  await begin(environment)
  expect(await follow(cursor)).toBe('valid')
  await stop()

  const copied = { ...environment, DATABASE_URL: await freshDatabase(server, new URL(url).pathname.slice(1)) }
  await begin(copied)
  expect(await follow(cursor)).toBe('410 cursor_expired epoch')
  expect(await lastWalk(walked)).toBeTruthy()
  const next = (await get('')).body.pagination.cursor
  await stop()
  await begin(copied)
  expect(await follow(next)).toBe('valid')
  await stop()

  // As pg_restore --clean does.
  const client = new pg.Client({ connectionString: copied.DATABASE_URL })
  await client.connect()
  await client.query('alter table feeds rename to feeds_before')
  await client.query('create table feeds (like feeds_before including all)')
  await client.query('insert into feeds select * from feeds_before')
  await client.query('drop table feeds_before cascade')
  await client.end()
  await begin(copied)
  expect(await follow(next)).toBe('410 cursor_expired epoch')
})
