// Links that let an end customer connect an account, and the operator's own applications at OAuth platforms.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function connect(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const ofWorkspace = sql`workspace_id ${text} not null references workspaces (id)`
  const statements = [
    sql`create table connect_links (
      ${ofWorkspace},
      id ${text} not null,
      token_hash ${text} not null,
      offer ${text} not null,
      signing_secret ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null,
      revoked_at ${text},
      connected_at ${text},
      connected_account_id ${text},
      attempt_id ${text} not null,
      attempt_state ${text} not null,
      attempt_at ${number} not null,
      attempt ${text},
      primary key (workspace_id, id)
    ) ${end}`,
    sql`create unique index connect_links_by_token on connect_links (token_hash)`,
    sql`create table platform_apps (
      ${ofWorkspace},
      platform ${text} not null,
      credentials ${text} not null,
      settings ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, platform)
    ) ${end}`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
