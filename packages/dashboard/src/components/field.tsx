import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { Search, X } from '../lucide/icons.tsx'
import './field.css'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** The label is for screen readers only. */
  bare?: boolean
}
interface Attributes {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

function Field({ label, hint, error, bare, children }: Labelled & { children(attributes: Attributes): ReactNode }) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id} className={bare ? 'unseen' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <div id={`${id}-error`} className="field-error">
          {error}
        </div>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      ) : null}
    </div>
  )
}

type InputProps = Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'className'> & {
    value: string
    onChange(text: string): void
    mono?: boolean
  }
export function TextField({ label, hint, error, bare, onChange, mono, type = 'text', ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} bare={bare}>
      {(attributes) => (
        <input
          {...rest}
          {...attributes}
          type={type}
          className={mono ? 'input mono' : 'input'}
          spellCheck={mono ? false : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type AreaProps = Labelled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'className'> & {
    value: string
    onChange(text: string): void
    mono?: boolean
  }
export function TextArea({ label, hint, error, bare, onChange, mono, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} bare={bare}>
      {(attributes) => (
        <textarea
          {...rest}
          {...attributes}
          className={mono ? 'input mono' : 'input'}
          spellCheck={!mono}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export interface Choice<Value extends string = string> {
  value: Value
  label: string
}
type SelectProps<Value extends string> = Labelled &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'className'> & {
    value: string
    choices: readonly Choice<Value>[]
    onChange(value: NoInfer<Value>): void
  }
export function Select<Value extends string>({
  label,
  hint,
  error,
  bare,
  choices,
  onChange,
  ...rest
}: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error} bare={bare}>
      {(attributes) => (
        <select {...rest} {...attributes} className="input" onChange={(event) => onChange(event.target.value as Value)}>
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function SearchField({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string
  value: string
  onChange(text: string): void
  placeholder?: string
}) {
  const id = useId()
  return (
    <div className="search">
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <Search size={15} aria-hidden />
      <input
        id={id}
        type="search"
        className="input"
        value={value}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {value ? (
        <button
          type="button"
          className="search-clear"
          aria-label={`Clear ${label.toLowerCase()}`}
          onClick={() => onChange('')}
        >
          <X size={14} aria-hidden />
        </button>
      ) : null}
    </div>
  )
}

export function Checkbox({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange(checked: boolean): void
}) {
  const id = useId()
  return (
    <div className="checkbox">
      <input id={id} type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id}>
        {label}
        {hint ? <span className="field-hint">{hint}</span> : null}
      </label>
    </div>
  )
}

export function Radio({
  name,
  label,
  hint,
  checked,
  onChoose,
}: {
  /** Of the group. */
  name: string
  label: string
  hint?: ReactNode
  checked: boolean
  onChoose(): void
}) {
  const id = useId()
  return (
    <div className="checkbox">
      <input id={id} type="radio" name={name} checked={checked} onChange={onChoose} />
      <label htmlFor={id}>
        {label}
        {hint ? <span className="field-hint">{hint}</span> : null}
      </label>
    </div>
  )
}
