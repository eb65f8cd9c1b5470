// The problem for new credentials or settings that fail their test: a 422 that names the field, or why the platform
// could not be reached.
import type { Auth, Connector } from '../../contract/connector.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Account } from '../../store/store.ts'
import { identifyingSettings } from '../settings.ts'
import { TokenRefused } from './credentials.ts'
import { EgressRefused } from './egress.ts'
import { LostAnswer } from './retry.ts'
import { TransportError } from './transport.ts'

/** The platform rejected the credentials or settings. */
export class Refusal extends Problem {
  readonly part: 'credentials' | 'settings'
  constructor(
    part: 'credentials' | 'settings',
    detail: string,
    errors: readonly Violation[],
    downstream: Problem['downstream'],
  ) {
    super(
      'validation_failed',
      `${detail} Nothing was stored. Correct it and send the request again, or add ?test=false to store it untested.`,
      {
        errors,
        downstream,
      },
    )
    this.part = part
  }
}
/** The connection that was tested. */
export interface Tested {
  account: Account
  connector: Connector
  /** Settings that differ from those of a working account: they are the reason for any rejection. */
  changed?: readonly string[]
}

export function refusalOf(error: unknown, tested: Tested): unknown {
  if (!(error instanceof Problem) || error.code === 'too_many_requests') return error
  const { cause } = error
  const { connector, account } = tested
  if (error.code === 'reconnect_required' && error.errors)
    return new Problem('validation_failed', error.detail, { errors: error.errors })
  if (cause instanceof TokenRefused) return byTokenEndpoint(error, cause, tested)
  if (cause instanceof NativeFailure) return byPlatform(error, cause, tested)
  const unsendable = isLost(cause) && cause.code === 'UND_ERR_INVALID_ARG' ? unsendableIn(account) : []
  if (unsendable.length > 0) return new Refusal('credentials', 'These values cannot be sent.', unsendable, undefined)
  const host = hostFault(cause)
  const { host: hosts } = identifyingSettings(connector, account.settings)
  if (host && hosts.length > 0)
    return new Refusal('settings', `${listed(tested, hosts)} ${host}.`, settingErrors(hosts, host), error.downstream)
  return ['downstream_error', 'downstream_timeout'].includes(error.code) ? untested(error, tested) : error
}

/** A host that cannot be the platform's: the setting that names it is wrong. */
function hostFault(cause: unknown): string | undefined {
  if (cause instanceof EgressRefused) return 'names a host that this service does not call'
  if (cause instanceof LostAnswer && cause.status !== undefined && cause.status >= 300 && cause.status < 400)
    return 'redirects to another address'
  return isLost(cause) && cause.code === 'ENOTFOUND' ? 'names a host that does not exist' : undefined
}
const isLost = (cause: unknown): cause is LostAnswer | TransportError =>
  cause instanceof LostAnswer || cause instanceof TransportError

/** Values with characters that no header may have, such as a copied line break. */
const unsendableIn = ({ credentials, settings }: Account): Violation[] =>
  Object.entries({ credentials, settings }).flatMap(([part, values]) =>
    Object.entries(values).flatMap(([name, value]) =>
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
        ? []
        : [{ pointer: `/${part}/${name}`, message: 'has characters that cannot be sent' }],
    ),
  )

function byPlatform(problem: Problem, { error, status }: NativeFailure, tested: Tested): Refusal {
  const { account, connector, changed } = tested
  const answered = `${error.message.replace(/\.$/, '')} (status ${status})`
  const auth = connector.auth.find(({ kind }) => kind === account.auth)
  const credentials = presentedBy(auth, account)
  const named = (error.fields ?? []).map(({ native }) => native).filter((name) => credentials.includes(name))
  const { business, host } = identifyingSettings(connector, account.settings)
  const unknown = error.kind === 'not_found' || error.kind === 'invalid' || status === 404
  const settings = changed ?? (unknown ? (business.length > 0 ? business : host) : [])
  if (settings.length === 0 || named.length > 0) {
    const where = business.length > 0 ? ` for ${listed(tested, business)}` : ''
    return new Refusal(
      'credentials',
      `${connector.name} refused these credentials${where}: ${answered}.`,
      credentialErrors(named.length > 0 ? named : credentials, connector),
      problem.downstream,
    )
  }
  const fault = changed ? `is not accepted by ${connector.name}` : `is not known to ${connector.name}`
  return new Refusal(
    'settings',
    `${connector.name} refused ${listed(tested, settings)}: ${answered}.`,
    settingErrors(settings, fault),
    problem.downstream,
  )
}

/**
 * The credentials that a refused call carried; none if the token could have been renewed, because a renewal uses all of
 * them.
 */
function presentedBy(auth: Auth | undefined, { credentials }: Account): string[] {
  if (auth?.kind === 'static') return [...auth.fields]
  if (auth?.kind === 'basic') return [auth.user, auth.password]
  return auth?.kind === 'oauth2' && !credentials.refreshToken ? ['accessToken'] : []
}

function byTokenEndpoint(problem: Problem, { refusal }: TokenRefused, tested: Tested): Problem {
  const { account, connector, changed } = tested
  const { status, code = '', message = '', spent } = refusal
  if (spent)
    return new Problem(
      'downstream_error',
      `The service could not test these credentials with ${connector.name}: its response to a token renewal was lost, and the refresh token works only once. Nothing was stored. Authorize again to get a new refresh token.`,
      { downstream: problem.downstream },
    )
  const answered = `${[code, message.replace(/\.$/, '')].filter(Boolean).join(': ') || 'no token'} (status ${status})`
  const { host } = identifyingSettings(connector, account.settings)
  const settings = changed ?? (status === 404 ? host : [])
  if (settings.length > 0)
    return new Refusal(
      'settings',
      `${connector.name} refused ${listed(tested, settings)}: ${answered}.`,
      settingErrors(settings, `is not accepted by ${connector.name}`),
      problem.downstream,
    )
  const byRefreshToken =
    account.auth === 'oauth2' && (/^invalid_(grant|code)$/.test(code) || /refresh[ _]token/i.test(message))
  const absent = /^(invalid|unauthorized)_client$/.test(code)
    ? ['clientId', 'clientSecret'].filter((name) => !account.credentials[name])
    : []
  const errors = absent.map((name) => ({
    pointer: `/credentials/${name}`,
    message: `is required by ${connector.name}`,
  }))
  return new Refusal(
    'credentials',
    `${connector.name} refused these credentials: ${answered}.`,
    errors.length > 0 ? errors : credentialErrors(byRefreshToken ? ['refreshToken'] : [], connector),
    problem.downstream,
  )
}

const untested = ({ code, detail, downstream, cause }: Problem, { connector }: Tested): Problem =>
  new Problem(
    code,
    `The service could not test this with ${connector.name}: ${detail} Nothing was stored. Send the request again later, or add ?test=false to store it untested.`,
    { cause, downstream },
  )

/** One field that is responsible, or all of them. */
const credentialErrors = (names: readonly string[], { name: platform }: Connector): Violation[] =>
  names.length === 1
    ? [{ pointer: `/credentials/${names[0]}`, message: `is not accepted by ${platform}` }]
    : [{ pointer: '/credentials', message: `are not accepted by ${platform}` }]
const settingErrors = (names: readonly string[], message: string): Violation[] =>
  names.map((name) => ({ pointer: `/settings/${name}`, message }))
const listed = ({ account }: Tested, names: readonly string[]): string =>
  names.map((name) => `${name} "${account.settings[name] ?? ''}"`).join(', ')
