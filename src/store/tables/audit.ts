// The audit log: one chain of entries per workspace, and one for actions without a workspace. A changed entry breaks the chain from there on.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { toPage } from '../paging.ts'
import { type AuditRow, isoNow, type StoreContext } from '../schema.ts'
import type { AuditEntry, Store } from '../store.ts'

const attempts = 50
const verifyBatch = 1000

type Content = Omit<AuditEntry, 'hash'>
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

const toEntry = ({ request_id: requestId, object, ...row }: AuditRow): AuditEntry => ({
  ...row,
  requestId,
  object: JSON.parse(object) as AuditEntry['object'],
})
const toRow = ({ requestId, object, ...entry }: AuditEntry): AuditRow => ({
  ...entry,
  request_id: requestId,
  object: JSON.stringify(object),
})

export function createAudit({ reads, writes }: StoreContext): Store['audit'] {
  const lastOf = (scope: string) =>
    reads
      .selectFrom('audit')
      .select(['sequence', 'hash'])
      .where('scope', '=', scope)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
  return {
    async append(action) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const last = await lastOf(action.scope)
        const content: Content = {
          ...action,
          sequence: (last?.sequence ?? 0) + 1,
          at: isoNow(),
          previous: last?.hash ?? '',
        }
        const entry: AuditEntry = { ...content, hash: hashOf(content) }
        // The primary key decides which of two entries is next. The other one is linked to it and inserted again.
        const inserted = await writes
          .insertInto('audit')
          .values(toRow(entry))
          .onConflict((conflict) => conflict.columns(['scope', 'sequence']).doNothing())
          .returning('sequence')
          .executeTakeFirst()
        if (inserted) return entry
      }
      throw new Error('the audit log did not take an entry')
    },
    async list(scope, { action, actor, outcome }, { after, limit }) {
      const rows = await reads
        .selectFrom('audit')
        .selectAll()
        .where('scope', '=', scope)
        .$if(after !== undefined, (query) => query.where('sequence', '<', Number(after)))
        .$if(action !== undefined, (query) => query.where('action', '=', action as string))
        .$if(actor !== undefined, (query) => query.where('actor', '=', actor as string))
        .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as string))
        .orderBy('sequence', 'desc')
        .limit(limit + 1)
        .execute()
      return toPage(rows, limit, toEntry, (row) => String(row.sequence))
    },
    async *walk(scope) {
      let at: { scope: string; sequence: number } | undefined
      for (;;) {
        const from = at
        const rows = await reads
          .selectFrom('audit')
          .selectAll()
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
    async verify() {
      const chains: { scope: string; entries: number; head: string; brokenAt?: number }[] = []
      for await (const entry of this.walk()) {
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
