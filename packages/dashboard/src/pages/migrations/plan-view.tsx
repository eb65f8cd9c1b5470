import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../../components/button.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { Table } from '../../components/table.tsx'
import { count, plural } from '../../format.ts'
import type { Migration, MigrationPlan } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { roughly, titleOf, What } from './words.tsx'

export function PlanView({ migration }: { migration: Migration }) {
  const { page } = useWorkspace()
  const { plan, state, error, progress } = migration
  if (state === 'planning')
    return (
      <Notice tone="info" title="Reading both accounts">
        <p>
          {plural(progress.records, 'record')} read so far. Nothing is written. You can leave this page and come back.
        </p>
        {progress.pause ? <p>Waiting to try again: {progress.pause}</p> : null}
      </Notice>
    )
  if (!plan)
    return (
      <Notice
        tone={state === 'failed' ? 'broken' : 'info'}
        title={state === 'failed' ? 'The plan could not be made' : 'Planning was stopped'}
        action={
          <LinkButton
            small
            needs="operator"
            href={`${page('migrations', 'new')}?from=${encodeURIComponent(migration.from.accountId)}&to=${encodeURIComponent(migration.to.accountId)}`}
          >
            Plan again
          </LinkButton>
        }
      >
        {error ? <p>{error}</p> : null}
        <p>Nothing was written.</p>
      </Notice>
    )
  return (
    <div className="stack">
      <Section title="Plan" about={`About ${roughly(plan.seconds)} at the limits of both platforms.`} flush>
        <Table
          label="Records by entity"
          rows={plan.entities}
          rowKey={({ entity }) => entity}
          columns={[
            { name: 'Records', wide: true, cell: ({ entity }) => titleOf(entity) },
            { name: 'At source', number: true, cell: ({ source, notAsked }) => count(source + notAsked) },
            { name: 'To write', number: true, cell: ({ toWrite }) => count(toWrite) },
            { name: 'Skipped', number: true, cell: ({ notAsked }) => count(notAsked) },
            { name: 'Left out', number: true, cell: ({ leftOut }) => count(leftOut) },
            { name: 'Already at target', number: true, cell: ({ atTarget }) => count(atTarget) },
            { name: 'About', number: true, cell: ({ seconds }) => roughly(seconds) },
          ]}
        />
      </Section>
      {plan.notMoved.length > 0 ? (
        <Notice tone="info" title="Not copied">
          <ul>
            {plan.notMoved.map(({ entity, reason }) => (
              <li key={entity}>
                {titleOf(entity)}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {state === 'planned' ? <MissingFields migration={migration} plan={plan} /> : null}
      <Differences plan={plan} />
    </div>
  )
}

function Differences({ plan }: { plan: MigrationPlan }) {
  const rows = plan.entities.flatMap(({ entity, fields }) => fields.map((field) => ({ entity, ...field })))
  if (rows.length === 0) return <Notice tone="ok" title="Every field arrives as it is" />
  return (
    <Section title="What will not be the same" flush>
      <Table
        label="What will not be the same"
        rows={rows}
        rowKey={({ entity, pointer, what, missing, message }) => `${entity} ${pointer} ${what} ${missing} ${message}`}
        columns={[
          { name: 'Records', cell: ({ entity }) => titleOf(entity) },
          {
            name: 'Field',
            cell: ({ pointer }) => (pointer ? <code className="migration-field">{pointer}</code> : '–'),
          },
          { name: 'What', cell: ({ what }) => <What kind={what} /> },
          { name: 'Why', wide: true, cell: ({ message }) => message },
          { name: 'Number', number: true, cell: ({ records }) => count(records) },
        ]}
      />
    </Section>
  )
}

/** Records are left out if the target requires a field that they lack: a value for all of them lets them in. */
function MissingFields({ migration, plan }: { migration: Migration; plan: MigrationPlan }) {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const [values, setValues] = useState<Record<string, string>>({})
  const lacking = plan.entities.flatMap(({ entity, fields }) =>
    fields.filter(({ missing }) => missing).map((field) => ({ entity, ...field })),
  )
  const again = useAction(async () => {
    const { update: _, resendUnknown: __, ...options } = migration.options
    const defaults: Record<string, Record<string, unknown>> = structuredClone(options.defaults ?? {})
    for (const { entity, pointer } of lacking) {
      const value = values[`${entity} ${pointer}`]?.trim()
      if (value) defaults[entity] = { ...defaults[entity], [pointer]: value }
    }
    const { from, to } = migration
    const asked = { ...options, from: from.accountId, to: to.accountId, defaults }
    const { id } = await call('planMigration', { body: asked })
    await call('deleteMigration', { path: { migrationId: migration.id } })
    navigate(page('migrations', id))
  })
  if (lacking.length === 0) return null
  return (
    <Section
      title="Values for missing fields"
      about={`${plan.to.name} requires these fields. A value is used only where a record has none. Records without a value are left out.`}
    >
      <form
        className="stack migration-form"
        onSubmit={(event) => {
          event.preventDefault()
          void again.run()
        }}
      >
        {lacking.map(({ entity, pointer, message, records }) => (
          <TextField
            key={`${entity} ${pointer} ${message}`}
            label={`${titleOf(entity)}: ${pointer.slice(1).replaceAll('/', ' › ')}`}
            hint={`${plural(records, 'record')}: ${message}`}
            value={values[`${entity} ${pointer}`] ?? ''}
            onChange={(value) => setValues({ ...values, [`${entity} ${pointer}`]: value })}
          />
        ))}
        {again.error ? <Failure error={again.error} kept="The plan was not changed." /> : null}
        <div className="row">
          <Button
            type="submit"
            needs="operator"
            busy={again.busy}
            disabled={Object.values(values).every((value) => value.trim() === '')}
          >
            Plan again with these values
          </Button>
        </div>
      </form>
    </Section>
  )
}
