import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Content, Empty, Failure } from '../../components/feedback.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { Tag } from '../../components/state.tsx'
import { TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { percent, plural } from '../../format.ts'
import { FlaskConical, FlaskConicalOff, Plus, RotateCcw } from '../../lucide/icons.tsx'
import { call } from '../../manage.ts'
import { usePlatforms } from '../../platforms.ts'
import type { Fault, FaultSwitches } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { type Loaded, useManage } from '../../use-data.ts'
import { AddFault } from './add-fault.tsx'
import './sandbox.css'

export default function SandboxPage() {
  const switches = useManage('listFaults', {}, { every: 5_000 })
  const total = switches.data?.platforms.reduce((sum, { faults }) => sum + faults.length, 0) ?? 0
  const clear = useAction(async () => {
    switches.put(await call('clearFaults'))
    say('All faults cleared')
  })
  return (
    <Page
      title="Sandbox"
      about="Simulated platforms run next to the service. Add faults to their calls and see in Activity how requests recover."
      actions={
        total > 0 ? (
          <Button icon={RotateCcw} busy={clear.busy} onClick={() => void clear.run()}>
            Clear all {total}
          </Button>
        ) : undefined
      }
    >
      {clear.error ? <Failure error={clear.error} /> : null}
      {switches.error?.status === 404 ? (
        <Empty icon={FlaskConicalOff} title="The sandbox is off">
          Start the service with <code>SANDBOX=on</code> to run a simulator of every platform with one connected account
          each. Do not use it in production.
        </Empty>
      ) : (
        <Content of={switches} shape={<TableShape columns={3} rows={14} />}>
          {(data) => <Simulators switches={data} loaded={switches} />}
        </Content>
      )}
    </Page>
  )
}

function Simulators({ switches, loaded }: { switches: FaultSwitches; loaded: Loaded<FaultSwitches> }) {
  const [adding, setAdding] = useState<string>()
  const platforms = usePlatforms()
  const nameOf = (id: string) => platforms.data?.find(({ platform }) => platform === id)?.name ?? id
  const explain = (kind: string) => switches.kinds.find((one) => one.kind === kind)?.explanation ?? ''
  return (
    <div className="stack">
      <Section title="Simulators" flush>
        <ul className="simulators">
          {switches.platforms.map(({ platform, faults }) => (
            <Simulator
              key={platform}
              platform={platform}
              name={nameOf(platform)}
              faults={faults}
              explain={explain}
              onAdd={() => setAdding(platform)}
              onCleared={loaded.put}
            />
          ))}
        </ul>
      </Section>
      <Section title="Faults">
        <dl className="fault-kinds">
          {switches.kinds.map(({ kind, explanation }) => (
            <div key={kind}>
              <dt className="mono">{kind}</dt>
              <dd className="soft">
                <Prose text={explanation} />
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      {adding ? (
        <AddFault
          platform={adding}
          name={nameOf(adding)}
          kinds={switches.kinds}
          onClose={() => setAdding(undefined)}
          onAdded={loaded.put}
        />
      ) : null}
    </div>
  )
}

interface SimulatorProps {
  platform: string
  name: string
  faults: readonly Fault[]
  explain(kind: string): string
  onAdd(): void
  onCleared(switches: FaultSwitches): void
}
function Simulator({ platform, name, faults, explain, onAdd, onCleared }: SimulatorProps) {
  const clear = useAction(async () => onCleared(await call('clearFaults', { query: { platform } })))
  return (
    <li className="simulator">
      <div className="simulator-name">
        <FlaskConical size={16} aria-hidden className={faults.length > 0 ? 'simulator-faulty' : 'simulator-fine'} />
        <strong>{name}</strong>
        <span className="small faint">{faults.length === 0 ? 'works' : plural(faults.length, 'fault')}</span>
      </div>
      <ul className="simulator-faults">
        {faults.map((fault, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two faults may be the same
          <li key={index} className="row small" title={explain(fault.kind)}>
            <Tag>{fault.kind}</Tag>
            <span className="soft">{wordsOf(fault)}</span>
          </li>
        ))}
      </ul>
      <div className="row simulator-actions">
        {faults.length > 0 ? (
          <Button
            small
            kind="quiet"
            icon={RotateCcw}
            busy={clear.busy}
            onClick={() => void clear.run()}
            aria-label={`Clear faults of ${name}`}
          >
            Clear
          </Button>
        ) : null}
        <Button small icon={Plus} onClick={onAdd} aria-label={`Add fault to ${name}`}>
          Add fault
        </Button>
      </div>
    </li>
  )
}

function wordsOf({ times, skip, probability, method, path, delayMs }: Fault): string {
  const parts = [
    times === undefined ? 'until cleared' : `next ${plural(times, 'call')}`,
    method || path ? `only ${[method, path].filter(Boolean).join(' ')}` : '',
    skip ? `after ${plural(skip, 'call')}` : '',
    probability !== undefined && probability < 1 ? `${percent(probability)} of calls` : '',
    delayMs ? `${delayMs} ms` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
