import { useState } from 'react'
import { SecretBox } from '../../components/secret-box.tsx'
import type { Credential } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { CredentialForm } from './credential-form.tsx'
import { type Kind, kinds } from './kinds.ts'

export type Made = Credential & { secret?: string; key?: string }

export function NewCredential({ kind, onCreated, onClose }: { kind: Kind; onCreated(): void; onClose(): void }) {
  const { call } = useWorkspace()
  const [made, setMade] = useState<Made>()
  if (made)
    return <NewSecret made={made} sentence="It is active now. Other credentials are not affected." onDone={onClose} />
  return (
    <CredentialForm
      title={`Create ${kinds[kind].word}`}
      submit="Create"
      onClose={onClose}
      onSave={async (settings) => {
        setMade(await call(kinds[kind].operations.create, { body: settings }))
        onCreated()
      }}
    />
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
