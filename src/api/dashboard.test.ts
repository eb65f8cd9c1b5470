import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { dashboardRoutes } from './dashboard.ts'
import { installProblems } from './problem.ts'

const folder = mkdtempSync(join(tmpdir(), 'unified-records-dist-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function open() {
  const app = Fastify()
  installProblems(app, () => '')
  dashboardRoutes(app, join(folder, 'dist'))
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
}

it('serves the built files, compressed where asked, and the page for every address of its own', async () => {
  const get = open()
  expect([(await get('/dashboard')).statusCode, (await get('/dashboard')).body]).toEqual([
    503,
    expect.stringContaining('not built'),
  ])
  mkdirSync(join(folder, 'dist/assets'), { recursive: true })
  writeFileSync(join(folder, 'dist/index.html'), 'first')
  writeFileSync(join(folder, 'dist/assets/app-1.js'), 'let a = 1')
  writeFileSync(join(folder, 'secret.txt'), 'outside')
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/activity/req_1.2'])
    expect((await get(path)).body).toBe('first')
  const script = await get('/dashboard/assets/app-1.js', { 'accept-encoding': 'gzip' })
  expect([
    script.headers['cache-control'],
    script.headers['content-encoding'],
    gunzipSync(script.rawPayload).toString(),
  ]).toEqual(['public, max-age=31536000, immutable', 'gzip', 'let a = 1'])
  expect(
    (await get('/dashboard/assets/app-1.js', { 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding'],
  ).toBeUndefined()
  expect((await get('/dashboard')).headers['cache-control']).toBe('no-cache')
  for (const path of [
    '/dashboard/assets/../../secret.txt',
    '/dashboard/..%2fsecret.txt',
    '/dashboard/%2e%2e/secret.txt',
  ])
    expect((await get(path)).body).not.toBe('outside')
  writeFileSync(join(folder, 'dist/index.html'), 'second')
  utimesSync(join(folder, 'dist/index.html'), 1, 1)
  expect((await get('/dashboard')).body).toBe('second')
})
