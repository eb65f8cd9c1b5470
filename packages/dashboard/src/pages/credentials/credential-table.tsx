import { useState } from 'react'
import { Confirm } from '../../components/dialog.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Menu } from '../../components/menu.tsx'
import { Moment } from '../../components/moment.tsx'
import { State, Tag } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { Ban, Ellipsis, Pencil, RotateCw } from '../../lucide/icons.tsx'
import type { Credential } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { CredentialForm } from './credential-form.tsx'
import { type Kind, kinds } from './kinds.ts'
import { type Made, NewSecret } from './new-credential.tsx'
import './credentials.css'

type RequestInfo = { what: 'edit' | 'rotate' | 'revoke'; credential: Credential }

export function CredentialTable({
  kind,
  credentials,
  partial,
  onChange,
}: {
  kind: Kind
  credentials: readonly Credential[]
  partial: boolean
  onChange(): Promise<void>
}) {
  const { call } = useWorkspace()
  const [asked, setAsked] = useState<RequestInfo>()
  const [made, setMade] = useState<Made>()
  const { word, operations } = kinds[kind]
  const columns: Column<Credential>[] = [
    {
      name: 'Name',
      wide: true,
      sort: ({ name }) => name,
      cell: ({ name, id }) => (
        <span className="credential-title">
          <span className="credential-name">{name}</span>
          <Identifier value={id} length={24} />
        </span>
      ),
    },
    { name: 'Scopes', cell: (credential) => <Allowed credential={credential} /> },
    { name: 'State', cell: (credential) => <Life credential={credential} /> },
    {
      name: 'Last used',
      sort: ({ lastUsedAt }) => lastUsedAt,
      cell: (credential) => <LastUse credential={credential} />,
    },
    ...(kind === 'access-ids'
      ? [
          {
            name: 'Secret created',
            sort: ({ rotatedAt, createdAt }: Credential) => rotatedAt ?? createdAt,
            cell: ({ rotatedAt, createdAt }: Credential) => <Moment at={rotatedAt ?? createdAt} />,
          },
        ]
      : []),
    { name: 'Created', sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
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
              {
                label: 'Edit scopes and limits',
                needs: 'admin',
                icon: Pencil,
                run: () => setAsked({ what: 'edit', credential }),
              },
              {
                label: 'Rotate secret',
                needs: 'admin',
                icon: RotateCw,
                run: () => setAsked({ what: 'rotate', credential }),
              },
              {
                label: `Revoke ${word}`,
                needs: 'admin',
                icon: Ban,
                danger: true,
                run: () => setAsked({ what: 'revoke', credential }),
              },
            ]}
          />
        ),
    },
  ]
  const rotate = async ({ id }: Credential) => {
    setMade(await call(operations.rotate, { path: { id } }))
    await onChange()
  }
  const revoke = async ({ id, name }: Credential) => {
    await call(operations.revoke, { path: { id } })
    await onChange()
    say(`${name} revoked`)
  }
  return (
    <>
      <Table
        label={kind === 'api-keys' ? 'API keys' : 'Access IDs'}
        columns={columns}
        rows={credentials}
        partial={partial}
        rowKey={({ id }) => id}
      />
      {asked?.what === 'edit' ? (
        <CredentialForm
          title={`Edit ${asked.credential.name}`}
          submit="Save"
          credential={asked.credential}
          onClose={() => setAsked(undefined)}
          onSave={async (settings) => {
            await call(operations.change, { path: { id: asked.credential.id }, body: settings })
            await onChange()
            setAsked(undefined)
            say(`${settings.name} saved`)
          }}
        />
      ) : null}
      {asked?.what === 'rotate' ? (
        <Confirm
          title={`Rotate the secret of ${asked.credential.name}?`}
          consequence={
            <>
              <p>A new secret is created and shown once.</p>
              <p>
                <strong>{kinds[kind].rotated}</strong> Systems that use them get 401 until they have the new secret.
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
        <NewSecret made={made} sentence="The old secret no longer works." onDone={() => setMade(undefined)} />
      ) : null}
    </>
  )
}

function Allowed({ credential: { scopes, accounts, entities, hiddenFields } }: { credential: Credential }) {
  const limits = [
    ...(accounts ? [plural(accounts.length, 'account')] : []),
    ...(entities ? [entities.join(', ')] : []),
    ...(hiddenFields ? [`without ${hiddenFields.join(', ')}`] : []),
  ]
  return (
    <span className="credential-cell">
      <span className="credential-scopes">
        {scopes.map((scope) => (
          <Tag key={scope}>{scope}</Tag>
        ))}
      </span>
      {limits.length > 0 ? <span className="small faint">Only {limits.join(' · ')}</span> : null}
    </span>
  )
}

function Life({ credential: { revokedAt, expiresAt } }: { credential: Credential }) {
  if (revokedAt) return <State tone="idle">Revoked</State>
  if (!expiresAt) return <State tone="ok">Active</State>
  return (
    <span className="credential-cell">
      {Date.parse(expiresAt) <= Date.now() ? <State tone="idle">Expired</State> : <State tone="ok">Active</State>}
      <span className="small faint">
        Expires <time dateTime={expiresAt}>{expiresAt.slice(0, 10)}</time>
      </span>
    </span>
  )
}

function LastUse({ credential: { lastUsedAt, lastAddress } }: { credential: Credential }) {
  if (!lastUsedAt) return <span className="faint">Never</span>
  return (
    <span className="credential-cell">
      <Moment at={lastUsedAt} />
      {lastAddress ? <span className="small faint mono">{lastAddress}</span> : null}
    </span>
  )
}
