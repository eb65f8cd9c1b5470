import { useState } from 'react'
import type { CreateConnectLinkAnswer } from '../../../../client/src/generated/manage.ts'
import { manage } from '../../api.ts'
import { FormDialog } from '../../components/dialog.tsx'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import { say } from '../../components/toast.tsx'
import type { Account } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Fields } from './connect-fields.tsx'
import { ShownLink } from './connect-links.tsx'
import { Ways } from './connect-ways.tsx'
import { useConnectable } from './connectable.ts'

/** New credentials for the same business; everything else stays. */
export function Reconnect({ account, onClose, onDone }: { account: Account; onClose(): void; onDone(account: Account): void }) {
  const { api } = useWorkspace()
  const { data } = useConnectable()
  const ways = data?.find(({ platform }) => platform === account.platform)?.auth ?? []
  const [chosen, setWay] = useState(account.auth)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [made, setMade] = useState<CreateConnectLinkAnswer>()
  const way = ways.find(({ kind }) => kind === chosen) ?? ways[0]
  const byLink = way?.kind === 'oauth2'
  const action = useAction(async () => {
    if (byLink) return setMade(await manage.post<CreateConnectLinkAnswer>(api('connect-links'), { accountId: account.id }))
    onDone(await manage.post<Account>(api('accounts', account.id, 'reconnect'), { auth: way?.kind, credentials }))
    say(`${account.name} is connected again`)
    onClose()
  })
  return (
    <FormDialog
      title={`Reconnect ${account.name}`}
      submit={byLink ? 'Create connect link' : 'Replace credentials'}
      onClose={onClose}
      action={action}
      ready={way !== undefined && !made}
    >
      <p className="soft">The credentials are replaced. References, mappings, settings and the journal of writes stay, so nothing is written twice.</p>
      {data ? <Ways ways={ways} value={way?.kind ?? ''} onChange={setWay} /> : <Skeleton lines={2} />}
      {byLink && !made ? <Notice>Whoever owns the business opens a link, logs in at the platform and agrees again.</Notice> : null}
      {byLink ? null : <Fields fields={way?.credentials ?? []} values={credentials} onChange={setCredentials} place="credentials" error={action.error} />}
      {made ? <ShownLink made={made} /> : null}
    </FormDialog>
  )
}
