import { useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import type { Answer } from '../../manage.ts'
import type { Account } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { AuthMethods } from './auth-methods.tsx'
import { ConnectFailure } from './connect-failure.tsx'
import { Fields } from './connect-fields.tsx'
import { ShownLink } from './connect-links.tsx'
import { filled, useConnectable } from './connectable.ts'

/** Replaces the credentials of the same business and keeps everything else. */
export function Reconnect({
  account,
  onClose,
  onDone,
}: {
  account: Account
  onClose(): void
  onDone(account: Account): void
}) {
  const { call } = useWorkspace()
  const { data } = useConnectable()
  const platform = data?.find((one) => one.platform === account.platform)
  const methods = platform?.auth ?? []
  const [chosen, setMethod] = useState(account.auth)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [made, setMade] = useState<Answer<'createConnectLink'>>()
  const method = methods.find(({ kind }) => kind === chosen) ?? methods[0]
  const byLink = method?.kind === 'oauth2'
  const fields = method?.credentials ?? []
  const action = useAction(async () => {
    if (byLink) return setMade(await call('createConnectLink', { body: { accountId: account.id } }))
    const connected = await call('reconnectAccount', {
      path: { accountId: account.id },
      body: {
        auth: method?.kind,
        credentials: filled(credentials, fields),
      },
    })
    onClose()
    onDone(connected)
  })
  return (
    <FormDialog
      title={`Reconnect ${account.name}`}
      submit={byLink ? 'Create connect link' : 'Replace credentials'}
      onClose={onClose}
      action={action}
      ready={method !== undefined && !made}
      failure={(error) => (
        <ConnectFailure
          error={error}
          title={byLink ? 'Link not created' : 'Credentials not replaced'}
          kept="The account was not changed. Your input is still here."
          shown={fields.map(({ name }) => `/credentials/${name}`)}
          known={[...fields, ...(platform?.settings ?? [])]}
        />
      )}
    >
      <p className="soft">
        This replaces the credentials. References, mappings, settings, and the write journal are kept, so nothing is
        written twice.
      </p>
      {data ? (
        <AuthMethods methods={methods} value={method?.kind ?? ''} onChange={setMethod} />
      ) : (
        <Skeleton lines={2} />
      )}
      {byLink && !made ? (
        <Notice>The owner opens a link, signs in to the platform, and authorizes the connection again.</Notice>
      ) : null}
      {byLink ? null : (
        <Fields
          fields={fields}
          values={credentials}
          onChange={setCredentials}
          section="credentials"
          error={action.error}
        />
      )}
      {made ? <ShownLink made={made} /> : null}
    </FormDialog>
  )
}
