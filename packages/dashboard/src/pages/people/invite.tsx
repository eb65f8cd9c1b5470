import { useState } from 'react'
import { type Role, roleChoices } from '../../access.tsx'
import { FormDialog } from '../../components/dialog.tsx'
import { Radio, TextField } from '../../components/field.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import * as limits from '../../generated/limits.ts'
import type { NewInvitation } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import './people.css'

export function Invite({ onCreated, onClose }: { onCreated(): void; onClose(): void }) {
  const { call } = useWorkspace()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [made, setMade] = useState<NewInvitation>()
  const action = useAction(async () => {
    setMade(await call('createInvitation', { body: { name: name.trim(), role } }))
    onCreated()
  })
  if (made)
    return (
      <SecretBox
        title={`Invitation for ${made.name}`}
        secrets={[{ label: 'Link', value: made.url }]}
        sentence="Send this link to the person. It works once, for seven days. Everyone who has it can use it."
        onDone={onClose}
      />
    )
  return (
    <FormDialog title="Invite person" submit="Create link" onClose={onClose} action={action} ready={name.trim() !== ''}>
      <TextField
        label="Name or email address"
        value={name}
        onChange={setName}
        {...limits.createInvitation.name}
        autoComplete="off"
        hint="For your list. The service sends no mail: you pass on the link."
      />
      <fieldset className="role-choices">
        <legend>Role</legend>
        {roleChoices.map(({ value, label, hint }) => (
          <Radio
            key={value}
            name="role"
            label={label}
            hint={hint}
            checked={role === value}
            onChoose={() => setRole(value)}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
