// Erasures of people that an operator has asked for, and the people whose content is not kept again.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function personErasures(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const ofAccount = sql`account_id ${text} not null references accounts (id) on delete cascade`
  const statements = [
    sql`create table person_erasures (
      ${ofAccount},
      id ${text} not null,
      entity_type ${text} not null,
      native_id ${text} not null,
      person ${text} not null,
      is_plan ${number} not null,
      state ${text} not null,
      step ${number} not null,
      pass ${number} not null,
      place ${number} not null,
      position ${text},
      found ${text} not null,
      open_writes ${number} not null,
      unsettled ${number} not null,
      due_at ${number} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      ended_at ${text},
      primary key (account_id, id)
    ) ${end}`,
    sql`create index person_erasures_open on person_erasures (due_at) where state <> 'done'`,
    sql`create table erased_people (
      ${ofAccount},
      person ${text} not null,
      erased_at ${text} not null,
      primary key (account_id, person)
    ) ${end}`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
