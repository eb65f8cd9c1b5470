import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Content, Notice, Skeleton } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { Table } from '../../components/table.tsx'
import { Check, RotateCw, Undo2 } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import type { OpenWriteDetail } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { SettleDialog, type Settling } from './settle-dialog.tsx'
import { nameOf, WriteState } from './words.tsx'

const buttons = {
  resend: { label: 'Send again', icon: RotateCw },
  written: { label: 'Mark as written', icon: Check },
  not_written: { label: 'Mark as not written', icon: Undo2 },
} as const

export default function WritePage() {
  const { accountId = '', writeId = '' } = useParams()
  const { page } = useWorkspace()
  const [, navigate] = useLocation()
  const write = useManage('getOpenWrite', { path: { accountId, writeId } }, { every: 5_000 })
  const [settling, setSettling] = useState<Settling>()
  const platforms = usePlatforms()
  const { data } = write
  const platform = platforms.data?.find((one) => one.platform === data?.platform)?.name ?? 'the platform'
  return (
    <Page
      title={data ? nameOf(data) : 'Write'}
      parent={{ label: 'Writes', href: page('writes') }}
      state={data ? <WriteState write={data} /> : undefined}
      about={data ? <Identifier value={data.externalId} length={60} label="Copy external ID" /> : undefined}
      actions={data?.settlings.map((one, index) => (
        <Button
          key={one}
          needs="operator"
          icon={buttons[one].icon}
          kind={index === 0 ? 'primary' : 'plain'}
          onClick={() => setSettling(one)}
        >
          {buttons[one].label}
        </Button>
      ))}
    >
      <Content of={write} shape={<Skeleton height={280} />}>
        {(detail) => <Detail write={detail} platform={platform} />}
      </Content>
      {settling && data ? (
        <SettleDialog
          how={settling}
          write={data}
          platform={platform}
          onClose={() => {
            setSettling(undefined)
            void write.refresh()
          }}
          onSettled={() => navigate(page('writes'))}
        />
      ) : null}
    </Page>
  )
}

function Detail({ write, platform }: { write: OpenWriteDetail; platform: string }) {
  const { page } = useWorkspace()
  return (
    <div className="stack">
      <Explanation write={write} platform={platform} />
      <Section>
        <Facts
          facts={[
            [
              'Account',
              <Link key="account" href={page('accounts', write.accountId)} className="inline-link">
                {write.accountId}
              </Link>,
              'wide',
            ],
            ['Started', <Moment key="started" exact at={write.startedAt} />],
            write.nextAttemptAt ? ['Next attempt', <Moment key="next" at={write.nextAttemptAt} />] : undefined,
            write.nativeId
              ? ['Platform ID', <Identifier key="native" value={write.nativeId} length={40} />, 'wide']
              : undefined,
          ]}
        />
      </Section>
      <Section
        title="Calls"
        about="What was sent, in order. A call without a confirmation may have had its effect."
        actions={
          <LinkButton
            small
            href={withQuery(page('activity'), { record: write.externalId, accountId: write.accountId })}
          >
            Requests for this record
          </LinkButton>
        }
        flush
      >
        {write.steps.length === 0 ? (
          <p className="section-content faint">Nothing was sent.</p>
        ) : (
          <Table
            label="Calls of this write"
            rows={write.steps}
            rowKey={({ name }) => name}
            columns={[
              { name: 'Step', cell: ({ name }) => name },
              {
                name: 'Call',
                wide: true,
                cell: ({ method, path }) => (
                  <span className="mono">
                    {method} {path}
                  </span>
                ),
              },
              {
                name: 'State',
                cell: ({ done }) =>
                  done ? <State tone="ok">Confirmed</State> : <State tone="attention">No confirmation</State>,
              },
              { name: 'Sent', number: true, cell: ({ sentAt }) => <Moment exact at={sentAt} /> },
            ]}
          />
        )}
      </Section>
      <Section title={write.operation === 'native' ? 'Request' : 'Record'}>
        <Json value={write.record} />
      </Section>
    </div>
  )
}

function Explanation({ write, platform }: { write: OpenWriteDetail; platform: string }) {
  if (write.state === 'partial')
    return (
      <Notice tone="broken" title={`${platform} took only a part of this record`}>
        <p>It refused the rest: {write.reason ?? 'it gave no reason'}</p>
        <p>
          Correct the record with PUT to its platform ID. If the reason is gone by now, send the write again. If the
          record is fine as it is, mark it as written.
        </p>
      </Notice>
    )
  if (write.state === 'in_progress')
    return (
      <Notice tone="info" title="The service is working on this write">
        If it was interrupted, the service takes it up again within a minute.
      </Notice>
    )
  if (write.nextAttemptAt)
    return (
      <Notice tone="attention" title={`${platform} has not said what became of this write`}>
        The service keeps asking, less often as time passes. It finds out what {platform} has before it sends anything
        again. Send it again to ask now.
      </Notice>
    )
  return (
    <Notice tone="attention" title={`${platform} cannot say what became of this write`}>
      The response was lost, and the service does not send it again by itself. Check at {platform} whether it had an
      effect, then settle it here. Until then, a request with the same external ID gets <code>outcome_unknown</code>.
    </Notice>
  )
}
