// The disk is full or read-only: reads continue, writes are rejected before the platform is called, and the service
// recovers without a restart.
// For a damaged file, see src/store/sqlite/backup.test.ts and test/e2e/cli.test.ts.
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createLedger, type Ledger, unavailable } from './ledger.ts'

let harness: Harness
let database: DatabaseSync // the service's own connection: both settings belong to a connection
let ledger: Ledger
beforeEach(async () => {
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
    database = this
    return exec.call(this, text)
  }
  try {
    harness = await createHarness({ connectors, simulators, platform: 'square', ownDisk: true, callTimeoutMs: 30_000 })
  } finally {
    DatabaseSync.prototype.exec = exec
  }
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'house' })).body as { key: string }
  ledger = createLedger({
    url: () => harness.url,
    apiKey: () => key,
    accountId: 'square-restaurant',
    ids: () => harness.tenants[0]?.records.customer?.ids() ?? [],
  })
}, 60_000)
afterEach(() => harness.close())

const pages = () => Number(Object.values(database.prepare('pragma page_count').get() ?? {})[0])

it.each([
  [
    'full',
    () => database.exec(`pragma max_page_count = ${pages()}`),
    () => database.exec('pragma max_page_count = 1073741823'),
  ],
  ['read-only', () => database.exec('pragma query_only = on'), () => database.exec('pragma query_only = off')],
])(
  'a disk that becomes %s',
  async (_, fail, recover) => {
    for (let number = 0; number < 5; number++) expect((await ledger.write(`BEFORE-${number}`)).status).toBe(201)
    fail()
    const meanwhile = await refusedWrites()
    expect(meanwhile.refused).toBeGreaterThan(0)
    expect((await harness.call('GET', '/unified/square-restaurant/customer?pageSize=5')).body.data).toHaveLength(5)
    expect((await harness.call('GET', '/unified/square-restaurant')).status).toBe(200)
    expect((await fetch(`${harness.url}/healthz`)).status).toBe(200)
    recover()
    for (let number = 0; number < 5; number++) expect((await ledger.write(`AFTER-${number}`)).status).toBe(201)
    expect(ledger.acknowledged.size).toBe(10 + meanwhile.taken)
    await ledger.verify()
  },
  90_000,
)

/** A full disk still has room in existing pages, so writes continue until it is used up. */
async function refusedWrites(): Promise<{ refused: number; taken: number }> {
  const counts = { refused: 0, taken: 0 }
  for (let number = 0; number < 400 && counts.refused < 3; number++) {
    const written = await ledger.write(`MEANWHILE-${number}`)
    if (written.status === 201) counts.taken++
    else {
      expect(written).toMatchObject(unavailable)
      counts.refused++
    }
  }
  return counts
}
