// A process that is killed right after its 200: the platform does not send the webhook again, so the change must be
// reported all the same.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { freshDatabase } from '../postgres.ts'
import { startService } from '../service-process.ts'

/** The test sends the only webhook. */
const silent: CreateSimulator = (options) =>
  Object.assign((simulators.square as CreateSimulator)(options), { enterWebhook: undefined })
const secret = 'a secret'

it.each(['sqlite', 'postgres'])('a webhook that was accepted survives a kill on %s', async (kind) => {
  const sandbox = await createSandbox({ simulators: { square: silent }, size: 'small', paceScale: 0.01, strict: false })
  const tenant = sandbox.simulator('square').tenants.find(({ vertical }) => vertical === 'restaurant')
  const customers = tenant?.records.customer
  if (!customers) throw new Error('there are no customers')
  const adminToken = randomBytes(24).toString('hex')
  const environment = {
    SANDBOX_URL: sandbox.url,
    DATA_DIR: await mkdtemp(join(tmpdir(), 'unified-records-hooks-')),
    DATABASE_URL: kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : '',
    ADMIN_TOKEN: adminToken,
  }
  let service = await startService(environment)
  async function manage(method: string, path: string, body?: object) {
    const response = await fetch(`${service.url}/manage/v1/workspaces/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  try {
    const account = '/accounts/sandbox-square-restaurant'
    await manage('PUT', `${account}/watches/customer`, { pollSeconds: 86_400, walkHours: 168 })
    const lastPoll = async () => (await manage('GET', `${account}/watches`)).entities.customer.status?.lastPollAt
    await expect.poll(lastPoll).toEqual(expect.any(String))
    await manage('PUT', '/hooks/square', { secret })
    const { data: hooks } = await manage('GET', '/hooks')
    const { url } = hooks.find(({ platform }: { platform: string }) => platform === 'square')
    const { merchantId } = (await manage('GET', account)).settings
    const [id] = customers.ids() as [string]
    // The platform is down, so nothing is read before the kill.
    sandbox.fault('square', { kind: 'unavailable' })
    customers.touch(id)
    const event = { merchant_id: merchantId, type: 'customer.updated', data: { type: 'customer', id } }
    const body = JSON.stringify(event)
    const signature = createHmac('sha256', secret).update(url).update(body).digest('base64')
    const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature }
    const { status } = await fetch(url, { method: 'POST', headers, body })
    await service.kill('SIGKILL')
    expect(status).toBe(200)
    sandbox.clearFaults('square')
    service = await startService(environment)
    const changes = async (): Promise<{ externalId: string }[]> => (await manage('GET', `${account}/changes`)).data
    await expect.poll(changes).toContainEqual(expect.objectContaining({ externalId: id }))
  } finally {
    await service.kill('SIGKILL')
    await sandbox.close()
  }
})
