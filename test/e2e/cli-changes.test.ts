// unirec watch and unirec changes against a service.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCliHere } from '../cli-here.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'
import { until } from '../until.ts'

const account = 'sandbox-square-restaurant'
const folder = mkdtempSync(join(tmpdir(), 'unified-records-cli-changes-'))
const dataDir = join(folder, 'data')
const state = join(folder, 'changes.cursor')
let service: ServiceHere
const unirec = (words: string[], input?: string) => runCliHere(words, { environment: { DATA_DIR: dataDir }, input })

beforeAll(async () => {
  service = await openServiceHere({ DATA_DIR: dataDir, DATABASE_URL: '' }, ['square'])
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('watches an entity, prints its changes from a stored cursor, and stops', async () => {
  const none = await unirec(['changes', account])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('not_watched')])
  const bad = await unirec(['watch', 'set', account, 'customer', '--poll-seconds', '5'])
  expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('--poll-seconds')])
  const set = await unirec(['watch', 'set', account, 'customer', '--poll-seconds', '30'])
  expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('is watched') })

  // Waits for the first walk.
  const first = await unirec(['changes', account, '--state', state])
  expect(first).toMatchObject({ code: 0, stdout: '' })
  expect(existsSync(state)).toBe(true)
  const list = await unirec(['watch', 'list', account])
  expect(list.stdout).toMatch(/^customer +\d+ records, complete until .*set by the account$/m)
  expect(list.stdout).toMatch(/^product +not watched$/m)

  await unirec(['push', account, 'customer', '-'], `${JSON.stringify({ externalId: 'C-1', name: 'Ada' })}\n`)
  const lines = await until('a change', async () => {
    const { stdout } = await unirec(['changes', account, '--entity', 'customer', '--state', state])
    return stdout !== '' && stdout
  })
  expect(JSON.parse(lines.split('\n')[0] as string)).toMatchObject({
    operation: 'created',
    origin: 'write',
    sourceExternalId: 'C-1',
    record: { name: 'Ada' },
  })
  expect((await unirec(['changes', account, '--cursor', 'x', '--state', state])).code).toBe(2)
  expect((await unirec(['changes', account, '--entity', 'clients'])).stderr).toContain('product, order, customer')

  expect((await unirec(['watch', 'stop', account, 'customer'])).code).toBe(0)
  const cursor = readFileSync(state, 'utf8')
  const expired = await unirec(['changes', account, '--state', state])
  expect([expired.code, expired.stderr]).toEqual([1, expect.stringContaining('cursor_expired')])
  expect(readFileSync(state, 'utf8')).toBe(cursor)
})
