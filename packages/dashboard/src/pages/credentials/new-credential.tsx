import { useState } from 'react'
import { manage } from '../../api.ts'
import { FormDialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import type { Credential } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { type Kind, kinds } from './kinds.ts'

type Made = Credential & { secret?: string; key?: string }

export function NewCredential({ kind, onCreated, onClose }: { kind: Kind; onCreated(): void; onClose(): void }) {
  const { api } = useWorkspace()
  const [name, setName] = useState('')
  const [made, setMade] = useState<Made>()
  const action = useAction(async () => {
    setMade(await manage.post<Made>(api(kind), { name: name.trim() }))
    onCreated()
  })
  if (made)
    return <NewSecret made={made} sentence="It is active now. Other credentials are not affected." onDone={onClose} />
  return (
    <FormDialog
      title={`Create ${kinds[kind].word}`}
      submit="Create"
      onClose={onClose}
      action={action}
      ready={name.trim() !== ''}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={200}
        autoFocus
        placeholder="Order import, production"
        hint="The system that uses it. Activity shows this name for each request."
        error={action.error?.violationOf('/name')}
      />
    </FormDialog>
  )
}

export function NewSecret({ made, sentence, onDone }: { made: Made; sentence: string; onDone(): void }) {
  const secrets = made.key
    ? [{ label: 'API key', value: made.key }]
    : [
        { label: 'Access ID (client_id)', value: made.id },
        { label: 'Secret (client_secret)', value: made.secret ?? '' },
      ]
  return <SecretBox title={made.name} secrets={secrets} sentence={sentence} onDone={onDone} />
}
