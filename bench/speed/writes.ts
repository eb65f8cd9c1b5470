// A POST with journal, references and exactly-once, against a POST that is only mapped and forwarded, and against one
// that is mapped, journaled and forwarded: what exactly-once costs at least on this machine. The last one is measured
// with the least that a journal can store, and with the journal of the service.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { associatedData, openJson, sealJson } from '../../src/store/sealed-json.ts'
import { createVault } from '../../src/store/vault.ts'
import { freshDatabase } from '../../test/postgres.ts'
import type { ServiceProcess } from '../../test/service-process.ts'
import type { Stage } from './processes.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'

export const customer = JSON.stringify({ externalId: 'B-#', name: 'Ada Lovelace', email: 'b#@example.com' })
const json = { 'content-type': 'application/json' }
const account = 'sandbox-square-restaurant'
const manyAccounts = 200

interface Case {
  name: string
  target: number
  processorTarget?: number // milliseconds of a write
  accounts: number
  postgres: boolean
}
const cases: Case[] = [
  { name: 'SQLite, synchronous=FULL', target: 0.6, accounts: 1, postgres: false },
  { name: 'PostgreSQL', target: 0.25, processorTarget: 1.5, accounts: 1, postgres: true },
  { name: `PostgreSQL, ${manyAccounts} accounts`, target: 0.35, accounts: manyAccounts, postgres: true },
]

/** Accounts of different businesses at the same simulator: each has windows of its own. */
export async function addAccounts(databaseUrl: string, key: Buffer, count: number): Promise<void> {
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const vault = createVault([key])
  const own = (id: string) => associatedData('accounts', 'credentials', [id])
  try {
    const { rows } = await database.query('select * from accounts where id = $1', [account])
    const { credentials, ...row } = rows[0] as Record<string, unknown> & { credentials: string }
    const opened = openJson(vault, credentials, own(account))
    for (let number = 0; number < count; number++) {
      const id = `bench-${number}`
      const values = { ...row, id, business: id, credentials: sealJson(vault, opened, own(id)) }
      await database.query(
        `insert into accounts (${Object.keys(values).join(', ')}) values (${Object.keys(values).map((_, index) => `$${index + 1}`)})`,
        Object.values(values),
      )
    }
  } finally {
    await database.end()
  }
}

/** Seconds of processor time that a process has used so far; not a number where the system does not tell. */
function processorSeconds({ child }: ServiceProcess): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

export async function compareWrites(
  stage: Stage,
  count: number,
  seconds: number,
  postgresUrl: string,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, target, processorTarget, accounts, postgres } of cases) {
    const key = randomBytes(32)
    const databaseUrl = postgres ? await freshDatabase(postgresUrl) : undefined
    const start = async (url: string | undefined) => {
      const started = await stage.service({
        SANDBOX_URL: stage.direct,
        ENCRYPTION_KEY: key.toString('base64'),
        ...(url ? { DATABASE_URL: url } : {}),
      })
      if (accounts > 1 && url) await addAccounts(url, key, accounts)
      return started
    }
    // Another database with the same accounts, whose service ends before its journal is used.
    const ownUrl = postgres ? await freshDatabase(postgresUrl) : undefined
    const first = await start(ownUrl)
    await first.kill()
    const proxy = await stage.proxy(stage.direct, databaseUrl ?? join(stage.directory(), 'journal.sqlite'), {
      dataDir: first.dataDir,
      ...(ownUrl ? { databaseUrl: ownUrl } : {}),
      key: key.toString('base64'),
      accounts: accounts > 1 ? Array.from({ length: accounts }, (_, number) => `bench-${number}`) : [account],
    })
    const service = await start(databaseUrl)
    const sides = {
      service: {
        url: `${service.url}/unified/${accounts > 1 ? 'bench-{n}' : account}/customer`,
        spread: accounts,
        headers: { ...json, authorization: `Bearer ${service.sandboxFile().apiKey}` },
      },
      forward: { url: `${proxy}/forward`, headers: json },
      journaled: { url: `${proxy}/journaled`, headers: json },
      ownJournal: { url: `${proxy}/own-journal`, headers: json },
    }
    const names = Object.keys(sides) as (keyof typeof sides)[]
    const processor: number[] = []
    const load = async (side: keyof typeof sides, length: number) => {
      const before = processorSeconds(service)
      const measured = await stage.load({
        ...sides[side],
        method: 'POST',
        body: customer,
        seconds: length,
        connections: 50,
      })
      if (side === 'service')
        processor.push(((processorSeconds(service) - before) * 1000) / (measured.perSecond * length))
      return measured
    }
    for (const side of names) await load(side, seconds * 4) // warmed up
    processor.length = 0
    const measured = await rounds(count, names, (side) => load(side, seconds))
    if (names.some((side) => measured[side].some(({ failed }) => failed > 0))) throw new Error('writes failed')
    await service.kill()
    const perSecond = (side: keyof typeof sides) => measured[side].map((round) => round.perSecond)
    const [ours, theirs] = [perSecond('service'), perSecond('forward')]
    const [journaled, ownJournal] = [perSecond('journaled'), perSecond('ownJournal')]
    const share = ratio(ours, theirs)
    findings.push({
      title: `Write throughput against a bare forwarding POST (${name})`,
      target: `>= ${target.toFixed(2)}`,
      reached: share.median >= target,
      ratio: share,
      figures: {
        'this service': `${series(ours).median.toFixed(0)} writes/s`,
        'bare forward': `${series(theirs).median.toFixed(0)} writes/s`,
        'bare forward with a journal': `${series(journaled).median.toFixed(0)} writes/s`,
        "bare forward with the service's journal": `${series(ownJournal).median.toFixed(0)} writes/s`,
        'processor time of a write in the service': `${series(processor).median.toFixed(2)} ms${processorTarget ? ` (target <= ${processorTarget})` : ''}`,
      },
      bars: [
        { label: 'this service', value: series(ours).median, unit: 'writes/s' },
        { label: 'bare forward', value: series(theirs).median, unit: 'writes/s' },
        { label: 'bare forward with a journal', value: series(journaled).median, unit: 'writes/s' },
        { label: "bare forward with the service's journal", value: series(ownJournal).median, unit: 'writes/s' },
      ],
    })
    findings.push(
      {
        title: `Write throughput against a bare forward with a journal (${name})`,
        ratio: ratio(ours, journaled),
        figures: {},
      },
      {
        title: `A bare forward with a journal against one without (${name})`,
        ratio: ratio(journaled, theirs),
        figures: {},
      },
      {
        title: `A bare forward with the service's journal against one without (${name})`,
        ratio: ratio(ownJournal, theirs),
        figures: {},
      },
    )
  }
  return findings
}
