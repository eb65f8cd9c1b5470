import { Link, useParams } from 'wouter'
import { segment, withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Content, Notice, Skeleton } from '../../components/feedback.tsx'
import { CopyButton, Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { RequestCode } from '../../components/request-code.tsx'
import { HttpStatus, TestTag } from '../../components/state.tsx'
import { TimeLegend } from '../../components/time-split.tsx'
import { plural } from '../../format.ts'
import { Link as LinkIcon, ListFilter, Search } from '../../lucide/icons.tsx'
import { codeOf } from '../../request-code.ts'
import type { ActivityDetail } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Caller, useWhat } from './activity-table.tsx'
import { parsed } from './parsed.ts'
import { useCallers } from './use-callers.ts'
import { Waterfall } from './waterfall.tsx'

export default function RequestPage() {
  const { requestId = '' } = useParams()
  const { page } = useWorkspace()
  const whatOf = useWhat()
  const request = useManage('getActivity', { path: { requestId } })
  const { data } = request
  const parent = { label: 'Activity', href: page('activity') }
  const record = data?.externalId ?? data?.nativeId
  return (
    <Page
      title={data ? whatOf(data) : 'Request'}
      parent={parent}
      state={data ? <HttpStatus status={data.status} /> : undefined}
      about={
        <span className="row">
          <Identifier value={requestId} length={40} label="Copy request ID" />
          {data ? <Moment exact at={data.at} /> : null}
        </span>
      }
      actions={
        <>
          {record && data ? (
            <LinkButton icon={ListFilter} href={withQuery(page('activity'), { record, accountId: data.accountId })}>
              All requests for this record
            </LinkButton>
          ) : null}
          {data?.nativeId && data.entityType ? (
            <LinkButton
              icon={Search}
              href={withQuery(page('explorer', data.accountId, data.entityType), { record: data.nativeId })}
            >
              Open record
            </LinkButton>
          ) : null}
          <span className="row">
            <CopyButton word text={location.href} label="Copy link" />
          </span>
        </>
      }
    >
      <Content of={request} shape={<RequestShape />}>
        {(detail) => <Detail detail={detail} />}
      </Content>
    </Page>
  )
}

const RequestShape = () => (
  <div className="stack">
    <Skeleton height={120} />
    <Skeleton height={280} />
  </div>
)

function Detail({ detail }: { detail: ActivityDetail }) {
  const { page } = useWorkspace()
  const callers = useCallers()
  const { trace } = detail
  const byRecord = (record: string) => withQuery(page('activity'), { record, accountId: detail.accountId })
  return (
    <div className="stack">
      {trace.problem ? <Problem problem={trace.problem} /> : null}
      {trace.replayed ? (
        <Notice tone="info">
          Replayed from the journal: this key was written before, so nothing was sent to the platform.
        </Notice>
      ) : null}
      {trace.callerLeft ? (
        <Notice tone="attention">
          The caller disconnected before the response. If this was a write, the service finished it.
        </Notice>
      ) : null}
      <Section>
        <Facts
          facts={[
            [
              'Account',
              detail.accountId ? (
                <span key="account" className="row">
                  <Link href={page('accounts', detail.accountId)} className="inline-link">
                    {detail.accountId}
                  </Link>
                  <TestTag of={detail} />
                </span>
              ) : (
                'None'
              ),
            ],
            ['Caller', <Caller key="caller" id={detail.credentialId} callers={callers} />],
            ['Request', <code key="path">{`${detail.method} ${trace.path ?? ''}`}</code>, 'row'],
            trace.form ? ['URL form', `Form ${trace.form}`] : undefined,
            trace.client ? ['Client', trace.client] : undefined,
            detail.externalId
              ? [
                  'External ID',
                  <Link key="external" href={byRecord(detail.externalId)} className="inline-link mono">
                    {detail.externalId}
                  </Link>,
                ]
              : undefined,
            detail.nativeId
              ? [
                  'Platform ID',
                  <Link key="native" href={byRecord(detail.nativeId)} className="inline-link mono">
                    {detail.nativeId}
                  </Link>,
                ]
              : undefined,
          ]}
        />
      </Section>
      <Section
        title="Trace"
        about={detail.nativeCalls > 0 ? `${plural(detail.nativeCalls, 'call')} to ${detail.platform}` : undefined}
        actions={<TimeLegend split={detail} />}
      >
        <Waterfall detail={detail} />
      </Section>
      <SameRequest detail={detail} />
      {trace.body ? (
        <Section title="Request body">
          <Json value={parsed(trace.body)} />
        </Section>
      ) : null}
      {trace.response ? (
        <Section title="Response to the caller" actions={<HttpStatus status={detail.status} />}>
          <Json value={parsed(trace.response)} />
        </Section>
      ) : null}
    </div>
  )
}

const longestPath = 2000 // longer ones are truncated
/** Only if the whole request is known: bodies are truncated, and secrets and unknown parameters are not stored. */
function SameRequest({ detail: { method, trace } }: { detail: ActivityDetail }) {
  const body = trace.body === undefined ? undefined : parsed(trace.body)
  const incomplete = typeof body === 'string' || trace.body?.includes('•••')
  const { path = '' } = trace
  const request = { method, path, body }
  if (incomplete || path.length >= longestPath || !codeOf('curl', request, '')) return null
  return (
    <Section
      title="The same request"
      about={method === 'PUT' ? 'Without the header if-match, which is not stored.' : undefined}
    >
      <RequestCode request={request} />
    </Section>
  )
}

function Problem({ problem }: { problem: NonNullable<ActivityDetail['trace']['problem']> }) {
  const { page } = useWorkspace()
  return (
    <Notice
      tone="broken"
      title={problem.code}
      action={
        <LinkButton small icon={LinkIcon} href={`${page('errors')}?code=${segment(problem.code)}`}>
          How to fix
        </LinkButton>
      }
    >
      <p>{problem.detail}</p>
      {problem.errors?.map(({ pointer, message }) => (
        <p key={pointer + message}>
          <code>{pointer}</code> {message}
        </p>
      ))}
    </Notice>
  )
}
