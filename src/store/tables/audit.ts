// The audit log: one chain of entries per workspace, and one for actions without a workspace. A changed entry breaks
// the chain from there on.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '../accounts-schema.ts'
import { toPage } from '../paging.ts'
import type { AuditEntry, AuditFilter, Store } from '../store.ts'
import { isoNow, type StoreContext } from '../table-types.ts'
import { transacted } from '../transaction.ts'

const verifyBatch = 1000
const mostAtOnce = 50
const searched = ['actor', 'action', 'address', 'request_id', 'object'] as const

type Content = Omit<AuditEntry, 'hash'>
type Action = Parameters<Store['audit']['append']>[0]
interface Waiting {
  action: Action
  resolve(entry: AuditEntry): void
  reject(error: unknown): void
}
/** An exported entry contains everything that is needed to check its hash. */
const hashOf = ({
  previous,
  scope,
  sequence,
  at,
  actor,
  address,
  action,
  object,
  outcome,
  requestId,
}: Content): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previous,
        scope,
        sequence,
        at,
        actor,
        address,
        action,
        Object.entries(object).sort(),
        outcome,
        requestId,
      ]),
    )
    .digest('hex')

export function createAudit({ reads, writes, vault }: StoreContext, kind: Store['kind']): Store['audit'] {
  const { toItem: toEntry, toRow } = audit.codec(vault)
  const queues = new Map<string, Waiting[]>()
  /**
   * The entries of a scope that this process has to write: together, so that they need one connection and one wait for
   * the disk.
   */
  async function writeAll(scope: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, mostAtOnce)
      try {
        const entries = await insert(
          scope,
          batch.map(({ action }) => action),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(entries[index] as AuditEntry)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queues.delete(scope)
  }
  /** One transaction per scope at a time. On SQLite a transaction is the only one that writes. */
  async function lock(scope: string, transaction: Pick<StoreContext, 'writes'>['writes']): Promise<void> {
    if (kind === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit ${scope}`}, 0))`.execute(transaction)
  }
  const insert = (scope: string, actions: readonly Action[]): Promise<AuditEntry[]> =>
    transacted(writes, async (transaction) => {
      await lock(scope, transaction) // each entry contains the hash of the one before
      let last: Pick<AuditEntry, 'sequence' | 'hash'> | undefined = await transaction
        .selectFrom('audit')
        .select(['sequence', 'hash'])
        .where('scope', '=', scope)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      const at = isoNow()
      const entries = actions.map((action) => {
        const content: Content = { ...action, sequence: (last?.sequence ?? 0) + 1, at, previous: last?.hash ?? '' }
        last = { ...content, hash: hashOf(content) }
        return last as AuditEntry
      })
      await transaction.insertInto('audit').values(entries.map(toRow)).execute()
      return entries
    })
  const queued = (action: Action) =>
    new Promise<AuditEntry>((resolve, reject) => {
      const queue = queues.get(action.scope)
      if (queue) return void queue.push({ action, resolve, reject })
      const ownQueue = [{ action, resolve, reject }]
      queues.set(action.scope, ownQueue)
      void writeAll(action.scope, ownQueue)
    })
  function matching({ since, until, outcome, search, ...equal }: AuditFilter) {
    let query = reads.selectFrom('audit').selectAll()
    for (const [name, value] of Object.entries(equal)) query = query.where(sql.ref(name), '=', value)
    if (since !== undefined) query = query.where('at', '>=', since)
    if (until !== undefined) query = query.where('at', '<', until)
    if (outcome === 'error') query = query.where('outcome', 'not in', ['ok', 'started'])
    else if (outcome !== undefined) query = query.where('outcome', '=', outcome)
    if (search === undefined) return query
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
    return query.where((where) =>
      where.or(searched.map((name) => sql<boolean>`lower(${sql.ref(name)}) like ${pattern} escape '\\'`)),
    )
  }
  return {
    lock: (scope) => lock(scope, writes),
    append: async (action) =>
      // In the transaction of the action itself, or together with others.
      writes.isTransaction ? ((await insert(action.scope, [action]))[0] as AuditEntry) : queued(action),
    async list(scope, filter, { after, limit }) {
      const rows = await matching(filter)
        .where('scope', '=', scope)
        .$if(after !== undefined, (query) => query.where('sequence', '<', Number(after)))
        .orderBy('sequence', 'desc')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toEntry, (row) => String(row.sequence))
    },
    async *walk(scope, filter = {}) {
      let at: { scope: string; sequence: number } | undefined
      for (;;) {
        const from = at
        const rows = await matching(filter)
          .$if(scope !== undefined, (query) => query.where('scope', '=', scope as string))
          // A row comparison: it matches the order of the index.
          .$if(from !== undefined, (query) =>
            query.where(sql<boolean>`(scope, sequence) > (${from?.scope}, ${from?.sequence})`),
          )
          .orderBy('scope')
          .orderBy('sequence')
          .limit(verifyBatch)
          .execute()
        yield* rows.map(toEntry)
        at = rows.at(-1)
        if (rows.length < verifyBatch) return
      }
    },
    async verify(scope) {
      const chains: { scope: string; entries: number; head: string; brokenAt?: number }[] = []
      for await (const entry of this.walk(scope)) {
        let chain = chains.at(-1)
        if (chain?.scope !== entry.scope) {
          chain = { scope: entry.scope, entries: 0, head: '' }
          chains.push(chain)
        }
        const { hash, ...content } = entry
        const good = entry.sequence === chain.entries + 1 && entry.previous === chain.head && hash === hashOf(content)
        if (!good && chain.brokenAt === undefined) chain.brokenAt = entry.sequence
        chain.entries++
        chain.head = hash
      }
      return chains
    },
  }
}
