// Does latency depend on size? The same calls on installations that differ in one respect: accounts, mapping rules,
// journal.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { associatedData, sealJson } from '../../src/store/sealed-json.ts'
import { createVault } from '../../src/store/vault.ts'
import type { ServiceProcess } from '../../test/service-process.ts'
import type { Stage } from './processes.ts'
import { page } from './reads.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'
import { customer } from './writes.ts'

const account = 'sandbox-square-restaurant'

interface Install {
  environment: Record<string, string>
  key: Buffer
}
/** A sandbox that was started once to create its tables, and stopped again. */
async function prepare(stage: Stage, fill: (database: DatabaseSync, key: Buffer) => void): Promise<Install> {
  const key = randomBytes(32)
  const environment = { DATA_DIR: stage.directory(), ENCRYPTION_KEY: key.toString('base64'), SANDBOX_URL: stage.front }
  await (await stage.service(environment)).kill()
  const database = new DatabaseSync(join(environment.DATA_DIR, 'unified-records.sqlite'))
  database.exec('pragma synchronous = off; begin')
  fill(database, key)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
  return { environment, key }
}

function addAccounts(count: number) {
  return (database: DatabaseSync, key: Buffer) => {
    const vault = createVault([key])
    const row = database.prepare('select * from accounts where id = ?').get(account) as Record<string, string>
    const columns = Object.keys(row)
    const insert = database.prepare(`insert into accounts (${columns}) values (${columns.map(() => '?')})`)
    for (let number = 0; number < count; number++) {
      const id = `acc_${number.toString(36).padStart(10, '0')}`
      const credentials = sealJson(vault, { accessToken: 'token' }, associatedData('accounts', 'credentials', [id]))
      insert.run(...Object.values({ ...row, id, credentials }))
    }
  }
}

function addJournal(count: number) {
  return (database: DatabaseSync) => {
    const insert = database.prepare(
      `insert into journal (account_id, entity_type, external_id, write_id, state, content_hash, record, started_at, answer, native_id, detail, holder, lease_until) values ('${account}', 'customer', ?, ?, 'done', 'hash', ?, '2026-01-01T00:00:00.000Z', ?, ?, null, '', 0)`,
    )
    const text = 'x'.repeat(300)
    for (let number = 0; number < count; number++) insert.run(`OLD-${number}`, `w${number}`, text, text, `N${number}`)
  }
}

const fields = {
  '/firstName': '/given_name',
  '/lastName': '/family_name',
  '/email': '/email_address',
  '/phone': '/phone_number',
  '/companyName': '/company_name',
  '/notes': '/note',
  '/address/line1': '/address/address_line_1',
  '/address/city': '/address/locality',
  '/address/state': '/address/administrative_district_level_1',
  '/address/postalCode': '/address/postal_code',
}
const rulesOf = (count: number) =>
  Object.fromEntries(
    Object.entries(fields)
      .slice(0, count)
      .map(([field, from]) => [field, { from }]),
  )

interface Growing {
  what: string
  sizes: readonly number[]
  open(size: number): Promise<{ service: ServiceProcess; read: string; write: string }>
}

export async function compareGrowth(
  stage: Stage,
  count: number,
  seconds: number,
  large: { accounts: number; journal: number },
): Promise<Finding[]> {
  const plain = (service: ServiceProcess) => ({
    service,
    read: service.url + page,
    write: `${service.url}/unified/${account}/customer`,
  })
  const growing: Growing[] = [
    {
      what: 'connected accounts',
      sizes: [10, 1_000, large.accounts],
      open: async (size) => plain(await stage.service((await prepare(stage, addAccounts(size))).environment)),
    },
    {
      what: 'journal rows',
      sizes: [0, large.journal],
      open: async (size) => plain(await stage.service((await prepare(stage, addJournal(size))).environment)),
    },
  ]
  const findings: Finding[] = []
  for (const { what, sizes, open } of growing) {
    const installs = new Map<string, Awaited<ReturnType<Growing['open']>>>()
    for (const size of sizes) installs.set(String(size), await open(size))
    for (const kind of ['read', 'write'] as const) {
      const load = async (size: string, length: number) => {
        const install = installs.get(size) as Awaited<ReturnType<Growing['open']>>
        const headers = {
          authorization: `Bearer ${install.service.sandboxFile().apiKey}`,
          'content-type': 'application/json',
        }
        const measured = await stage.load({
          url: install[kind],
          headers,
          connections: 1,
          seconds: length,
          ...(kind === 'write' ? { method: 'POST' as const, body: customer } : {}),
        })
        if (measured.failed > 0) throw new Error(`${measured.failed} requests failed with ${size} ${what}`)
        return measured.p50Ms
      }
      const names = sizes.map(String)
      for (const name of names) await load(name, Math.min(1, seconds))
      const measured = await rounds(count, names, (name) => load(name, seconds))
      const [smallest, largest] = [names[0] as string, names.at(-1) as string]
      const grown = ratio(measured[largest] as number[], measured[smallest] as number[])
      findings.push({
        title: `p50 of a ${kind} with ${Number(largest).toLocaleString('en')} ${what} against ${smallest}`,
        target: '<= 1.10',
        reached: grown.median <= 1.1,
        ratio: grown,
        figures: Object.fromEntries(
          names.map((name) => [
            `${Number(name).toLocaleString('en')} ${what}`,
            `${series(measured[name] as number[]).median.toFixed(2)} ms`,
          ]),
        ),
      })
    }
    await Promise.all([...installs.values()].map(({ service }) => service.kill('SIGKILL')))
  }
  return [...findings, await compareRules(stage, count, seconds)]
}

/**
 * A mapping has at most one rule per field. More than ten rules are spread over several mappings, and the last one is
 * used.
 */
async function compareRules(stage: Stage, count: number, seconds: number): Promise<Finding> {
  const adminToken = randomBytes(24).toString('hex')
  const service = await stage.service({ ADMIN_TOKEN: adminToken })
  const { accessId, accessSecret } = service.sandboxFile()
  const manage = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/manage/v1/workspaces/sandbox/accounts/${account}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { id: string; key: string }
  }
  const formB = `${service.url}/api/1.0/standalone-link-engine-service`
  const grant = await fetch(`${formB}/oauth/server/access-token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${accessId}:${accessSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await grant.json()) as { access_token: string }
  const sizes = ['1', '10', '100']
  const keys = new Map<string, string>()
  for (const size of sizes) {
    for (let made = 0; made < Number(size); made += 10) {
      const { id } = await manage('/mappings', {
        entityType: 'customer',
        direction: 'read',
        name: `${size} rules`,
        rules: rulesOf(Number(size)),
      })
      keys.set(size, (await manage('/mapping-keys', { mappingId: id })).key)
    }
  }
  const load = async (size: string) => {
    const measured = await stage.load({
      url: `${formB}${page}&mappingKey=${keys.get(size)}`,
      headers: { authorization: `Bearer ${token}` },
      connections: 1,
      seconds,
    })
    if (measured.failed > 0) throw new Error(`${measured.failed} requests failed with ${size} rules`)
    return measured.p50Ms
  }
  for (const size of sizes) await load(size)
  const measured = await rounds(count, sizes, load)
  await service.kill('SIGKILL')
  const grown = ratio(measured['100'] as number[], measured['1'] as number[])
  return {
    title: 'p50 of a read of 100 records with 100 mapping rules against 1',
    target: '<= 1.10',
    reached: grown.median <= 1.1,
    ratio: grown,
    figures: Object.fromEntries(
      sizes.map((size) => [`${size} rules`, `${series(measured[size] as number[]).median.toFixed(2)} ms`]),
    ),
  }
}
