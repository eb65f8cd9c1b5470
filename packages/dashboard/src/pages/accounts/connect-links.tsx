import { useState } from 'react'
import { Link } from 'wouter'
import type { ApiError } from '../../api.ts'
import { Button, IconButton, LinkButton } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure, Notice } from '../../components/feedback.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { CopyButton } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Part, Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { type Column, Pager, Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import { Ban, ExternalLink, Link2, Settings } from '../../lucide/icons.tsx'
import type { Answer } from '../../manage.ts'
import type { Vertical } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { type Connectable, regionWord } from './connectable.ts'

const lifetimes = [
  { value: '60', label: '1 hour' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '7 days' },
]

export function ConnectLinks({ platforms, chosen }: { platforms: readonly Connectable[]; chosen: string }) {
  const query = useQuery()
  const list = useManage('listConnectLinks', { query: { limit: 20, after: query.get('after') } }, { every: 5_000 })
  const nameOf = (id: string) => platforms.find(({ platform }) => platform === id)?.name ?? id
  return (
    <div className="stack">
      <NewLink platforms={platforms} chosen={chosen} onMade={() => void list.refresh()} />
      <Part title="Links" about="Used, expired, and revoked links are kept for 30 days.">
        <Content of={list} shape={<TableShape columns={4} rows={2} />}>
          {({ data, next }) =>
            data.length === 0 ? (
              <p className="faint">No links yet.</p>
            ) : (
              <>
                <LinkTable links={data} nameOf={nameOf} onChange={list.refresh} />
                <Pager query={query} shown={data.length} next={next} of="links" />
              </>
            )
          }
        </Content>
      </Part>
    </div>
  )
}

function NewLink({ platforms, chosen, onMade }: { platforms: readonly Connectable[]; chosen: string; onMade(): void }) {
  const { call } = useWorkspace()
  const [platform, setPlatform] = useState(chosen)
  const [accountName, setAccountName] = useState('')
  const [returnUrl, setReturnUrl] = useState('')
  const [vertical, setVertical] = useState<Vertical | ''>('')
  const [newAccountId, setNewAccountId] = useState('')
  const [purpose, setPurpose] = useState('')
  const [state, setState] = useState('')
  const [minutes, setMinutes] = useState('60')
  const [made, setMade] = useState<Answer<'createConnectLink'>>()
  const one = platforms.find((entry) => entry.platform === platform)
  const regions = one?.regions ?? []
  const verticals = one?.verticals ?? ['restaurant', 'retail_pos', 'accounting']
  const action = useAction(async () => {
    setMade(undefined)
    setMade(
      await call('createConnectLink', {
        body: {
          expiresInMinutes: Number(minutes),
          platforms: platform ? [platform] : undefined,
          vertical: vertical || undefined,
          accountName: accountName.trim() || undefined,
          newAccountId: newAccountId.trim() || undefined,
          returnUrl: returnUrl.trim() || undefined,
          purpose: purpose.trim() || undefined,
          state: state || undefined,
        },
      }),
    )
    onMade()
  })
  const wrong = (field: string) => {
    const message = action.error?.violationOf(`/${field}`)
    return message && `This value ${message}.`
  }
  return (
    <Section
      title="New connect link"
      about="Send this link to the owner of the business. They choose the platform and sign in there or enter its keys, and the account is connected."
    >
      <form
        className="connect-grid"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run()
        }}
      >
        <div className="columns connect-pair">
          <Select
            label="Platform"
            value={platform}
            onChange={(id) => {
              setPlatform(id)
              setVertical('')
            }}
            hint={
              regions.length > 0
                ? `The owner chooses the ${regionWord(regions).toLowerCase()} on the page: ${regions.map(({ label }) => label).join(', ')}.`
                : undefined
            }
            choices={[
              { value: '', label: 'Owner chooses' },
              ...platforms.map((entry) => ({ value: entry.platform, label: entry.name })),
            ]}
          />
          <Select
            label="Vertical"
            value={vertical}
            onChange={setVertical}
            error={wrong('vertical')}
            choices={[
              { value: '' as const, label: verticals.length > 1 ? 'Owner chooses' : readable(verticals[0] ?? '') },
              ...(verticals.length > 1 ? verticals.map((value) => ({ value, label: readable(value) })) : []),
            ]}
          />
          <Select label="Expires in" value={minutes} onChange={setMinutes} choices={lifetimes} />
        </div>
        <AppNeeded platform={one} />
        <TextField
          label="Account name (optional)"
          value={accountName}
          onChange={setAccountName}
          {...limits.createConnectLink.accountName}
          placeholder="Blue Door Bistro, Lisbon"
        />
        <TextField
          label="Return URL (optional)"
          type="url"
          mono
          value={returnUrl}
          onChange={setReturnUrl}
          placeholder="https://your.app/connected"
          hint="The owner is redirected here with a signed result."
          error={wrong('returnUrl')}
        />
        <details className="connect-more">
          <summary>More options</summary>
          <div className="connect-grid">
            <TextField
              label="Account ID (optional)"
              mono
              value={newAccountId}
              onChange={setNewAccountId}
              maxLength={100}
              placeholder="blue-door-lisbon"
              hint="ID of the new account in your API calls. By default one is generated."
              error={wrong('newAccountId')}
            />
            <TextField
              label="State (optional)"
              mono
              value={state}
              onChange={setState}
              {...limits.createConnectLink.state}
              placeholder="customer-42"
              hint="Your value, returned with the result."
              error={wrong('state')}
            />
            <TextField
              label="Purpose (optional)"
              value={purpose}
              onChange={setPurpose}
              {...limits.createConnectLink.purpose}
              hint="Why you ask, instead of the purpose in the settings."
              error={wrong('purpose')}
            />
          </div>
        </details>
        {action.error ? (
          <Failure error={action.error} kept="Your input is still here." sentences={othersIn(action.error)} />
        ) : null}
        <div className="row">
          <Button needs="operator" kind="primary" type="submit" icon={Link2} busy={action.busy}>
            Create connect link
          </Button>
        </div>
        {made ? <ShownLink made={made} /> : null}
      </form>
    </Section>
  )
}

const atFields = ['/vertical', '/returnUrl', '/newAccountId', '/state', '/purpose']
/** What is not shown at a field, without pointers. */
const othersIn = (error: ApiError) =>
  error.errors
    .filter(({ pointer }) => !atFields.includes(pointer))
    .map(({ pointer, message }) => (pointer.startsWith('/platforms') ? `This platform ${message}.` : `${message}.`))

/** A connect link to an OAuth platform requires an application. */
function AppNeeded({ platform }: { platform: Connectable | undefined }) {
  const { page } = useWorkspace()
  const apps = useManage('listPlatformApps')
  const missing = platform && apps.data?.data.some((app) => app.platform === platform.platform && !app.configured)
  if (!missing || platform.auth.some(({ kind }) => kind !== 'oauth2')) return null
  return (
    <Notice
      tone="attention"
      title={`${platform.name} requires an application`}
      action={
        <LinkButton small icon={Settings} href={page('platforms', platform.platform)}>
          Set it up
        </LinkButton>
      }
    >
      Owners authorize an application that you register with {platform.name}. Enter its client ID and secret once per
      workspace.
    </Notice>
  )
}

export function ShownLink({ made }: { made: Answer<'createConnectLink'> }) {
  return (
    <div className="stack-small">
      <Notice
        tone="ok"
        title="Connect link created"
        action={
          <a className="button button-plain button-small" href={made.url} target="_blank" rel="noreferrer">
            <ExternalLink size={16} aria-hidden /> Open link
          </a>
        }
      >
        <p>
          Shown only once. It connects one account and expires <Moment at={made.expiresAt} />.
        </p>
      </Notice>
      <Code text={made.url} label="Copy link" />
      {made.returnUrl ? (
        <div className="row small">
          <span className="soft">The result sent to your return URL is signed with</span>
          <CopyButton word text={made.signingSecret} label="Copy signing secret" />
        </div>
      ) : null}
    </div>
  )
}

type ConnectLink = Answer<'listConnectLinks'>['data'][number]
const tones = { open: 'waiting', connected: 'ok', expired: 'idle', revoked: 'idle' } as const
const words = { open: 'Open', connected: 'Connected', expired: 'Expired', revoked: 'Revoked' }

function LinkTable({
  links,
  nameOf,
  onChange,
}: {
  links: readonly ConnectLink[]
  nameOf(id: string): string
  onChange(): Promise<void>
}) {
  const { call, page } = useWorkspace()
  const [revoking, setRevoking] = useState<ConnectLink>()
  const columns: Column<ConnectLink>[] = [
    {
      name: 'For',
      wide: true,
      cell: ({ accountName, platforms, accountId, manage: isPage }) =>
        accountName ??
        (accountId
          ? `${isPage ? 'Page of' : 'Reconnect'} ${accountId}`
          : (platforms?.map(nameOf).join(', ') ?? 'Any platform')),
    },
    { name: 'State', cell: ({ status }) => <State tone={tones[status]}>{words[status]}</State> },
    {
      name: 'Account',
      cell: ({ connectedAccountId }) =>
        connectedAccountId ? (
          <Link href={page('accounts', connectedAccountId)} className="mono">
            {connectedAccountId}
          </Link>
        ) : (
          <span className="faint">None yet</span>
        ),
    },
    { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Expires', number: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      name: 'Revoke',
      silent: true,
      cell: (link) =>
        link.status === 'open' ? (
          <IconButton needs="operator" icon={Ban} label="Revoke link" onClick={() => setRevoking(link)} />
        ) : null,
    },
  ]
  return (
    <>
      <Table label="Connect links" columns={columns} rows={links} rowKey={({ id }) => id} />
      {revoking ? (
        <Confirm
          title="Revoke connect link?"
          consequence={
            <p>
              The link stops working immediately. Connected accounts are not affected. You can create another link at
              any time.
            </p>
          }
          submit="Revoke link"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await call('revokeConnectLink', { path: { linkId: revoking.id } })
            await onChange()
            say('Link revoked')
          }}
        />
      ) : null}
    </>
  )
}
