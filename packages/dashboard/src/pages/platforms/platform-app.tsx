import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { Trash2 } from '../../lucide/icons.tsx'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { scopesField, useConnectable } from '../accounts/connectable.ts'
import { RegistrationSteps } from './registration-steps.tsx'

/** The operator's application on an OAuth platform. Shows nothing for platforms with keys. */
export function PlatformApp({ platform, name }: { platform: string; name: string }) {
  const { call } = useWorkspace()
  const app = useManage('getPlatformApp', { path: { platform } })
  const described = useConnectable().data?.find((one) => one.platform === platform)
  const oauth = described?.auth.find(({ kind }) => kind === 'oauth2')
  const field = described && scopesField(described)
  const [scopes, setScopes] = useState<string>()
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const [removing, setRemoving] = useState(false)
  const save = useAction(async () => {
    const { scopes: before, ...settings } = app.data?.settings ?? {}
    const chosen = (scopes ?? before ?? '').trim()
    app.put(
      await call('putPlatformApp', {
        path: { platform },
        body: {
          clientId: clientId.trim(),
          clientSecret: clientSecret.trim(),
          settings: chosen && chosen !== field?.default ? { ...settings, scopes: chosen } : settings,
        },
      }),
    )
    setClientId('')
    setClientSecret('')
    setScopes(undefined)
    say(`${name} application saved`)
  })
  const { data } = app
  if (!data) return null
  return (
    <Section
      title={`Your ${name} application`}
      about="Owners authorize it when they open a connect link. Register it once."
      actions={data.configured ? <State tone="ok">Set up</State> : <State tone="idle">Not set up</State>}
    >
      <div className="stack">
        <RegistrationSteps app={data} registration={oauth?.registration} />
        {data.configured ? (
          <Facts
            facts={[
              data.clientId
                ? [
                    'Client ID',
                    <Identifier key="client" value={data.clientId} length={48} label="Copy client ID" />,
                    'wide',
                  ]
                : undefined,
              ['Client secret', 'Saved, never shown'],
              data.updatedAt ? ['Saved', <Moment key="saved" at={data.updatedAt} />] : undefined,
            ]}
          />
        ) : null}
        <form
          className="platform-app"
          onSubmit={(event) => {
            event.preventDefault()
            void save.run()
          }}
        >
          <TextField label="Client ID" mono value={clientId} onChange={setClientId} autoComplete="off" required />
          <TextField
            label="Client secret"
            type="password"
            value={clientSecret}
            onChange={setClientSecret}
            autoComplete="new-password"
            required
          />
          {field ? (
            <TextField
              label={field.label}
              hint={field.help && `${field.help}.`}
              error={save.error?.violationOf('/settings/scopes')}
              mono
              value={scopes ?? data.settings.scopes ?? field.default ?? ''}
              onChange={setScopes}
              autoComplete="off"
            />
          ) : null}
          <Button
            needs="admin"
            type="submit"
            kind={data.configured ? 'plain' : 'primary'}
            busy={save.busy}
            disabled={!clientId.trim() || !clientSecret.trim()}
          >
            {data.configured ? 'Replace' : 'Save application'}
          </Button>
          {data.configured ? (
            <Button needs="admin" kind="danger" icon={Trash2} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          ) : null}
        </form>
        {save.error ? <Failure error={save.error} kept="The saved application was not changed." /> : null}
      </div>
      {removing ? (
        <Confirm
          title={`Remove the ${name} application?`}
          consequence={
            <p>New connect links cannot connect {name} until you enter it again. Connected accounts keep working.</p>
          }
          submit="Remove application"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await call('deletePlatformApp', { path: { platform } })
            await app.refresh()
          }}
        />
      ) : null}
    </Section>
  )
}
