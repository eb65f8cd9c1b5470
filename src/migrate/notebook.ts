// A file with the ledger of a migration and, while it compares, what the target holds, so that memory does not grow
// with it. SQLite, so that a kill at any moment leaves it whole.
import { chmodSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { EntityType } from '../contract/entity.ts'
import type { Acknowledged, Failed, FailureKind, Ledger } from './ledger.ts'
import type { SourceRecord } from './shape.ts'

export type Notebook = ReturnType<typeof openNotebook>
/** The part without the ledger. */
export type Shelf = Omit<Notebook, keyof Ledger>

const tables = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists acknowledged (entity text, source_id text, target_id text not null, source_hash text not null, told text not null, primary key (entity, source_id)) without rowid;
  create index if not exists acknowledged_target on acknowledged (entity, target_id);
  create table if not exists failed (entity text, source_id text, kind text not null, reason text not null, primary key (entity, source_id)) without rowid;
  create table if not exists before (entity text, id text, primary key (entity, id)) without rowid;
  create table if not exists seen (entity text, source_id text, primary key (entity, source_id)) without rowid;
  create table if not exists target (entity text, id text, fingerprint text not null, record text not null, claimed integer not null default 0, primary key (entity, id)) without rowid;
  create index if not exists target_fingerprint on target (entity, fingerprint);
  create table if not exists natural (entity text, key text, id text, primary key (entity, key, id)) without rowid;
`

/**
 * Scratch space for one job. Its file has no name, so no copy of what it holds is left when the process is killed:
 * https://www.sqlite.org/inmemorydb.html#temp_db
 */
export const openScratch = () => openNotebook('')

/**
 * `owner` names the two accounts and how records are shaped: a notebook of another migration is of no use. Without one
 * it is taken as it is.
 */
export function openNotebook(file: string, owner?: string) {
  const database = openDatabase(file)
  const one = (sql: string) => database.prepare(sql)
  const statements = {
    meta: one('select value from meta where name = ?'),
    setMeta: one('insert or replace into meta values (?, ?)'),
    acknowledge: one('insert or replace into acknowledged values (?, ?, ?, ?, ?)'),
    acknowledged: one('select * from acknowledged where entity = ? and source_id = ?'),
    forget: one('delete from acknowledged where entity = ? and source_id = ?'),
    fail: one('insert or replace into failed values (?, ?, ?, ?)'),
    failed: one('select kind, reason from failed where entity = ? and source_id = ?'),
    succeed: one('delete from failed where entity = ? and source_id = ?'),
    claimers: one('select source_id from acknowledged where entity = ? and target_id = ?'),
    before: one('insert or ignore into before values (?, ?)'),
    notBefore: one('delete from before where entity = ? and id = ?'),
    wasBefore: one('select 1 from before where entity = ? and id = ?'),
    see: one('insert or ignore into seen values (?, ?)'),
    put: one('insert or ignore into target values (?, ?, ?, ?, 0)'),
    target: one('select record from target where entity = ? and id = ?'),
    claim: one('update target set claimed = 1 where entity = ? and id = ?'),
    twins: one('select id from target where entity = ? and fingerprint = ? and claimed = 1 limit 1'),
    unclaimed: one('select id, fingerprint, record from target where entity = ? and claimed = 0'),
    countBefore: one('select count(*) as n from before where entity = ?'),
    countWritten: one('select count(distinct target_id) as n from acknowledged where entity = ?'),
    countRead: one(
      'select count(*) as n from (select source_id from acknowledged where entity = ? union select source_id from failed where entity = ?)',
    ),
    natural: one('insert or ignore into natural values (?, ?, ?)'),
    byKey: one('select id from natural where entity = ? and key = ? limit 3'),
  }
  type Row = Record<string, string> | undefined
  const meta = (name: string) => (statements.meta.get(name) as Row)?.value
  if (owner !== undefined && meta('owner') !== owner) {
    for (const table of ['meta', 'acknowledged', 'failed', 'before', 'seen', 'target', 'natural'])
      database.exec(`delete from ${table}`)
    statements.setMeta.run('owner', owner)
  }
  /** One transaction: a page of records costs one write to the disk. */
  function together<T>(work: () => T): T {
    database.exec('begin')
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  }
  return {
    meta,
    setMeta: (name: string, value: string) => void statements.setMeta.run(name, value),
    acknowledge(entity: EntityType, sourceId: string, { targetId, sourceHash, ...told }: Acknowledged) {
      // Written before this notebook was begun: what was there before the first write is no longer known.
      if (statements.notBefore.run(entity, targetId).changes > 0) statements.setMeta.run('begunLate', 'yes')
      statements.acknowledge.run(entity, sourceId, targetId, sourceHash, JSON.stringify(told))
      statements.succeed.run(entity, sourceId)
    },
    acknowledged(entity: EntityType, sourceId: string): Acknowledged | undefined {
      const row = statements.acknowledged.get(entity, sourceId) as Row
      return (
        row && {
          targetId: row.target_id as string,
          sourceHash: row.source_hash as string,
          ...JSON.parse(row.told as string),
        }
      )
    },
    fail: (entity: EntityType, sourceId: string, kind: FailureKind, reason: string) =>
      void statements.fail.run(entity, sourceId, kind, reason),
    failed: (entity: EntityType, sourceId: string) => statements.failed.get(entity, sourceId) as Failed | undefined,
    /** It is not at the target after all: the next run asks again. */
    forget: (entity: EntityType, sourceId: string) => void statements.forget.run(entity, sourceId),
    /** The source records that became this one; more than one when the target holds them as one. */
    sourcesOf: (entity: EntityType, targetId: string): string[] =>
      (statements.claimers.all(entity, targetId) as { source_id: string }[]).map((row) => row.source_id),
    /** How many records the source and the target have, as far as this migration has seen them. */
    countRecords(entity: EntityType): number {
      const { countBefore, countWritten, countRead } = statements
      const rows = [countBefore.get(entity), countWritten.get(entity), countRead.get(entity, entity)]
      return rows.reduce((sum, row) => sum + (row as { n: number }).n, 0)
    },
    putBefore: (entity: EntityType, ids: readonly string[]) =>
      together(() => {
        for (const id of ids) statements.before.run(entity, id)
      }),
    wasBefore: (entity: EntityType, id: string): boolean => statements.wasBefore.get(entity, id) !== undefined,
    /** Whether this is the first time in this walk. */
    see: (entity: EntityType, sourceId: string): boolean => statements.see.run(entity, sourceId).changes === 1,
    startComparing: () => database.exec('delete from seen; delete from target; delete from natural'),
    putTarget(
      entity: EntityType,
      id: string,
      fingerprint: string,
      record: SourceRecord,
      keys: readonly string[] = [],
    ): boolean {
      for (const key of keys) statements.natural.run(entity, key, id)
      return statements.put.run(entity, id, fingerprint, JSON.stringify(record)).changes === 1
    },
    target(entity: EntityType, id: string): SourceRecord | undefined {
      const row = statements.target.get(entity, id) as Row
      return row && JSON.parse(row.record as string)
    },
    claim: (entity: EntityType, id: string) => void statements.claim.run(entity, id),
    idsByKey: (entity: EntityType, key: string): string[] =>
      (statements.byKey.all(entity, key) as { id: string }[]).map((row) => row.id),
    /** A record of ours with the same content. */
    twinOf: (entity: EntityType, fingerprint: string): string | undefined =>
      (statements.twins.get(entity, fingerprint) as Row)?.id,
    *unclaimed(entity: EntityType): Generator<{ id: string; fingerprint: string; record: SourceRecord }> {
      for (const row of statements.unclaimed.iterate(entity) as Iterable<Record<string, string>>)
        yield { id: row.id!, fingerprint: row.fingerprint!, record: JSON.parse(row.record!) }
    },
    together,
    close: () => database.close(),
  }
}

function openDatabase(file: string): DatabaseSync {
  const open = () => {
    const database = new DatabaseSync(file)
    if (file !== '' && file !== ':memory:') chmodSync(file, 0o600) // it holds records of customers
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000; pragma cache_size = -4000',
    )
    database.exec(tables)
    return database
  }
  try {
    return open()
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== notADatabase) throw error
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
    return open()
  }
}
const notADatabase = 26
