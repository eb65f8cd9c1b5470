// The shared authorization-code flow and what a platform's table can change.
import { describe, expect, it } from 'vitest'
import { createState } from './collection.ts'
import { createOAuthServer, createOAuthTenant, type OAuthServerOptions, publicClientInFields } from './oauth-server.ts'
import type { WireResponse } from './simulator.ts'
import { challengeOf, createTokenIssuer } from './token-issuer.ts'

describe('the OAuth server', () => {
  const application = { clientId: 'app', clientSecret: 'secret' }
  const error = (name: string): WireResponse => ({ status: 400, body: { error: name } })
  const back = 'https://app.example/back'
  const open = (
    authorize: Partial<OAuthServerOptions['authorize']> = {},
    token: Partial<OAuthServerOptions['token']> = {},
  ) => {
    const issuer = createTokenIssuer({
      state: createState(),
      now: () => 0,
      accessSeconds: 60,
      refresh: { style: 'single_use' },
    })
    const server = createOAuthServer({
      platform: 'Shop',
      issuer,
      application,
      origin: 'http://shop',
      tenants: [
        { id: 'one', name: 'One' },
        { id: '2', name: 'Two', tenant: 'two' },
      ],
      authorize: {
        path: '/authorize',
        checks: [
          [['client_id'], error('client')],
          [['redirect_uri', 'response_type', 'state'], error('request')],
          [[({ scope }) => scope !== 'forbidden'], error('scope')],
        ],
        invalidForm: error('form'),
        ...authorize,
      },
      token: {
        path: '/token',
        granted: ({ tenant, accessToken, refreshToken, scopes }) => ({
          status: 200,
          body: { tenant, accessToken, refreshToken, scopes },
        }),
        invalidClient: error('client'),
        invalidCode: error('code'),
        invalidRefreshToken: error('refresh'),
        unsupportedGrant: error('grant'),
        ...token,
      },
      routes: { 'POST /revoke': () => ({ status: 204 }) },
      fallbacks: { notFound: () => ({ status: 404 }), methodNotAllowed: () => ({ status: 405 }) },
    })
    const call = (method: string, path: string, fields: Record<string, string>) => {
      const parameters = new URLSearchParams(fields)
      const empty = new URLSearchParams()
      return server(
        {
          method,
          path,
          query: method === 'GET' ? parameters : empty,
          headers: {},
          body: method === 'GET' ? '' : parameters.toString(),
        },
        undefined,
      )
    }
    const consent = { client_id: 'app', redirect_uri: back, response_type: 'code', state: 's', scope: 'read+write' }
    const client = { client_id: 'app', client_secret: 'secret' }
    const agree = async (more: Record<string, string> = {}) =>
      Object.fromEntries(
        new URL(
          (await call('POST', '/authorize', { ...consent, tenant: '2', decision: 'approve', ...more })).headers!
            .location!,
        ).searchParams,
      )
    return {
      issuer,
      call,
      consent,
      client,
      agree,
      token: (fields: Record<string, string>) => call('POST', '/token', { ...client, ...fields }),
    }
  }
  const errorIn = ({ body }: WireResponse) => (body as { error?: string }).error

  it('checks the request in the order of the table', async () => {
    const { call, consent } = open()
    const ask = async (change: Record<string, string>) =>
      errorIn(await call('GET', '/authorize', { ...consent, ...change }))
    expect(await ask({ client_id: 'other', redirect_uri: 'nowhere' })).toBe('client')
    expect(await ask({ redirect_uri: 'nowhere' })).toBe('request')
    expect(await ask({ response_type: 'token' })).toBe('request')
    expect(await ask({ state: '' })).toBe('request')
    expect(await ask({ scope: 'forbidden' })).toBe('scope')
    const page = await call('GET', '/authorize', consent)
    expect(page.body).toContain('Allow for Two')
    expect(page.body).toContain('read, write')
  })
  it('redirects after approval and denial, and rejects a form it did not send', async () => {
    const { call, consent, agree } = open({ denied: { error_description: 'no' } })
    expect(await agree()).toEqual({ code: expect.any(String), state: 's' })
    expect(await agree({ decision: 'deny' })).toEqual({ error: 'access_denied', error_description: 'no', state: 's' })
    for (const change of [
      { tenant: 'two' },
      { tenant: '2', client_id: 'other' },
      { tenant: '2', redirect_uri: 'nowhere' },
    ])
      expect(errorIn(await call('POST', '/authorize', { ...consent, decision: 'approve', ...change }))).toBe('form')
    expect(await open({ approved: (code) => ({ code, shop: 'two' }) }).agree()).toEqual({
      code: expect.any(String),
      shop: 'two',
    })
    expect(await open({ ignoresTenant: true }).agree({ tenant: 'unknown' })).toHaveProperty('code')
  })
  it("redeems a code, refreshes, and returns the platform's error for each failure", async () => {
    const { token, agree } = open()
    const { code } = await agree()
    const given = (await token({ grant_type: 'authorization_code', code: code!, redirect_uri: back })).body as {
      refreshToken: string
    }
    expect(given).toMatchObject({ tenant: 'two', scopes: ['read', 'write'] })
    expect((await token({ grant_type: 'refresh_token', refresh_token: given.refreshToken })).body).toMatchObject({
      tenant: 'two',
    })
    expect(errorIn(await token({ grant_type: 'refresh_token', refresh_token: given.refreshToken }))).toBe('refresh')
    expect(errorIn(await token({ grant_type: 'authorization_code', code: code! }))).toBe('code')
    expect(errorIn(await token({ grant_type: 'client_credentials' }))).toBe('grant')
    expect(errorIn(await token({ client_secret: 'wrong', grant_type: 'password' }))).toBe('client')
  })
  it('binds a code to its redirect and challenge only if the platform does', async () => {
    const redeem = async (authorize: Partial<OAuthServerOptions['authorize']>) => {
      const { token, agree } = open(authorize)
      const { code } = await agree({ code_challenge: challengeOf('verifier') })
      return errorIn(
        await token({
          grant_type: 'authorization_code',
          code: code!,
          ...(authorize.bindsRedirect !== false && { redirect_uri: back }),
        }),
      )
    }
    expect(await redeem({})).toBeUndefined()
    expect(await redeem({ bindsRedirect: false })).toBeUndefined()
    expect(await redeem({ pkce: true })).toBe('code')
  })
  it('accepts logins, public clients and any grant type if the table allows them', async () => {
    const { token, agree, call, issuer } = open(
      { pkce: true },
      { loginScopes: () => ['all'], isClient: publicClientInFields(application), unsupportedGrant: undefined },
    )
    expect((await token({ grant_type: 'client_credentials' })).body).toMatchObject({ tenant: 'one', scopes: ['all'] })
    expect(issuer.logins('one')).toBe(1)
    expect(errorIn(await token({ grant_type: 'anything', code: 'unknown' }))).toBe('code')
    const { code } = await agree({ code_challenge: challengeOf('verifier') })
    expect(errorIn(await call('POST', '/token', { client_id: 'app', code: code! }))).toBe('client')
    expect((await token({ code: code!, code_verifier: 'verifier', redirect_uri: back })).status).toBe(200)
  })
  it('runs the additional check before a code is used, and serves additional routes', async () => {
    let blocked = true
    const { token, agree, call } = open({}, { check: () => (blocked ? error('blocked') : undefined) })
    const { code } = await agree()
    const exchange = () => token({ grant_type: 'authorization_code', code: code!, redirect_uri: back })
    expect(errorIn(await exchange())).toBe('blocked')
    blocked = false
    expect((await exchange()).status).toBe(200)
    expect((await call('POST', '/revoke', {})).status).toBe(204)
    expect((await call('DELETE', '/token', {})).status).toBe(405)
  })
})

it('provides, expires and revokes the newest tokens of a tenant', () => {
  const issuer = createTokenIssuer({
    state: createState(),
    now: () => 0,
    accessSeconds: 60,
    refresh: { style: 'single_use' },
  })
  const application = { clientId: 'app', clientSecret: 'secret' }
  const credentials = ({ scopes }: { scopes: readonly string[] }) => ({ scope: scopes.join(' ') })
  const tenant = createOAuthTenant({
    vertical: 'accounting',
    issuer,
    application,
    credentials,
    settings: {},
    locations: [],
    records: {},
  })
  issuer.issue('accounting', ['read', 'write'], { accessToken: 'first', refreshToken: 'refresh' })
  expect(tenant.credentials).toEqual({
    accessToken: 'first',
    refreshToken: 'refresh',
    expiresAt: '1970-01-01T00:01:00.000Z',
    scope: 'read write',
    ...application,
  })
  const { accessToken } = issuer.refresh('refresh')!
  expect(tenant.credentials.accessToken).toBe(accessToken)
  tenant.expireTokens()
  expect(issuer.lookup(accessToken)?.status).toBe('expired')
  tenant.revokeTokens()
  expect(issuer.lookup(accessToken)?.status).toBe('revoked')
})
