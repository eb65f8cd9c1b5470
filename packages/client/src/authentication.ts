// Authentication: an API key (form A), or an access token that is fetched, shared, and renewed (form B).
import { UnifiedError } from './error.ts'
import { checkedUrl, type HttpRequest, type Send } from './transport.ts'
import type { ClientOptions } from './types.ts'
import { orAbort } from './waiting.ts'

const tokenPrefix = '/api/1.0/standalone-link-engine-service'
const renewalMs = 60_000

export interface Authentication {
  /** Whether requests include mapping keys. */
  mapped: boolean
  send: Send
}

export function createAuthentication(options: ClientOptions, send: Send): Authentication {
  const { apiKey, accessId, accessSecret, authUrl } = options
  if (apiKey && !accessId && !accessSecret && !authUrl)
    return { mapped: false, send: (request) => send(authorized(request, apiKey)) }
  if (!apiKey && accessId && accessSecret)
    return { mapped: true, send: createTokenSend(accessId, accessSecret, tokenEndpoint(authUrl), send) }
  throw new TypeError('createClient takes either apiKey, or accessId and accessSecret (and optionally authUrl).')
}

type Endpoint = Pick<HttpRequest, 'origin' | 'path' | 'query'>
function tokenEndpoint(authUrl: string | undefined): Endpoint {
  if (!authUrl) return { path: `${tokenPrefix}/oauth/server/access-token` }
  const url = checkedUrl(authUrl, 'authUrl', 'https://auth.example.com/token')
  return { origin: url.origin, path: url.pathname, query: Object.fromEntries(url.searchParams) }
}

const authorized = (request: HttpRequest, token: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
})

function createTokenSend(accessId: string, accessSecret: string, endpoint: Endpoint, send: Send): Send {
  let current: Promise<string> | undefined
  let renewAt = 0

  async function fetchToken(): Promise<string> {
    const { body } = await send({
      method: 'POST',
      ...endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: accessId,
        client_secret: accessSecret,
        grant_type: 'client_credentials',
      }).toString(),
    })
    const lifetimeMs = body.expires_in * 1000
    renewAt = Date.now() + lifetimeMs - Math.min(renewalMs, lifetimeMs / 2)
    return body.access_token
  }
  /** Concurrent requests share one token request. */
  function token(): Promise<string> {
    if (!current || Date.now() >= renewAt) {
      renewAt = Number.POSITIVE_INFINITY
      const fetched = fetchToken().catch((error: unknown) => {
        if (current === fetched) current = undefined
        throw error
      })
      fetched.catch(() => {}) // waiting requests get the error; there may be none
      current = fetched
    }
    return current
  }

  return async (request) => {
    const prefix = request.path.startsWith('/manage/') ? '' : tokenPrefix
    const prefixed = { ...request, path: prefix + request.path }
    // The token request is shared, so one caller's abort must not cancel it.
    const used = token()
    try {
      return await send(authorized(prefixed, await orAbort(used, request.signal)))
    } catch (error) {
      if (!(error instanceof UnifiedError) || error.code !== 'unauthorized') throw error
      if (current === used) current = undefined // not renewed yet
      return send(authorized(prefixed, await orAbort(token(), request.signal)))
    }
  }
}
