// The hosted pages as a customer uses them: over real HTTP, with every platform's simulator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialFields, questionsOf } from '../../src/accounts/fields.ts'
import { oauthOf } from '../../src/engine/outbound/authorize.ts'
import { createBrowser, formsIn, type TestBrowser } from '../connect-browser.ts'
import {
  agree,
  back,
  type ConnectService,
  createConnectService,
  everyTenant,
  formValues,
  toConsent,
} from '../connect-service.ts'

let connect: ConnectService
beforeAll(async () => {
  connect = await createConnectService()
})
afterAll(() => connect.close())

const oauthCases = everyTenant.filter(({ connector }) => oauthOf(connector))
const keyCases = everyTenant.flatMap((one) =>
  one.connector.auth
    .filter(({ kind }) => kind !== 'oauth2')
    .map((way) => ({ ...one, way, name: `${one.name} ${way.kind}` })),
)

describe.each(oauthCases)('$name', (one) => {
  it('is connected by authorization, on the second attempt after a denied first one, and its link no longer works afterwards', async () => {
    const { service, manage, workspaceId, newLink, accounts } = connect
    const browser = createBrowser()
    const accountId = `by-link-${one.connector.id}-${one.vertical}`
    const tenant = connect.tenantOf(one)
    const before = (await accounts()).length
    const link = await newLink({
      platforms: [one.connector.id],
      newAccountId: accountId,
      accountName: 'By link',
      returnUrl: back,
      state: 'mine',
    })
    const denied = new URL(
      (await agree(browser, await toConsent(connect, browser, link.url, one), one.vertical, 'deny')).url,
    )
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      tenant: '7',
      status: 'failed',
      error: 'access_denied',
      state: 'mine',
      linkId: link.id,
    })
    expect((await accounts()).length).toBe(before)

    const returned = new URL((await agree(browser, await toConsent(connect, browser, link.url, one), one.vertical)).url)
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({
      tenant: '7',
      status: 'connected',
      accountId,
      state: 'mine',
      linkId: link.id,
    })
    const account = await service.store.accounts.get(accountId)
    expect(account).toMatchObject({ auth: 'oauth2', state: 'active', name: 'By link', vertical: one.vertical })
    expect(account?.credentials.redirectUri).toBe(`${service.url()}/connect/callback`)
    for (const [setting, value] of Object.entries(account?.settings ?? {}))
      expect([setting, tenant.settings[setting] ?? value]).toEqual([setting, value])
    expect(
      (await service.store.mappingKeys.list(accountId)).map(({ direction, isDefault }) => [direction, isDefault]),
    ).toEqual([
      ['read', true],
      ['write', true],
    ])
    expect((await manage('GET', `/workspaces/${workspaceId}/connect-links/${link.id}`)).body).toMatchObject({
      status: 'connected',
      connectedAccountId: accountId,
    })
    expect([(await browser.open(link.url)).status, (await browser.open(`${link.url}/done`)).text]).toEqual([
      410,
      expect.stringContaining(`${one.connector.name} is connected`),
    ])
    // A renewal with the values that the link stored: client, redirect URI, settings of the redirect.
    if (oauthOf(one.connector)?.refresh) tenant.expireTokens()
    expect((await manage('POST', `/workspaces/${workspaceId}/accounts/${accountId}/test`)).body).toEqual({ ok: true })
  })
})

describe.each(keyCases)('$name', ({ connector, vertical, way, ...one }) => {
  it('rejects a missing and a wrong key with a reason and saves nothing, then connects with the right one', async () => {
    const { service, newLink, accounts } = connect
    const tenant = connect.tenantOf({ connector, vertical, ...one })
    const fill = (wrong: boolean) => {
      const given = credentialFields(way).map(({ name, secret }) => [
        name,
        wrong && secret ? 'not-the-right-one' : (tenant.credentials[name] as string),
      ])
      return { ...formValues(connector, way, tenant), ...Object.fromEntries(given) }
    }
    const keyForm = async (browser: TestBrowser) => {
      const form = formsIn(await browser.open(`${link.url}/${connector.id}/${vertical}?method=${way.kind}`)).find(
        ({ method }) => method === 'POST',
      )
      if (!form) throw new Error('no form')
      return form
    }
    const link = await newLink({ platforms: [connector.id], returnUrl: back })
    const browser = createBrowser()
    const before = (await accounts()).length
    const missing = await browser.submit(await keyForm(browser))
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('is required')])
    const wrong = await browser.submit(await keyForm(browser), fill(true))
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringContaining(`${connector.name} did not accept these credentials`),
    ])
    expect(wrong.text).not.toContain('not-the-right-one')
    expect(wrong.text).not.toMatch(/\/credentials|\/settings|test=false|is connected/)
    const secrets = credentialFields(way).filter(({ secret }) => secret)
    // Next to the field, if there is one.
    if (credentialFields(way).length === 1)
      expect(wrong.text).toContain(
        `<p class="wrong" id="${secrets[0]?.name}-wrong">${secrets[0]?.label} is not accepted by ${connector.name}.</p>`,
      )
    for (const { name } of questionsOf(connector, way, {}).required) expect(wrong.text).toContain(tenant.settings[name])
    expect((await accounts()).length).toBe(before)

    const returned = new URL((await browser.submit(await keyForm(browser), fill(false))).url)
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({ status: 'connected', linkId: link.id })
    expect(await service.store.accounts.get(returned.searchParams.get('accountId') as string)).toMatchObject({
      platform: connector.id,
      vertical,
      auth: way.kind,
      state: 'active',
    })
  })
})
