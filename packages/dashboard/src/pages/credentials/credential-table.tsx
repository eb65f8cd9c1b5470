import { Ban, Ellipsis, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { manage } from '../../api.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Menu } from '../../components/menu.tsx'
import { Moment } from '../../components/moment.tsx'
import { State } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import type { Credential } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { type Kind, kinds } from './kinds.ts'
import { NewSecret } from './new-credential.tsx'

type RequestInfo = { what: 'rotate' | 'revoke'; credential: Credential }

export function CredentialTable({
  kind,
  credentials,
  onChange,
}: {
  kind: Kind
  credentials: readonly Credential[]
  onChange(): Promise<void>
}) {
  const { api } = useWorkspace()
  const [asked, setAsked] = useState<RequestInfo>()
  const [made, setMade] = useState<Credential & { secret: string }>()
  const { word } = kinds[kind]
  const columns: Column<Credential>[] = [
    { name: 'Name', wide: true, cell: ({ name }) => <span className="credential-name">{name}</span> },
    { name: 'ID', cell: ({ id }) => <Identifier value={id} length={24} /> },
    {
      name: 'State',
      cell: ({ revokedAt }) => (revokedAt ? <State tone="idle">Revoked</State> : <State tone="ok">Active</State>),
    },
    {
      name: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : <span className="faint">Never</span>),
    },
    ...(kind === 'access-ids'
      ? [
          {
            name: 'Secret created',
            cell: ({ rotatedAt, createdAt }: Credential) => <Moment at={rotatedAt ?? createdAt} />,
          },
        ]
      : []),
    { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Actions',
      silent: true,
      cell: (credential) =>
        credential.revokedAt ? null : (
          <Menu
            label={`Actions for ${credential.name}`}
            className="icon-button"
            button={<Ellipsis size={16} aria-hidden />}
            entries={[
              ...(kind === 'access-ids'
                ? [{ label: 'Rotate secret', icon: RotateCw, run: () => setAsked({ what: 'rotate', credential }) }]
                : []),
              { label: `Revoke ${word}`, icon: Ban, danger: true, run: () => setAsked({ what: 'revoke', credential }) },
            ]}
          />
        ),
    },
  ]
  const rotate = async ({ id }: Credential) => {
    setMade(await manage.post<Credential & { secret: string }>(api(kind, id, 'rotate')))
    await onChange()
  }
  const revoke = async ({ id, name }: Credential) => {
    await manage.delete(api(kind, id))
    await onChange()
    say(`${name} revoked`)
  }
  return (
    <>
      <Table
        label={kind === 'api-keys' ? 'API keys' : 'Access IDs'}
        columns={columns}
        rows={credentials}
        rowKey={({ id }) => id}
      />
      {asked?.what === 'rotate' ? (
        <Confirm
          title={`Rotate the secret of ${asked.credential.name}?`}
          consequence={
            <>
              <p>A new secret is created and shown once.</p>
              <p>
                <strong>The current secret and its access tokens stop working immediately.</strong> Systems that use
                them get 401 until they have the new secret.
              </p>
            </>
          }
          submit="Rotate secret"
          onClose={() => setAsked(undefined)}
          onConfirm={() => rotate(asked.credential)}
        />
      ) : null}
      {asked?.what === 'revoke' ? (
        <Confirm
          title={`Revoke ${asked.credential.name}?`}
          consequence={
            <>
              <p>{kinds[kind].revoked}</p>
              <p>
                This cannot be undone. You can create a new {word} at any time. References, accounts, and activity are
                kept.
              </p>
            </>
          }
          typed={asked.credential.name}
          submit={`Revoke ${word}`}
          onClose={() => setAsked(undefined)}
          onConfirm={() => revoke(asked.credential)}
        />
      ) : null}
      {made ? (
        <NewSecret
          made={made}
          sentence="The old secret and its access tokens no longer work."
          onDone={() => setMade(undefined)}
        />
      ) : null}
    </>
  )
}
