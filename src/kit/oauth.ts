// The authorization code flow of OAuth 2.0 (RFC 6749, 4.1) as most platforms have it.
import type { Auth, Template, TokenAnswer, TokenCall } from '../contract/connector.ts'

type OAuth2 = Extract<Auth, { kind: 'oauth2' }>
interface Flow {
  // `query`: what the platform takes besides the usual.
  authorize: { origin: string; path: Template; scope: string; query?: Readonly<Record<string, Template>> }
  token: Omit<TokenCall, 'fields'> // the client's id and secret are sent in the body, or with `basic` in a header
  exchange?: Readonly<Record<string, Template>> // further fields of the exchange of the code
  refresh?: Readonly<Record<string, Template>> // further fields of the refresh
  answer?: Partial<TokenAnswer> // what differs from the usual names
  refreshToken: OAuth2['refreshToken']
  callback?: OAuth2['callback']
  registration?: OAuth2['registration']
}

export function authorizationCode({
  authorize: { origin, path, scope, query },
  token,
  exchange,
  refresh,
  answer,
  ...flow
}: Flow): OAuth2 {
  const client: Record<string, Template> = token.basic
    ? {}
    : { client_id: '{clientId}', client_secret: '{clientSecret}' }
  return {
    kind: 'oauth2',
    authorize: {
      origin,
      path,
      query: {
        response_type: 'code',
        client_id: '{clientId}',
        redirect_uri: '{redirectUri}',
        scope,
        state: '{state}',
        ...query,
      },
    },
    exchange: {
      ...token,
      fields: {
        ...client,
        grant_type: 'authorization_code',
        code: '{code}',
        redirect_uri: '{redirectUri}',
        ...exchange,
      },
    },
    refresh: {
      ...token,
      fields: { ...client, grant_type: 'refresh_token', refresh_token: '{refreshToken}', ...refresh },
    },
    answer: { access: '/access_token', refresh: '/refresh_token', expires: { in: '/expires_in' }, ...answer },
    ...flow,
  }
}
