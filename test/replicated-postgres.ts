// A PostgreSQL server with a standby, behind one address as a proxy or a virtual address provides it. The primary can be
// killed, the standby promoted, and a new standby made.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import pg from 'pg'
import { type DatabaseProxy, startDatabaseProxy } from './chaos/database-proxy.ts'
import { createCluster, guard, runnableFolder, type Server, startServer, unprivilegedUser } from './postgres.ts'
import { quiet } from './until.ts'

export interface ReplicatedPostgres {
  /** Leads to the primary, whichever server that is. */
  url: string
  /** From now on the standby gets nothing any more. Only an asynchronous one can be behind. */
  delayStandby(): Promise<void>
  /** `kill -9` of the primary and all of its processes, then the standby is promoted. Returns how long it took. */
  failOver(): Promise<number>
  /** Of the primary of now. */
  addStandby(): Promise<void>
  stop(): Promise<void>
}
export interface ReplicationOptions {
  /** False: the primary does not wait for its standby. */
  synchronous: boolean
  /** With `remote_apply`, a commit also waits until the standby shows it. */
  synchronousCommit: 'on' | 'remote_apply'
}
interface Node extends Server {
  data: string
}

/** Of a copy of the folder: the standby has its own, or gets it from the primary. */
const notCopied = /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_dynshmem\/.+|pg_stat_tmp\/.+)$/

export async function startReplicatedPostgres(options: ReplicationOptions): Promise<ReplicatedPostgres> {
  const user = await unprivilegedUser()
  const home = await mkdtemp(join(tmpdir(), 'unified-records-replicas-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(home, user.uid, user.gid)
  const native = await runnableFolder(home, user)
  const settings = { synchronous_commit: options.synchronousCommit, wal_keep_size: '1024' }
  const watchers: ReturnType<typeof guard>[] = []
  let number = 0
  const start = async (data: string, others: Record<string, string> = {}): Promise<Node> => {
    const server = await startServer(native, data, user, true, undefined, { ...settings, ...others })
    watchers.push(guard(server.server, data))
    return { ...server, data }
  }
  const first = join(home, 'node0')
  await createCluster(native, first, user)
  let primary = await start(first)
  let standby: Node | undefined
  const address: DatabaseProxy = await startDatabaseProxy(primary.url)

  /** What `pg_basebackup` does, which the package does not contain. */
  async function copyOf({ url, data }: Node): Promise<string> {
    const copy = join(home, `node${++number}`)
    const client = await connected(url)
    await client.query("select pg_backup_start('standby', true)")
    await cp(data, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !notCopied.test(relative(data, source)),
    }).catch(ignoreVanished)
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    await client.end()
    await mkdir(join(copy, 'pg_wal/archive_status'), { recursive: true })
    await writeFile(join(copy, 'backup_label'), rows[0]?.label ?? '')
    await writeFile(join(copy, 'standby.signal'), '')
    await ownedBy(copy, user)
    return copy
  }
  async function addStandby(): Promise<void> {
    const { hostname, port } = new URL(primary.url)
    const conninfo = `host=${hostname} port=${port} user=postgres application_name=standby`
    standby = await start(await copyOf(primary), { primary_conninfo: conninfo })
    // Only now: until there is a standby, every commit would wait. The copy does not have the setting.
    if (options.synchronous) await query(primary.url, "alter system set synchronous_standby_names = '*'")
    await query(primary.url, 'select pg_reload_conf()')
    const wanted = options.synchronous ? 'sync' : 'async'
    const states = "select sync_state from pg_stat_replication where state = 'streaming'"
    for (; ; await quiet(50)) if ((await query(primary.url, states))[0]?.sync_state === wanted) return
  }
  await addStandby()
  return {
    url: address.url,
    addStandby,
    async delayStandby() {
      for (const { pid } of await query(primary.url, 'select pid from pg_stat_replication'))
        process.kill(pid as number, 'SIGSTOP')
    },
    async failOver() {
      if (!standby) throw new Error('there is no standby')
      const began = performance.now()
      const [dead, next] = [primary, standby]
      await killAll(dead)
      await query(next.url, 'select pg_promote(true, 60)')
      primary = next
      standby = undefined
      address.redirect(next.url)
      await rm(dead.data, { recursive: true, force: true, maxRetries: 5 })
      return performance.now() - began
    },
    async stop() {
      address.close()
      for (const node of [primary, standby]) if (node) await killAll(node)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
      for (const watcher of watchers) watcher?.stdin?.end()
    },
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}
async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connected(url)
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Every process of the server at once: none may go on to commit or to send. */
async function killAll({ server }: Node): Promise<void> {
  const { pid } = server
  if (pid === undefined || server.exitCode !== null || server.signalCode !== null) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const exit = once(server, 'exit')
  server.ref()
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {} // it has just ended
  }
  await exit
}

/** A file of the server that was removed while the folder was copied is not needed. */
function ignoreVanished(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function ownedBy(folder: string, { uid, gid }: { uid?: number; gid?: number }): Promise<void> {
  if (uid === undefined || gid === undefined) return
  const { readdir, chmod } = await import('node:fs/promises')
  await chmod(folder, 0o700)
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, basename(entry.name)), uid, gid)
}
