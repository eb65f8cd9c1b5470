// People: who is an installation admin, roles per workspace, identities at an OpenID provider, invitations, and what a
// list of sessions shows.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function people(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const ofUser = sql`references users (name) on delete cascade`
  const ofWorkspace = sql`references workspaces (id) on delete cascade`
  const statements = [
    sql`alter table users add column is_admin ${number} not null default 0`,
    // Until now every user could do everything.
    sql`update users set is_admin = 1`,
    ...['id', 'started_at', 'last_used_at', 'address', 'browser'].map(
      (column) => sql`alter table sessions add column ${sql.ref(column)} ${text}`,
    ),
    sql`update sessions set id = 'uss_' || substr(token_hash, 1, 16)`,
    sql`create table members (
      workspace_id ${text} not null ${ofWorkspace},
      user_name ${text} not null ${ofUser},
      role ${text} not null,
      created_at ${text} not null,
      primary key (workspace_id, user_name)
    ) ${end}`,
    sql`create index members_by_user on members (user_name)`,
    sql`create table identities (
      issuer ${text} not null,
      subject ${text} not null,
      user_name ${text} not null ${ofUser},
      created_at ${text} not null,
      primary key (issuer, subject)
    ) ${end}`,
    sql`create index identities_by_user on identities (user_name)`,
    sql`create table invitations (
      id ${text} not null primary key,
      token_hash ${text} not null unique,
      name ${text} not null,
      workspace_id ${text} ${ofWorkspace},
      role ${text},
      user_name ${text} ${ofUser},
      created_by ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null
    ) ${end}`,
    sql`create index invitations_by_workspace on invitations (workspace_id, id)`,
    sql`create index invitations_by_user on invitations (user_name)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
