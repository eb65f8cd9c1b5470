import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import * as limits from '../../generated/limits.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { ConnectFailure } from './connect-failure.tsx'
import { Fields } from './connect-fields.tsx'
import { isRequestedScopes, useConnectable } from './connectable.ts'
import { ErasePerson } from './erase-person.tsx'
import type { TabProps } from './tab-props.ts'
import { useLocations } from './use-locations.ts'

export function AccountSettings({ account, put }: TabProps) {
  const { call } = useWorkspace()
  const [name, setName] = useState(account.name)
  const [settings, setSettings] = useState(account.settings)
  const { data } = useConnectable()
  const known = data?.find(({ platform }) => platform === account.platform)?.settings ?? []
  const others = Object.keys(account.settings).filter((field) => !known.some((one) => one.name === field))
  const fields = [
    ...known,
    ...others.map((field) => ({ name: field, label: field, secret: false, optional: true })),
  ].filter((field) => !isRequestedScopes(field.name))
  const locations = useLocations(
    account,
    known.some(({ reference }) => reference === 'location'),
  )
  const choices = Object.fromEntries(
    known.filter(({ reference }) => reference === 'location').map((field) => [field.name, locations]),
  )
  const action = useAction(async () => {
    const filled = Object.fromEntries(Object.entries(settings).filter(([, value]) => value.trim() !== ''))
    put(await call('changeAccount', { path: { accountId: account.id }, body: { name: name.trim(), settings: filled } }))
    say('Settings saved')
  })
  const undo = () => {
    setName(account.name)
    setSettings(account.settings)
  }
  const changed = name !== account.name || JSON.stringify(settings) !== JSON.stringify(account.settings)
  return (
    <>
      <Section
        title="Settings"
        about="Account-specific values and defaults. Credentials are never shown. To replace them, reconnect the account."
      >
        <form
          className="connect-grid"
          onSubmit={(event) => {
            event.preventDefault()
            void action.run()
          }}
        >
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            {...limits.changeAccount.name}
            hint="A display name. The account ID does not change."
          />
          <Fields
            fields={fields}
            values={settings}
            onChange={setSettings}
            section="settings"
            error={action.error}
            choices={choices}
          />
          {action.error ? (
            <ConnectFailure
              error={action.error}
              title="Settings not saved"
              kept="The settings were not changed."
              shown={fields.map((field) => `/settings/${field.name}`)}
              known={fields}
            />
          ) : null}
          <div className="row">
            <Button
              needs="operator"
              kind="primary"
              type="submit"
              busy={action.busy}
              disabled={!changed || name.trim() === ''}
            >
              Save settings
            </Button>
            {changed ? <Button onClick={undo}>Discard changes</Button> : null}
          </div>
        </form>
      </Section>
      <ErasePerson accountId={account.id} />
    </>
  )
}
