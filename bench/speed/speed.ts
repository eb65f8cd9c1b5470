// `npm run bench`: every comparison of docs/performance.md, in one run, and a page with plots.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../test/postgres.ts'
import { table } from '../report.ts'
import { compareGrowth } from './growth.ts'
import { reportPage } from './page.ts'
import { openStage } from './processes.ts'
import { compareReads } from './reads.ts'
import type { Finding, Series, SpeedReport } from './rounds.ts'
import { compareSdks } from './sdks.ts'
import { measureStarts } from './starts.ts'
import { compareWrites } from './writes.ts'

const reportFolder = join(import.meta.dirname, '../report')

export async function benchSpeed(quick: boolean, only?: string): Promise<SpeedReport> {
  const count = quick ? 3 : 5
  const seconds = quick ? 1 : 3
  const began = performance.now()
  const postgres = await startPostgres({ durable: true })
  const stage = await openStage()
  const findings: Finding[] = []
  const parts: Record<string, () => Promise<Finding[]>> = {
    reads: () => compareReads(stage, count, seconds, postgres.url),
    sdks: () => compareSdks(stage, count, quick ? 30 : 100, quick ? 1 : 3),
    writes: () => compareWrites(stage, count, seconds, postgres.url),
    growth: () =>
      compareGrowth(
        stage,
        count,
        quick ? 0.5 : 1.5,
        quick ? { accounts: 10_000, journal: 50_000 } : { accounts: 100_000, journal: 1_000_000 },
      ),
    starts: () => measureStarts(stage, count, postgres.url),
  }
  if (only && !parts[only]) throw new Error(`there is no part "${only}"; there are: ${Object.keys(parts).join(', ')}`)
  try {
    for (const [name, run] of Object.entries(parts)) {
      if (only && name !== only) continue
      console.error(`${name} …`)
      findings.push(...(await run()))
    }
  } finally {
    await stage.close()
    await postgres.stop()
  }
  const report = {
    at: new Date().toISOString(),
    machine: `${cpus().length} cores ${process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    rounds: count,
    seconds: Math.round((performance.now() - began) / 1000),
    findings,
  }
  mkdirSync(reportFolder, { recursive: true })
  writeFileSync(join(reportFolder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(reportFolder, 'index.html'), reportPage(report))
  return report
}

const shown = ({ median, low, high }: Series) => `${median.toFixed(2)}  (${low.toFixed(2)} to ${high.toFixed(2)})`

export function showSpeed({ machine, node, rounds, seconds, findings }: SpeedReport): string {
  const rows = findings.map(({ title, target, reached, ratio, figures }) => [
    title,
    ratio ? shown(ratio) : '',
    target ?? '',
    reached === undefined ? '' : reached ? 'reached' : 'NOT reached',
    Object.entries(figures)
      .map(([label, text]) => `${label} ${text}`)
      .join(', '),
  ])
  return `${machine}, Node ${node}, medians of ${rounds} interleaved rounds, ${seconds} s in total\n\n${table(['comparison', 'ratio (spread)', 'target', '', 'figures'], rows)}\n\nbench/report/index.html has the plots.`
}
