import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../components/dialog.tsx'
import { Checkbox, TextField } from '../components/field.tsx'
import * as limits from '../generated/limits.ts'
import { call } from '../manage.ts'
import { useAction } from '../use-action.ts'
import { reload } from '../use-data.ts'
import { workspacePaths } from '../workspace.tsx'

export function NewWorkspace({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [test, setTest] = useState(false)
  const [, navigate] = useLocation()
  const action = useAction(async () => {
    const made = await call('createWorkspace', { body: { name: name.trim(), ...(test ? { test } : {}) } })
    reload('listWorkspaces')
    onClose()
    navigate(workspacePaths(made.id).page())
  })
  return (
    <FormDialog
      title="New workspace"
      submit="Create workspace"
      onClose={onClose}
      action={action}
      ready={name.trim() !== ''}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        {...limits.createWorkspace.name}
        placeholder="Production"
        autoFocus
        hint="Credentials and accounts belong to one workspace. Use one per environment or customer."
      />
      <Checkbox
        label="Test workspace"
        hint="Its accounts may only be in test environments of platforms."
        checked={test}
        onChange={setTest}
      />
    </FormDialog>
  )
}
