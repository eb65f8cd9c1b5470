// Erasures of one person from what is stored of an account.

import { oneOf } from '../field.ts'
import { personTypes } from '../person.ts'
import { flag, listOf, named, object, optional, text, time, whole } from '../schema.ts'

export const erasure = named('Erasure', {
  id: text(),
  entityType: oneOf(personTypes, 'What the person is at the platform'),
  plan: flag('`true`: entries are counted, and nothing is erased'),
  state: oneOf(
    ['running', 'checking', 'done'],
    '`checking`: everything was erased once, and is searched again a minute later for what was under way',
  ),
  found: object(
    {
      writes: whole('Finished writes: record and response'),
      changes: whole('Entries of the change log: record and names of changed fields'),
      hints: whole('Records that wait for the change log'),
      deliveries: whole('Webhook deliveries: record, and what the receiver answered'),
      activity: whole('Requests in the activity: ids, bodies, paths and texts of errors'),
      migrationReports: whole('Plans and reports of migrations: examples'),
      migrationRecords: whole('Records in migrations: notes, warnings and reasons'),
    },
    { description: 'How many entries had content of the person' },
  ),
  openWrites: whole('Of a plan: writes of the person that are not finished; an erasure is refused until they are'),
  unsettled: whole(
    'Open creates of this entity type that have no platform id yet, so it is not known whose they are. Settle them and erase again',
  ),
  notCovered: listOf(text(), 'What the erasure does not reach'),
  createdBy: text(),
  createdAt: time(),
  endedAt: optional(time()),
})
