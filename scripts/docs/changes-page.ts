// docs/generated/changes.md: what the change feed can report of each platform, and how late.
import { intervalsOf, settleSecondsOf } from '../../src/changes/settings.ts'
import type { Connector, EntityAdapter } from '../../src/contract/connector.ts'
import { type EntityType, entityTypes } from '../../src/contract/entity.ts'

const none = '–'

export function changesPage(connectors: readonly Connector[], made: string): string {
  return [
    '# Changes per platform',
    '',
    made,
    '',
    'What the [change feed](../sync-a-catalog.md) can report of each entity, and how late, with the default intervals. Changes that are made through the service are reported at once.',
    '',
    '- **poll**: creates and updates are found by modification time. Where there is none, only walks find them.',
    '- **walk**: a full read. It finds everything else: deletes, unless **deletes** says "poll", and changes that do not move the modification time.',
    '- **times**: what modification times are rounded down to. A poll reads the last such unit again.',
    '- **settles in**: how long a list may lack a change. A poll reads that much again.',
    '- **deletes**: what proves a delete. *by id*: a walk does not find the record, and a read by id confirms that it does not exist. *poll*: a poll names what was deleted, and a read by id confirms it. *by product*: variants of a product are read together, so a variant that was removed is also found when its product changes; a product, by id. *second walk*: the platform cannot read one record, so two walks at least an hour apart must not find it.',
    '- **webhooks**: what the [webhooks of the platform](../vendor-webhooks.md) report at best, within seconds.',
    '- **horizon**: older records leave the list. They are no longer followed, and their absence is not reported as a delete.',
    '',
    'Intervals become longer if polls and walks would use more than a tenth of the rate limit or daily quota of an account.',
    '',
    '| platform | entity | poll | walk | times | settles in | deletes | webhooks | horizon |',
    '|---|---|---|---|---|---|---|---|---|',
    ...connectors.flatMap((connector) =>
      entityTypes.flatMap((entityType) => {
        const adapter = connector.entities[entityType] as EntityAdapter<EntityType> | undefined
        return adapter
          ? [
              `| ${[connector.name, entityType, ...cellsOf(adapter, connector.hooks?.reports[entityType])].join(' | ')} |`,
            ]
          : []
      }),
    ),
    '',
  ].join('\n')
}

function cellsOf(
  { list, get, group, members }: EntityAdapter<EntityType>,
  reports: readonly string[] | undefined,
): string[] {
  const polls = list.updatedAfter === 'platform'
  const { pollSeconds, walkHours } = intervalsOf({}, polls)
  return [
    polls ? `${pollSeconds / 60} min` : none,
    `${walkHours} h`,
    polls ? (list.stampPrecision ?? 'milliseconds') : none,
    `${settleSecondsOf(list)} s`,
    `${get ? (group && members ? 'by product' : 'by id') : 'second walk'}${list.deletes ? ', poll' : ''}`,
    reports ? reports.join(', ') : none,
    list.horizonDays === undefined ? none : `${list.horizonDays} days`,
  ]
}
