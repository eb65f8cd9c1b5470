// Sign-in at an OpenID provider: the authorization code flow with PKCE, state and nonce. Codes and tokens stay in
// here; what leaves is who the person is.
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { Problem } from '../contract/errors.ts'
import type { Role } from '../contract/roles.ts'
import type { Transport } from '../engine/outbound/transport.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret?: string
  /** People with a verified email address of these domains need no invitation. */
  domains: readonly string[]
  /** What they get. */
  workspaceId?: string
  role: Role
}
/** What a sign-in must remember between its two requests. */
export interface OidcAttempt {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
}
export interface OidcPerson {
  issuer: string
  subject: string
  name: string
  email?: string // verified
}
export interface Oidc {
  settings: OidcSettings
  begin(redirectUri: string): Promise<{ url: string; attempt: OidcAttempt }>
  /** `query`: what the provider added to the redirect URI. */
  finish(attempt: OidcAttempt, query: string): Promise<OidcPerson>
  /** Reads the provider's metadata. Rejects if it cannot be used. */
  check(): Promise<void>
}

const timeoutMs = 10_000
const metadataMs = 3600 * 1000

export function createOidc(settings: OidcSettings, transport: Pick<Transport, 'exchange'>): Oidc {
  const { issuer, clientId, clientSecret } = settings
  const { origin, protocol } = new URL(issuer)
  // Starting is faster without it.
  const library = () => import('openid-client')

  /** The operator chose the issuer, so its own origin may be private. Its metadata cannot name other private hosts. */
  const fetchGuarded: CustomFetch = async (url, { method, headers, body }) => {
    const to = new URL(url)
    const answer = await transport.exchange({
      method: method ?? 'GET',
      origin: to.origin,
      sandbox: to.origin === origin,
      path: to.pathname + to.search,
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs,
      pool: 'oidc',
      maxBytes: 1024 * 1024,
    })
    return new Response(answer.status === 204 ? null : answer.bytes, {
      status: answer.status,
      headers: answer.headers,
    })
  }

  let found: { at: number; configuration: Promise<Configuration> } | undefined
  function configuration(): Promise<Configuration> {
    if (found && Date.now() - found.at < metadataMs) return found.configuration
    const discovered = discover()
    const mine = { at: Date.now(), configuration: discovered }
    found = mine
    discovered.catch(() => {
      if (found === mine) found = undefined
    })
    return discovered
  }
  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, customFetch, discovery, None, ...client } =
      await library()
    /** The default of OpenID Connect, unless the provider cannot. */
    const authenticate: ClientAuth = (server, ...rest) => {
      if (clientSecret === undefined) return None()(server, ...rest)
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const basic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
      return (basic ? ClientSecretBasic : ClientSecretPost)(clientSecret)(server, ...rest)
    }
    return discovery(new URL(issuer), clientId, undefined, authenticate, {
      [customFetch]: fetchGuarded,
      timeout: timeoutMs / 1000,
      // The signature of the ID token is checked, although it comes from the provider directly.
      execute: [client.enableNonRepudiationChecks, ...(protocol === 'http:' ? [allowInsecureRequests] : [])],
    })
  }
  /** Never with the library's message: it can contain what the provider sent. */
  const unavailable = (cause: unknown) =>
    new Problem(
      'unavailable',
      'The identity provider cannot be used now. Sign in with a password, or try again later.',
      {
        cause,
        headers: { 'retry-after': '10' },
      },
    )
  const refused = (detail: string, cause: unknown) =>
    new Problem('unauthorized', `${detail} Start the sign-in again.`, {
      cause,
      headers: { 'www-authenticate': 'Bearer realm="unified-records"' },
    })
  return {
    settings,
    check: async () => void (await configuration()),
    async begin(redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await library()
      const verifier = randomPKCECodeVerifier()
      const attempt = { redirectUri, state: randomState(), nonce: randomNonce(), verifier }
      const url = buildAuthorizationUrl(await configuration().catch((error) => Promise.reject(unavailable(error))), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: attempt.state,
        nonce: attempt.nonce,
      })
      return { url: url.href, attempt }
    },
    async finish({ redirectUri, state, nonce, verifier }, query) {
      const { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo } = await library()
      const using = await configuration().catch((error) => Promise.reject(unavailable(error)))
      const callback = new URL(redirectUri)
      callback.search = query
      try {
        const tokens = await authorizationCodeGrant(using, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        const { sub: subject, iss } = claims
        const about =
          claims.email === undefined && using.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(using, tokens.access_token, subject)
            : claims
        const email = about.email_verified === true ? textOf(about.email) : undefined
        const name = email ?? textOf(about.preferred_username) ?? textOf(about.name) ?? subject
        return { issuer: iss, subject, name, ...(email === undefined ? {} : { email }) }
      } catch (error) {
        if (error instanceof AuthorizationResponseError)
          throw refused(
            error.error === 'access_denied'
              ? 'The identity provider did not confirm the sign-in.'
              : 'The identity provider returned an error.',
            error,
          )
        throw refused('The sign-in could not be confirmed with the identity provider.', error)
      }
    },
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
