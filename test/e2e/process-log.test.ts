// What the service logs at the default level: start, shutdown and exit, and nothing for each request.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { cliProgram } from '../cli-process.ts'
import { freshDatabase } from '../postgres.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { untilCleared } from '../until.ts'
import { watchProcess } from '../watched-process.ts'

/** Without webhooks, which the platform sends at any moment, also during a shutdown. */
const silent: CreateSimulator = (options) =>
  Object.assign((simulators.square as CreateSimulator)(options), { enterWebhook: undefined })
let dataDir: string
let sandbox: Sandbox
let service: ServiceProcess | undefined
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'unified-records-log-'))
  sandbox = await createSandbox({
    simulators: { square: silent },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
})
afterEach(async () => {
  await service?.kill('SIGKILL')
  service = undefined
  await sandbox.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = async (environment: Record<string, string> = {}) => {
  service = await startService({
    SANDBOX_URL: sandbox.url,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOG_LEVEL: '',
    ...environment,
  })
  return service
}
const end = async ({ child }: ServiceProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  const exit = once(child, 'close')
  child.kill(signal)
  await exit
}
type Line = Record<string, unknown> & { level: string; msg: string }
const linesOf = (printed: string) =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
const post = ({ url, sandboxFile }: ServiceProcess, externalId: string) =>
  fetch(`${url}/unified/sandbox-square-restaurant/customer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxFile().apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ externalId, name: 'Ada' }),
  })
/** Its response waits until the faults are cleared. */
const stalledPost = (started: ServiceProcess, externalId: string) => {
  const stall = { kind: 'stall', path: '/v2/customers', method: 'POST', times: 1, delayMs: untilCleared } as const
  sandbox.fault('square', stall)
  return post(started, externalId)
}
const isStalled = () => expect.poll(() => sandbox.calls('square').some(({ fault }) => fault === 'stall')).toBe(true)

it('logs its start, its shutdown with the requests in flight, and its exit, but no request', async () => {
  const started = await start({ ENCRYPTION_KEY: randomBytes(32).toString('base64') })
  expect((await post(started, 'L-1')).status).toBe(201)
  const response = stalledPost(started, 'L-2')
  await isStalled()
  const ended = end(started)
  await expect.poll(() => started.printed()).toContain('shutting down')
  sandbox.clearFaults()
  await ended
  expect((await response).status).toBe(201)
  const { port } = new URL(started.url)
  const ofProcess = { level: 'info', pid: started.child.pid, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
  expect(linesOf(started.printed())).toEqual([
    expect.objectContaining({
      ...ofProcess,
      msg: 'service started',
      version: expect.any(String),
      node: process.version,
      host: '127.0.0.1',
      port: Number(port),
      database: 'sqlite',
      sandbox: true,
    }),
    expect.objectContaining({ ...ofProcess, msg: 'shutting down', signal: 'SIGTERM', requests: 1 }),
    expect.objectContaining({
      ...ofProcess,
      msg: 'exit',
      code: 0,
      uptimeSeconds: expect.any(Number),
      shutdownMs: expect.any(Number),
    }),
  ])
  expect(started.printed()).toMatch(/^listening on http:\S+$/m)
})

const warnings = (printed: string) => linesOf(printed).filter(({ level }) => level === 'warn')

it('warns once about a key that it has created, and logs at its exit what it could not complete', async () => {
  const started = await start({ SHUTDOWN_MS: '300' })
  const response = stalledPost(started, 'L-3').catch(() => 'cut off')
  await isStalled()
  await end(started)
  expect(await response).toBe('cut off')
  const [aboutKey, ...others] = warnings(started.printed())
  expect(aboutKey).toMatchObject({
    file: join(dataDir, 'encryption.key'),
    msg: expect.stringContaining('created a new encryption key'),
  })
  expect(others.filter(({ msg }) => msg.includes('encryption key'))).toEqual([])
  expect(linesOf(started.printed()).at(-1)).toMatchObject({
    level: 'warn',
    msg: expect.stringMatching(/^exit, with work left/),
    code: 0,
    unfinished: { requests: 1, writes: 1 },
  })

  sandbox.clearFaults()

  // The next start logs each request at the level debug, and shuts down when its terminal is closed.
  const next = await start({ LOG_LEVEL: 'debug', SANDBX: 'off' })
  expect((await post(next, 'L-4')).status).toBe(201)
  await end(next, 'SIGHUP')
  expect(next.printed()).not.toContain('created a new encryption key')
  expect(warnings(next.printed())).toMatchObject([{ msg: expect.stringMatching(/^SANDBX is not a setting/) }])
  expect(linesOf(next.printed())).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'shutting down', signal: 'SIGHUP' }),
      expect.objectContaining({ msg: 'exit', code: 0 }),
    ]),
  )
  expect(linesOf(next.printed()).filter(({ msg }) => msg === 'request')).toContainEqual(
    expect.objectContaining({ level: 'debug', method: 'POST', status: 201, reqId: expect.any(String) }),
  )
})

it('warns at every start about a key on the local disk for a shared database', async () => {
  const DATABASE_URL = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  for (const _ of ['first start', 'second start']) {
    const started = await start({ DATABASE_URL })
    await end(started)
    expect(warnings(started.printed())).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('Set ENCRYPTION_KEY') }),
    ])
  }
})

it('does the same with unirec serve', async () => {
  const run = (environment: Record<string, string>) =>
    watchProcess(process.execPath, [cliProgram, 'serve', '--port', '0', '--sandbox', 'off'], {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', ENCRYPTION_KEY: '', ...environment },
    })
  const refused = run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  expect(await refused.exited).toBe(1)
  expect(refused.printed()).toContain(
    'cannot start: ENCRYPTION_KEY must be set with DATABASE_URL and SANDBOX=off. Create a key with: openssl rand -base64 32',
  )
  const served = run({})
  const [, url] = await served.until(/^listening on (http:\S+)$/m)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(served.printed()).toMatch(/^First login: user admin, password \S+$/m)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
  expect(linesOf(served.printed()).map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    expect.stringContaining('warn created a new encryption key'),
    'info service started',
    'info shutting down',
    'info exit',
  ])
})
