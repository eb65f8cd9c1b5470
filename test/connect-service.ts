// The service with an application at every OAuth platform's simulator, and the steps that a customer goes through.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect } from 'vitest'
import { questionsOf } from '../src/accounts/fields.ts'
import type { Auth, Connector } from '../src/contract/connector.ts'
import { oauthOf } from '../src/engine/outbound/authorize.ts'
import { connectors } from '../src/platforms/registry.ts'
import { simulators as all } from '../src/platforms/simulators.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import type { CreateSimulator, Tenant } from '../src/sandbox/simulator.ts'
import { createService } from '../src/service.ts'
import type { Account } from '../src/store/store.ts'
import { formsIn, type Shown, type TestBrowser } from './connect-browser.ts'
import { copyMigrated } from './migrated-sqlite.ts'

export const back = 'https://app.example.com/connected?tenant=7'

export const everyTenant = Object.values(connectors).flatMap((connector) =>
  connector.verticals.map((vertical) => ({ connector, vertical, name: `${connector.id} ${vertical}` })),
)
export type TestTenant = (typeof everyTenant)[number]
export const tenantNamed = (name: string) => everyTenant.find((one) => one.name === name) as TestTenant

export async function createConnectService(
  simulators: Readonly<Record<string, CreateSimulator>> = all,
  elsewhere: (account: Account) => string | undefined = () => undefined, // another origin than this sandbox
) {
  const adminToken = randomBytes(24).toString('hex')
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-connect-'))
  await copyMigrated(dataDir)
  const logged: string[] = []
  const sandbox = await createSandbox({ simulators, size: 'small', paceScale: 0.001, strict: false })
  const service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: true,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'trace',
      paceScale: 0.001,
      maxWaitMs: 10_000,
      callTimeoutMs: 5000,
      adminToken,
    },
    connectors,
    originOverride: (account) => elsewhere(account) ?? sandbox.origin(account.platform),
    logger: pino(
      { level: 'trace' },
      new Writable({ write: (line, _, done) => done(void logged.push(String(line)) as undefined) }),
    ),
  })
  await service.listen()

  // biome-ignore lint/suspicious/noExplicitAny: the cases read responses of any type
  async function manage(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(`${service.url()}/manage/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
  const workspaceId = (await manage('POST', '/workspaces', { name: 'Corner & Co <b>' })).body.id as string
  const tenantOf = ({ connector, vertical }: TestTenant) =>
    sandbox.simulator(connector.id).tenants.find((one) => one.vertical === vertical) as Tenant
  for (const one of everyTenant) {
    if (!simulators[one.connector.id] || !oauthOf(one.connector)) continue
    const { clientId, clientSecret } = tenantOf(one).credentials
    expect(
      (await manage('PUT', `/workspaces/${workspaceId}/platform-apps/${one.connector.id}`, { clientId, clientSecret }))
        .status,
    ).toBe(200)
  }
  return {
    sandbox,
    service,
    workspaceId,
    dataDir,
    manage,
    tenantOf,
    logged: () => logged.join(''),
    async newLink(options: object = {}): Promise<{ id: string; url: string; signingSecret: string }> {
      const { status, body } = await manage('POST', `/workspaces/${workspaceId}/connect-links`, options)
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    },
    accounts: async () => (await service.store.accounts.list(workspaceId, { limit: 500 })).data,
    async close() {
      await service.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type ConnectService = Awaited<ReturnType<typeof createConnectService>>

/** The values that a customer would enter: those of the simulated business. */
export function formValues(connector: Connector, way: Auth, tenant: Tenant): Record<string, string> {
  const { regions, required } = questionsOf(connector, way, {})
  const region = regions.findIndex(({ settings }) =>
    Object.entries(settings).every(([name, value]) => (tenant.settings[name] ?? value) === value),
  )
  return {
    ...Object.fromEntries(required.map(({ name }) => [name, tenant.settings[name] as string])),
    ...(regions.length > 0 ? { region: String(region) } : {}),
  }
}

/** From the link to the platform's own page. */
export async function toConsent(
  { sandbox, tenantOf }: ConnectService,
  browser: TestBrowser,
  url: string,
  one: TestTenant,
): Promise<Shown> {
  const { connector, vertical } = one
  let shown = await browser.open(`${url}/${connector.id}/${vertical}`)
  const [settings] = formsIn(shown)
  if (settings?.method === 'GET')
    shown = await browser.submit(settings, formValues(connector, oauthOf(connector) as Auth, tenantOf(one)))
  const form = formsIn(shown).find(({ method }) => method === 'POST')
  if (!form) throw new Error(`no next step from ${shown.status} ${shown.url}: ${shown.text}`)
  expect(shown.headers.get('content-security-policy')).toContain(`form-action 'self' ${new URL(sandbox.url).origin};`)
  return browser.submit(form)
}

/** Consent on the platform's page; with `stopAtCallback`, without following the redirect back to our pages. */
export async function agree(
  browser: TestBrowser,
  consent: Shown,
  vertical: string,
  decision = 'approve',
  stopAtCallback = false,
): Promise<Shown> {
  const forms = formsIn(consent)
  const form = forms.find(({ fields }) => fields.get('tenant') === vertical) ?? forms[0]
  if (!form) throw new Error(`no consent page: ${consent.status} ${consent.text}`)
  if (!stopAtCallback) return browser.submit(form, { decision })
  const fields = new URLSearchParams(form.fields)
  fields.set('decision', decision)
  const shown = await browser.request('POST', form.action, fields)
  return { ...shown, url: shown.headers.get('location') as string }
}
