// The fuzzed service in a separate process. It reports its errors and memory on request.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createService } from '../../src/service.ts'
import { readerThreads } from '../../src/threads/readers.ts'
import { builtThread } from '../built-thread.ts'
import { memoryFolder } from '../memory-folder.ts'
import { paceScale, type Question, type Report, type Started } from './service-process.ts'

const { HOSTILE_URL, SANDBOX_URL, DATABASE_URL } = process.env
const dataDir = mkdtempSync(join(memoryFolder, 'unified-records-fuzz-'))
/** For the routes that inject faults: not the sandbox that the rest of the run uses. */
const decoy = await createSandbox({ simulators: {}, size: 'small' })
const adminToken = randomBytes(24).toString('hex')
const password = randomBytes(12).toString('hex')

const faults: string[] = []
const note = (kind: string) => (error: unknown) =>
  void faults.push(`${kind}: ${error instanceof Error ? error.stack : String(error)}`)
process.on('unhandledRejection', note('unhandled rejection'))
process.on('uncaughtException', note('uncaught exception'))
const errors = new Writable({
  write(chunk, _, done) {
    const { level, code, err } = JSON.parse(String(chunk)) as { level: number; code?: string; err?: { stack?: string } }
    if (level >= 50) faults.push(`${code ?? 'error'} logged: ${err?.stack ?? String(chunk)}`)
    done()
  },
})
const encryptionKeys = [randomBytes(32)]
const service = await createService({
  config: {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    ...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}),
    sandbox: true,
    encryptionKeys,
    logLevel: 'error',
    paceScale,
    maxWaitMs: 5_000,
    callTimeoutMs: 60_000, // slowness is not what is looked for
    adminToken,
    trustProxy: ['loopback'],
    activityDays: 1,
    // Everything on, no load shedding: that has its own tests.
    limits: {
      maxInFlight: 100_000,
      maxConnections: 100_000,
      shedWaitMs: 0,
      credentialConcurrency: 100_000,
      credentialPerMinute: 100_000_000,
    },
  },
  connectors,
  readers: readerThreads(builtThread('reader'), { encryptionKeys, paceScale }, 1, 1),
  originOverride: ({ id, platform }) =>
    id.startsWith('hostile-') ? `${HOSTILE_URL}/${id}/${platform}` : `${SANDBOX_URL}/${platform}`,
  logger: pino({ level: 'error' }, errors),
  sandboxUrl: decoy.url,
})
await service.store.users.put({ name: 'operator', passwordHash: await hashPassword(password) })
const url = await service.listen()

const reports: Record<Question, () => unknown | Promise<unknown>> = {
  faults: () => faults.splice(0),
  async rest(): Promise<Report> {
    globalThis.gc?.()
    const connections = await new Promise<number>((resolve, reject) =>
      service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return {
      connections,
      rss,
      heapUsed,
      cpuSeconds: (user + system) / 1e6,
      threadReads: service.engine.readThreads().reads,
    }
  },
}
process.on('message', async ({ id, question }: { id: number; question: Question }) =>
  process.send?.({ id, response: await reports[question]() }),
)
process.once('disconnect', async () => {
  await service.close()
  await decoy.close()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
})
process.send?.({ started: { url, adminToken, user: 'operator', password } satisfies Started })
