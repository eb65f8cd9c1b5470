// For installation admins: everyone who can sign in.

import { useState } from 'react'
import { Confirm } from '../../components/dialog.tsx'
import { Content } from '../../components/feedback.tsx'
import { Menu } from '../../components/menu.tsx'
import { Part } from '../../components/page.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import { Tag } from '../../components/state.tsx'
import { type Column, Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { Ellipsis, KeyRound, ShieldCheck, ShieldOff, Trash2 } from '../../lucide/icons.tsx'
import { call } from '../../manage.ts'
import type { User } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import './people.css'

type Asked = { what: 'promote' | 'demote' | 'reset' | 'delete'; user: User }

const questions: Record<Asked['what'], { title(name: string): string; about: string; submit: string }> = {
  promote: {
    title: (name) => `Make ${name} an installation admin?`,
    about: 'Installation admins may do everything in every workspace, and manage all users.',
    submit: 'Make installation admin',
  },
  demote: {
    title: (name) => `End the installation admin rights of ${name}?`,
    about: 'The user keeps the roles in workspaces. This takes effect immediately.',
    submit: 'End admin rights',
  },
  reset: {
    title: (name) => `Create a link for a new password of ${name}?`,
    about: 'The link works once, for a day. When it is used, all open sessions of the user end.',
    submit: 'Create link',
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    about: 'The user is signed out and loses all roles. The audit log keeps what the user did.',
    submit: 'Delete user',
  },
}

export function AllUsers({ self }: { self: string }) {
  const list = useManage('listUsers')
  const [asked, setAsked] = useState<Asked>()
  const [link, setLink] = useState<{ name: string; url: string }>()
  const columns: Column<User>[] = [
    {
      name: 'User',
      wide: true,
      sort: ({ name }) => name,
      cell: ({ name }) => (
        <span className="row">
          <span className="person">{name}</span>
          {name === self ? <Tag>You</Tag> : null}
        </span>
      ),
    },
    {
      name: 'Access',
      sort: ({ isAdmin }) => (isAdmin ? 0 : 1),
      cell: ({ isAdmin }) => (isAdmin ? 'Installation admin' : 'By role'),
    },
    {
      name: 'Sign-in',
      sort: ({ hasPassword }) => (hasPassword ? 0 : 1),
      cell: ({ hasPassword }) => (hasPassword ? 'Password' : 'SSO'),
    },
    { name: 'Workspaces', number: true, sort: ({ workspaces }) => workspaces, cell: ({ workspaces }) => workspaces },
    { name: 'Sessions', number: true, sort: ({ sessions }) => sessions, cell: ({ sessions }) => sessions },
    {
      name: 'Actions',
      silent: true,
      cell: (user) => (
        <Menu
          label={`Actions for user ${user.name}`}
          className="icon-button"
          button={<Ellipsis size={16} aria-hidden />}
          entries={[
            user.isAdmin
              ? { label: 'End admin rights', icon: ShieldOff, run: () => setAsked({ what: 'demote', user }) }
              : { label: 'Make installation admin', icon: ShieldCheck, run: () => setAsked({ what: 'promote', user }) },
            { label: 'Create link for a new password', icon: KeyRound, run: () => setAsked({ what: 'reset', user }) },
            {
              label: 'Delete user',
              icon: Trash2,
              danger: true,
              apart: true,
              run: () => setAsked({ what: 'delete', user }),
            },
          ]}
        />
      ),
    },
  ]
  async function act({ what, user: { name } }: Asked): Promise<void> {
    const path = { user: name }
    if (what === 'delete') await call('deleteUser', { path })
    else if (what === 'reset') setLink({ name, url: (await call('createResetLink', { path })).url })
    else await call('changeUser', { path, body: { isAdmin: what === 'promote' } })
    await list.refresh()
    if (what !== 'reset') say(what === 'delete' ? `${name} deleted` : `${name} changed`)
  }
  return (
    <Part
      title="All users"
      about="Everyone who can sign in to this installation. Only installation admins see this list."
    >
      <Content of={list} shape={<TableShape columns={5} rows={3} />}>
        {({ data }) => <Table label="All users" columns={columns} rows={data} rowKey={({ name }) => name} />}
      </Content>
      {asked ? (
        <Confirm
          title={questions[asked.what].title(asked.user.name)}
          consequence={<p>{questions[asked.what].about}</p>}
          submit={questions[asked.what].submit}
          typed={asked.what === 'delete' ? asked.user.name : undefined}
          onClose={() => setAsked(undefined)}
          onConfirm={() => act(asked)}
        />
      ) : null}
      {link ? (
        <SecretBox
          title={`New password for ${link.name}`}
          secrets={[{ label: 'Link', value: link.url }]}
          sentence="Send this link to the user. It works once, for a day."
          onDone={() => setLink(undefined)}
        />
      ) : null}
    </Part>
  )
}
