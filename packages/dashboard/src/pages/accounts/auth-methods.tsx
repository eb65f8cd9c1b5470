import type { AuthMethod } from './connectable.ts'

const words: Record<string, string> = {
  oauth2: 'The owner signs in to the platform and authorizes the connection.',
  static: 'A key or token created on the platform.',
  basic: 'A key and secret created on the platform.',
  client_credentials: 'The client ID and secret of an application on the platform.',
}

export function AuthMethods({
  methods,
  value,
  onChange,
}: {
  methods: readonly AuthMethod[]
  value: string
  onChange(kind: string): void
}) {
  if (methods.length < 2) return null
  return (
    <fieldset className="auth-methods">
      <legend>Authentication method</legend>
      {methods.map(({ kind, title }) => (
        <label key={kind} className="radio">
          <input type="radio" name="method" value={kind} checked={kind === value} onChange={() => onChange(kind)} />
          <span>
            {title}
            <span className="field-hint">{words[kind]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
