// The requests of the dashboard on an installation with 5 000 accounts and 1 000 000 requests: how long does each one
// take?
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectors } from '../src/platforms/registry.ts'
import { createService } from '../src/service.ts'
import { fillLargeInstall, largeAccountId } from '../test/large-install.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { table } from './report.ts'

export interface DashboardResult {
  database: string
  question: string
  p50Ms: number
  maxMs: number
  rows: number
}
const rounds = 9

function questionsOf(now: number): Record<string, string> {
  const ago = (days: number) => new Date(now - days * 24 * 3600 * 1000).toISOString()
  const account = largeAccountId(4_321)
  return {
    'overview, a day': '/overview',
    'overview, an hour': `/overview?since=${ago(1 / 24)}`,
    'overview, two weeks': `/overview?since=${ago(14)}`,
    'accounts, first page': '/accounts?limit=50',
    'accounts, search': '/accounts?search=harbor&limit=50',
    'accounts, search without result': '/accounts?search=nowhere&limit=50',
    'accounts, platform and state': '/accounts?platform=square&state=reconnect_required',
    'activity, newest': '/activity?limit=50',
    'activity, a week back': `/activity?until=${ago(7)}`,
    'activity of a rarely used account': `/activity?accountId=${account}`,
    'activity of a platform': '/activity?platform=xero',
    'activity, failures': '/activity?status=error',
    'activity, 5xx': '/activity?status=5xx',
    'activity, one code': '/activity?status=downstream_timeout',
    'activity, a code without entries': '/activity?status=partially_written',
    'activity, a platform without entries': '/activity?platform=none',
    'activity, entity, platform and failures': '/activity?platform=toast&entityType=order&status=5xx',
    'activity of a record': '/activity?record=N777',
    'activity, search an external id': '/activity?search=EXT-4242',
    'activity, search an account': `/activity?search=${account}`,
  }
}

async function measure(database: string, databaseUrl: string | undefined, entries: number): Promise<DashboardResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-dashboard-'))
  const adminToken = randomBytes(24).toString('hex')
  const service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: false,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'fatal',
      paceScale: 1,
      maxWaitMs: 1_000,
      callTimeoutMs: 1_000,
      adminToken,
      databaseUrl,
    },
    connectors,
  })
  try {
    const began = performance.now()
    await fillLargeInstall(service.store, { workspaceId: 'large', platforms: Object.keys(connectors), entries })
    const results: DashboardResult[] = [
      {
        database,
        question: `(filling with ${entries} requests)`,
        p50Ms: performance.now() - began,
        maxMs: performance.now() - began,
        rows: entries,
      },
    ]
    for (const [question, path] of Object.entries(questionsOf(Date.now()))) {
      const times: number[] = []
      let rows = 0
      for (let round = 0; round < rounds; round++) {
        const asked = performance.now()
        const response = await service.app.inject({
          url: `/manage/v1/workspaces/large${path}`,
          headers: { authorization: `Bearer ${adminToken}` },
        })
        times.push(performance.now() - asked)
        if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${response.body}`)
        rows = response.json().data?.length ?? response.json().at.length
      }
      times.sort((left, right) => left - right)
      results.push({ database, question, p50Ms: times[Math.floor(rounds / 2)] ?? 0, maxMs: times.at(-1) ?? 0, rows })
    }
    return results
  } finally {
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export async function benchDashboard(entries: number): Promise<DashboardResult[]> {
  const sqlite = await measure('SQLite', undefined, entries)
  const postgres = await startPostgres()
  try {
    return [...sqlite, ...(await measure('PostgreSQL', await freshDatabase(postgres.url), entries))]
  } finally {
    await postgres.stop()
  }
}

export function showDashboard(results: readonly DashboardResult[]): string {
  return table(
    ['database', 'question', 'p50', 'slowest', 'rows'],
    results.map(({ database, question, p50Ms, maxMs, rows }) => [
      database,
      question,
      `${p50Ms.toFixed(1)} ms`,
      `${maxMs.toFixed(1)} ms`,
      String(rows),
    ]),
  )
}
