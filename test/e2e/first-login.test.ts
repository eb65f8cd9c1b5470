// The first start in production: SANDBOX=off, DATABASE_URL and ENCRYPTION_KEY, and no directory that can be written.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { freshDatabase, unprivilegedUser } from '../postgres.ts'
import { openServiceHere } from '../service-here.ts'
import { flagsOfTests } from '../service-process.ts'
import { type WatchedProcess, watchProcess } from '../watched-process.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'unified-records-read-only-'))
const writable = mkdtempSync(join(tmpdir(), 'unified-records-writable-'))
const running: WatchedProcess[] = []
let user: { uid?: number; gid?: number }
beforeAll(async () => {
  user = await unprivilegedUser()
  for (const part of ['dist', 'packages/dashboard/dist', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  copyFileSync(process.execPath, join(folder, 'node'))
  execFileSync('chmod', ['-R', 'a-w,a+rX', folder])
  chmodSync(writable, 0o777)
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map(({ exited }) => exited))
})
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  for (const one of [folder, writable]) rmSync(one, { recursive: true, force: true })
})

/** A database that has tables and no user, which costs less than an empty one, or this one. */
const production = async (database = freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))) => ({
  SANDBOX: 'off',
  DATABASE_URL: await database,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
})
/**
 * Runs the built service as a user who can write nothing: neither the working directory, nor the temporary directory,
 * nor the home directory.
 */
function run(environment: Record<string, string>): WatchedProcess {
  const started = watchProcess(join(folder, 'node'), [...flagsOfTests, 'dist/main.mjs'], {
    cwd: folder,
    env: { PORT: '0', HOME: folder, TMPDIR: folder, ...environment },
    ...user,
  })
  running.push(started)
  return started
}
const addressOf = async (service: WatchedProcess) => (await service.until(/^listening on (http:\S+)$/m))[1] as string
const stop = async (service: WatchedProcess) => {
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
}
const logInAt = async (url: string, name: string, password: string) => {
  const body = JSON.stringify({ user: name, password })
  return (
    await fetch(`${url}/manage/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).status
}
const logIn = async (service: WatchedProcess, name: string, password: string) =>
  logInAt(await addressOf(service), name, password)
const printedLogins = (text: string) =>
  [...text.matchAll(/^First login: user (\S+), password (\S+)$/gm)].map(([, name, password]) => ({
    name: name as string,
    password: password as string,
  }))

it('needs no writable directory, prints one login that works when two instances start at once, prints it once, and leaves existing users unchanged', async () => {
  const environment = await production(freshDatabase(inject('postgresUrl'))) // empty
  const files = readdirSync(folder, { recursive: true }).sort()
  const instances = [run(environment), run(environment)]
  await Promise.all(instances.map(addressOf))
  const [login, ...more] = instances.flatMap((instance) => printedLogins(instance.printed()))
  expect([login?.name, more]).toEqual(['admin', []])
  for (const instance of instances) expect(await logIn(instance, 'admin', login?.password ?? '')).toBe(201)
  await Promise.all(instances.map(stop))
  const others = { ADMIN_USER: 'eve', ADMIN_PASSWORD: 'another long password' }
  const next = run({ ...environment, LOG_LEVEL: 'trace', ...others })
  expect(await logIn(next, 'admin', login?.password ?? '')).toBe(201)
  expect(await logIn(next, others.ADMIN_USER, others.ADMIN_PASSWORD)).toBe(401)
  expect(next.printed()).not.toMatch(/another long password|First login/)
  await stop(next)
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(files)
})

it('takes the first login from ADMIN_USER and ADMIN_PASSWORD, and does not print it', async () => {
  const chosen = { ADMIN_USER: 'ada', ADMIN_PASSWORD: 'correct horse battery' }
  const first = run({ ...(await production()), LOG_LEVEL: 'trace', ...chosen })
  expect(await logIn(first, 'ada', chosen.ADMIN_PASSWORD)).toBe(201)
  await stop(first)
  expect(first.printed()).not.toMatch(/correct horse battery|First login/)
})

it('prints the password at the next start when it could not be printed at the first', async () => {
  const environment = { ...(await production()), PORT: '0', HOME: folder, TMPDIR: folder }
  const first = spawn(join(folder, 'node'), [...flagsOfTests, 'dist/main.mjs'], {
    cwd: folder,
    env: environment,
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  first.stdout.destroy() // nothing reads what it prints
  let complaint = ''
  first.stderr.on('data', (chunk: Buffer) => (complaint += chunk))
  await expect.poll(() => complaint).toContain('the next start prints it')
  const exited = once(first, 'close')
  first.kill('SIGTERM')
  expect(await exited).toEqual([0, null]) // it continues without a reader
  const second = run(environment)
  await addressOf(second)
  const [login] = printedLogins(second.printed())
  expect(await logIn(second, 'admin', login?.password ?? '')).toBe(201)
})

it('is not changed by a sandbox on the same database, which gets a separate user', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-first-login-'))
  const sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    strict: false,
  })
  const password = 'correct horse battery'
  try {
    const first = await openServiceHere({ DATA_DIR: dataDir, SANDBOX: 'off', ADMIN_PASSWORD: password })
    await first.stop()
    const second = await openServiceHere({ DATA_DIR: dataDir, SANDBOX_URL: sandbox.url })
    try {
      expect(await logInAt(second.url, 'admin', password)).toBe(201)
      const { dashboard } = second.sandboxFile()
      expect(dashboard.user).toBe('sandbox')
      expect(await logInAt(second.url, dashboard.user, dashboard.password)).toBe(201)
    } finally {
      await second.stop()
    }
  } finally {
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it.each([
  [{ ADMIN_PASSWORD: 'too-short' }, 'cannot start: ADMIN_PASSWORD must have 10 to 1000 characters'],
  [{ ADMIN_USER: ' ada' }, 'cannot start: ADMIN_USER must be 1 to 200 characters'],
  [
    { LOG_LEVEL: 'loud' },
    'cannot start: LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
  ],
  [
    { ENCRYPTION_KEY: '' },
    'cannot start: ENCRYPTION_KEY must be set with DATABASE_URL and SANDBOX=off. Create a key with: openssl rand -base64 32',
  ],
  [
    { DATABASE_URL: '' },
    /cannot start: DATA_DIR \S+ cannot be written \(E\w+\)\. Set DATA_DIR to a directory that this user can write/,
  ],
  [{}, /cannot start: the database is not available: \S.*\. Check .* in DATABASE_URL$/m],
  [
    { SANDBOX: 'on', SANDBOX_URL: 'http://127.0.0.1:9', ENCRYPTION_KEY: '', DATA_DIR: writable },
    'cannot start: SANDBOX_URL must be the URL of a running sandbox. There is none at http://127.0.0.1:9',
  ],
  [{ DATABASE_URL: '', DATA_DIR: '/proc/none/data' }, 'cannot start: DATA_DIR /proc/none/data cannot be written'],
])('does not start with %o, and says what to do', async (wrong, message) => {
  const service = run({
    SANDBOX: 'off',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...wrong,
  })
  expect(await service.exited).toBe(1)
  expect(service.printed()).toMatch(message)
  expect(service.printed()).not.toContain('too-short')
  expect(service.printed()).not.toContain('ENCRYPTION_KEY is not set') // a warning for services that start
})

it('starts exactly as docs/operating.md says', async () => {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  expect(page).toContain(`\`${scripts.start.replace('exec ', '')}\``) // without npm
  const [recipe] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, text]) => text as string)
    .filter((text) => text.includes('npm start'))
  const { DATABASE_URL, ENCRYPTION_KEY } = await production()
  const filled = (recipe as string)
    .replace('postgres://user:password@database.internal:5432/unified_records', DATABASE_URL)
    .replace('<key>', ENCRYPTION_KEY)
  // Below a file there is no directory, not even for root.
  const nowhere = join(process.execPath, 'none')
  const service = watchProcess('sh', ['-e', '-c', filled], {
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PORT: '0',
      DATA_DIR: nowhere,
      HOME: nowhere,
      TMPDIR: nowhere,
    },
    detached: true,
  })
  try {
    await addressOf(service)
    const [login] = printedLogins(service.printed())
    expect(await logIn(service, 'admin', login?.password ?? '')).toBe(201)
  } finally {
    process.kill(-(service.child.pid as number), 'SIGTERM')
    await service.exited
  }
})
