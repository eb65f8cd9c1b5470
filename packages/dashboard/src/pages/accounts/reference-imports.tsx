import { useEffect, useRef, useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Select, TextArea } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/page.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { State } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { count, plural, readable } from '../../format.ts'
import { entityTypes, type ReferenceImport } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

/** Progress of imports. It stays available after leaving the page. */
export function Imports({ accountId, onDone }: { accountId: string; onDone(): void }) {
  const [every, setEvery] = useState<number>()
  const { data, refresh } = useManage('listReferenceImports', { path: { accountId }, query: { limit: 3 } }, { every })
  const running = data?.data.some(({ state }) => state === 'running') ?? false
  const before = useRef(false)
  useEffect(() => {
    setEvery(running ? 700 : undefined)
    if (before.current && !running) onDone()
    before.current = running
  }, [running, onDone])
  useEffect(() => {
    const look = () => void refresh()
    addEventListener('import-begun', look)
    return () => removeEventListener('import-begun', look)
  }, [refresh])
  const recent =
    data?.data.filter(
      ({ state, updatedAt }) => state === 'running' || Date.now() - Date.parse(updatedAt) < 86_400_000,
    ) ?? []
  if (recent.length === 0) return null
  return (
    <Section title="Imports">
      <div className="stack">
        {recent.map((one) => (
          <Progress key={one.id} of={one} />
        ))}
      </div>
    </Section>
  )
}

function Progress({ of }: { of: ReferenceImport }) {
  return (
    <div className="import-progress">
      <div className="spread">
        <span className="row">
          {of.state === 'running' ? (
            <State tone="waiting">Running</State>
          ) : of.state === 'done' ? (
            <State tone={of.failed > 0 ? 'attention' : 'ok'}>Done</State>
          ) : (
            <State tone="broken">Failed</State>
          )}
          <span className="number">
            {count(of.position)} of {plural(of.total, 'line')}
          </span>
        </span>
        <span className="small faint">
          {count(of.linked)} linked, {count(of.failed)} rejected, <Moment at={of.createdAt} />
        </span>
      </div>
      <ProgressBar label="Progress" value={of.position} total={of.total} />
      {of.errors.length > 0 ? (
        <details className="small">
          <summary>Rejected lines</summary>
          <ul>
            {of.errors.slice(0, 20).map(({ line, message }) => (
              <li key={line}>
                Line <span className="number">{count(line)}</span>: {message}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

export function ImportReferences({ accountId, onClose }: { accountId: string; onClose(): void }) {
  const { call } = useWorkspace()
  const [entityType, setEntityType] = useState('')
  const [text, setText] = useState('')
  const action = useAction(async () => {
    await call('importReferences', { path: { accountId }, query: { entityType }, body: text })
    dispatchEvent(new Event('import-begun'))
    say('Import started. You can leave this page.')
    onClose()
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  return (
    <FormDialog
      title="Import references"
      submit={lines > 1 ? `Import ${plural(lines - 1, 'line')}` : 'Import'}
      onClose={onClose}
      action={action}
      ready={lines > 0}
      wide
    >
      <p className="soft">
        A CSV file with the columns <code>entityType</code>, <code>sourceId</code>, <code>nativeId</code>. Leave out the
        first column if all lines have the same entity type.
      </p>
      <Select
        label="Default entity type"
        value={entityType}
        onChange={setEntityType}
        choices={[
          { value: '', label: 'From the file' },
          ...entityTypes.map((value) => ({ value, label: readable(value) })),
        ]}
      />
      <label className="field">
        <span>File</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) void file.text().then(setText)
          }}
        />
      </label>
      <TextArea
        label="Or paste CSV"
        mono
        value={text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}
        readOnly={text.length > 20_000}
        onChange={setText}
        rows={6}
        placeholder={'entityType,sourceId,nativeId\nproduct,SKU-1,W62UWFY35CWMYGVWK6TWJDNI'}
      />
    </FormDialog>
  )
}
