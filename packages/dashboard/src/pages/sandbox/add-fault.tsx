import { useState } from 'react'
import { manage } from '../../api.ts'
import { FormDialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import type { FaultSwitches } from '../../types.ts'
import { useAction } from '../../use-action.ts'

const numbers = (text: string) => (text.trim() === '' ? undefined : Number(text))

export function AddFault({
  platform,
  name,
  kinds,
  onClose,
  onAdded,
}: {
  platform: string
  name: string
  kinds: FaultSwitches['kinds']
  onClose(): void
  onAdded(switches: FaultSwitches): void
}) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [times, setTimes] = useState('1')
  const [method, setMethod] = useState('')
  const [path, setPath] = useState('')
  const [probability, setProbability] = useState('')
  const [delayMs, setDelayMs] = useState('')
  const delays = /delay|slow|hang|timeout/.test(`${kind} ${kinds.find((one) => one.kind === kind)?.explanation ?? ''}`)
  const action = useAction(async () => {
    const share = numbers(probability)
    onAdded(
      await manage.put<FaultSwitches>('/sandbox/faults', {
        platform,
        kind,
        ...(numbers(times) === undefined ? {} : { times: numbers(times) }),
        ...(method ? { method } : {}),
        ...(path.trim() ? { path: path.trim() } : {}),
        ...(share === undefined ? {} : { probability: share / 100 }),
        ...(numbers(delayMs) === undefined ? {} : { delayMs: numbers(delayMs) }),
      }),
    )
    say(`${name} now has the fault ${kind}`)
    onClose()
  })
  return (
    <FormDialog title={`Add a fault to ${name}`} submit="Add fault" onClose={onClose} action={action} ready={kind !== ''}>
      <Select
        label="Fault"
        value={kind}
        onChange={setKind}
        choices={kinds.map((one) => ({ value: one.kind, label: one.kind }))}
        hint={kinds.find((one) => one.kind === kind)?.explanation}
      />
      <div className="columns fault-fields">
        <TextField label="How many calls" value={times} onChange={setTimes} inputMode="numeric" hint="Empty: until it is cleared." />
        <TextField label="Share of calls, in percent" value={probability} onChange={setProbability} inputMode="numeric" placeholder="100" />
        <Select
          label="Only this method"
          value={method}
          onChange={setMethod}
          choices={['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value || 'Any' }))}
        />
        <TextField label="Only paths with" value={path} onChange={setPath} mono placeholder="/orders" />
        {delays ? <TextField label="Delay in milliseconds" value={delayMs} onChange={setDelayMs} inputMode="numeric" placeholder="5000" /> : null}
      </div>
    </FormDialog>
  )
}
