import { Type } from 'typebox'
import { orderStates } from '../../contract/entities/order.ts'
import { entityTypes, verticals } from '../../contract/entity.ts'
import { identifier, oneOf } from '../../contract/field.ts'

const strict = { additionalProperties: false }
const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const entityType = oneOf(entityTypes, 'Entity type', 'EntityType')
const dateTime = (description?: string) => Type.String({ format: 'date-time', description })

const choices = {
  entities: Type.Optional(
    Type.Array(entityType, { minItems: 1, description: 'By default all that both accounts support' }),
  ),
  ordersSince: Type.Optional(dateTime('Skip older orders')),
  orderStates: Type.Optional(
    Type.Array(oneOf(orderStates, 'State of an order', 'OrderState'), {
      minItems: 1,
      description: 'Only orders in these states',
    }),
  ),
  location: Type.Optional(
    identifier('Linked location of the target for all orders; by default the linked or the only one'),
  ),
  prefix: Type.Optional(
    Type.String({ maxLength: 100, description: 'Before the source ids, if several sources go to one target' }),
  ),
  defaults: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String({ pattern: '^/' }), Type.Unknown()), {
      description:
        'Values for fields that the target requires and the source lacks: `{"customer":{"/address/country":"US"}}`',
    }),
  ),
  link: Type.Optional(
    Type.Boolean({
      description: 'Match records that the target does not let you write by code or name, and link them',
    }),
  ),
}
export const runChoices = {
  update: Type.Optional(
    Type.Boolean({ description: 'Replace records that changed at the source after they were written' }),
  ),
  resendUnknown: Type.Optional(
    Type.Boolean({
      description: 'Resend records whose outcome the platform cannot report; this can create duplicates',
    }),
  ),
}
export const newMigration = Type.Object(
  { from: identifier('Account to read'), to: identifier('Account to write'), ...choices },
  { ...strict, title: 'NewMigration' },
)

const account = Type.Object(
  { accountId: Type.String(), name: Type.String(), platform: Type.String() },
  { ...strict, title: 'MigrationAccount' },
)
const outcomes = Type.Object(
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
    ].map((outcome) => [outcome, Type.Optional(Type.Integer())]),
  ),
  { ...strict, title: 'MigrationOutcomes' },
)
const progress = Type.Object(
  {
    stage: oneOf(['waiting', 'planning', 'preparing', 'writing', 'comparing', 'ended'], 'What it does now'),
    entityType: Type.Optional(entityType),
    records: count('Read in this stage'),
    outcomes: Type.Object(Object.fromEntries(entityTypes.map((entity) => [entity, Type.Optional(outcomes)])), {
      ...strict,
      title: 'OutcomesByEntity',
      description:
        'Records of this run by what became of them. `replayed`: they were there already; `known`: done in an earlier run',
    }),
    pause: Type.Optional(Type.String({ description: 'Why it waits before it repeats a call' })),
    complete: Type.Optional(Type.Boolean({ description: 'Of the report' })),
  },
  { ...strict, title: 'MigrationProgress' },
)
const place = Type.Object(
  {
    accountId: Type.String(),
    platform: Type.String(),
    name: Type.String({ description: 'Of the platform' }),
    vertical: oneOf(verticals, 'Vertical'),
  },
  { ...strict, title: 'MigrationPlace' },
)
const notMoved = Type.Array(
  Type.Object({ entity: entityType, reason: Type.String() }, { ...strict, title: 'EntityNotMoved' }),
)
const plan = Type.Object(
  {
    from: place,
    to: place,
    entities: Type.Array(
      Type.Object(
        {
          entity: entityType,
          source: count('Records at the source'),
          notAsked: count('Excluded by the options'),
          toWrite: count(),
          leftOut: count('That the target cannot take'),
          atTarget: count('Already at the target'),
          callsPerRecord: Type.Number(),
          seconds: count('Estimate'),
          fields: Type.Array(
            Type.Object(
              {
                pointer: Type.String(),
                what: Type.String(),
                message: Type.String(),
                records: count(),
                missing: Type.Optional(
                  Type.Boolean({ description: '`true`: the records have no value here, and a default lets them in' }),
                ),
              },
              { ...strict, title: 'PlannedDifference' },
            ),
            { description: 'What will not be the same' },
          ),
        },
        strict,
      ),
    ),
    notMoved,
    seconds: count('Estimate'),
  },
  { ...strict, title: 'MigrationPlan' },
)
const named = { id: Type.String(), name: Type.Optional(Type.String()) }
const namedRecord = Type.Object(named, { ...strict, title: 'NamedRecord' })
const twins = Type.Array(Type.Object({ ...named, sameAs: Type.String() }, { ...strict, title: 'RecordTwin' }))
const reasons = Type.Array(
  Type.Object(
    { reason: Type.String(), count: count(), examples: Type.Array(namedRecord) },
    { ...strict, title: 'MigrationReason' },
  ),
)
const report = Type.Object(
  {
    kind: Type.Literal('migration'),
    from: place,
    to: place,
    startedAt: dateTime(),
    endedAt: dateTime(),
    complete: Type.Boolean({ description: 'Nothing is missing, doubled, outdated or unexplained' }),
    entities: Type.Array(
      Type.Object(
        {
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
          differences: Type.Array(
            Type.Object(
              {
                pointer: Type.String(),
                explanation: Type.String(),
                message: Type.String(),
                count: count(),
                examples: Type.Array(
                  Type.Object(
                    {
                      sourceId: Type.String(),
                      name: Type.Optional(Type.String()),
                      targetId: Type.String(),
                      source: Type.Optional(Type.Unknown()),
                      target: Type.Optional(Type.Unknown()),
                    },
                    { ...strict, title: 'DifferenceExample' },
                  ),
                ),
              },
              { ...strict, title: 'ReportedDifference' },
            ),
          ),
          leftOutReasons: reasons,
          missingReasons: reasons,
          outdatedReasons: reasons,
          doubledIds: twins,
          extraSinceIds: Type.Array(namedRecord),
          lookalikeIds: twins,
        },
        strict,
      ),
    ),
    notMoved,
    notes: Type.Array(Type.String()),
  },
  { ...strict, title: 'MigrationReport' },
)
const listed = {
  id: Type.String(),
  from: account,
  to: account,
  state: oneOf(
    ['planning', 'planned', 'running', 'done', 'stopped', 'failed'],
    'planned: it waits to be run; failed: `error` says why',
  ),
  options: Type.Object({ ...choices, ...runChoices }, { ...strict, title: 'MigrationOptions' }),
  progress,
  error: Type.Optional(Type.String()),
  createdBy: Type.String(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
}
export const listedMigration = Type.Object(listed, { ...strict, title: 'ListedMigration' })
export const migration = Type.Object(
  { ...listed, plan: Type.Optional(plan), report: Type.Optional(report) },
  { ...strict, title: 'Migration' },
)
