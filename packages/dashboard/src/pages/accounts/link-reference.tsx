import { useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { type Account, type EntityType, entityTypes } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { useLocations } from './use-locations.ts'

interface LinkReferenceProps {
  account: Account
  onClose(): void
  onLinked(): void
}
export function LinkReference({ account, onClose, onLinked }: LinkReferenceProps) {
  const { call } = useWorkspace()
  const [entityType, setEntityType] = useState(entityTypes[0] as EntityType)
  const [sourceId, setSourceId] = useState('')
  const [nativeId, setNativeId] = useState('')
  const locations = useLocations(account, entityType === 'location')
  const action = useAction(async () => {
    const body = { entityType, sourceId: sourceId.trim(), nativeId: nativeId.trim() }
    await call('linkReference', { path: { accountId: account.id }, body })
    say(`${sourceId.trim()} linked`)
    onLinked()
    onClose()
  })
  return (
    <FormDialog
      title="Link an ID"
      submit="Link"
      onClose={onClose}
      action={action}
      ready={sourceId.trim() !== '' && nativeId.trim() !== ''}
    >
      <Select
        label="Entity type"
        value={entityType}
        onChange={setEntityType}
        choices={entityTypes.map((value) => ({ value, label: readable(value) }))}
      />
      <TextField
        label="Your ID"
        mono
        value={sourceId}
        onChange={setSourceId}
        error={action.error?.violationOf('/sourceId')}
      />
      {locations?.length ? (
        <Select
          label="Location"
          value={nativeId}
          onChange={setNativeId}
          choices={[{ value: '', label: 'Choose' }, ...locations]}
          hint="Replaces an existing link of your ID."
          error={action.error?.violationOf('/nativeId')}
        />
      ) : (
        <TextField
          label="Platform ID"
          mono
          value={nativeId}
          onChange={setNativeId}
          hint="The externalId of a record that you read. Replaces an existing link of your ID."
          error={action.error?.violationOf('/nativeId')}
        />
      )}
    </FormDialog>
  )
}
