// A platform counts the calls of a business, whatever account and workspace of ours makes them.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Connector } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { accountsOf } from '../../src/sandbox/control.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { createService, type Service } from '../../src/service.ts'
import { createBrowser, formsIn } from '../connect-browser.ts'
import { freshDatabase } from '../postgres.ts'

const adminToken = randomBytes(24).toString('hex')
const platforms = ['bigcommerce', 'clover', 'square', 'woocommerce'] as const
/** Longer than the tests, however slow the machine is. */
const window = { requests: 40, seconds: 3_600 }
const bigcommerce = { ...connectors.bigcommerce, limit: [window] } as Connector

describe.each(['sqlite', 'postgres'] as const)('accounts of one business (%s)', (kind) => {
  let sandbox: Sandbox
  const instances: Service[] = []
  const accounts: { id: string; workspace: string; key: string }[] = []

  // biome-ignore lint/suspicious/noExplicitAny: responses of several routes
  async function manage(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(`${instances[0]?.url()}/manage/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return text ? JSON.parse(text) : undefined
  }
  const tenantOf = (platform: string) => accountsOf(sandbox).find((one) => one.platform === platform)!
  async function connect(workspace: string, platform: string) {
    const { vertical, credentials, settings } = tenantOf(platform)
    return manage('POST', `/workspaces/${workspace}/accounts`, { platform, vertical, credentials, settings })
  }

  beforeAll(async () => {
    sandbox = await createSandbox({
      simulators: Object.fromEntries(platforms.map((name) => [name, simulators[name]!])),
      size: 'small',
      strict: false,
    })
    const databaseUrl =
      kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined
    const encryptionKeys = [randomBytes(32)]
    for (let index = 0; index < (kind === 'postgres' ? 2 : 1); index++) {
      const service = await createService({
        config: {
          host: '127.0.0.1',
          port: 0,
          dataDir: mkdtempSync(join(tmpdir(), 'unified-records-businesses-')),
          sandbox: true,
          encryptionKeys,
          logLevel: 'silent',
          paceScale: 1,
          maxWaitMs: 60_000,
          callTimeoutMs: 5000,
          adminToken,
          databaseUrl,
        },
        connectors: { ...connectors, bigcommerce },
        originOverride: (account) => sandbox.origin(account.platform),
        logger: pino({ level: 'silent' }),
      })
      await service.listen()
      instances.push(service)
    }
    for (const name of ['First', 'Second']) {
      const { id: workspace } = await manage('POST', '/workspaces', { name })
      const { id } = await connect(workspace, 'clover')
      const { key } = await manage('POST', `/workspaces/${workspace}/api-keys`, { name: 'k' })
      accounts.push({ id, workspace, key })
    }
  })
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    await sandbox?.close()
  })

  it('share its windows, in two workspaces and at every instance', async () => {
    const shared = await Promise.all(
      accounts.map(async ({ workspace, key }) => ({ key, id: (await connect(workspace, 'bigcommerce')).id as string })),
    )
    const ways = shared.flatMap((account) => instances.map((instance) => ({ ...account, instance, isOpen: true })))
    while (ways.some(({ isOpen }) => isOpen))
      for (const way of ways) {
        const response = await fetch(`${way.instance.url()}/unified/${way.id}/customer?pageSize=1`, {
          headers: { authorization: `Bearer ${way.key}`, prefer: 'wait=0' },
        })
        expect([200, 429], await response.text()).toContain(response.status)
        way.isOpen = response.status === 200
      }
    // Two separate windows would allow twice as many.
    const calls = sandbox.calls('bigcommerce').filter(({ vertical }) => vertical).length
    expect([calls >= window.requests / 2, calls <= window.requests], `${calls} calls`).toEqual([true, true])
  })

  it('say so in the workspace that has both, and nothing about another workspace', async () => {
    const [first, second] = accounts as [(typeof accounts)[0], (typeof accounts)[0]]
    const alone = await manage('GET', `/workspaces/${second.workspace}/accounts/${second.id}`)
    expect(alone.warnings).toBeUndefined()
    const again = await connect(first.workspace, 'clover')
    expect(again.warnings).toEqual([
      { code: 'business_connected_twice', message: expect.stringContaining(`also connected as account ${first.id}.`) },
    ])
    expect(JSON.stringify(again)).not.toContain(second.id)
    const shown = await manage('GET', `/workspaces/${first.workspace}/accounts/${first.id}`)
    expect(shown.warnings).toMatchObject([{ message: expect.stringContaining(again.id) }])
    await manage('DELETE', `/workspaces/${first.workspace}/accounts/${again.id}`)
    expect((await manage('GET', `/workspaces/${first.workspace}/accounts/${first.id}`)).warnings).toBeUndefined()
  })

  it('are recognized with a token that does not name the business', async () => {
    const { workspace } = accounts[0]!
    const first = await connect(workspace, 'square')
    const second = await connect(workspace, 'square')
    expect([first.settings.merchantId, second.settings.merchantId]).toEqual(['MLRESTAURANT1', 'MLRESTAURANT1'])
    expect(second.warnings).toMatchObject([{ message: expect.stringContaining(first.id) }])
  })

  it('are pointed out on the connect page, without their ids', async () => {
    const { workspace } = accounts[0]!
    const other = await connect(accounts[1]!.workspace, 'woocommerce')
    const visit = async () => {
      const link = await manage('POST', `/workspaces/${workspace}/connect-links`, { platforms: ['woocommerce'] })
      const browser = createBrowser()
      const { credentials, settings } = tenantOf('woocommerce')
      const page = await browser.open(link.url)
      return (await browser.submit(formsIn(page)[0]!, { ...credentials, ...settings })).text
    }
    expect(await visit()).not.toContain('already connected')
    const page = await visit()
    expect(page).toContain('This business was already connected.')
    expect(page).not.toContain(other.id)
  })
})
