import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Content, Notice, Skeleton } from '../../components/feedback.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { Page, Section, Tabs } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { readable, unbroken } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import { FlaskConical, Plug } from '../../lucide/icons.tsx'
import type { Vertical } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { AuthMethods } from './auth-methods.tsx'
import { ConnectFailure } from './connect-failure.tsx'
import { Fields } from './connect-fields.tsx'
import { ConnectLinks } from './connect-links.tsx'
import { askedSettings, type Connectable, filled, regionWord, useConnectable } from './connectable.ts'
import './accounts.css'

export default function ConnectPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const platforms = useConnectable()
  const platform = platforms.data?.find((one) => one.platform === query.get('platform'))
  const keyless = platform?.auth.every(({ kind }) => kind === 'oauth2') ?? false
  const by = keyless || query.get('by') === 'link' ? 'link' : 'form'
  const here = page('accounts', 'connect')
  return (
    <Page
      title={platform && by === 'form' ? `Connect ${platform.name}` : 'Connect an account'}
      parent={
        platform && by === 'form'
          ? { label: 'All platforms', href: here }
          : { label: 'Accounts', href: page('accounts') }
      }
    >
      <Tabs
        label="Connection methods"
        current={by}
        tabs={[
          // A platform with OAuth only has nothing to enter.
          ...(keyless
            ? []
            : [{ id: 'form', label: 'Enter credentials', href: withQuery(here, { platform: query.get('platform') }) }]),
          {
            id: 'link',
            label: 'Send a connect link',
            href: withQuery(here, { by: 'link', platform: query.get('platform') }),
          },
        ]}
      />
      <Content of={platforms} shape={<Skeleton height={240} />}>
        {(data) =>
          by === 'link' ? (
            <ConnectLinks platforms={data} chosen={query.get('platform')} />
          ) : platform ? (
            <ConnectForm key={platform.platform} platform={platform} />
          ) : (
            <Choices platforms={data} />
          )
        }
      </Content>
    </Page>
  )
}

function Choices({ platforms }: { platforms: readonly Connectable[] }) {
  const { page } = useWorkspace()
  return (
    <div className="stack">
      <p className="soft">Choose a platform</p>
      <ul className="platform-choices">
        {platforms.map(({ platform, name, verticals }) => (
          <li key={platform}>
            <Link href={withQuery(page('accounts', 'connect'), { platform })} className="platform-choice">
              {unbroken(name)}
              <span className="small faint">{verticals.map(readable).join(', ')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ConnectForm({ platform }: { platform: Connectable }) {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const [name, setName] = useState(platform.name)
  const [vertical, setVertical] = useState(platform.verticals[0] as Vertical)
  const [method, setMethod] = useState(
    platform.auth.find(({ kind }) => kind !== 'oauth2')?.kind ?? platform.auth[0]?.kind ?? '',
  )
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState<Record<string, string>>({})
  const [region, setRegion] = useState(platform.regions.find(({ usual }) => usual)?.label ?? '')
  const chosen = platform.auth.find(({ kind }) => kind === method)
  const credentialFields = chosen?.credentials ?? []
  const settingFields = askedSettings(platform, chosen)
  const regionSettings = platform.regions.find(({ label }) => label === region)?.settings ?? {}
  const action = useAction(async () => {
    const made = await call('connectAccount', {
      body: {
        platform: platform.platform,
        vertical,
        name: name.trim(),
        auth: method,
        credentials: filled(credentials, credentialFields),
        settings: { ...regionSettings, ...filled(settings, settingFields) },
      },
    })
    navigate(page('accounts', made.id))
    say(`${made.name} connected`)
  })
  const regionPointers = [...new Set(platform.regions.flatMap((one) => Object.keys(one.settings)))].map(
    (field) => `/settings/${field}`,
  )
  const wrongRegion = region === '' && regionPointers.some((pointer) => action.error?.violationOf(pointer))
  const oauth = method === 'oauth2'
  const sandbox = useManage('listSandboxKeys')
  const keys = sandbox.data?.data.find((one) => one.platform === platform.platform && one.vertical === vertical)
  return (
    <div className="connect-card">
      <Section>
        <form
          className="connect-grid"
          onSubmit={(event) => {
            event.preventDefault()
            void action.run()
          }}
        >
          <AuthMethods methods={platform.auth} value={method} onChange={setMethod} />
          {oauth ? (
            <Notice
              title={`${platform.name} uses OAuth`}
              action={
                <LinkButton
                  small
                  kind="primary"
                  href={withQuery(page('accounts', 'connect'), { by: 'link', platform: platform.platform })}
                >
                  Create a connect link
                </LinkButton>
              }
            >
              The owner opens a link, signs in to {platform.name}, and authorizes the connection. If you own the
              business, open the link yourself.
            </Notice>
          ) : (
            <>
              <TextField
                label="Name"
                value={name}
                onChange={setName}
                {...limits.connectAccount.name}
                hint="A display name, such as the business and its location."
              />
              {platform.verticals.length > 1 ? (
                <Select
                  label="Vertical"
                  value={vertical}
                  onChange={setVertical}
                  choices={platform.verticals.map((value) => ({ value, label: readable(value) }))}
                  hint="Decides which entity types and fields the account has."
                />
              ) : null}
              {keys ? (
                <div>
                  <Button
                    needs="operator"
                    small
                    icon={FlaskConical}
                    onClick={() => {
                      setCredentials(keys.credentials)
                      setSettings(keys.settings)
                    }}
                  >
                    Use sandbox keys
                  </Button>
                </div>
              ) : null}
              <Fields
                fields={credentialFields}
                values={credentials}
                onChange={setCredentials}
                section="credentials"
                error={action.error}
              />
              {platform.regions.length > 0 ? (
                <Select
                  label={regionWord(platform.regions)}
                  value={region}
                  onChange={setRegion}
                  error={
                    wrongRegion
                      ? `Choose the ${regionWord(platform.regions).toLowerCase()} of the business.`
                      : undefined
                  }
                  choices={[
                    ...(platform.regions.some(({ usual }) => usual) ? [] : [{ value: '', label: 'Choose' }]),
                    ...platform.regions.map(({ label }) => ({ value: label, label })),
                  ]}
                />
              ) : null}
              <Fields
                fields={settingFields}
                values={settings}
                onChange={setSettings}
                section="settings"
                error={action.error}
              />
              {action.error ? (
                <ConnectFailure
                  error={action.error}
                  title="Account not connected"
                  kept="Nothing was saved. Your input is still here."
                  shown={[
                    ...credentialFields.map((field) => `/credentials/${field.name}`),
                    ...settingFields.map((field) => `/settings/${field.name}`),
                    ...(region === '' ? regionPointers : []),
                  ]}
                  known={[...credentialFields, ...platform.settings]}
                />
              ) : null}
              <div className="row">
                <Button needs="operator" kind="primary" type="submit" icon={Plug} busy={action.busy}>
                  Connect account
                </Button>
                <span className="small faint">Credentials are encrypted and never shown again.</span>
              </div>
            </>
          )}
        </form>
      </Section>
    </div>
  )
}
