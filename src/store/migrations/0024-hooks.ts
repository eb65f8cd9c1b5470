// Webhooks that platforms send. `owner` is the account, or empty for all accounts of a workspace on the platform. The id
// is part of the URL and cannot be guessed.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function hooks(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const statements = [
    sql`create table hooks (
      id ${text} not null primary key,
      workspace_id ${text} not null references workspaces (id),
      platform ${text} not null,
      owner ${text} not null,
      account_id ${text} references accounts (id) on delete cascade,
      url ${text},
      secrets ${text} not null,
      registration ${text},
      challenges ${text},
      state ${text} not null,
      error ${text},
      failures ${number} not null,
      created_at ${number} not null,
      checked_at ${number},
      received_at ${number},
      refused_at ${number},
      fence ${number} not null,
      holder ${text} not null,
      lease_until ${number} not null,
      due_at ${number} not null
    ) ${end}`,
    sql`create unique index hooks_of_workspace on hooks (workspace_id, platform, owner)`,
    sql`create index hooks_of_account on hooks (account_id)`,
    sql`create index hooks_by_due on hooks (due_at)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
