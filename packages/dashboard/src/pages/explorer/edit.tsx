// Edits a record as JSON, with validation by the API while typing; dry run, write, replay.

import { useEffect, useMemo, useRef, useState } from 'react'
import type { ManageBody } from '../../../../client/src/manage-call.ts'
import type { ApiError } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Checkbox } from '../../components/field.tsx'
import { readable } from '../../format.ts'
import { FlaskConical, Send } from '../../lucide/icons.tsx'
import type { EntityType } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { ChangedFields } from './changed-fields.tsx'
import { CodeArea, selectLine } from './code-area.tsx'
import { FieldList } from './field-list.tsx'
import { Findings } from './findings.tsx'
import { lineOf, parseJson } from './json-lines.ts'
import { Planned, WrittenOutcome } from './outcome.tsx'
import type { Described, Explorable, ExploredRecord, Plan, Verdict, Written } from './responses.ts'
import { useExplorerRoute } from './route.ts'
import { useTemplate } from './use-template.ts'
import './edit.css'

export function Edit({ account, entityType }: { account: Explorable; entityType: EntityType }) {
  const { route } = useExplorerRoute()
  const path = { accountId: account.accountId, entityType }
  const described = useManage('describeEntity', { path })
  const template = useTemplate(route.view === 'new' ? described.data : undefined, account.accountId)
  const current = useManage(route.view === 'edit' && route.record ? 'exploreRecord' : undefined, {
    path: { ...path, id: route.record },
  })
  if (route.view === 'edit' && route.record && !current.data)
    return current.error ? (
      <Failure error={current.error} kept="Nothing was changed." retry={() => void current.refresh()} />
    ) : (
      <Skeleton height={420} />
    )
  return (
    <Content of={described} shape={<Skeleton height={420} />}>
      {(description) =>
        route.view === 'new' && !template ? (
          <Skeleton height={420} />
        ) : (
          <Editor
            account={account}
            description={description}
            loaded={route.view === 'edit' ? current.data : undefined}
            template={template}
          />
        )
      }
    </Content>
  )
}

type Stored = Pick<ExploredRecord, 'id' | 'record' | 'version'>
function Editor({
  account,
  description,
  loaded,
  template,
}: {
  account: Explorable
  description: Described
  loaded: ExploredRecord | undefined
  template: object | undefined
}) {
  const { route, address } = useExplorerRoute()
  const { call } = useWorkspace()
  const { entityType, support } = description
  const path = { accountId: account.accountId, entityType }
  // What the platform has: as it was loaded, then as each replacement returned it.
  const [current, setCurrent] = useState<Stored | undefined>(loaded)
  const [text, setText] = useState(() => JSON.stringify(loaded?.record ?? template, null, 2))
  const [guarded, setGuarded] = useState(true)
  const area = useRef<HTMLTextAreaElement>(null)
  const parsed = useMemo(() => parseJson(text), [text])
  const request = useMemo(
    () => ({
      record: parsed.value,
      id: current?.id,
      mappingKey: route.mappingKey || undefined,
    }),
    [parsed, current, route.mappingKey],
  )
  const { verdict, error: unchecked } = useVerdict(parsed.error ? undefined : request, path.accountId, entityType)
  const [plan, setPlan] = useState<Plan>()
  const [written, setWritten] = useState<{ response: Written; record: unknown }>()
  const dryRun = useAction(async () => {
    setWritten(undefined)
    setPlan(await call('planRecord', { path, body: request }))
  })
  const write = useAction(async (record: unknown) => {
    setPlan(undefined)
    const { id: _, ...body } = { ...request, record }
    const response = current
      ? await call('replaceRecord', {
          path: { ...path, id: current.id },
          body: { ...body, ifMatch: guarded ? current.version : undefined },
        })
      : await call('writeRecord', { path, body })
    setWritten({ response, record })
    if (current) setCurrent({ id: response.reference.id, record: response.data, version: response.version })
  })
  const marks = useMemo(() => marksOf(parsed, verdict), [parsed, verdict])
  const busy = dryRun.busy || write.busy
  const ready = !parsed.error && verdict?.valid === true
  const failed = dryRun.error ?? write.error
  return (
    <div className="edit">
      <div className="stack edit-main">
        <header className="spread">
          <div>
            <h2>
              {current ? `Edit ${readable(entityType).toLowerCase()}` : `New ${readable(entityType).toLowerCase()}`}
            </h2>
            <p className="small faint">
              {current
                ? `Replaces ${current.id} at ${account.platformName}`
                : `Written to ${account.platformName} once per externalId. Sending the same record again is a replay.`}
            </p>
          </div>
          <div className="row">
            <LinkButton kind="quiet" href={address({ view: 'compare' })}>
              Cancel
            </LinkButton>
            <Button icon={FlaskConical} busy={dryRun.busy} disabled={!ready || busy} onClick={() => void dryRun.run()}>
              Dry run
            </Button>
            <Button
              needs="operator"
              kind="primary"
              icon={Send}
              busy={write.busy}
              disabled={!ready || busy}
              onClick={() => void write.run(parsed.value)}
            >
              {current ? 'Replace' : 'Write'}
            </Button>
          </div>
        </header>
        <CodeArea
          label="Record as JSON"
          value={text}
          onChange={setText}
          marks={marks}
          area={area}
          describedBy="findings"
        />
        {current?.version ? (
          <Checkbox
            label="Only if it has not changed"
            hint={`Fails if the platform no longer has version ${current.version}`}
            checked={guarded}
            onChange={setGuarded}
          />
        ) : null}
        {current ? (
          <ChangedFields before={current.record} after={parsed.error ? current.record : parsed.value} />
        ) : null}
        {failed ? <Failure error={failed} kept="Your input is still here." /> : null}
        {plan ? <Planned plan={plan} platformName={account.platformName} /> : null}
        {written ? (
          <WrittenOutcome
            written={written.response}
            busy={write.busy}
            replay={current ? undefined : () => void write.run(written.record)}
          />
        ) : null}
      </div>
      <aside className="stack edit-beside">
        <Findings
          parsed={parsed}
          verdict={verdict}
          unchecked={unchecked}
          platformName={account.platformName}
          onJump={(line) => selectLine(area.current, line)}
        />
        <FieldList
          schema={description.schema}
          support={support}
          platformName={account.platformName}
          references={description.references}
          onJump={(pointer) => selectLine(area.current, lineOf(pointer, parsed.lines))}
        />
      </aside>
    </div>
  )
}

function marksOf(parsed: ReturnType<typeof parseJson>, verdict: Verdict | undefined): Map<number, 'error' | 'warning'> {
  const marks = new Map<number, 'error' | 'warning'>()
  if (parsed.error) return marks.set(parsed.error.line, 'error')
  for (const { pointer } of verdict?.warnings ?? []) if (pointer) marks.set(lineOf(pointer, parsed.lines), 'warning')
  for (const { pointer } of verdict?.errors ?? []) marks.set(lineOf(pointer, parsed.lines), 'error')
  return marks
}

/** Validates the record shortly after the last keystroke. */
function useVerdict(
  request: ManageBody<'validateRecord'> | undefined,
  accountId: string,
  entityType: EntityType,
): { verdict: Verdict | undefined; error: ApiError | undefined } {
  const { call } = useWorkspace()
  const [state, setState] = useState<{ verdict?: Verdict; error?: ApiError }>({})
  useEffect(() => {
    if (!request) return setState({})
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      call('validateRecord', { path: { accountId, entityType }, body: request }, { signal: leaving.signal }).then(
        (verdict) => setState({ verdict }),
        (error: ApiError) => error.name === 'AbortError' || setState({ error }),
      )
    }, 250)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [call, request, accountId, entityType])
  return { verdict: state.verdict, error: state.error }
}
