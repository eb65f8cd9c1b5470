import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { dashboardRoutes } from './dashboard.ts'
import { docsRoutes } from './docs.ts'
import { installProblems } from './problem.ts'

const folder = mkdtempSync(join(tmpdir(), 'unified-records-dist-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function open() {
  const app = Fastify()
  installProblems(app, () => '')
  void app.register(async (scope) => dashboardRoutes(scope, join(folder, 'dist')))
  void app.register(async (scope) => docsRoutes(scope, join(folder, 'docs')))
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

it('serves the documentation, by the names of its files with and without their ending', async () => {
  const get = open()
  expect([(await get('/docs/')).statusCode, (await get('/docs/')).body]).toEqual([
    503,
    expect.stringContaining('not built'),
  ])
  mkdirSync(join(folder, 'docs/platforms'), { recursive: true })
  writeFileSync(join(folder, 'docs/index.html'), 'home')
  writeFileSync(join(folder, 'docs/platforms/square.html'), 'square')
  writeFileSync(join(folder, 'docs/llms.txt'), 'for agents')
  const moved = await Promise.all(['/docs', '/docs/reference', '/llms.txt'].map((path) => get(path)))
  expect(moved.map(({ headers }) => headers.location)).toEqual(['/docs/', '/reference', '/docs/llms.txt'])
  const found = await Promise.all(
    ['/docs/', '/docs/index.html', '/docs/platforms/square', '/docs/platforms/square.html', '/docs/llms.txt'].map(
      async (path) => (await get(path)).body,
    ),
  )
  expect(found).toEqual(['home', 'home', 'square', 'square', 'for agents'])
  const { headers } = await get('/docs/')
  expect(headers['content-security-policy']).toMatch(/^default-src 'self';(?!.*unsafe)/)
  expect([(await get('/docs/no-such')).statusCode, (await get('/docs/no-such')).headers['content-type']]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
  // A browser that has the page asks whether it is still the same.
  const etag = String(headers.etag)
  const asked = (tag: string) => get('/docs/', { 'if-none-match': tag })
  expect([(await asked(etag)).statusCode, (await asked(etag)).body]).toEqual([304, ''])
  expect((await asked(`"other", ${etag}`)).statusCode).toBe(304)
  writeFileSync(join(folder, 'docs/index.html'), 'changed')
  utimesSync(join(folder, 'docs/index.html'), 1, 1)
  expect([(await asked(etag)).statusCode, (await asked(etag)).body]).toEqual([200, 'changed'])
})
