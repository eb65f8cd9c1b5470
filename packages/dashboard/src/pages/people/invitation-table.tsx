import { useState } from 'react'
import { roleLabel } from '../../access.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Moment } from '../../components/moment.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import type { Invitation } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import './people.css'

export function InvitationTable({
  invitations,
  onChange,
}: {
  invitations: readonly Invitation[]
  onChange(): Promise<void>
}) {
  const { call } = useWorkspace()
  const [revoking, setRevoking] = useState<Invitation>()
  const columns: Column<Invitation>[] = [
    { name: 'Name', wide: true, sort: ({ name }) => name, cell: ({ name }) => <span className="person">{name}</span> },
    { name: 'Role', sort: ({ role }) => roleLabel(role), cell: ({ role }) => roleLabel(role) },
    { name: 'Invited by', sort: ({ createdBy }) => createdBy, cell: ({ createdBy }) => createdBy },
    { name: 'Expires', sort: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      name: 'Actions',
      silent: true,
      cell: (invitation) => (
        <Button
          small
          onClick={() => setRevoking(invitation)}
          aria-label={`Revoke the invitation of ${invitation.name}`}
        >
          Revoke
        </Button>
      ),
    },
  ]
  return (
    <>
      <Table label="Open invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />
      {revoking ? (
        <Confirm
          title={`Revoke the invitation of ${revoking.name}?`}
          consequence={<p>The link stops working immediately. You can invite the person again.</p>}
          submit="Revoke invitation"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await call('revokeInvitation', { path: { invitationId: revoking.id } })
            await onChange()
            say('Invitation revoked')
          }}
        />
      ) : null}
    </>
  )
}
