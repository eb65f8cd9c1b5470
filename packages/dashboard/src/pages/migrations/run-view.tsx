import { Notice } from '../../components/feedback.tsx'
import { Section } from '../../components/page.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { count, manyOf } from '../../format.ts'
import type { Migration } from '../../types.ts'
import { titleOf } from './words.tsx'

const outcomeWords = {
  written: 'written',
  updated: 'updated',
  replayed: 'there already',
  known: 'done before',
  left_out: 'left out',
  refused: 'refused',
  outdated: 'outdated',
  uncertain: 'outcome unknown',
  not_asked: 'skipped',
} as const
type Outcomes = Migration['progress']['outcomes'][keyof Migration['progress']['outcomes']]

export function RunView({ migration }: { migration: Migration }) {
  const { plan, progress, state, error } = migration
  return (
    <div className="stack">
      <Stage migration={migration} />
      {state === 'running' && progress.pause ? (
        <Notice tone="attention" title="Waiting to try again">
          {progress.pause}
        </Notice>
      ) : null}
      {state === 'failed' ? (
        <Notice tone="broken" title="The migration stopped">
          <p>{error}</p>
          <p>What was written stays. Solve the cause, then continue: nothing is written twice.</p>
        </Notice>
      ) : null}
      <Section title="Records">
        <div className="stack">
          {plan?.entities.map(({ entity, source, notAsked }) => {
            const outcomes = progress.outcomes[entity]
            const done = sum(outcomes)
            return (
              <div key={entity} className="migration-entity">
                <div className="spread">
                  <strong>{titleOf(entity)}</strong>
                  <span className="number">
                    {count(done)} of {count(Math.max(source + notAsked, done))}
                  </span>
                </div>
                <ProgressBar label={titleOf(entity)} value={done} total={Math.max(source + notAsked, done)} />
                <span className="small faint">{wordsOf(outcomes) || 'Not begun'}</span>
              </div>
            )
          })}
        </div>
      </Section>
    </div>
  )
}

const sum = (outcomes: Outcomes): number =>
  Object.entries(outcomes ?? {}).reduce((total, [name, value]) => (name === 'postponed' ? total : total + value), 0)
const wordsOf = (outcomes: Outcomes): string =>
  Object.entries(outcomeWords)
    .flatMap(([name, word]) => {
      const value = outcomes?.[name as keyof typeof outcomeWords]
      return value ? [`${count(value)} ${word}`] : []
    })
    .join(', ')

function Stage({ migration: { state, progress } }: { migration: Migration }) {
  if (state === 'stopped')
    return (
      <Notice tone="info" title="Stopped">
        What was written stays. Continue at any time: nothing is written twice.
      </Notice>
    )
  if (state !== 'running') return null
  const entity = progress.entityType ? manyOf(progress.entityType) : 'records'
  const stages = {
    waiting: 'Waiting to begin',
    planning: 'Reading both accounts',
    preparing: 'Noting what the target has now',
    writing: `Writing ${entity}`,
    comparing: `Comparing ${entity} on both sides: ${count(progress.records)} read`,
    ended: 'Finishing',
  }
  return (
    <Notice tone="info" title={stages[progress.stage]}>
      You can leave this page. The migration goes on, also after a restart of the service.
    </Notice>
  )
}
