// Test environments of the platforms: chosen by name, called at their own host, and marked wherever an account is shown.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { createBrowser, formsIn, type Shown, type TestBrowser } from '../connect-browser.ts'
import { agree, type ConnectService, createConnectService, tenantNamed } from '../connect-service.ts'

const hosts = { square: 'connect.squareupsandbox.com', 'quickbooks-online': 'sandbox-quickbooks.api.intuit.com' }
type Platform = keyof typeof hosts
const some = Object.fromEntries(
  (Object.keys(hosts) as Platform[]).map((platform) => [platform, simulators[platform] as CreateSimulator]),
)
/** The production hosts lead to the service's own sandbox, the test hosts to another one. */
let testing: Sandbox
let connect: ConnectService
beforeAll(async () => {
  testing = await createSandbox({ simulators: some, size: 'small', paceScale: 0.001, strict: false })
  connect = await createConnectService(some, ({ platform, settings }) =>
    settings.apiHost === hosts[platform as Platform] ? testing.origin(platform) : undefined,
  )
})
afterAll(async () => {
  await connect.close()
  await testing.close()
})

const sandboxLabel = 'Square Sandbox, for developers'
const appPath = () => `/workspaces/${connect.workspaceId}/platform-apps/square`
const appWith = (settings: object) => {
  const { clientId, clientSecret } = connect.tenantOf(tenantNamed('square restaurant')).credentials
  return connect.manage('PUT', appPath(), { clientId, clientSecret, settings })
}
const linkNamed = ({ text, url }: Shown, label: string): string | undefined => {
  const href = new RegExp(`<a href="([^"]*)">Use instead: ${label}</a>`).exec(text)?.[1]
  return href && new URL(href.replaceAll('&amp;', '&'), url).href
}
const approve = async (browser: TestBrowser, shown: Shown) => {
  const form = formsIn(shown).find(({ method }) => method === 'POST')!
  const consent = await browser.submit(form)
  return { consent, done: await agree(browser, consent, 'restaurant') }
}
const clear = () => {
  for (const sandbox of [testing, connect.sandbox])
    for (const platform of Object.keys(hosts)) sandbox.clearCalls(platform)
}
const paths = (sandbox: Sandbox, platform: string) => sandbox.calls(platform).map(({ path }) => path)
async function unified(accountId: string, path = '') {
  const { key } = (await connect.manage('POST', `/workspaces/${connect.workspaceId}/api-keys`, { name: 'k' })).body
  const response = await fetch(`${connect.service.url()}/unified/${accountId}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await response.json()) as Record<string, unknown>
}
const accountOf = async (id: string) =>
  (await connect.manage('GET', `/workspaces/${connect.workspaceId}/accounts/${id}`)).body

it('a customer chooses the Square Sandbox by name, and everything is sent there', async () => {
  const browser = createBrowser()
  const { url } = await connect.newLink({ platforms: ['square'], vertical: 'restaurant', newAccountId: 'sq-test' })
  clear()
  const usual = await browser.open(url)
  const chosen = await browser.open(linkNamed(usual, sandboxLabel) as string)
  expect(chosen.text).toContain(`Environment: ${sandboxLabel}`)
  const { consent, done } = await approve(browser, chosen)
  expect(consent.url).toContain(testing.origin('square'))
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('This is a test environment of Square')])
  expect(await accountOf('sq-test')).toMatchObject({ test: true, settings: { apiHost: hosts.square }, auth: 'oauth2' })
  expect(await unified('sq-test')).toMatchObject({ platform: 'square', test: true })

  // The renewal of the token, too.
  for (const { expireTokens } of testing.simulator('square').tenants) expireTokens()
  const before = paths(testing, 'square').filter((path) => path === '/oauth2/token').length
  expect(await unified('sq-test', '/customer')).toHaveProperty('data')
  expect(paths(testing, 'square').filter((path) => path === '/oauth2/token').length).toBe(before + 1)
  expect(before).toBeGreaterThan(0)
  expect(paths(connect.sandbox, 'square')).toEqual([])
})
it('without a choice an account is in production, and has no mark', async () => {
  const browser = createBrowser()
  const { url } = await connect.newLink({ platforms: ['square'], vertical: 'restaurant', newAccountId: 'sq-live' })
  clear()
  const { consent, done } = await approve(browser, await browser.open(url))
  expect(consent.url).toContain(connect.sandbox.origin('square'))
  expect(done.text).not.toContain('test environment')
  expect(await accountOf('sq-live')).not.toHaveProperty('test')
  expect(await unified('sq-live')).not.toHaveProperty('test')
  expect(paths(testing, 'square')).toEqual([])
})
it('the settings of the application fix the environment for new accounts; an account that is reconnected stays in its own', async () => {
  const { credentials } = connect.tenantOf(tenantNamed('square restaurant'))
  const accounts = `/workspaces/${connect.workspaceId}/accounts`
  const body = { id: 'sq-old', platform: 'square', vertical: 'restaurant', credentials }
  expect((await connect.manage('POST', accounts, body)).body).not.toHaveProperty('test')
  expect((await appWith({ apiHost: hosts.square })).status).toBe(200)
  try {
    const browser = createBrowser()
    const fresh = await connect.newLink({ platforms: ['square'], vertical: 'restaurant', newAccountId: 'sq-fixed' })
    const page = await browser.open(fresh.url)
    expect(linkNamed(page, 'Production')).toBeUndefined()
    expect((await approve(browser, page)).done.text).toContain('test environment')
    expect(await accountOf('sq-fixed')).toMatchObject({ test: true })

    clear()
    const again = await connect.newLink({ accountId: 'sq-old' })
    const reconnecting = await browser.open(again.url)
    expect(linkNamed(reconnecting, sandboxLabel)).toBeUndefined()
    const { consent } = await approve(browser, reconnecting)
    expect(consent.url).toContain(connect.sandbox.origin('square'))
    expect(await accountOf('sq-old')).not.toHaveProperty('test')
    expect(paths(testing, 'square')).toEqual([])
  } finally {
    await appWith({})
  }
})
it('the form for keys has the choice, with production selected', async () => {
  const browser = createBrowser()
  const { url } = await connect.newLink({ platforms: ['square'], vertical: 'restaurant', newAccountId: 'sq-keys' })
  const page = await browser.open(`${url}/square/restaurant?method=static`)
  expect(page.text).toMatch(/value="0" required checked> <span>Production/)
  const form = formsIn(page).find(({ method }) => method === 'POST')!
  const { accessToken = '' } = testing.simulator('square').tenants[0]!.credentials
  clear()
  const done = await browser.submit(form, { region: '1', accessToken })
  expect(done.text).toContain('This is a test environment of Square')
  expect(paths(connect.sandbox, 'square')).toEqual([])
})
it('the management API takes the host of a QuickBooks sandbox company, and no other host', async () => {
  const { credentials, settings } = testing.simulator('quickbooks-online').tenants[0]!
  const path = `/workspaces/${connect.workspaceId}/accounts`
  const body = { id: 'qbo-test', platform: 'quickbooks-online', vertical: 'accounting', credentials }
  const refused = await connect.manage('POST', path, { ...body, settings: { ...settings, apiHost: 'evil.intuit.com' } })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/settings/apiHost'])
  clear()
  const made = await connect.manage('POST', path, {
    ...body,
    settings: { ...settings, apiHost: hosts['quickbooks-online'] },
  })
  expect([made.status, made.body.test]).toEqual([201, true])
  expect(paths(testing, 'quickbooks-online').length).toBeGreaterThan(0)
  expect(paths(connect.sandbox, 'quickbooks-online')).toEqual([])
  const { data } = (await connect.manage('GET', '/platforms')).body
  const labels = data.find(({ platform }: { platform: string }) => platform === 'quickbooks-online').regions
  expect(labels).toEqual([
    { label: 'Production', settings: { apiHost: 'quickbooks.api.intuit.com' }, usual: true },
    {
      label: 'Sandbox company of QuickBooks, for developers',
      settings: { apiHost: hosts['quickbooks-online'] },
      test: true,
    },
  ])
})
