import { useState } from 'react'
import { AccountPicker } from '../../components/account-picker.tsx'
import { FormDialog } from '../../components/dialog.tsx'
import { Radio, TextField } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import * as limits from '../../generated/limits.ts'
import type { WebhookEndpoint } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'

interface ReplayProps {
  endpoint: WebhookEndpoint
  onClose(): void
  onReplayed(): void
}

/** As an input of local time has it. */
function localTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  return new Date(milliseconds - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function Replay({ endpoint, onClose, onReplayed }: ReplayProps) {
  const { call } = useWorkspace()
  const [by, setBy] = useState<'time' | 'sequence'>('time')
  const [since, setSince] = useState(() => localTime(Date.now() - 3_600_000))
  const [accountId, setAccountId] = useState('')
  const [from, setFrom] = useState('')
  const action = useAction(async () => {
    await call('replayWebhooks', {
      path: { endpointId: endpoint.id },
      body: by === 'time' ? { since: new Date(since).toISOString() } : { accountId, from: Number(from) },
    })
    onReplayed()
    onClose()
    say(
      endpoint.state === 'disabled' ? 'Events are replayed once the endpoint is enabled' : 'Events are being replayed',
    )
  })
  const isReady = by === 'time' ? !Number.isNaN(Date.parse(since)) : accountId !== '' && /^[1-9]\d*$/.test(from)
  return (
    <FormDialog title="Replay events" submit="Replay" onClose={onClose} action={action} ready={isReady}>
      <p className="soft">
        Sends past events again, with new IDs, as far back as they are stored. Your receiver processes them as new ones.
      </p>
      <fieldset className="webhook-fieldset stack-small">
        <legend className="unseen">Which events</legend>
        <Radio name="replay" label="All events since a time" checked={by === 'time'} onChoose={() => setBy('time')} />
        <Radio
          name="replay"
          label="Changes of one account from a sequence on"
          checked={by === 'sequence'}
          onChoose={() => setBy('sequence')}
        />
      </fieldset>
      {by === 'time' ? (
        <TextField label="Since" type="datetime-local" value={since} onChange={setSince} hint="Your local time." />
      ) : (
        <>
          <AccountPicker accountId={accountId} name={accountId} onChoose={setAccountId} />
          <TextField
            label="First sequence"
            type="number"
            {...limits.replayWebhooks.from}
            value={from}
            onChange={setFrom}
            hint="The sequence of a change, as in its delivery or on the Changes tab."
          />
        </>
      )}
    </FormDialog>
  )
}
