// Outgoing webhooks. An endpoint has a position in the log of every account, and in the log of its workspace (the empty
// account id). What it is to receive becomes a delivery in the transaction that moves the position.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: {
    text: sql`text`,
    number: sql`integer`,
    bytes: sql`blob`,
    place: sql`place integer primary key autoincrement`,
    end: sql`strict`,
  },
  postgres: {
    text: sql`text collate "C"`,
    number: sql`bigint`,
    bytes: sql`bytea`,
    place: sql`place bigint generated always as identity primary key`,
    end: sql``,
  },
}

export function webhooks(kind: Store['kind']): Migration {
  const { text, number, bytes, place, end } = dialects[kind]
  const statements = [
    sql`create table workspace_logs (
      workspace_id ${text} not null primary key references workspaces (id),
      head ${number} not null
    ) ${end}`,
    sql`create table workspace_events (
      workspace_id ${text} not null references workspaces (id),
      sequence ${number} not null,
      tag ${bytes} not null,
      type ${text} not null,
      subject ${text} not null,
      account_id ${text},
      at ${number} not null,
      data ${text} not null,
      primary key (workspace_id, sequence)
    ) ${end}`,
    sql`create index workspace_events_by_age on workspace_events (at)`,
    sql`create table webhook_endpoints (
      id ${text} not null primary key,
      workspace_id ${text} not null references workspaces (id),
      url ${text} not null,
      settings ${text} not null,
      secrets ${text} not null,
      state ${text} not null,
      state_reason ${text},
      created_at ${text} not null,
      updated_at ${text} not null,
      last_success_at ${number},
      failing_since ${number},
      failures ${number} not null,
      fence ${number} not null,
      holder ${text} not null,
      lease_until ${number} not null,
      due_at ${number} not null,
      rest_until ${number} not null
    ) ${end}`,
    sql`create index webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, id)`,
    sql`create table webhook_positions (
      endpoint_id ${text} not null references webhook_endpoints (id) on delete cascade,
      account_id ${text} not null,
      sequence ${number} not null,
      tag ${text},
      epochs ${text} not null,
      generation ${number} not null,
      primary key (endpoint_id, account_id)
    ) ${end}`,
    sql`create table webhook_deliveries (
      ${place},
      endpoint_id ${text} not null references webhook_endpoints (id) on delete cascade,
      id ${text} not null,
      account_id ${text} not null,
      sequence ${number} not null,
      subject ${text} not null,
      type ${text} not null,
      state ${text} not null,
      attempts ${number} not null,
      next_at ${number} not null,
      created_at ${number} not null,
      ended_at ${number},
      body ${text} not null,
      log ${text} not null
    ) ${end}`,
    sql`create unique index webhook_deliveries_by_id on webhook_deliveries (endpoint_id, id)`,
    sql`create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, subject, place)
      where state = 'waiting'`,
    sql`create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'waiting'`,
    sql`create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, place) where state = 'failed'`,
    sql`create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, place)`,
    sql`create index webhook_deliveries_by_end on webhook_deliveries (ended_at) where ended_at is not null`,
    sql`create index feeds_of_workspace on feeds (workspace_id)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
