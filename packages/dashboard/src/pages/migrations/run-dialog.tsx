import { useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { count, manyOf } from '../../format.ts'
import type { Migration, MigrationPlan } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { roughly } from './words.tsx'

export function RunDialog({
  migration,
  plan,
  onClose,
  onStarted,
}: {
  migration: Migration
  plan: MigrationPlan
  onClose(): void
  onStarted(started: Migration): void
}) {
  const { call } = useWorkspace()
  const isFirst = migration.state === 'planned'
  const [update, setUpdate] = useState(false)
  const [resendUnknown, setResendUnknown] = useState(false)
  const action = useAction(async () => {
    const chosen = { ...(update ? { update } : {}), ...(resendUnknown ? { resendUnknown } : {}) }
    onStarted(await call('runMigration', { path: { migrationId: migration.id }, body: chosen }))
  })
  const words = plan.entities
    .filter(({ toWrite }) => toWrite > 0)
    .map(({ entity, toWrite }) => `${count(toWrite)} ${toWrite === 1 ? entity.replaceAll('_', ' ') : manyOf(entity)}`)
  return (
    <FormDialog
      title={isFirst ? 'Start this migration?' : migration.state === 'done' ? 'Run it again?' : 'Continue it?'}
      submit={isFirst ? 'Start migration' : migration.state === 'done' ? 'Run again' : 'Continue'}
      onClose={onClose}
      action={action}
      kept="Nothing was started."
    >
      <p className="soft">
        {isFirst
          ? `Writes ${words.join(', ') || 'nothing'} to ${migration.to.name} (${plan.to.name}), in about ${roughly(plan.seconds)}. You can leave the page, and stop at any time.`
          : `Adds what is new at ${migration.from.name} and what was not written yet. What was written before is not written again.`}
      </p>
      {isFirst ? null : (
        <>
          <Checkbox
            label="Replace records that changed at the source"
            hint={`Changes that were made by hand in ${plan.to.name} are lost for these records.`}
            checked={update}
            onChange={setUpdate}
          />
          <Checkbox
            label="Send records with an unknown outcome again"
            hint="This can create duplicates."
            checked={resendUnknown}
            onChange={setResendUnknown}
          />
        </>
      )}
    </FormDialog>
  )
}
