import type { ApiError } from '../../api.ts'
import { Select, TextField } from '../../components/field.tsx'
import type { ConnectField } from './connectable.ts'

interface FieldsProps {
  fields: readonly ConnectField[]
  values: Record<string, string>
  onChange(values: Record<string, string>): void
  /** Where the API names them: /credentials/… or /settings/… */
  place: 'credentials' | 'settings'
  error: ApiError | undefined
}

/** Each field with the platform's own word for it, and where to find it there. */
export function Fields({ fields, values, onChange, place, error }: FieldsProps) {
  return fields.map(({ name, label, help, secret, optional, options, default: fallback }) => {
    const shared = {
      label: optional ? `${label} (optional)` : label,
      hint: help,
      value: values[name] ?? '',
      error: error?.violationOf(`/${place}/${name}`),
      onChange: (value: string) => onChange({ ...values, [name]: value }),
    }
    if (options) return <Select key={name} {...shared} choices={[{ value: '', label: optional ? 'Not set' : 'Choose' }, ...options.map((value) => ({ value, label: value }))]} />
    return (
      <TextField
        key={name}
        {...shared}
        type={secret ? 'password' : 'text'}
        name={`${place}-${name}`}
        autoComplete={secret ? 'new-password' : 'off'}
        spellCheck={false}
        placeholder={fallback}
      />
    )
  })
}
