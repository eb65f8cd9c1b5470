import { useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import { call } from '../../manage.ts'
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
      await call('addFault', {
        body: {
          platform,
          kind,
          times: numbers(times),
          method: method || undefined,
          path: path.trim() || undefined,
          probability: share === undefined ? undefined : share / 100,
          delayMs: numbers(delayMs),
        },
      }),
    )
    say(`Fault ${kind} added to ${name}`)
    onClose()
  })
  return (
    <FormDialog
      title={`Add a fault to ${name}`}
      submit="Add fault"
      onClose={onClose}
      action={action}
      ready={kind !== ''}
    >
      <Select
        label="Fault"
        value={kind}
        onChange={setKind}
        choices={kinds.map((one) => ({ value: one.kind, label: one.kind }))}
        hint={kinds.find((one) => one.kind === kind)?.explanation.replaceAll('`', '')}
      />
      <div className="columns fault-fields">
        <TextField
          label="Number of calls"
          value={times}
          onChange={setTimes}
          inputMode="numeric"
          hint="Leave empty to keep the fault until you clear it."
        />
        <TextField
          label="Percentage of calls"
          value={probability}
          onChange={setProbability}
          inputMode="numeric"
          placeholder="100"
        />
        <Select
          label="Method"
          value={method}
          onChange={setMethod}
          choices={['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value || 'Any' }))}
        />
        <TextField label="Path contains" value={path} onChange={setPath} mono placeholder="/orders" />
        {delays ? (
          <TextField label="Delay (ms)" value={delayMs} onChange={setDelayMs} inputMode="numeric" placeholder="5000" />
        ) : null}
      </div>
    </FormDialog>
  )
}
