import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Part } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { type Column, Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { browserName } from '../../format.ts'
import { call } from '../../manage.ts'
import type { ListedSession } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'

/** Those of the signed-in user, or those of all users for an installation admin. */
export function Sessions({ all = false }: { all?: boolean }) {
  const list = useManage('listSessions', { query: { all: all || undefined } })
  const [ending, setEnding] = useState(false)
  const end = useAction(async ({ id }: ListedSession) => {
    await call('endSession', { path: { sessionId: id } })
    await list.refresh()
    say('Session ended')
  })
  const columns: Column<ListedSession>[] = [
    ...(all ? [{ name: 'User', cell: ({ user }: ListedSession) => user }] : []),
    {
      name: 'Browser',
      wide: true,
      sort: ({ browser }) => browserName(browser),
      cell: ({ browser, current }) => (
        <span className="row">
          <span title={browser}>{browserName(browser)}</span>
          {current ? <Tag>This session</Tag> : null}
        </span>
      ),
    },
    {
      name: 'Address',
      sort: ({ address }) => address,
      cell: ({ address }) => <span className="mono">{address ?? '–'}</span>,
    },
    {
      name: 'Last used',
      sort: ({ lastUsedAt }) => lastUsedAt,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : '–'),
    },
    {
      name: 'Started',
      sort: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => (startedAt ? <Moment at={startedAt} /> : '–'),
    },
    {
      name: 'Actions',
      silent: true,
      cell: (session) =>
        session.current ? null : (
          <Button
            small
            busy={end.busy}
            aria-label={`End the session of ${all ? `${session.user}, ` : ''}${browserName(session.browser)}`}
            onClick={() => void end.run(session)}
          >
            End
          </Button>
        ),
    },
  ]
  const others = !all && (list.data?.data.length ?? 0) > 1
  return (
    <Part
      title={all ? 'All sessions' : 'Sessions'}
      about={`${all ? 'Who is signed in, and where.' : 'Where you are signed in.'} A session ends after 12 hours.`}
      actions={
        others ? (
          <Button small onClick={() => setEnding(true)}>
            End all others
          </Button>
        ) : null
      }
    >
      {end.error ? <Failure error={end.error} kept="The session is still open." /> : null}
      <Content of={list} shape={<TableShape columns={4} rows={2} />}>
        {({ data }) => (
          <Table label={all ? 'All sessions' : 'Sessions'} columns={columns} rows={data} rowKey={({ id }) => id} />
        )}
      </Content>
      {ending ? (
        <Confirm
          title="End all other sessions?"
          consequence={<p>You stay signed in here. All other browsers and tools must sign in again.</p>}
          submit="End sessions"
          onClose={() => setEnding(false)}
          onConfirm={async () => {
            await call('endOtherSessions')
            await list.refresh()
            say('Other sessions ended')
          }}
        />
      ) : null}
    </Part>
  )
}
