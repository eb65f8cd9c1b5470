// How the accounts of a platform are authorized, as data.
import type { Registration, Words } from './words.ts'

/** "{name}" is filled from account settings, credentials and kept token values. */
export type Template = string
export interface TokenCall {
  origin?: string
  path: Template
  encoding: 'json' | 'form'
  basic?: boolean // client id and secret as HTTP Basic
  headers?: Readonly<Record<string, Template>>
  fields: Readonly<Record<string, Template>> // a field whose template names an absent value is left out
}
export interface TokenAnswer {
  access: string // JSON pointers into the response
  refresh?: string
  expires?: { at: string; as: 'iso' | 'unix' } | { in: string }
  keep?: Readonly<Record<string, string>>
  /**
   * The platform's own words for an authorization that has ended: one of these texts at its pointer. By default `error`
   * is `invalid_grant`. Every other answer without a token may be of a server in between, and ends nothing.
   */
  ended?: readonly { at: string; matches: RegExp }[]
}
export type Auth = (
  | {
      kind: 'oauth2'
      /**
       * {state}, {redirectUri} and, where the platform takes it beside a secret, {codeChallenge} (PKCE, S256) are
       * filled in; the exchange then has {codeVerifier}.
       */
      authorize: { origin: string; path: Template; query: Readonly<Record<string, Template>> }
      /**
       * Setting, or value for the exchange only, -> query parameter of the redirect. A setting is checked against its
       * schema before the code is exchanged: it may decide where the secret is sent.
       */
      callback?: Readonly<Record<string, string>>
      /**
       * Query parameter that signs all others of the redirect: hex HMAC-SHA256 under the client secret over them,
       * sorted and form-encoded.
       */
      callbackHmac?: string
      exchange: TokenCall
      refresh?: TokenCall
      answer: TokenAnswer
      refreshToken: 'reusable' | 'rotates' | 'single_use' | 'none'
      registration?: Registration
    }
  | { kind: 'client_credentials'; login: TokenCall; answer: TokenAnswer }
  | { kind: 'static'; fields: readonly string[] } // api key, personal token: named again in `frame`
  | { kind: 'basic'; user: string; password: string } // credential names
) & {
  // For people who choose a method and enter its credentials.
  title?: string
  words?: Readonly<Record<string, Words>>
  /**
   * Required settings that an account with this method does not need, because its credentials belong to one business.
   * `discover` is not called.
   */
  withoutSettings?: readonly string[]
}
