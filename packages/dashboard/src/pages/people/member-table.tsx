import { useState } from 'react'
import { type Role, roleChoices, roleLabel } from '../../access.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Moment } from '../../components/moment.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { Ellipsis, UserMinus } from '../../lucide/icons.tsx'
import type { Member } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import './people.css'

export function MemberTable({
  members,
  partial,
  isAdmin,
  onChange,
}: {
  members: readonly Member[]
  partial: boolean
  isAdmin: boolean
  onChange(): Promise<void>
}) {
  const { call } = useWorkspace()
  const [removing, setRemoving] = useState<Member>()
  const change = useAction(async ({ user }: Member, role: Role) => {
    await call('setMember', { path: { user }, body: { role } })
    await onChange()
    say(`${user} is now ${roleLabel(role).toLowerCase()}`)
  })
  const columns: Column<Member>[] = [
    { name: 'User', wide: true, sort: ({ user }) => user, cell: ({ user }) => <span className="person">{user}</span> },
    {
      name: 'Role',
      sort: ({ role }) => roleLabel(role),
      cell: (member) =>
        isAdmin ? (
          <span className="member-role">
            <Select
              label={`Role of ${member.user}`}
              bare
              value={member.role}
              choices={roleChoices}
              disabled={change.busy}
              onChange={(role) => void change.run(member, role)}
            />
          </span>
        ) : (
          roleLabel(member.role)
        ),
    },
    { name: 'Member since', sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    ...(isAdmin
      ? [
          {
            name: 'Actions',
            silent: true,
            cell: (member: Member) => (
              <Menu
                label={`Actions for ${member.user}`}
                className="icon-button"
                button={<Ellipsis size={16} aria-hidden />}
                entries={[
                  { label: 'Remove from workspace', icon: UserMinus, danger: true, run: () => setRemoving(member) },
                ]}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      {change.error ? <Failure error={change.error} kept="The role was not changed." /> : null}
      <Table label="Members" partial={partial} columns={columns} rows={members} rowKey={({ user }) => user} />
      {removing ? (
        <Confirm
          title={`Remove ${removing.user}?`}
          consequence={
            <p>
              {removing.user} loses access to this workspace immediately. Credentials, connect links, and records that
              this person created stay.
            </p>
          }
          submit="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await call('removeMember', { path: { user: removing.user } })
            await onChange()
            say(`${removing.user} removed`)
          }}
        />
      ) : null}
    </>
  )
}
