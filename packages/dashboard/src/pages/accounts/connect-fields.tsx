import { useState } from 'react'
import type { ApiError } from '../../api.ts'
import { type Choice, Select, TextField } from '../../components/field.tsx'
import type { ConnectField } from './connectable.ts'

interface FieldsProps {
  fields: readonly ConnectField[]
  values: Record<string, string>
  onChange(values: Record<string, string>): void
  /** Where the API names them: /credentials/… or /settings/… */
  section: 'credentials' | 'settings'
  error: ApiError | undefined
  /** Known values of a field, by its name. */
  choices?: Readonly<Record<string, readonly Choice[] | undefined>>
}

/** `is required` needs its subject and a period; a whole sentence does not. */
export const sentence = (label: string, message: string) =>
  `${/^[a-z]/.test(message) ? `${label} ` : ''}${message.replace(/([^.!?])$/, '$1.')}`

/** The fields with the platform's own labels and help. Errors are shown until the field changes. */
export function Fields({ fields, values, onChange, section, error, choices = {} }: FieldsProps) {
  const [edited, setEdited] = useState<{ since: ApiError | undefined; names: readonly string[] }>({
    since: undefined,
    names: [],
  })
  const names = edited.since === error ? edited.names : []
  return fields.map(({ name, label, help, secret, optional, options, default: fallback }) => {
    const message = names.includes(name) ? undefined : error?.violationOf(`/${section}/${name}`)
    const shared = {
      label: optional ? `${label} (optional)` : label,
      hint: help,
      value: values[name] ?? '',
      error: message && sentence(label, message),
      onChange: (value: string) => {
        setEdited({ since: error, names: [...names, name] })
        onChange({ ...values, [name]: value })
      },
    }
    const offered =
      options?.map((value) => ({ value, label: value })) ??
      error?.choicesOf(`/${section}/${name}`) ??
      choices[name] ??
      []
    if (offered.length > 0) {
      const { value } = shared
      const unknown = value !== '' && !offered.some((one) => one.value === value)
      return (
        <Select
          key={name}
          {...shared}
          choices={[
            { value: '', label: optional ? 'Not set' : 'Choose' },
            ...offered,
            ...(unknown ? [{ value, label: value }] : []),
          ]}
        />
      )
    }
    return (
      <TextField
        key={name}
        {...shared}
        type={secret ? 'password' : 'text'}
        name={`${section}-${name}`}
        autoComplete={secret ? 'new-password' : 'off'}
        spellCheck={false}
        placeholder={fallback}
      />
    )
  })
}
