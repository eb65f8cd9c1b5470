// `unirec pull` of many records: how much memory do the command line and the service use, and how fast is it compared
// with a plain loop over the pages?
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startService } from '../test/service-process.ts'
import { table } from './report.ts'

const account = 'sandbox-square-restaurant'
/** Without pacing: no machine makes 5 calls in a tenth of a millisecond. */
const paceScale = '0.0001'

export interface PullResult {
  records: number
  perSecond: number // by the command line
  loopPerSecond: number // by the loop, before and after
  ratio: number
  cliMegabytes: number // maximum
  serviceMegabytes: number
}

/** The maximum memory of a process in megabytes, sampled four times per second. Linux only. */
function watchMemory(pid: number): () => number {
  let most = 0
  const look = () => {
    try {
      most = Math.max(
        most,
        Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      )
    } catch {
      // Ended already.
    }
  }
  const timer = setInterval(look, 250)
  return () => {
    look()
    clearInterval(timer)
    return most
  }
}

async function readInLoop(url: string, apiKey: string, records: number): Promise<number> {
  const pool = new Pool(url, { connections: 1 })
  const began = performance.now()
  let read = 0
  for (let cursor: string | undefined, more = true; more && read < records; more = cursor !== undefined) {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `/unified/${account}/customer?${cursor === undefined ? 'pageSize=100' : `cursor=${encodeURIComponent(cursor)}`}`,
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const page = (await body.json()) as { data: unknown[]; pagination: { cursor?: string } }
    if (statusCode !== 200) throw new Error(`the service returned ${statusCode}: ${JSON.stringify(page)}`)
    read += page.data.length
    cursor = page.pagination.cursor
  }
  await pool.close()
  return read / ((performance.now() - began) / 1000)
}

async function readByCommand(dataDir: string): Promise<{ records: number; perSecond: number; megabytes: number }> {
  const program = join(import.meta.dirname, '../bin/unirec.mjs')
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'pull', account, 'customer'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const memory = watchMemory(child.pid as number)
  let records = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) records++
  if (child.exitCode === null) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`unirec ended with ${child.exitCode}`)
  return { records, perSecond: records / ((performance.now() - began) / 1000), megabytes: memory() }
}

export async function benchPull(count: number): Promise<PullResult> {
  const sandbox = fork(join(import.meta.dirname, 'large-sandbox.ts'), {
    env: { ...process.env, LARGE_COUNT: String(count), PACE_SCALE: paceScale },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-pull-'))
  try {
    const [{ listening }] = (await once(sandbox, 'message')) as [{ listening: string }]
    const service = await startService({ SANDBOX_URL: listening, PACE_SCALE: paceScale, DATA_DIR: dataDir })
    const memory = watchMemory(service.child.pid as number)
    try {
      const { apiKey } = service.sandboxFile()
      const sample = Math.min(count, 100_000)
      await readInLoop(service.url, apiKey, 5_000) // until the code is warm
      const before = await readInLoop(service.url, apiKey, sample)
      const pulled = await readByCommand(dataDir)
      if (pulled.records !== count) throw new Error(`${pulled.records} of ${count} records arrived`)
      const after = await readInLoop(service.url, apiKey, sample)
      const loopPerSecond = (before + after) / 2
      return {
        records: count,
        perSecond: pulled.perSecond,
        loopPerSecond,
        ratio: pulled.perSecond / loopPerSecond,
        cliMegabytes: pulled.megabytes,
        serviceMegabytes: memory(),
      }
    } finally {
      await service.kill('SIGKILL')
    }
  } finally {
    sandbox.disconnect()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export function showPull({
  records,
  perSecond,
  loopPerSecond,
  ratio,
  cliMegabytes,
  serviceMegabytes,
}: PullResult): string {
  return table(
    ['records', 'unirec pull', 'plain loop', 'ratio', 'memory of unirec', 'memory of the service'],
    [
      [
        String(records),
        `${perSecond.toFixed(0)}/s`,
        `${loopPerSecond.toFixed(0)}/s`,
        ratio.toFixed(2),
        `${cliMegabytes.toFixed(0)} MB`,
        `${serviceMegabytes.toFixed(0)} MB`,
      ],
    ],
  )
}
