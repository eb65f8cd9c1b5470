// A process that is killed right after its 200: the platform does not send the webhook again, so the change must be
// reported all the same.
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { freshDatabase } from '../postgres.ts'
import { type WatchedProcess, watchProcess } from '../watched-process.ts'
import { hookedPlatform, ofAccount, signed } from './hooked-platform.ts'

it.each(['sqlite', 'postgres'])(
  'a webhook that was accepted survives a kill on %s',
  async (kind) => {
    const { simulators } = hookedPlatform(ofAccount)
    const sandbox = await createSandbox({ simulators, size: 'small', paceScale: 0.01, strict: false })
    const adminToken = randomBytes(24).toString('hex')
    const env = {
      ...process.env,
      DATA_DIR: await mkdtemp(join(tmpdir(), 'unified-records-hooks-')),
      SANDBOX_ORIGIN: sandbox.origin('square'),
      KEY: randomBytes(32).toString('base64'),
      ADMIN_TOKEN: adminToken,
      DATABASE_URL:
        kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined,
    }
    let url = ''
    async function start(): Promise<WatchedProcess> {
      const started = watchProcess(process.execPath, [join(import.meta.dirname, 'instance-main.ts')], { env })
      url = (await started.until(/listening on (http:\S+)/))[1] as string
      return started
    }
    async function manage(method: string, path: string, body?: object) {
      const response = await fetch(`${url}/manage/v1/workspaces${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }
    async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
      for (const deadline = Date.now() + 45_000; Date.now() < deadline; await sleep(20)) {
        const found = await look()
        if (found !== undefined && found !== false) return found
      }
      throw new Error('never happened')
    }
    const tenant = sandbox.simulator('square').tenants.find(({ vertical }) => vertical === 'restaurant')
    const customers = tenant?.records.customer
    if (!tenant || !customers) throw new Error('there are no customers')

    let running = await start()
    const { id: workspaceId } = await manage('POST', '', { name: 'Hooks' })
    const { vertical, credentials, settings } = tenant
    const account = { id: 'shop', platform: 'square', vertical, credentials, settings }
    await manage('POST', `/${workspaceId}/accounts`, account)
    const base = `/${workspaceId}/accounts/shop`
    await manage('PUT', `${base}/watches/customer`, { pollSeconds: 86_400, walkHours: 168 })
    await until(async () => (await manage('GET', `${base}/watches`)).entities.customer.status?.lastPollAt)
    await manage('PUT', `${base}/hook`, { secret: 'a secret' })
    const [id] = customers.ids() as [string]
    const hookUrl = (await manage('GET', `${base}/hook`)).url
    // The platform is down, so nothing is read before the kill.
    sandbox.fault('square', { kind: 'unavailable' })
    customers.touch(id)
    const { status } = await fetch(hookUrl, {
      method: 'POST',
      ...signed(hookUrl, [{ entityType: 'customer', id }], 'a secret'),
    })
    running.child.kill('SIGKILL')
    expect(status).toBe(200)
    await running.exited
    sandbox.clearFaults('square')
    running = await start()
    await until(async () =>
      (await manage('GET', `${base}/changes`)).data.some((change: { externalId: string }) => change.externalId === id),
    )
    running.child.kill('SIGKILL')
    await running.exited
    await sandbox.close()
  },
  120_000,
)
