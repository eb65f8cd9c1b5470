// `unirec doctor` and the metrics warn before a platform may end the version of its API that is used.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../src/api/metrics.ts'
import { daysToReview } from '../../src/contract/review.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { runCliHere } from '../cli-here.ts'
import { listenHere } from '../listen.ts'

const day = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
let reviewBy: string
const folder = mkdtempSync(join(tmpdir(), 'unified-records-doctor-'))
/** Ready, and with one platform. Every credential is right. */
const service = createServer(({ url }, response) => {
  const platform = { platform: 'shopify', name: 'Shopify', apiVersion: { name: '2026-07', reviewBy } }
  const known = url === '/readyz' || url === '/platforms'
  const body = url === '/platforms' ? { data: [platform] } : { code: 'unknown_account', detail: '', status: 404 }
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
let url: string
beforeAll(async () => {
  url = `http://127.0.0.1:${await listenHere(service)}`
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  [-10, true],
  [119, true],
  [130, false],
])('a review in %i days is a warning: %s', async (days, warned) => {
  reviewBy = dayIn(days)
  const environment = { DATA_DIR: folder, UNIREC_URL: url, UNIREC_API_KEY: 'key' }
  const { stdout } = await runCliHere(['doctor', '--no-platforms', '--all'], { environment })
  const line = `warning  platform versions: Shopify may end version 2026-07 of its API after ${reviewBy}`
  if (warned) expect(stdout).toContain(line)
  else expect(stdout).toContain('ok       platform versions: none ends soon')
})

it('counts whole days up to the beginning of the day', () => {
  const at = (text: string) => daysToReview({ name: 'v1', reviewBy: '2027-07-01' }, Date.parse(text))
  expect(at('2027-06-30T00:00:00Z')).toBe(1)
  expect(at('2027-06-30T12:00:00Z')).toBe(0)
  expect(at('2027-07-01T00:00:01Z')).toBe(-1)
})

it('the metrics have the days of every platform', async () => {
  const metrics = createMetrics(() => ({ waiting: () => 0, readThreads: () => ({ threads: 0, reads: 0 }) }))
  metrics.reviews(Object.values(connectors))
  const text = await metrics.registry.metrics()
  for (const { id, apiVersion } of Object.values(connectors))
    expect(text).toContain(`unified_platform_api_review_days{platform="${id}"} ${daysToReview(apiVersion)}`)
})
