import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Section } from '../../components/page.tsx'
import { Table } from '../../components/table.tsx'
import { count, plural, shortTime } from '../../format.ts'
import { Download } from '../../lucide/icons.tsx'
import type { Migration, MigrationReport } from '../../types.ts'
import { titleOf, What } from './words.tsx'

type EntityReport = MigrationReport['entities'][number]
interface Named {
  id: string
  name?: string
}

export function ReportView({ migration }: { migration: Migration }) {
  const { report } = migration
  if (!report) return null
  const total = (of: (one: EntityReport) => number) => report.entities.reduce((sum, one) => sum + of(one), 0)
  const [missing, doubled, outdated, unexplained] = [
    total((one) => one.missing),
    total((one) => one.doubled),
    total((one) => one.outdated),
    total((one) => one.unexplained),
  ]
  const leftOut = total((one) => one.leftOut)
  return (
    <div className="stack">
      {report.complete ? (
        <Notice tone="ok" title="Nothing is missing, nothing is doubled, and every difference has its reason">
          {leftOut > 0 ? `${plural(leftOut, 'record was', 'records were')} left out by rules of the target.` : null}
        </Notice>
      ) : (
        <Notice tone="attention" title="Look at these before you switch over">
          {[
            [missing, 'missing'],
            [doubled, 'doubled'],
            [outdated, 'outdated'],
            [unexplained, 'without an explanation'],
          ]
            .filter(([value]) => value !== 0)
            .map(([value, what]) => `${count(value as number)} ${what}`)
            .join(', ')}
        </Notice>
      )}
      <Section
        title="Comparison"
        about={`Both sides were read again. Ended ${shortTime(report.endedAt)}.`}
        actions={
          <Button small icon={Download} onClick={() => save(migration, report)}>
            Download JSON
          </Button>
        }
        flush
      >
        <Table
          label="Comparison by entity"
          rows={report.entities}
          rowKey={({ entity }) => entity}
          columns={[
            { name: 'Records', wide: true, cell: ({ entity }) => titleOf(entity) },
            { name: 'At source', number: true, cell: ({ source }) => count(source) },
            { name: 'At target', number: true, cell: ({ matched }) => count(matched) },
            { name: 'Identical', number: true, cell: ({ identical }) => count(identical) },
            { name: 'Left out', number: true, cell: ({ leftOut: value }) => count(value) },
            { name: 'Missing', number: true, cell: (one) => <Bad value={one.missing} /> },
            { name: 'Doubled', number: true, cell: (one) => <Bad value={one.doubled} /> },
            { name: 'Outdated', number: true, cell: (one) => <Bad value={one.outdated} /> },
            { name: 'Unexplained', number: true, cell: (one) => <Bad value={one.unexplained} /> },
          ]}
        />
      </Section>
      {report.notMoved.length > 0 || report.notes.length > 0 ? (
        <Notice tone="info" title="Notes">
          <ul>
            {report.notMoved.map(({ entity, reason }) => (
              <li key={entity}>
                {titleOf(entity)} were not copied: {reason}
              </li>
            ))}
            {report.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {report.entities.map((one) => (
        <EntitySection key={one.entity} of={one} target={report.to.name} />
      ))}
    </div>
  )
}

const Bad = ({ value }: { value: number }) =>
  value === 0 ? <span className="faint">0</span> : <strong className="migration-bad">{count(value)}</strong>

function save(migration: Migration, report: MigrationReport): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `migration-${migration.from.accountId}-${migration.to.accountId}.json`
  link.click()
  URL.revokeObjectURL(address)
}

function EntitySection({ of: one, target }: { of: EntityReport; target: string }) {
  const differences = one.differences.filter(({ explanation }) => explanation !== 'added')
  const reasons = [
    ...one.missingReasons.map((reason) => ({ what: 'Missing', ...reason })),
    ...one.outdatedReasons.map((reason) => ({ what: 'Outdated', ...reason })),
    ...one.leftOutReasons.map((reason) => ({ what: 'Left out', ...reason })),
  ]
  const lists: [string, readonly Named[], number][] = [
    ['Doubled: the same content as a record that was written', one.doubledIds, one.doubled],
    [`Were at ${target} before and look like a record that was written`, one.lookalikeIds, one.lookalikes],
    [`Came to ${target} in the meantime, not from this migration`, one.extraSinceIds, one.extraSince],
  ]
  if (differences.length + reasons.length + lists.filter(([, , total]) => total > 0).length === 0) return null
  return (
    <Section title={titleOf(one.entity)} flush>
      {reasons.length > 0 ? (
        <Table
          label={`${titleOf(one.entity)} that are not at the target, or not current`}
          rows={reasons}
          rowKey={({ what, reason }) => `${what} ${reason}`}
          columns={[
            { name: 'What', cell: ({ what }) => what },
            { name: 'Why', wide: true, cell: ({ reason }) => reason },
            {
              name: 'Such as',
              cell: ({ examples }) => (
                <div className="migration-example">
                  <Names of={examples} />
                </div>
              ),
            },
            { name: 'Number', number: true, cell: ({ count: value }) => count(value) },
          ]}
        />
      ) : null}
      {differences.length > 0 ? (
        <Table
          label={`Differences of ${titleOf(one.entity).toLowerCase()}`}
          rows={differences}
          rowKey={({ pointer, explanation }) => `${pointer} ${explanation}`}
          columns={[
            { name: 'Field', cell: ({ pointer }) => <code className="migration-field">{pointer}</code> },
            { name: 'What', cell: ({ explanation }) => <What kind={explanation} /> },
            { name: 'Why', wide: true, cell: ({ message }) => message },
            {
              name: 'Such as',
              cell: ({ examples: [first] }) =>
                first ? (
                  <div className="migration-example">
                    <Names of={[{ id: first.sourceId, name: first.name }]} />
                    <span className="small faint">
                      <Value of={first.source} /> → <Value of={first.target} />
                    </span>
                  </div>
                ) : null,
            },
            { name: 'Number', number: true, cell: ({ count: value }) => count(value) },
          ]}
        />
      ) : null}
      {lists.map(([title, records, total]) =>
        total > 0 ? (
          <div key={title} className="section-content stack-small">
            <h3>
              {title} ({count(total)})
            </h3>
            <Names of={records.slice(0, 20)} />
          </div>
        ) : null,
      )}
    </Section>
  )
}

function Value({ of }: { of: unknown }): ReactNode {
  if (of === undefined) return 'nothing'
  const text = typeof of === 'string' ? of : JSON.stringify(of)
  return <span className="mono">{text.length > 60 ? `${text.slice(0, 60)}…` : text}</span>
}

/** People recognize names, programs need IDs. */
function Names({ of }: { of: readonly Named[] }) {
  return (
    <ul className="migration-names">
      {of.map(({ id, name }) => (
        <li key={id}>
          {name} <Identifier value={id} length={16} label="Copy ID" />
        </li>
      ))}
    </ul>
  )
}
