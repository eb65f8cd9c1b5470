// Who has access to the workspace: members, open invitations and, for installation admins, all users.

import { useState } from 'react'
import { useDenial } from '../../access.tsx'
import { Button } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Page, Part } from '../../components/page.tsx'
import { isPartial, Pager, TableShape } from '../../components/table.tsx'
import { Plus, Users } from '../../lucide/icons.tsx'
import { useSession } from '../../session.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { Sessions } from '../profile/sessions.tsx'
import { AllUsers } from './all-users.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { Invite } from './invite.tsx'
import { MemberTable } from './member-table.tsx'

export default function PeoplePage() {
  const session = useSession()
  const query = useQuery()
  const [inviting, setInviting] = useState(false)
  const denial = useDenial('admin')
  const isAdmin = session !== undefined && denial === undefined
  const members = useManage('listMembers', { query: { after: query.get('after') } })
  const invitations = useManage(isAdmin ? 'listInvitations' : undefined, { query: { limit: 500 } })
  const open = invitations.data?.data ?? []
  const invite = (
    <Button kind="primary" icon={Plus} needs="admin" onClick={() => setInviting(true)}>
      Invite person
    </Button>
  )
  return (
    <Page
      title="People"
      about="Who has access to this workspace, and what they may do. Installation admins have access without a role here."
      actions={invite}
    >
      <Part title="Members">
        <Content of={members} shape={<TableShape columns={4} rows={3} />}>
          {({ data, next }) =>
            data.length === 0 ? (
              <Empty icon={Users} title="No members yet" action={invite}>
                Only installation admins have access now. Invite the people who work in this workspace.
              </Empty>
            ) : (
              <>
                <MemberTable
                  members={data}
                  partial={isPartial(query, next)}
                  isAdmin={isAdmin}
                  onChange={members.refresh}
                />
                <Pager query={query} shown={data.length} next={next} of="members" />
              </>
            )
          }
        </Content>
      </Part>
      {open.length > 0 ? (
        <Part title="Open invitations" about="Each link works once.">
          <InvitationTable invitations={open} onChange={invitations.refresh} />
        </Part>
      ) : null}
      {session?.isAdmin ? (
        <>
          <AllUsers self={session.user} />
          <Sessions all />
        </>
      ) : null}
      {inviting ? <Invite onCreated={() => void invitations.refresh()} onClose={() => setInviting(false)} /> : null}
    </Page>
  )
}
