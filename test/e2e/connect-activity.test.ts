// A customer connects an account. Operators then see neither the OAuth code and state nor the token of the link.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentialFields } from '../../src/accounts/fields.ts'
import type { Auth } from '../../src/contract/connector.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { createBrowser, formsIn } from '../connect-browser.ts'
import {
  agree,
  type ConnectService,
  createConnectService,
  formValues,
  tenantNamed,
  toConsent,
} from '../connect-service.ts'

const platforms = ['clover', 'square', 'woocommerce']
let connect: ConnectService
beforeAll(async () => {
  connect = await createConnectService(
    Object.fromEntries(platforms.map((platform) => [platform, simulators[platform] as CreateSimulator])),
  )
})
afterAll(() => connect.close())

interface Row {
  requestId: string
  operation: string
  platform: string
  accountId: string
  status: number
}
/** All rows with their details, as the management API shows them. */
async function activity(): Promise<(Row & { trace: { path: string } })[]> {
  const { manage, workspaceId } = connect
  const { body } = await manage('GET', `/workspaces/${workspaceId}/activity?limit=500`)
  return Promise.all(
    (body.data as Row[]).map(
      async ({ requestId }) => (await manage('GET', `/workspaces/${workspaceId}/activity/${requestId}`)).body,
    ),
  )
}
/** Activity is written after the response. */
const recorded = (accountId: string, status: number) =>
  expect
    .poll(async () =>
      (await activity())
        .filter((row) => row.accountId === accountId && row.operation === 'connect')
        .map((row) => row.status),
    )
    .toEqual([status])

async function expectNowhere(secrets: Record<string, string>): Promise<void> {
  const files = readdirSync(connect.dataDir).map(
    (name) => [name, readFileSync(join(connect.dataDir, name), 'latin1')] as const,
  )
  expect(files.filter(([name]) => name.includes('.sqlite')).length).toBeGreaterThan(0)
  const shown = [...files, ['activity', JSON.stringify(await activity())] as const, ['log', connect.logged()] as const]
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(8)
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
    expect(
      shown.filter(([, text]) => forms.some((form) => text.includes(form))).map(([output]) => `${name} in ${output}`),
    ).toEqual([])
  }
}

it.each(['clover restaurant', 'square restaurant'])('%s, by authorizing there', async (name) => {
  const one = tenantNamed(name)
  const browser = createBrowser()
  const accountId = `connected-${one.connector.id}`
  const link = await connect.newLink({ platforms: [one.connector.id], newAccountId: accountId })
  const callback = new URL(
    (await agree(browser, await toConsent(connect, browser, link.url, one), one.vertical, 'approve', true)).url,
  )
  const { code, state } = Object.fromEntries(callback.searchParams) as { code: string; state: string }
  expect((await browser.open(callback.href)).text).toContain(`${one.connector.name} is connected`)
  await recorded(accountId, 303)
  const [row] = (await activity()).filter((entry) => entry.accountId === accountId)
  expect(row).toMatchObject({ operation: 'connect', platform: one.connector.id, trace: { path: '/connect/callback' } })
  await expectNowhere({ code, state, token: link.url.split('/').at(-1) as string })
})

it('an attempt that the platform rejects is recorded without an account and without the code', async () => {
  const one = tenantNamed('square restaurant')
  const browser = createBrowser()
  const link = await connect.newLink({ platforms: ['square'] })
  const callback = new URL(
    (await agree(browser, await toConsent(connect, browser, link.url, one), one.vertical, 'approve', true)).url,
  )
  const code = 'a-code-that-square-never-gave'
  callback.searchParams.set('code', code)
  expect((await browser.open(callback.href)).status).toBe(422)
  await recorded('', 422)
  await expectNowhere({ code, state: callback.searchParams.get('state') as string })
})

it('keys entered on a page whose URL contains the token of the link', async () => {
  const one = tenantNamed('woocommerce retail_pos')
  const { connector, vertical } = one
  const way = connector.auth.find(({ kind }) => kind !== 'oauth2') as Auth
  const tenant = connect.tenantOf(one)
  const browser = createBrowser()
  const link = await connect.newLink({ platforms: [connector.id], newAccountId: 'typed' })
  const form = formsIn(await browser.open(`${link.url}/${connector.id}/${vertical}?method=${way.kind}`)).find(
    ({ method }) => method === 'POST',
  )
  if (!form) throw new Error('no form')
  const typed = Object.fromEntries(credentialFields(way).map(({ name }) => [name, tenant.credentials[name] as string]))
  await browser.submit(form, { ...formValues(connector, way, tenant), ...typed })
  await recorded('typed', 303)
  const [row] = (await activity()).filter(({ accountId }) => accountId === 'typed')
  expect(row).toMatchObject({
    operation: 'connect',
    platform: 'woocommerce',
    trace: { path: '/connect/:token/:platform/:vertical' },
  })
  await expectNowhere({ token: link.url.split('/').at(-1) as string, ...typed })
})
