import { useId } from 'react'
import { Select, TextField } from '../../components/field.tsx'
import { type CustomType, customPrefix, customTypes, placesFor, type RuleDraft } from './rules.ts'

/** The name and type of a custom field, and in a write mapping where it is in the native record. */
export function CustomField({
  draft,
  direction,
  places,
  error,
  reasonOf,
  onChange,
}: {
  draft: RuleDraft
  direction: 'read' | 'write'
  places: Readonly<Record<string, string>>
  error: string | undefined
  reasonOf(part: string): string | undefined
  onChange(next: Partial<RuleDraft>): void
}) {
  const id = useId()
  const name = draft.pointer.slice(customPrefix.length)
  return (
    <div className="rule-custom">
      <TextField
        label="Custom field"
        mono
        autoFocus={name === ''}
        value={name}
        error={error}
        placeholder="tier"
        autoComplete="off"
        onChange={(text) => onChange({ pointer: customPrefix + text.trim() })}
      />
      <Select
        label="Type"
        value={draft.type}
        error={reasonOf('type')}
        choices={customTypes.map((type) => ({ value: type, label: type }))}
        onChange={(type) => onChange({ type: type as CustomType })}
      />
      {direction === 'write' ? (
        <>
          <TextField
            label="Written to"
            mono
            value={draft.to}
            error={reasonOf('to')}
            placeholder={placesFor(name, places)[0]}
            list={`${id}-places`}
            autoComplete="off"
            onChange={(to) => onChange({ to: to.trim() })}
          />
          <datalist id={`${id}-places`}>
            {placesFor(name, places).map((pointer) => (
              <option key={pointer} value={pointer} />
            ))}
          </datalist>
        </>
      ) : null}
    </div>
  )
}
