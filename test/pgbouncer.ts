// PgBouncer in transaction mode in front of a PostgreSQL server, with the settings that docs/operating.md recommends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, howToInstall } from '../scripts/setup/programs.mjs'
import { freePort } from './free-port.ts'
import { unprivilegedUser } from './postgres.ts'
import { quiet } from './until.ts'

export interface PgBouncer {
  /** The same database through PgBouncer. */
  pooled(databaseUrl: string): string
  /** As `kill -9`; then it starts again at the same port. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** Of the page: what must be there for the service, without the addresses and the users of an operator. */
function documented(): { connectQuery: string; settings: string[] } {
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
  const block = /```ini\n(.*?)```/s.exec(page)?.[1] ?? ''
  const connectQuery = /connect_query='([^']*)'/.exec(block)?.[1]
  const settings = block.split('\n').filter((line) => /^(pool_mode|ignore_startup_parameters) *=/.test(line))
  if (!connectQuery || settings.length !== 2) throw new Error('docs/operating.md has no configuration of PgBouncer')
  return { connectQuery, settings }
}

/** Few connections to the server, so that the sessions of a test share them. */
export async function startPgBouncer(serverUrl: string, connections = 4): Promise<PgBouncer> {
  const program = findProgram('pgbouncer')
  if (!program) throw new Error(`PgBouncer is missing: ${howToInstall(['pgbouncer'])}`)
  const server = new URL(serverUrl)
  const user = await unprivilegedUser()
  const home = await mkdtemp(join(tmpdir(), 'unified-records-pgbouncer-'))
  const port = await freePort()
  const { connectQuery, settings } = documented()
  const file = join(home, 'pgbouncer.ini')
  await writeFile(join(home, 'users.txt'), '"postgres" ""\n')
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} connect_query='${connectQuery}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(home, 'users.txt')}
default_pool_size = ${connections}
max_client_conn = 500
server_idle_timeout = 2
${settings.join('\n')}
`,
  )
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [home, file, join(home, 'users.txt')]) await chown(path, user.uid, user.gid)
  const pooled = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.hostname = '127.0.0.1'
    url.port = String(port)
    url.searchParams.set('prepared_statements', 'off')
    return url.href
  }
  const start = async () => {
    const child = spawn(program, ['-q', file], { ...user, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-2_000)
    })
    process.once('exit', () => child.kill('SIGKILL'))
    // It ends if it cannot start.
    for (; child.exitCode === null; await quiet(25)) {
      const client = new pg.Client({ connectionString: pooled(serverUrl) })
      client.on('error', () => {})
      const ready = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => {})
      if (ready) return child
    }
    throw new Error(`PgBouncer did not start: ${log}`)
  }
  let child = await start()
  const end = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return {
    pooled,
    async crash() {
      await end()
      child = await start()
    },
    async stop() {
      await end()
      await rm(home, { recursive: true, force: true })
    },
  }
}
