// The code of docs/sync-a-catalog.md runs here, as it is printed.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, createClient } from '../../packages/client/src/index.ts'
import type { NativeRecords } from '../../src/sandbox/simulator.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const accountId = `square-${vertical}`
let watched: Watched
let products: NativeRecords
let apiKey: string
beforeAll(async () => {
  watched = await createWatched('sqlite', { platform: 'square' })
  products = watched.tenants.find((tenant) => tenant.vertical === vertical)?.records.product as NativeRecords
  const often = { pollSeconds: 30, walkHours: 168 }
  await watched.manage('PUT', '/watches', { entities: { product: often, customer: often } })
  apiKey = (await watched.manage('POST', '/api-keys', { name: 'guide' })).body.key
})
afterAll(() => watched.close())

const block = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/sync-a-catalog.md', 'utf8'))?.[1] ?? ''
const code = block.replace(/^import .*$/m, '')
type Copy = Map<string, { name?: string }>
interface Stored {
  cursor?: string
}
const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>
const run = (copy: Copy, stored: Stored, signal: AbortSignal) =>
  new AsyncFunction('createClient', 'url', 'apiKey', 'accountId', 'copy', 'stored', 'seen', 'signal', code)(
    createClient as (options: never) => Client,
    watched.url,
    apiKey,
    accountId,
    copy,
    stored,
    new Set(),
    signal,
  ).catch((error: Error) => error.name)

const ofProducts = (copy: Copy) => [...copy.keys()].filter((id) => id.startsWith('product ')).toSorted()
const atPlatform = () =>
  products
    .ids()
    .map((id) => `product ${id}`)
    .toSorted()

it('copies all records, follows changes and deletes, resumes from the stored cursor, and starts again after 410', async () => {
  expect(code).toContain('account.copy(')
  const copy: Copy = new Map()
  const stored: Stored = {}
  const first = new AbortController()
  const following = run(copy, stored, first.signal)
  await watched.until('the copy', async () => stored.cursor !== undefined)
  expect(ofProducts(copy)).toEqual(atPlatform())

  const [added = ''] = products.add(1)
  await watched.until('the new record', async () => copy.has(`product ${added}`))
  const before = copy.get(`product ${added}`)?.name
  products.touch(added)
  await watched.until('the change', async () => copy.get(`product ${added}`)?.name !== before)
  first.abort()
  expect(await following).toBe('AbortError')

  // While nothing follows: a record is added and another one is removed.
  const [later = ''] = products.add(1)
  products.remove?.(added)
  await watched.walkNow(vertical, 'product')
  const second = new AbortController()
  const resumed = run(copy, stored, second.signal)
  await watched.until('what was missed', async () => copy.has(`product ${later}`) && !copy.has(`product ${added}`))
  second.abort()
  expect(await resumed).toBe('AbortError')
  expect(ofProducts(copy)).toEqual(atPlatform())

  // The entity is watched again: the cursor expires, and the copy loses what no longer exists.
  await watched.manage('DELETE', `/accounts/${accountId}/watches/product`)
  await watched.manage('DELETE', `/accounts/${accountId}/watches/product?reset=true`)
  copy.set('product gone', {})
  const third = new AbortController()
  const again = run(copy, stored, third.signal)
  await watched.until('a new copy', async () => !copy.has('product gone'))
  expect(ofProducts(copy)).toEqual(atPlatform())
  third.abort()
  expect(await again).toBe('AbortError')
})
