// Credentials and settings are tested before they are stored. Wrong ones are rejected by name, an unreachable platform
// is not the caller's fault, and a renewed token is never lost.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import type { Tenant } from '../../src/sandbox/simulator.ts'
import { until, untilCleared } from '../until.ts'

const open: Harness[] = []
afterAll(async () => {
  for (const harness of open) await harness.close()
})
/** The service in front of one platform, with one connected account. */
async function start(platform: string, callTimeoutMs = 700) {
  const harness = await createHarness({ connectors, simulators, platform, callTimeoutMs })
  open.push(harness)
  const tenant = harness.tenants[0] as Tenant
  const { vertical, settings } = tenant
  const accountId = harness.accountId(vertical)
  const body = (credentials: Readonly<Record<string, string>>, more: object = {}) => ({
    platform,
    vertical,
    settings,
    credentials,
    ...more,
  })
  return {
    harness,
    tenant,
    accountId,
    manage: harness.manage,
    connect: (credentials: Readonly<Record<string, string>>, more: object = {}, query = '') =>
      harness.manage('POST', `/accounts${query}`, body(credentials, more)),
    reconnect: (credentials: Readonly<Record<string, string>>, query = '') =>
      harness.manage('POST', `/accounts/${accountId}/reconnect${query}`, { credentials }),
    change: (changed: object, query = '') => harness.manage('PATCH', `/accounts/${accountId}${query}`, changed),
    read: (id = accountId) =>
      harness.call('GET', `/unified/${id}/${Object.keys(tenant.records)[0]}?pageSize=1`, undefined, {
        prefer: 'wait=60',
      }),
    stored: (id = accountId) => harness.service.store.accounts.get(id),
    accounts: async () =>
      ((await harness.manage('GET', '/accounts')).body.data as { id: string }[]).map(({ id }) => id),
    calls: () => harness.sandbox.calls(platform),
    fault: (fault: Parameters<Harness['sandbox']['fault']>[1]) => harness.sandbox.fault(platform, fault),
    clear: () => harness.sandbox.clearFaults(platform),
  }
}
type Started = Awaited<ReturnType<typeof start>>
const errorsOf = ({ status, body }: Reply) => [
  status,
  body.code,
  (body.errors ?? []).map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`),
]

describe('wrong credentials', () => {
  let square: Started
  beforeAll(async () => {
    square = await start('square')
  })
  it('are rejected with the field, the message of the platform and the next step, and nothing is stored', async () => {
    const before = await square.accounts()
    const reply = await square.connect({ accessToken: 'wrong-token-0815' }, { id: 'refused' })
    expect(errorsOf(reply)).toEqual([422, 'validation_failed', ['/credentials/accessToken is not accepted by Square']])
    expect(reply.body.detail).toBe(
      'Square refused these credentials: This request could not be authorized (status 401). Nothing was stored. Correct it and send the request again, or add ?test=false to store it untested.',
    )
    expect(reply.body.downstream).toMatchObject({ platform: 'square', status: 401 })
    expect([
      await square.accounts(),
      await square.stored('refused'),
      await square.harness.service.store.mappingKeys.list('refused'),
    ]).toEqual([before, undefined, []])
    const { workspaceId } = (await square.stored())!
    const { data } = await square.harness.service.store.audit.list(
      workspaceId,
      { action: 'connectAccount' },
      { limit: 1 },
    )
    expect(data[0]?.outcome).toBe('validation_failed')
    expect(square.harness.output()).not.toContain('wrong-token-0815')
  })
  it('leave a trace of the call, with the id that the account would have had', async () => {
    const { requestId } = (await square.connect({ accessToken: 'wrong-token-0816' }, { id: 'traced' })).body
    await expect.poll(async () => (await square.manage('GET', `/activity/${requestId}`)).status).toBe(200)
    const { body } = await square.manage('GET', `/activity/${requestId}`)
    expect(body).toMatchObject({ accountId: 'traced', operation: 'connect', status: 422 })
    expect(JSON.stringify(body)).not.toContain('wrong-token-0816')
  })
  it.each([
    ['woocommerce', 'consumerKey', ['/credentials/consumerKey is not accepted by WooCommerce']],
    ['woocommerce', 'consumerSecret', ['/credentials/consumerSecret is not accepted by WooCommerce']],
    ['toast', 'clientSecret', ['/credentials are not accepted by Toast']],
    ['xero', 'refreshToken', ['/credentials/refreshToken is not accepted by Xero']],
    ['xero', 'clientSecret', ['/credentials are not accepted by Xero']],
    ['zoho-books', 'refreshToken', ['/credentials/refreshToken is not accepted by Zoho Books']],
  ])('of %s name the field: a wrong %s', async (platform, name, errors) => {
    const { connect, tenant } = await start(platform)
    expect(errorsOf(await connect({ ...tenant.credentials, [name]: 'wrong' }))).toEqual([
      422,
      'validation_failed',
      errors,
    ])
  })
  it('are stored with ?test=false, and the platform is not called', async () => {
    square.harness.sandbox.clearCalls('square')
    expect([
      (await square.connect({ accessToken: 'wrong' }, { id: 'untested' }, '?test=false')).body.state,
      square.calls(),
    ]).toEqual(['active', []])
    expect((await square.reconnect({ accessToken: 'also wrong' }, '?test=false')).body.state).toBe('active')
    expect([square.calls(), (await square.stored())?.credentials]).toEqual([[], { accessToken: 'also wrong' }])
    expect((await square.reconnect(square.tenant.credentials, '?test=true')).status).toBe(200)
    for (const test of ['maybe', '', '0', 'FALSE'])
      expect(errorsOf(await square.connect({ accessToken: 'wrong' }, {}, `?test=${test}`)).slice(0, 2), test).toEqual([
        400,
        'invalid_parameter',
      ])
    expect((await square.reconnect({ accessToken: 'wrong' }, '?test=no')).status).toBe(400)
    expect((await square.change({ name: 'n' }, '?test=no')).status).toBe(400)
  })
  it('of an existing id are not tested', async () => {
    square.harness.sandbox.clearCalls('square')
    expect([
      (await square.connect({ accessToken: 'wrong' }, { id: square.accountId })).body.code,
      square.calls(),
    ]).toEqual(['already_exists', []])
  })
  it('that are not valid in a header, such as a token with a line break, are named too', async () => {
    expect(errorsOf(await square.connect({ accessToken: 'two\nlines' }))).toEqual([
      422,
      'validation_failed',
      ['/credentials/accessToken has characters that cannot be sent'],
    ])
  })
  it('are those that can read nothing at all, not those that lack a scope', async () => {
    square.fault({ kind: 'forbidden', path: '/v2/catalog' })
    expect((await square.connect(square.tenant.credentials)).status).toBe(201)
    square.fault({ kind: 'forbidden', path: '/v2/' })
    expect(errorsOf(await square.connect(square.tenant.credentials))).toEqual([
      422,
      'validation_failed',
      ['/credentials are not accepted by Square'],
    ])
    square.clear()
  })
})

describe('a platform that cannot be reached', () => {
  let square: Started
  beforeAll(async () => {
    square = await start('square')
  })
  it.each([
    ['error_before', 502, 'downstream_error'],
    ['reset_before', 502, 'downstream_error'],
    ['html', 502, 'downstream_error'],
    ['stall', 504, 'downstream_timeout'],
  ] as const)(
    '(%s) is %i: nothing is stored or changed, and the detail names ?test=false',
    async (kind, status, code) => {
      const before = await square.accounts()
      const account = await square.stored()
      square.fault({ kind, path: '/v2/', delayMs: 1500 })
      const replies = [
        await square.connect(square.tenant.credentials),
        await square.reconnect(square.tenant.credentials),
      ]
      square.clear()
      for (const { status: got, body } of replies) {
        expect([got, body.code]).toEqual([status, code])
        expect(body.detail).toMatch(
          /^The service could not test this with Square: .*Nothing was stored\. .*\?test=false/,
        )
      }
      expect([await square.accounts(), await square.stored()]).toEqual([before, account])
    },
  )
  it('for a moment (429) is retried', async () => {
    square.fault({ kind: 'throttle', path: '/v2/', times: 2 })
    expect((await square.connect(square.tenant.credentials)).status).toBe(201)
  })
})

describe('a token that the test renews', () => {
  it.each(['clover', 'xero', 'shopify', 'lightspeed-k'])(
    'of %s is stored, and the account works with it',
    async (platform) => {
      const { connect, tenant, stored, read, harness } = await start(platform)
      const given = tenant.credentials
      expect((await connect(given, { id: 'renewed' })).status).toBe(201)
      const { credentials } = (await stored('renewed'))!
      expect(credentials.refreshToken).toBe(tenant.credentials.refreshToken) // the platform's newest
      expect(credentials.refreshToken).not.toBe(given.refreshToken)
      tenant.expireTokens()
      expect((await read('renewed')).status).toBe(200)
      expect(harness.output()).not.toContain(credentials.refreshToken)
    },
  )
  it('survives a test that fails later: the same credentials are accepted the next time, although their refresh token is single-use', async () => {
    const { connect, tenant, read, fault, clear, accounts } = await start('clover')
    const given = tenant.credentials
    const before = await accounts()
    fault({ kind: 'error_before', path: '/v3/' })
    expect((await connect(given, { id: 'later' })).status).toBe(502)
    expect(tenant.credentials.refreshToken).toBe(given.refreshToken) // a token that still works is renewed last
    clear()
    tenant.expireTokens()
    fault({ kind: 'error_before', path: '/v3/', skip: 1 }) // the old token is rejected before
    expect((await connect(given, { id: 'later' })).status).toBe(502)
    clear()
    expect(tenant.credentials.refreshToken).not.toBe(given.refreshToken)
    expect(await accounts()).toEqual(before)
    expect((await connect(given, { id: 'later' })).status).toBe(201)
    tenant.expireTokens()
    expect((await read('later')).status).toBe(200)
  })
  it('is also stored by ?test=false after such a failure', async () => {
    const { connect, tenant, read, fault, clear } = await start('clover')
    const given = tenant.credentials
    tenant.expireTokens()
    fault({ kind: 'error_before', path: '/v3/', skip: 1 })
    expect((await connect(given)).status).toBe(502)
    expect((await connect(given, { id: 'untested' }, '?test=false')).status).toBe(201)
    clear()
    tenant.expireTokens()
    expect((await read('untested')).status).toBe(200)
  })
  it('is reported as lost if the platform does not take its refresh token a second time', async () => {
    const { reconnect, tenant, fault, clear, stored } = await start('clover')
    const before = await stored()
    fault({ kind: 'reset_after', path: '/oauth/v2/refresh', times: 1 })
    const { status, body } = await reconnect(tenant.credentials)
    clear()
    expect([status, body.code, body.detail]).toEqual([
      502,
      'downstream_error',
      expect.stringContaining('Authorize again to get a new refresh token.'),
    ])
    expect(await stored()).toEqual(before)
  })
})

describe('an account that is reconnected', () => {
  it('works with its old credentials while new ones are tested, and when those are rejected', async () => {
    const { reconnect, stored, read, fault, clear, calls } = await start('square', untilCleared)
    const before = await stored()
    fault({ kind: 'stall', path: '/v2/', times: 1, delayMs: untilCleared })
    const testing = reconnect({ accessToken: 'wrong' })
    await until('the test', () => calls().some((call) => call.fault === 'stall'))
    const meanwhile = await read()
    clear()
    const refused = await testing
    expect([refused.status, meanwhile.status, (await read()).status]).toEqual([422, 200, 200])
    expect(await stored()).toEqual(before)
  })
  it('by two concurrent requests has the complete credentials of one of them; a rejected request changes nothing', async () => {
    const { reconnect, stored, tenant, read } = await start('square')
    const { accessToken } = tenant.credentials as { accessToken: string }
    const replies = await Promise.all([
      reconnect({ accessToken: 'wrong' }),
      reconnect({ accessToken }),
      reconnect(tenant.credentials),
      reconnect({ accessToken: 'wrong too' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([422, 200, 200, 422])
    const { auth, credentials, state } = (await stored())!
    expect([auth === 'static' ? Object.keys(credentials) : credentials.clientId, state]).toEqual([
      auth === 'static' ? ['accessToken'] : tenant.credentials.clientId,
      'active',
    ])
    expect((await read()).status).toBe(200)
  })
  it('does not get its old credentials back from a renewal that ends after the switch', async () => {
    const { reconnect, stored, tenant, read, fault, clear } = await start('clover', untilCleared)
    const before = tenant.credentials.accessToken
    tenant.expireTokens()
    fault({ kind: 'stall', path: '/oauth/v2/refresh', times: 1, delayMs: untilCleared })
    const renewing = read()
    await expect.poll(() => tenant.credentials.accessToken).not.toBe(before)
    // Issued by that renewal, whose response has not arrived.
    const { accessToken } = tenant.credentials as { accessToken: string }
    expect((await reconnect({ accessToken })).status).toBe(200)
    clear()
    expect((await renewing).status).toBe(200)
    expect(await stored()).toMatchObject({ auth: 'static', credentials: { accessToken } })
    expect(Object.keys((await stored())?.credentials ?? {})).toEqual(['accessToken'])
  })
  it('stays connected to its business', async () => {
    const { harness, manage, accountId, stored } = await start('square')
    const before = await stored()
    const other = harness.tenants[1] as Tenant
    await harness.service.store.accounts.update(accountId, {
      credentials: { ...before?.credentials, merchantId: 'MLRESTAURANT1' },
    })
    const known = await stored()
    const reply = await manage('POST', `/accounts/${accountId}/reconnect`, { credentials: other.credentials })
    expect(errorsOf(reply)).toEqual([
      422,
      'validation_failed',
      ['/credentials belong to a different business at Square'],
    ])
    expect(await stored()).toEqual(known)
  })
})

describe('changed settings', () => {
  it('are tested with the credentials of the account, and named if they do not work', async () => {
    const { change, tenant, stored, read, calls, harness } = await start('clover')
    const settings = { ...tenant.settings, merchantId: 'AAAAAAAAAAAAA' }
    const reply = await change({ name: 'New name', settings })
    expect(errorsOf(reply)).toEqual([422, 'validation_failed', ['/settings/merchantId is not accepted by Clover']])
    expect(reply.body.detail).toContain('401 Unauthorized (status 401)')
    // What no call has cannot be the reason.
    const both = await change({ settings: { ...settings, timezone: 'Europe/Berlin', businessDayStart: '04:00' } })
    expect(errorsOf(both)).toEqual(errorsOf(reply))
    expect(await stored()).toMatchObject({ name: 'Clover', settings: tenant.settings, state: 'active' })
    tenant.expireTokens() // the test has renewed the token, and the account has the new one
    expect((await read()).status).toBe(200)
    harness.sandbox.clearCalls('clover')
    expect((await change({ name: 'Only the name' })).status).toBe(200)
    const same = Object.entries((await stored())?.settings ?? {}).toReversed() // with those that Clover has reported
    expect(same.length).toBeGreaterThan(Object.keys(tenant.settings).length)
    expect((await change({ settings: Object.fromEntries(same) })).status).toBe(200)
    expect(calls()).toEqual([])
    expect((await change({ settings }, '?test=false')).body.settings).toEqual(settings)
    expect([calls(), (await read()).status]).toEqual([[], 502])
    expect((await change({ settings: tenant.settings })).body).toMatchObject({
      settings: tenant.settings,
      name: 'Only the name',
    })
  })
  it('are tested by the reconnect if the credentials are known not to work', async () => {
    const { change, harness, accountId, calls, tenant } = await start('clover')
    await harness.service.store.accounts.update(accountId, { state: 'reconnect_required', stateReason: 'revoked' })
    harness.sandbox.clearCalls('clover')
    const settings = { ...tenant.settings, merchantId: 'AAAAAAAAAAAAA' }
    expect([(await change({ settings })).status, calls()]).toEqual([200, []])
    const reply = await harness.manage('POST', `/accounts/${accountId}/reconnect`, {
      credentials: { accessToken: tenant.credentials.accessToken },
    })
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining('for merchantId "AAAAAAAAAAAAA"')])
  })
  it('are required if the platform is not called to discover them', async () => {
    const { connect, calls, harness, tenant } = await start('xero')
    const found = (await harness.service.store.accounts.get(harness.accountId('accounting')))?.settings as Record<
      string,
      string
    >
    harness.sandbox.clearCalls('xero')
    expect((await connect({ accessToken: 'wrong' }, { settings: found }, '?test=false')).body).toMatchObject({
      settings: found,
      state: 'active',
    })
    expect(calls()).toEqual([])
    // discovered: the account cannot be stored without it.
    expect((await connect(tenant.credentials, {}, '?test=false')).body.settings).toEqual(found)
    expect(calls().map(({ path }) => path)).toEqual(['/connections'])
  })
})
