// The journal of the service for a baseline: sealed content, leases, steps and links, and nothing else of the service.
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openStore } from '../../src/store/open-store.ts'
import type { EntryKey, Store } from '../../src/store/store.ts'
import { createVault } from '../../src/store/vault.ts'
import { createJournalThread } from '../../src/threads/journal.ts'

export interface OwnJournalOptions {
  dataDir: string
  databaseUrl?: string
  key: string // base64
  accounts: string[] // taken in turn
}
type Outcome = { id: string; answer: unknown }

const workerFile = join(import.meta.dirname, '../../src/threads/journal-worker.ts')
const leaseMs = 60_000

/** What the service stores about a create with one request, in the same order. */
export async function openOwnJournal({ dataDir, databaseUrl, key, accounts }: OwnJournalOptions) {
  const encryptionKeys = [Buffer.from(key, 'base64')]
  const journal: Pick<Store['journal'], 'begin' | 'stepSent' | 'done'> = databaseUrl
    ? (await openStore({ databaseUrl, dataDir, vault: createVault(encryptionKeys) })).journal
    : createJournalThread(workerFile, { dataDir, encryptionKeys }).journal
  const holder = randomUUID()
  let turn = 0
  return async (externalId: string, text: string, request: string, send: () => Promise<Outcome>): Promise<Outcome> => {
    const accountId = accounts[turn++ % accounts.length] as string
    const entry: EntryKey = { accountId, entityType: 'customer', externalId }
    const writeId = randomUUID()
    const contentHash = createHash('sha256').update(text).digest('hex')
    const startedAt = new Date().toISOString()
    await journal.begin({ ...entry, writeId, contentHash, record: JSON.parse(text), startedAt, holder }, leaseMs)
    await journal.stepSent(entry, writeId, 'create', request, holder)
    const outcome = await send()
    await journal.done(entry, holder, { writeId, nativeId: outcome.id, answer: outcome.answer })
    return outcome
  }
}
