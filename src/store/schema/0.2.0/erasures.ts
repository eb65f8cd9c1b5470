// Erasures of people that an operator has asked for, the people whose content is not kept again, and workspaces whose
// accounts may only be in test environments.
import { sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { NamedPart } from '../part.ts'

export function erasureTables(kind: Store['kind']): NamedPart[] {
  const { text, number, end } = columnTypes[kind]
  const ofAccount = sql`account_id ${text} not null references accounts (id) on delete cascade`
  return [
    {
      name: '0036-person-erasures',
      statements: [
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
      ],
    },
    {
      name: '0037-test-workspaces',
      statements: [
        sql`alter table workspaces add column is_test ${number} not null default 0`,
        // Accounts carry the mark, because every call checks it.
        sql`alter table accounts add column test_only ${number} not null default 0`,
      ],
    },
  ]
}
