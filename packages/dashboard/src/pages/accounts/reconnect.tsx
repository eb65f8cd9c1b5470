import { useState } from 'react'
import type { CreateConnectLinkAnswer } from '../../../../client/src/generated/manage.ts'
import { manage } from '../../api.ts'
import { FormDialog } from '../../components/dialog.tsx'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import type { Account } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { ConnectFailure } from './connect-failure.tsx'
import { Fields } from './connect-fields.tsx'
import { ShownLink } from './connect-links.tsx'
import { Ways } from './connect-ways.tsx'
import { filled, useConnectable } from './connectable.ts'

/** New credentials for the same business; everything else stays. */
export function Reconnect({ account, onClose, onDone }: { account: Account; onClose(): void; onDone(account: Account): void }) {
  const { api } = useWorkspace()
  const { data } = useConnectable()
  const platform = data?.find((one) => one.platform === account.platform)
  const ways = platform?.auth ?? []
  const [chosen, setWay] = useState(account.auth)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [made, setMade] = useState<CreateConnectLinkAnswer>()
  const way = ways.find(({ kind }) => kind === chosen) ?? ways[0]
  const byLink = way?.kind === 'oauth2'
  const fields = way?.credentials ?? []
  const action = useAction(async () => {
    if (byLink) return setMade(await manage.post<CreateConnectLinkAnswer>(api('connect-links'), { accountId: account.id }))
    const connected = await manage.post<Account>(api('accounts', account.id, 'reconnect'), { auth: way?.kind, credentials: filled(credentials, fields) })
    onClose()
    onDone(connected)
  })
  return (
    <FormDialog
      title={`Reconnect ${account.name}`}
      submit={byLink ? 'Create connect link' : 'Replace credentials'}
      onClose={onClose}
      action={action}
      ready={way !== undefined && !made}
      failure={(error) => (
        <ConnectFailure
          error={error}
          title={byLink ? 'The link was not created' : 'The credentials were not replaced'}
          kept="The account is as it was, and what you entered is still here."
          shown={fields.map(({ name }) => `/credentials/${name}`)}
          known={[...fields, ...(platform?.settings ?? [])]}
        />
      )}
    >
      <p className="soft">The credentials are replaced. References, mappings, settings and the journal of writes stay, so nothing is written twice.</p>
      {data ? <Ways ways={ways} value={way?.kind ?? ''} onChange={setWay} /> : <Skeleton lines={2} />}
      {byLink && !made ? <Notice>The owner of the business opens a link, logs in at the platform and agrees again.</Notice> : null}
      {byLink ? null : <Fields fields={fields} values={credentials} onChange={setCredentials} place="credentials" error={action.error} />}
      {made ? <ShownLink made={made} /> : null}
    </FormDialog>
  )
}
