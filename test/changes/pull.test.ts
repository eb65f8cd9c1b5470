// unirec pull --follow and --state, as processes that are killed, against a service in front of a simulator.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdCalls } from '../../src/conformance/held-calls.ts'
import type { NativeRecords, WireRequest } from '../../src/sandbox/simulator.ts'
import { runCliHere } from '../cli-here.ts'
import { startCli } from '../cli-process.ts'
import { createScriptedServer, page, problem } from '../client/scripted-server.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const account = `square-${vertical}`
const folder = mkdtempSync(join(tmpdir(), 'unified-records-pull-'))
const at = (name: string) => join(folder, name)
let watched: Watched
let products: NativeRecords
let customers: NativeRecords
let environment: Record<string, string>

beforeAll(async () => {
  watched = await createWatched('sqlite', { platform: 'square' })
  const { records } = watched.tenants.find((tenant) => tenant.vertical === vertical)!
  products = records.product!
  customers = records.customer!
  const { body } = await watched.manage('POST', '/api-keys', { name: 'pull' })
  environment = { UNIREC_URL: watched.url, UNIREC_API_KEY: body.key }
  await watched.watch({ product: { pollSeconds: 10, walkHours: 1000 } })
})
afterAll(async () => {
  await watched.close()
  rmSync(folder, { recursive: true, force: true })
})
const pull = (...words: string[]) => ['pull', account, ...words]
const run = (...words: string[]) => runCliHere(pull(...words), { environment })
const start = (...words: string[]) => startCli(pull(...words), { environment })

/** Every line must be a record, at any moment. */
const recordsIn = (file: string): Map<string, string> =>
  new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => [JSON.parse(line).externalId, line]),
  )
interface Stored {
  position: { stage: string; records: number; bytes: number }
}
const stateIn = (file: string): Stored | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : undefined
async function isCurrent(file: string, entity: 'product' | 'customer'): Promise<boolean> {
  if (!existsSync(file)) return false
  const found = recordsIn(file)
  if (found.size !== (entity === 'product' ? products : customers).ids().length) return false
  const listed = await watched.listed(vertical, entity)
  return found.size === listed.size && [...listed].every(([id, record]) => found.get(id) === record)
}

it('says how to watch an entity that is not watched, and refuses flags that do not fit together', async () => {
  const out = at('unwatched.ndjson')
  const { code, stderr } = await run('order', '--out', out, '--follow')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`unirec watch set ${account} order`)])
  expect(existsSync(out) || existsSync(`${out}.part`)).toBe(false)
  for (const [words, message] of [
    [['--follow'], 'name it with --out FILE'],
    [['--state', at('s')], 'name that file with --out FILE'],
    [['--follow', '--out', out, '--updated-after', '2026-01-01'], '--updated-after cannot be combined'],
    [['--out', out, '--state', out], 'must be different files'],
    [['--out', out, '--state', `${out}.part`], 'must be different files'],
  ] as const)
    expect(await run('product', ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

it('continues an interrupted list where its state ends, whenever it is killed', async () => {
  customers.add(150)
  const [out, state] = [at('customers.ndjson'), at('customers.state')]
  const words = ['customer', '--out', out, '--state', state, '--page-size', '2']
  const isPage = ({ method, path }: Pick<WireRequest, 'method' | 'path'>) =>
    method === 'GET' && path === '/v2/customers'
  for (const records of [2, 30, 31, 90]) {
    const hasThem = () => (stateIn(state)?.position.records ?? 0) >= records
    // From then on the platform keeps the pages back: the list does not end before the kill.
    const later = holdCalls(watched.sandbox.simulator('square'), (request) => isPage(request) && hasThem())
    const running = start(...words)
    await watched.until(`${records} records`, async () => hasThem())
    await running.kill()
    later.release()
    expect(existsSync(out)).toBe(false)
    // Never ahead of the data.
    expect(readFileSync(`${out}.part`).length).toBeGreaterThanOrEqual(stateIn(state)?.position.bytes ?? Infinity)
  }
  const records = stateIn(state)?.position.records ?? 0
  watched.sandbox.clearCalls('square')
  const { code, stderr } = await run(...words)
  const total = customers.ids().length
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${total} records of ${account} customer in ${out}`)])
  // A list from its beginning takes a call for every two records. The feed makes calls of its own meanwhile.
  expect(records).toBeGreaterThanOrEqual(90)
  expect(watched.sandbox.calls('square').filter(isPage).length).toBeLessThan(total / 2)
  expect(await isCurrent(out, 'customer')).toBe(true)
  expect([existsSync(state), existsSync(`${out}.part`)]).toEqual([false, false])
})

it('keeps a file current through changes, deletes and kills, and reads the list once', async () => {
  const [out, state] = [at('products.ndjson'), at('products.state')]
  const words = ['product', '--out', out, '--state', state, '--follow']
  const first = start(...words)
  await watched.until('a copy', () => isCurrent(out, 'product'))
  await watched.until('its state', async () => stateIn(state)?.position.stage === 'follow')
  await first.kill()
  for (let round = 0; round < 6; round++) {
    const running = start(...words)
    await watched.until('the process', async () => running.stderr().includes('following changes'))
    const [id = ''] = products.add(50)
    products.touch(products.ids()[round] as string)
    if (round % 3 === 2) {
      products.remove?.(id)
      await watched.walkNow(vertical, 'product')
    }
    // In every second round while the file is written again, else somewhere around that.
    if (round % 2 === 0)
      await watched.until('a new file', async () => existsSync(`${out}.part`) || isCurrent(out, 'product'))
    for (const until = performance.now() + round * 50; round % 2 === 1 && performance.now() < until; await sleep(2))
      recordsIn(out)
    expect((await running.kill()).stderr).not.toContain('copied again')
    recordsIn(out)
    expect(stateIn(state)?.position.stage).toBe('follow')
  }
  const running = start(...words)
  await watched.until('the process', async () => running.stderr().includes('following changes'))
  await watched.until('the same records', () => isCurrent(out, 'product'))
  const { code, stderr } = await running.kill('SIGINT')
  expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')])
})

it('keeps a CSV file current', async () => {
  const out = at('products.csv')
  const running = start('product', '--out', out, '--format', 'csv', '--follow')
  await watched.until('a copy', async () => existsSync(out))
  const [added = ''] = products.add(1)
  const [gone = ''] = products.ids()
  products.remove?.(gone)
  await watched.walkNow(vertical, 'product')
  const ids = () => readFileSync(out, 'utf8').split('\r\n').slice(1, -1)
  await watched.until('both changes', async () => {
    const rows = ids()
    return rows.some((row) => row.startsWith(`${added},`)) && !rows.some((row) => row.startsWith(`${gone},`))
  })
  await running.kill()
  const fresh = at('fresh.csv')
  expect((await run('product', '--out', fresh, '--format', 'csv')).code).toBe(0)
  expect(readFileSync(out, 'utf8').split('\r\n').toSorted()).toEqual(
    readFileSync(fresh, 'utf8').split('\r\n').toSorted(),
  )
})

it('copies again when its cursor has expired', async () => {
  const [out, state] = [at('expired.ndjson'), at('expired.state')]
  const running = start('product', '--out', out, '--state', state, '--follow')
  await watched.until('a copy', async () => stateIn(state)?.position.stage === 'follow')
  await watched.service.store.changes.raiseEpochs()
  products.touch(products.ids().at(-1) as string)
  await watched.until('a second copy', () => isCurrent(out, 'product'))
  expect((await running.kill()).stderr).toContain('The list is copied again')
})

it('refuses a state file that is damaged, of another pull, or of another file', async () => {
  const [out, state] = [at('refused.ndjson'), at('refused.state')]
  const running = start('product', '--out', out, '--state', state, '--follow')
  await watched.until('its state', async () => stateIn(state)?.position.stage === 'follow')
  await running.kill()
  const [text, kept] = [readFileSync(out, 'utf8'), readFileSync(state, 'utf8')]
  const follow = (...words: string[]) => run('product', '--out', out, '--state', state, '--follow', ...words)
  const refused = async (message: string, result: ReturnType<typeof run>) => {
    expect(await result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(readFileSync(out, 'utf8')).toBe(text)
  }
  for (const damaged of ['', kept.slice(0, -20), '[]', '{"cursor":"x"}', kept.replace('"feed"', '"seed"')]) {
    writeFileSync(state, damaged)
    await refused('is not a state file of unirec pull, or it is damaged', follow())
    expect(readFileSync(state, 'utf8')).toBe(damaged)
  }
  writeFileSync(state, kept)
  await refused('another pull, with format ndjson. This one has format csv', follow('--format', 'csv'))
  await refused('another pull, with --follow. This one has no --follow', run('product', '--out', out, '--state', state))
  await refused('does not belong to', run('product', '--out', at('other.ndjson'), '--state', state, '--follow'))
  writeFileSync(state, kept.replace(/"feed":"..../, '"feed":"AAAA'))
  await refused('not one of this service and account', follow())
})

it('waits while the service is away, and is the only one to write its file until it is killed', async () => {
  const away = problem(503, 'unavailable', { 'retry-after': '0' })
  const server = await createScriptedServer(({ path, query }, index) => {
    if (path === '/unified/shop') {
      const product = { read: true, write: false, pageLimit: 100 }
      return { body: { vertical: 'retail_pos', name: 'Shop', entities: { product } } }
    }
    if (path.endsWith('/status')) return { body: { entities: { product: { phase: 'ready' } } } }
    if (path.endsWith('/product')) return page([1, 2])
    if (query.cursor === undefined) return { body: { data: [], pagination: { cursor: 'c1', hasMore: false } } }
    if (index < 12) return away
    if (query.cursor === 'c2') return { silent: true }
    const change = { operation: 'deleted', entityType: 'product', externalId: '1' }
    return { body: { data: [change], pagination: { cursor: 'c2', hasMore: false } } }
  })
  const out = at('away.ndjson')
  const words = ['pull', 'shop', 'product', '--out', out, '--follow']
  const running = startCli(words, { environment: { UNIREC_URL: server.url, UNIREC_API_KEY: 'urk_test.secret' } })
  await watched.until('the change', async () => existsSync(out) && !recordsIn(out).has('1'))
  const second = { environment: { UNIREC_URL: server.url, UNIREC_API_KEY: 'urk_test.secret' } }
  expect(await runCliHere(['pull', 'shop', 'product', '--out', out], second)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`another command is writing ${out}`),
  })
  expect(recordsIn(out).has('1')).toBe(false)
  expect((await running.kill()).stderr).toContain('Trying again in 0 s')
  expect((await runCliHere(['pull', 'shop', 'product', '--out', out], second)).code).toBe(0)
  await server.close()
})
