import type { ConnectWay } from './connectable.ts'

const words: Record<string, string> = {
  oauth2: 'The owner logs in at the platform and agrees.',
  static: 'A key or token that was made at the platform.',
  basic: 'A pair of key and secret that was made at the platform.',
  client_credentials: 'Client id and secret of an application at the platform.',
}

export function Ways({ ways, value, onChange }: { ways: readonly ConnectWay[]; value: string; onChange(kind: string): void }) {
  if (ways.length < 2) return null
  return (
    <fieldset className="connect-ways">
      <legend>How does it authenticate?</legend>
      {ways.map(({ kind, title }) => (
        <label key={kind} className="radio">
          <input type="radio" name="way" value={kind} checked={kind === value} onChange={() => onChange(kind)} />
          <span>
            {title}
            <span className="field-hint">{words[kind]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
