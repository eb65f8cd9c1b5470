// A test workspace reaches test environments only: when an account is connected, and with every call.
import { afterAll, expect, inject, it } from 'vitest'
import { offersOf } from '../../src/accounts/offers.ts'
import { connectors } from '../../src/platforms/registry.ts'
import type { ConnectLink } from '../../src/store/store.ts'
import { freshDatabase } from '../postgres.ts'
import { closeServices, startBare } from './bare-service.ts'

afterAll(closeServices)

it.each(['sqlite', 'postgres'])(
  'a test workspace keeps production accounts and applications out on %s',
  async (kind) => {
    const url = kind === 'sqlite' ? undefined : await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    const { service, send, adminToken, workspace: production } = await startBare({}, [], url)
    async function manage(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) {
      const reply = await send(method, `/manage/v1/workspaces${path}`, adminToken, payload ? { payload } : {})
      return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
    }
    const { body: made } = await manage('POST', '', { name: 'Tests', test: true })
    expect(made).toMatchObject({ name: 'Tests', test: true })
    const connect = (workspace: string, id: string, platform: string, settings: object, credentials: object) =>
      manage('POST', `/${workspace}/accounts?test=false`, {
        ...{ id, platform, settings, credentials },
        vertical: platform === 'loyverse' ? 'retail_pos' : 'restaurant',
      })
    const token = { accessToken: 'x' }
    const testHost = { apiHost: 'connect.squareupsandbox.com' }

    const live = await connect(made.id, 'live', 'square', {}, token)
    expect(live).toMatchObject({ status: 422, body: { errors: [{ pointer: '/settings/apiHost' }] } })
    expect(live.body.errors[0].message).toContain('connect.squareupsandbox.com')
    expect(await connect(made.id, 'none', 'loyverse', {}, token)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/platform', message: expect.stringContaining('has no test environment') }] },
    })
    expect((await connect(made.id, 'tested', 'square', testHost, token)).status).toBe(201)
    const account = `/${made.id}/accounts/tested`
    const changes = await manage('PATCH', `${account}?test=false`, { settings: { apiHost: 'connect.squareup.com' } })
    expect(changes).toMatchObject({ status: 422, body: { errors: [{ pointer: '/settings/apiHost' }] } })
    const app = { clientId: 'c', clientSecret: 's' }
    const apps = (workspace: string, platform: string) => `/${workspace}/platform-apps/${platform}`
    expect((await manage('PUT', apps(made.id, 'xero'), app)).status).toBe(422)
    const unnamed = await manage('PUT', apps(made.id, 'square'), app) // the default host is that of production
    expect(unnamed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/settings/apiHost' }] } })
    const ofProduction = { ...app, settings: { apiHost: 'connect.squareup.com' } }
    expect((await manage('PUT', apps(made.id, 'square'), ofProduction)).status).toBe(422)
    expect((await manage('PUT', apps(made.id, 'square'), { ...app, settings: testHost })).status).toBe(200)

    // Connect pages offer nothing that would be refused.
    const links = (workspace: string, payload: object) => manage('POST', `/${workspace}/connect-links`, payload)
    for (const [workspace, others] of [
      [made.id, false],
      [production, true],
    ] as const) {
      const { url: link, id } = (await links(workspace, {})).body
      const start = (await send('GET', link, adminToken)).body
      expect([start.includes('Toast'), start.includes('Loyverse')]).toEqual([true, others])
      const form = (await send('GET', `${link}/toast/restaurant`, adminToken)).body
      expect(form).toContain('name="clientSecret"')
      expect(/type="radio" name="region"/.test(form)).toBe(others)
      const stored = (await service.store.connectLinks.get({ workspaceId: workspace, id })) as ConnectLink
      const offers = await offersOf({ ...service, connectors }, stored)
      const toast = offers.find(({ connector }) => connector.id === 'toast')
      expect(toast?.fixed.apiHost).toBe(others ? undefined : 'ws-sandbox-api.eng.toasttab.com')
      expect((await links(workspace, { platforms: ['loyverse'] })).status).toBe(others ? 201 : 422)
    }

    // The settings of an account are changed behind the back of these checks: its calls are refused.
    const { key } = (await manage('POST', `/${made.id}/api-keys`, { name: 'k' })).body
    await service.store.accounts.update('tested', { settings: { apiHost: 'connect.squareup.com' } })
    const call = await send('GET', '/unified/tested/customer', key)
    expect([call.statusCode, call.json().code, call.json().detail]).toEqual([
      403,
      'forbidden',
      expect.stringContaining('Nothing was sent'),
    ])

    const mark = async (workspace: string, test: boolean) => (await manage('PATCH', `/${workspace}`, { test })).body
    expect(await mark(made.id, false)).toMatchObject({ code: 'resource_in_use' })
    expect((await manage('GET', `/${made.id}`)).body).toMatchObject({ test: true })
    expect((await connect(production, 'shop', 'square', {}, token)).status).toBe(201)
    expect((await mark(production, true)).detail).toContain('the account shop')
    expect((await service.store.accounts.get('shop'))?.testOnly).toBeUndefined()
    await service.store.accounts.delete('shop')
    for (const platform of ['xero', 'square']) {
      expect((await manage('PUT', apps(production, platform), app)).status).toBe(200)
      expect((await mark(production, true)).detail).toContain(`an application of ${platform}`)
      await manage('DELETE', apps(production, platform))
    }
    expect((await connect(production, 'shop', 'square', testHost, token)).status).toBe(201)
    expect(await mark(production, true)).toMatchObject({ test: true })
    expect((await service.store.accounts.get('shop'))?.testOnly).toBe(true)
  },
)
