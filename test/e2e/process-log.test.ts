// What the service logs about itself at the default level: its start, its shutdown and its exit, and nothing for each request.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

let dataDir: string
let sandbox: Sandbox
let service: ServiceProcess | undefined
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'unified-records-log-'))
  sandbox = await createSandbox({ simulators: { square: simulators.square as (typeof simulators)[string] }, size: 'small', paceScale: 0.01, strict: false })
})
afterEach(async () => {
  await service?.kill('SIGKILL')
  service = undefined
  await sandbox.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = async (environment: Record<string, string> = {}) => {
  service = await startService({ SANDBOX_URL: sandbox.url, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: '', ...environment })
  return service
}
const end = async ({ child }: ServiceProcess) => {
  const exit = once(child, 'close')
  child.kill('SIGTERM')
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
const stalledPost = (started: ServiceProcess, externalId: string, delayMs: number) => {
  sandbox.fault('square', { kind: 'stall', path: '/v2/customers', method: 'POST', times: 1, delayMs })
  return post(started, externalId)
}
const isStalled = () => expect.poll(() => sandbox.calls('square').some(({ fault }) => fault === 'stall'), { timeout: 10_000 }).toBe(true)

it('logs its start, its shutdown with the requests in flight, and its exit; a request leaves no line', async () => {
  const started = await start({ ENCRYPTION_KEY: randomBytes(32).toString('base64') })
  expect((await post(started, 'L-1')).status).toBe(201)
  const answer = stalledPost(started, 'L-2', 3_000)
  await isStalled()
  await end(started)
  expect((await answer).status).toBe(201)
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
    expect.objectContaining({ ...ofProcess, msg: 'exit', code: 0, uptimeSeconds: expect.any(Number), shutdownMs: expect.any(Number) }),
  ])
  expect(started.printed()).toMatch(/^listening on http:\S+$/m)
}, 60_000)

it('logs at its exit what it could not finish', async () => {
  const started = await start({ SHUTDOWN_MS: '300' })
  const answer = stalledPost(started, 'L-3', 20_000).catch(() => 'cut off')
  await isStalled()
  await end(started)
  expect(await answer).toBe('cut off')
  expect(linesOf(started.printed()).at(-1)).toMatchObject({ level: 'warn', msg: expect.stringMatching(/^exit, with work left/), code: 0, unfinished: { requests: 1, writes: 1 } })
}, 60_000)

it('logs a line for each request at the level debug', async () => {
  const started = await start({ LOG_LEVEL: 'debug' })
  expect((await post(started, 'L-4')).status).toBe(201)
  await end(started)
  expect(linesOf(started.printed()).filter(({ msg }) => msg === 'request')).toContainEqual(
    expect.objectContaining({ level: 'debug', method: 'POST', status: 201, reqId: expect.any(String) }),
  )
}, 60_000)
