import { useId } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { State } from '../../components/state.tsx'
import { middle } from '../../format.ts'
import { ArrowLeft, Plus, Trash2, X } from '../../lucide/icons.tsx'
import type { FieldSchema } from '../explorer/responses.ts'
import { CustomField } from './custom-field.tsx'
import { fieldOf, isCustom, isPlace, type RuleDraft, type RuleEffect, type RuleSource } from './rules.ts'

interface RuleRowProps {
  draft: RuleDraft
  fields: readonly string[]
  schema: FieldSchema
  direction: 'read' | 'write'
  /** Native pointers that custom fields can be written to. */
  places: Readonly<Record<string, string>>
  sourcePointers: readonly string[]
  sourceName: string
  /** Whether rules can use fields of the source. */
  readsSource: boolean
  /** The account of the preview does not have the field. */
  foreign: boolean
  effect: RuleEffect | undefined
  refusals: readonly { part: string; message: string }[]
  twice: boolean
  onChange(next: Partial<RuleDraft>): void
  onRemove(): void
}

export function RuleRow({
  draft,
  fields,
  schema,
  direction,
  places,
  sourcePointers,
  sourceName,
  readsSource,
  foreign,
  effect,
  refusals,
  twice,
  onChange,
  onRemove,
}: RuleRowProps) {
  const id = useId()
  const field = fieldOf(draft, schema)
  const custom = isCustom(draft)
  // A custom field of a read mapping has nothing but its place.
  const plain = !custom || direction === 'write'
  const reasonOf = (part: string) => refusals.find((one) => one.part === part)?.message
  const general = twice ? 'already has a rule' : reasonOf('')
  const constant = (label: string, value: string, set: (text: string) => void, error: string | undefined) =>
    field?.enum || field?.type === 'boolean' ? (
      <Select
        label={label}
        value={value}
        error={error}
        onChange={set}
        choices={['', ...(field.enum ?? ['true', 'false'])].map((one) => ({ value: one, label: one || 'nothing' }))}
      />
    ) : (
      <TextField label={label} value={value} error={error} onChange={set} autoComplete="off" />
    )
  return (
    <li className="rule" data-refused={refusals.length > 0 || undefined}>
      <div className="rule-head">
        <div className="rule-grid">
          {custom ? (
            <CustomField
              draft={draft}
              direction={direction}
              places={places}
              error={general}
              reasonOf={reasonOf}
              onChange={onChange}
            />
          ) : (
            <div>
              <TextField
                label="Unified field"
                mono
                value={draft.pointer}
                error={general}
                placeholder="/sku"
                list={`${id}-fields`}
                autoComplete="off"
                hint={field?.description}
                onChange={(pointer) => onChange({ pointer: pointer.trim() })}
              />
              <datalist id={`${id}-fields`}>
                {fields.map((pointer) => (
                  <option key={pointer} value={pointer} />
                ))}
              </datalist>
            </div>
          )}
          <ArrowLeft size={16} aria-hidden className="rule-arrow" />
          <div className="rule-source">
            {plain ? (
              <Select
                label="Source"
                value={draft.source}
                onChange={(source) => onChange({ source: source as RuleSource })}
                choices={[
                  ...(readsSource ? [{ value: 'from', label: `A field of ${sourceName}` }] : []),
                  { value: 'value', label: 'A constant' },
                  { value: 'keep', label: custom ? 'As sent under custom' : 'Built-in mapping' },
                ]}
              />
            ) : null}
            {draft.source === 'from' ? (
              <>
                <TextField
                  label={plain ? 'Pointer' : `Field of ${sourceName}`}
                  mono
                  value={draft.from}
                  error={reasonOf('from')}
                  placeholder="/note"
                  hint={plain ? undefined : placeHint(draft.from, places)}
                  list={`${id}-sources`}
                  autoComplete="off"
                  onChange={(from) => onChange({ from: from.trim() })}
                />
                <datalist id={`${id}-sources`}>
                  {sourcePointers.slice(0, 400).map((pointer) => (
                    <option key={pointer} value={pointer} />
                  ))}
                </datalist>
              </>
            ) : null}
            {draft.source === 'value'
              ? constant('Value', draft.value, (value) => onChange({ value }), reasonOf('value'))
              : null}
            {draft.source === 'value' || !plain
              ? null
              : constant('Default', draft.fallback, (fallback) => onChange({ fallback }), reasonOf('default'))}
          </div>
        </div>
        <IconButton icon={Trash2} label={`Remove rule for ${draft.pointer || 'no field yet'}`} onClick={onRemove} />
      </div>
      {draft.lookup.length > 0 ? (
        <div className="rule-lookup">
          <span className="small faint">Translate</span>
          {draft.lookup.map(({ when, unified }, index) => {
            const set = (next: Partial<{ when: string; unified: string }>) =>
              onChange({ lookup: draft.lookup.map((one, at) => (at === index ? { ...one, ...next } : one)) })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other identity while it is typed
              <div key={index} className="rule-pair">
                <TextField
                  bare
                  label={`Value ${index + 1} at the source`}
                  placeholder="at the source"
                  value={when}
                  onChange={(text) => set({ when: text })}
                />
                <span aria-hidden>→</span>
                <TextField
                  bare
                  label={`Unified value ${index + 1}`}
                  placeholder="unified"
                  value={unified}
                  error={reasonOf(`lookup/${when}`)}
                  onChange={(text) => set({ unified: text })}
                />
                <IconButton
                  icon={X}
                  label={`Remove translation ${index + 1}`}
                  onClick={() => onChange({ lookup: draft.lookup.filter((_, at) => at !== index) })}
                />
              </div>
            )
          })}
        </div>
      ) : null}
      <div className="rule-foot">
        {draft.source === 'value' || !plain ? (
          <span />
        ) : (
          <Button
            small
            kind="quiet"
            icon={Plus}
            onClick={() => onChange({ lookup: [...draft.lookup, { when: '', unified: '' }] })}
          >
            Translate values
          </Button>
        )}
        <Effect effect={effect} foreign={foreign} refused={refusals.length > 0 || twice} pointer={draft.pointer} />
      </div>
    </li>
  )
}

function placeHint(from: string, places: Readonly<Record<string, string>>): string | undefined {
  if (from === '') return undefined
  return isPlace(from, places) ? 'Callers can write it.' : 'Read-only for callers.'
}

function Effect({
  effect,
  foreign,
  refused,
  pointer,
}: {
  effect: RuleEffect | undefined
  foreign: boolean
  refused: boolean
  pointer: string
}) {
  if (foreign && !refused) return <State tone="attention">Not a field of this account</State>
  if (refused) return <State tone="broken">Rejected</State>
  if (!effect || pointer === '') return null
  if (effect.effect === 'none') return <State tone="idle">No effect on this record</State>
  const words = { set: 'Sets', changed: 'Changes', removed: 'Removes' }[effect.effect]
  return (
    <State tone="ok">
      {effect.effect === 'removed' ? 'Removes the value' : `${words} it to ${middle(JSON.stringify(effect.after), 28)}`}
    </State>
  )
}
