import { Type } from 'typebox'
import { orderStates } from '../entities/order.ts'
import { entityTypes, verticals } from '../entity.ts'
import { identifier, oneOf } from '../field.ts'
import {
  anything,
  byEntityType,
  byName,
  flag,
  listOf,
  named,
  number,
  object,
  optional,
  text,
  time,
  whole,
} from '../schema.ts'

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const entityType = oneOf(entityTypes, 'Entity type', 'EntityType')
const dateTime = (description?: string) => time(description)

const choices = {
  entities: optional(
    listOf(entityType, 'By default all that both accounts support, without payments', { minItems: 1 }),
  ),
  ordersSince: optional(dateTime('Skip older orders')),
  orderStates: optional(
    listOf(oneOf(orderStates, 'State of an order', 'OrderState'), 'Only orders in these states', { minItems: 1 }),
  ),
  location: optional(identifier('Linked location of the target for all orders; by default the linked or the only one')),
  prefix: optional(text('Before the source ids, if several sources go to one target', { maxLength: 100 })),
  defaults: optional(
    byName(
      Type.Record(text({ pattern: '^/' }), anything()),
      'Values for fields that the target requires and the source lacks: `{"customer":{"/address/country":"US"}}`',
    ),
  ),
  link: optional(flag('Match records that the target does not let you write by code or name, and link them')),
}
export const runChoices = {
  update: optional(flag('Replace records that changed at the source after they were written')),
  resendUnknown: optional(flag('Resend records whose outcome the platform cannot report; this can create duplicates')),
}
export const newMigration = named('NewMigration', {
  from: identifier('Account to read'),
  to: identifier('Account to write'),
  ...choices,
})

const account = named('MigrationAccount', { accountId: text(), name: text(), platform: text() })
const outcomes = named(
  'MigrationOutcomes',
  Object.fromEntries(
    [
      'written',
      'replayed',
      'known',
      'updated',
      'left_out',
      'refused',
      'outdated',
      'uncertain',
      'postponed',
      'not_asked',
    ].map((outcome) => [outcome, optional(whole())]),
  ),
)
const progress = named('MigrationProgress', {
  stage: oneOf(['waiting', 'planning', 'preparing', 'writing', 'comparing', 'ended'], 'What it does now'),
  entityType: optional(entityType),
  records: count('Read in this stage'),
  outcomes: named('OutcomesByEntity', byEntityType(outcomes), {
    description:
      'Records of this run by what became of them. `replayed`: they were there already; `known`: done in an earlier run',
  }),
  pause: optional(text('Why it waits before it repeats a call')),
  complete: optional(flag('Of the report')),
})
const place = named('MigrationPlace', {
  accountId: text(),
  platform: text(),
  name: text('Of the platform'),
  vertical: oneOf(verticals, 'Vertical'),
})
const notMoved = listOf(named('EntityNotMoved', { entity: entityType, reason: text() }))
const plan = named('MigrationPlan', {
  from: place,
  to: place,
  entities: listOf(
    object({
      entity: entityType,
      source: count('Records at the source'),
      notAsked: count('Excluded by the options'),
      toWrite: count(),
      leftOut: count('That the target cannot take'),
      atTarget: count('Already at the target'),
      callsPerRecord: number(),
      seconds: count('Estimate'),
      fields: listOf(
        named('PlannedDifference', {
          pointer: text(),
          what: text(),
          message: text(),
          records: count(),
          missing: optional(flag('`true`: the records have no value here, and a default lets them in')),
        }),
        'What will not be the same',
      ),
    }),
  ),
  notMoved,
  seconds: count('Estimate'),
})
const idAndName = { id: text(), name: optional(text()) }
const namedRecord = named('NamedRecord', idAndName)
const twins = listOf(named('RecordTwin', { ...idAndName, sameAs: text() }))
const reasons = listOf(named('MigrationReason', { reason: text(), count: count(), examples: listOf(namedRecord) }))
const report = named('MigrationReport', {
  kind: Type.Literal('migration'),
  from: place,
  to: place,
  startedAt: dateTime(),
  endedAt: dateTime(),
  complete: flag('Nothing is missing, doubled, outdated or unexplained'),
  entities: listOf(
    object({
      entity: entityType,
      ...Object.fromEntries(
        [
          'source',
          'notAsked',
          'matched',
          'identical',
          'leftOut',
          'missing',
          'doubled',
          'outdated',
          'unexplained',
          'extraBefore',
          'extraSince',
          'lookalikes',
        ].map((name) => [name, count()]),
      ),
      differences: listOf(
        named('ReportedDifference', {
          pointer: text(),
          explanation: text(),
          message: text(),
          count: count(),
          examples: listOf(
            named('DifferenceExample', {
              sourceId: text(),
              name: optional(text()),
              targetId: text(),
              source: optional(anything()),
              target: optional(anything()),
            }),
          ),
        }),
      ),
      leftOutReasons: reasons,
      missingReasons: reasons,
      outdatedReasons: reasons,
      doubledIds: twins,
      extraSinceIds: listOf(namedRecord),
      lookalikeIds: twins,
    }),
  ),
  notMoved,
  notes: listOf(text()),
})
const listed = {
  id: text(),
  from: account,
  to: account,
  state: oneOf(
    ['planning', 'planned', 'running', 'done', 'stopped', 'failed'],
    'planned: it waits to be run; failed: `error` says why',
  ),
  options: named('MigrationOptions', { ...choices, ...runChoices }),
  progress,
  error: optional(text()),
  createdBy: text(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
}
export const listedMigration = named('ListedMigration', listed)
export const migration = named('Migration', { ...listed, plan: optional(plan), report: optional(report) })
