import { useState } from 'react'
import { manage } from '../../api.ts'
import { FormDialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { useAction } from '../../use-action.ts'
import { referenceTypes } from './reference-types.ts'

export function LinkReference({ base, onClose, onLinked }: { base: string; onClose(): void; onLinked(): void }) {
  const [entityType, setEntityType] = useState<string>(referenceTypes[0])
  const [sourceId, setSourceId] = useState('')
  const [nativeId, setNativeId] = useState('')
  const action = useAction(async () => {
    await manage.put(base, { entityType, sourceId: sourceId.trim(), nativeId: nativeId.trim() })
    say(`${sourceId.trim()} is linked`)
    onLinked()
    onClose()
  })
  return (
    <FormDialog title="Link an id" submit="Link" onClose={onClose} action={action} ready={sourceId.trim() !== '' && nativeId.trim() !== ''}>
      <Select label="What it points at" value={entityType} onChange={setEntityType} choices={referenceTypes.map((value) => ({ value, label: readable(value) }))} />
      <TextField label="Your id" mono value={sourceId} onChange={setSourceId} error={action.error?.violationOf('/sourceId')} />
      <TextField
        label="Platform's id"
        mono
        value={nativeId}
        onChange={setNativeId}
        hint="As it stands in externalId of a record that was read. An existing link of your id is replaced."
        error={action.error?.violationOf('/nativeId')}
      />
    </FormDialog>
  )
}
