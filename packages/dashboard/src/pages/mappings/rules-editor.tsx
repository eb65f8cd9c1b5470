// The rules on the left, and their effect on a real record on the right.

import { useEffect, useMemo, useState } from 'react'
import type { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Part } from '../../components/page.tsx'
import { Plus, Save } from '../../lucide/icons.tsx'
import type { EntityType } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Described } from '../explorer/responses.ts'
import { Preview } from './preview.tsx'
import { RuleRow } from './rule-row.tsx'
import {
  customPrefix,
  fieldOf,
  isUnnamed,
  type Mapping,
  newDraft,
  type PreviewResponse,
  type RuleDraft,
  type Rules,
  refusalsOf,
  rulesOf,
  settableFields,
} from './rules.ts'
import { type Sample, useSamples } from './samples.ts'

interface EditorProps {
  /** Its fields are suggested, and its records are the samples of the preview. */
  accountId: string
  scope: Mapping['scope']
  entityType: EntityType
  direction: 'read' | 'write'
  platformName: string
  drafts: RuleDraft[]
  onChange(drafts: RuleDraft[]): void
  save: { run(rules: Rules): Promise<void>; busy: boolean; error: ApiError | undefined; label: string; ready: boolean }
}

export function RulesEditor(props: EditorProps) {
  const described = useManage('describeEntity', { path: { accountId: props.accountId, entityType: props.entityType } })
  return (
    <Content of={described} shape={<Skeleton height={360} />}>
      {(description) => <Editor {...props} description={description} />}
    </Content>
  )
}

function Editor({
  accountId,
  entityType,
  direction,
  platformName,
  scope,
  drafts: given,
  onChange,
  save,
  description,
}: EditorProps & { description: Described }) {
  const samples = useSamples(accountId, entityType, direction, description)
  // Native records differ by platform.
  const readsSource = scope !== 'workspace' || direction === 'write'
  const drafts = useMemo(
    () =>
      given.map((draft) => (draft.source === 'from' && !readsSource ? { ...draft, source: 'value' as const } : draft)),
    [given, readsSource],
  )
  const rules = useMemo(() => rulesOf(drafts, description.schema, direction), [drafts, description, direction])
  // A shared mapping may set fields that other accounts have and this one does not.
  const isForeign = (draft: RuleDraft) =>
    scope !== 'account' && !isUnnamed(draft) && !fieldOf(draft, description.schema)
  const previewed = useMemo(() => {
    const own = drafts.filter((draft) => scope === 'account' || fieldOf(draft, description.schema))
    return Object.fromEntries(own.flatMap(({ pointer }) => (rules[pointer] ? [[pointer, rules[pointer]]] : [])))
  }, [drafts, rules, scope, description])
  const preview = usePreview(accountId, { entityType, direction, rules: previewed }, samples.current)
  const fields = useMemo(() => settableFields(description.schema), [description])
  const violations = preview.error?.errors ?? []
  const refused = violations.filter(({ pointer }) => pointer.startsWith('/rules/'))
  const change = (id: number, next: Partial<RuleDraft>) =>
    onChange(drafts.map((draft) => (draft.id === id ? { ...draft, ...next, stored: undefined } : draft)))
  const unfinished = drafts.some(isUnnamed) || new Set(drafts.map(({ pointer }) => pointer)).size < drafts.length
  return (
    <div className="rules">
      <Part
        title="Rules"
        about={
          direction === 'read'
            ? readsSource
              ? `Each rule sets one unified field from the ${platformName} record.`
              : 'Each rule sets one unified field. Native records differ by platform, so rules cannot read their fields.'
            : 'Each rule sets one unified field from the record that the caller sends.'
        }
        actions={
          <Button
            needs="operator"
            kind="primary"
            icon={Save}
            busy={save.busy}
            disabled={!save.ready || unfinished || refused.length > 0}
            onClick={() => void save.run(rules)}
          >
            {save.label}
          </Button>
        }
      >
        <ol className="stack">
          {drafts.map((draft) => (
            <RuleRow
              key={draft.id}
              draft={draft}
              fields={fields}
              schema={description.schema}
              sourcePointers={samples.pointers}
              readsSource={readsSource}
              direction={direction}
              places={description.support.customPlaces}
              foreign={isForeign(draft)}
              sourceName={direction === 'read' ? platformName : 'your record'}
              effect={preview.response?.rules.find(({ pointer }) => pointer === draft.pointer)}
              refusals={isUnnamed(draft) ? [] : refusalsOf(draft.pointer, refused)}
              twice={
                !isUnnamed(draft) && drafts.some((other) => other.id < draft.id && other.pointer === draft.pointer)
              }
              onChange={(next) => change(draft.id, next)}
              onRemove={() => onChange(drafts.filter(({ id }) => id !== draft.id))}
            />
          ))}
        </ol>
        <div className="row">
          <Button icon={Plus} onClick={() => onChange([...drafts, newDraft()])}>
            Add rule
          </Button>
          {scope === 'workspace' ? null : (
            <Button
              icon={Plus}
              onClick={() => onChange([...drafts, newDraft(customPrefix, direction === 'read' ? 'from' : 'keep')])}
            >
              Add custom field
            </Button>
          )}
        </div>
        {save.error ? <Failure error={save.error} kept="Your rules are still here." /> : null}
      </Part>
      <Preview
        samples={samples}
        response={preview.response}
        error={refused.length > 0 ? undefined : preview.error}
        refused={refused.length}
        direction={direction}
        platformName={platformName}
      />
    </div>
  )
}

/** Previews the rules shortly after the last change. The last valid preview stays until the next one arrives. */
function usePreview(
  accountId: string,
  question: { entityType: EntityType; direction: 'read' | 'write'; rules: Rules },
  sample: Sample | undefined,
): { response?: PreviewResponse; error?: ApiError } {
  const { call } = useWorkspace()
  const [state, setState] = useState<{ response?: PreviewResponse; error?: ApiError }>({})
  const { entityType, direction, rules } = question
  useEffect(() => {
    if (!sample) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      const source = direction === 'read' ? { native: sample.source } : { record: sample.source }
      const body = { entityType, direction, rules, ...source }
      call('previewMapping', { path: { accountId }, body }, { signal: leaving.signal }).then(
        (response) => setState({ response }),
        (error: ApiError) => error.name === 'AbortError' || setState((before) => ({ ...before, error })),
      )
    }, 250)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [call, accountId, entityType, direction, rules, sample])
  return state
}
