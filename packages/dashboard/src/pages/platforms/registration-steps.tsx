import { Identifier } from '../../components/identifier.tsx'
import { ExternalLink } from '../../lucide/icons.tsx'
import type { Answer } from '../../manage.ts'
import type { AuthMethod } from '../accounts/connectable.ts'

/** How to register an application for OAuth, in the words of the platform's console. */
export function RegistrationSteps({
  app: { redirectUri, scopes },
  registration,
}: {
  app: Answer<'getPlatformApp'>
  registration: AuthMethod['registration']
}) {
  const redirectUrl = <Identifier value={redirectUri} length={80} label="Copy redirect URL" wraps />
  if (!registration) return redirectUrl
  const { console, application, redirect, redirectRule, permissions } = registration
  return (
    <ol className="platform-steps">
      <li>
        Open the <Console {...console} /> and create an application
        {application ? (
          <>
            {' '}
            of the type <strong>{application}</strong>
          </>
        ) : null}
        .
      </li>
      <li>
        Enter this redirect URL (<strong>{redirect}</strong>), exactly as it is. {redirectRule}
        <div>{redirectUrl}</div>
      </li>
      <li>
        {permissions
          ? `Grant permissions: ${permissions}`
          : 'Grant no permissions in the console: connect links request these scopes.'}
        {scopes.length > 0 ? (
          <div>
            <Identifier value={scopes.join(' ')} length={80} label="Copy scopes" wraps />
          </div>
        ) : null}
      </li>
      <li>Copy the client ID and the client secret of the application into the form below, and save it.</li>
    </ol>
  )
}

/** How to get the credentials of a method without OAuth. */
export function KeySteps({ method: { credentials }, connect }: { method: AuthMethod; connect: string }) {
  return (
    <ol className="platform-steps">
      {credentials.map(({ name, label, help }) => (
        <li key={name}>
          <strong>{label}</strong>
          {help ? `: ${help}` : ''}
        </li>
      ))}
      <li>{connect}</li>
    </ol>
  )
}

const Console = ({ name, url }: { name: string; url: string }) => (
  <a href={url} target="_blank" rel="noreferrer" className="inline-link">
    {name} <ExternalLink size={13} aria-hidden />
  </a>
)
