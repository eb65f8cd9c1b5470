import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, sqliteFileIn } from '../open-store.ts'
import { createVault } from '../vault.ts'
import { backupSqlite, restoreSqlite } from './backup.ts'
import { lockDirectory } from './directory-lock.ts'

const vault = createVault([randomBytes(32)])
let dataDir: string
let backup: string
const open = (directory = dataDir) => openStore({ dataDir: directory, vault })

async function withStore<T>(work: (store: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  const store = await open()
  try {
    await store.migrate()
    return await work(store)
  } finally {
    await store.close()
  }
}
const account = {
  id: 'a',
  workspaceId: 'w',
  platform: 'square',
  vertical: 'restaurant',
  name: 'A',
  state: 'active',
  settings: {},
  auth: 'static',
  credentials: { accessToken: 'secret' },
} as const

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'unified-records-backup-'))
  backup = join(dataDir, 'backup.sqlite')
  await withStore(async (store) => {
    await store.workspaces.create({ id: 'w', name: 'W' })
    await store.accounts.create(account)
  })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('a backup', () => {
  it('is a consistent snapshot while others write, readable only by its owner, and never overwrites a file', async () => {
    await withStore(async (store) => {
      await store.workspaces.create({ id: 'later', name: 'in the log, not yet in the file' })
      expect((await backupSqlite(dataDir, backup)).bytes).toBe(statSync(backup).size)
    })
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const copy = new DatabaseSync(backup, { readOnly: true })
    expect(copy.prepare('select count(*) as count from workspaces').get()).toEqual({ count: 2 })
    copy.close()
    await expect(backupSqlite(dataDir, backup)).rejects.toThrow('not overwritten')
    expect(readdirSync(dataDir).filter((name) => name.includes('.part'))).toEqual([])
  })
})

describe('a restore', () => {
  it('restores the contents of the backup, keeps the previous database, and leaves no other file', async () => {
    await backupSqlite(dataDir, backup)
    await withStore((store) => store.workspaces.create({ id: 'later', name: 'Later' }))
    const { kept } = await restoreSqlite(dataDir, backup, vault)
    await withStore(async (store) => {
      expect(await store.workspaces.get('later')).toBeUndefined()
      expect((await store.accounts.get('a'))?.credentials).toEqual({ accessToken: 'secret' })
    })
    const before = new DatabaseSync(kept as string, { readOnly: true })
    expect(before.prepare("select name from workspaces where id = 'later'").get()).toEqual({ name: 'Later' })
    before.close()
    expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([])
  })
  it('is rejected while a service runs, for a damaged or foreign file, and without the key; the database is unchanged', async () => {
    await backupSqlite(dataDir, backup)
    const present = readFileSync(sqliteFileIn(dataDir))
    const lock = lockDirectory(dataDir)
    await expect(restoreSqlite(dataDir, backup, vault)).rejects.toThrow('stop it first')
    lock.release()
    writeFileSync(join(dataDir, 'cut'), readFileSync(backup).subarray(0, 20_000))
    await expect(restoreSqlite(dataDir, join(dataDir, 'cut'), vault)).rejects.toThrow('not a whole database')
    writeFileSync(join(dataDir, 'text'), 'hello '.repeat(1_000))
    await expect(restoreSqlite(dataDir, join(dataDir, 'text'), vault)).rejects.toThrow('not a')
    new DatabaseSync(join(dataDir, 'foreign')).exec('create table notes (text text)')
    await expect(restoreSqlite(dataDir, join(dataDir, 'foreign'), vault)).rejects.toThrow('something else')
    await expect(restoreSqlite(dataDir, backup, createVault([randomBytes(32)]))).rejects.toThrow(
      'cannot be opened with the encryption key',
    )
    expect(readFileSync(sqliteFileIn(dataDir)).equals(present)).toBe(true)
  })
  it('replaces a file that is too damaged to be opened, and moves its log', async () => {
    await backupSqlite(dataDir, backup)
    writeFileSync(sqliteFileIn(dataDir), randomBytes(50_000))
    writeFileSync(`${sqliteFileIn(dataDir)}-wal`, randomBytes(5_000))
    const { kept } = await restoreSqlite(dataDir, backup, vault)
    expect(existsSync(`${kept}-wal`) || !existsSync(`${sqliteFileIn(dataDir)}-wal`)).toBe(true)
    await withStore(async (store) => expect(await store.workspaces.get('w')).toBeDefined())
  })
})

it('a file with a damaged header, schema, page or length is not opened and not changed', async () => {
  const file = sqliteFileIn(dataDir)
  const whole = readFileSync(file)
  const flipped = (at: number, length: number) => {
    const bytes = Buffer.from(whole)
    for (let index = at; index < at + length; index++) bytes[index] = (bytes[index] as number) ^ 0xff
    return bytes
  }
  for (const damaged of [
    flipped(0, 16),
    flipped(100, 12),
    flipped(4096, 64),
    flipped(whole.length - 4096, 64),
    whole.subarray(0, whole.length - 8192),
  ]) {
    writeFileSync(file, damaged)
    await expect(open()).rejects.toThrow(/the database is damaged: .*unirec restore/)
    expect(readFileSync(file).equals(damaged)).toBe(true)
  }
  writeFileSync(file, whole)
  await withStore(async (store) => expect(await store.workspaces.get('w')).toBeDefined())
})
