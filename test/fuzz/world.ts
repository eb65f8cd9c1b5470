// The objects that requests refer to: honest accounts on every platform, the same ones behind a hostile server, and a
// workspace whose objects may be changed and deleted.

import { formBPrefix } from '../../src/api/record-operations.ts'
import { readDocuments } from '../api-documents.ts'
import type { FuzzedAccount } from './cases.ts'
import { type Operation, readDocument } from './document.ts'
import type { FuzzedTenant, Platforms } from './platforms.ts'
import { nextAddress, type Surroundings } from './render.ts'
import type { FuzzedService } from './service-process.ts'

export interface WorldAccount extends FuzzedAccount {
  id: string
  platform: string
  mappingKeys: { read: string; write: string }
  records: Record<string, string> // entity -> an id
  cursors: Record<string, string>
}
export interface World extends Surroundings {
  document: ReturnType<typeof readDocument>
  accounts: WorldAccount[]
  hostile: WorldAccount[]
  /** Replaces a hostile account that its platform has asked to wait. */
  renew(index: number): Promise<void>
  /** Restores what requests have deleted. */
  refresh(): Promise<void>
}

export async function createWorld(service: FuzzedService, platforms: Platforms): Promise<World> {
  const document = readDocument(
    await readDocuments(async (path) => (await fetch(service.url + path, { headers: { connection: 'close' } })).text()),
  )
  const values: Record<string, string> = {}
  async function call(
    method: string,
    path: string,
    body?: unknown,
    authorization = `Bearer ${service.adminToken}`,
  ): Promise<{ status: number; body: never }> {
    const text = typeof body === 'string'
    const response = await fetch(service.url + path, {
      method,
      headers: {
        authorization,
        connection: 'close',
        'x-forwarded-for': nextAddress(),
        prefer: 'wait=60', // a busy machine must not end the run
        ...(body === undefined ? {} : { 'content-type': text ? 'text/csv' : 'application/json' }),
      },
      body: text ? body : JSON.stringify(body),
    })
    const received = await response.text()
    return { status: response.status, body: (received === '' ? undefined : JSON.parse(received)) as never }
  }
  async function must<T = Record<string, string>>(
    method: string,
    path: string,
    body?: unknown,
    authorization?: string,
  ): Promise<T> {
    const reply = await call(method, path, body, authorization)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const manage = <T = Record<string, string>>(method: string, path: string, body?: unknown) =>
    must<T>(method, `/manage/v1${path}`, body)

  const { id: workspaceId } = (await manage('POST', '/workspaces', { name: 'Fuzzed' })) as { id: string }
  const { key: apiKey } = (await manage('POST', `/workspaces/${workspaceId}/api-keys`, { name: 'fuzz' })) as {
    key: string
  }
  const access = (await manage('POST', `/workspaces/${workspaceId}/access-ids`, { name: 'fuzz' })) as {
    id: string
    secret: string
  }
  const { id: sacrificed } = (await manage('POST', '/workspaces', { name: 'Sacrificed' })) as { id: string }

  async function settle(
    { platform, vertical, credentials, settings }: FuzzedTenant,
    prefix: string,
  ): Promise<WorldAccount> {
    const id = `${prefix}${platform}-${vertical}`
    const base = `/workspaces/${workspaceId}/accounts`
    await manage('POST', `${base}?test=false`, { id, platform, vertical, credentials, settings })
    const { data: keys } = await manage<{ data: { key: string; direction: string }[] }>(
      'GET',
      `${base}/${id}/mapping-keys`,
    )
    const keyOf = (direction: string) => keys.find((key) => key.direction === direction)?.key as string
    const { entities } = await must<{ entities: Record<string, unknown> }>(
      'GET',
      `/unified/${id}`,
      undefined,
      `Bearer ${apiKey}`,
    )
    const account: WorldAccount = {
      id,
      platform,
      vertical,
      entities: Object.keys(entities),
      mappingKeys: { read: keyOf('read'), write: keyOf('write') },
      records: {},
      cursors: {},
    }
    for (const entityType of Object.keys(entities)) {
      const { data, pagination } = await must<{ data: { externalId: string }[]; pagination: { cursor?: string } }>(
        'GET',
        `/unified/${id}/${entityType}?pageSize=1`,
        undefined,
        `Bearer ${apiKey}`,
      )
      if (data[0]) account.records[entityType] = data[0].externalId
      if (pagination.cursor) account.cursors[entityType] = pagination.cursor
    }
    return account
  }
  const accounts = await Promise.all(platforms.tenants.map((tenant) => settle(tenant, '')))
  const hostile = await Promise.all(platforms.besieged.map((tenant) => settle(tenant, 'hostile-')))
  await manage('PUT', `/workspaces/${workspaceId}/accounts/${accounts[0]?.id}/watches/product`, {})

  const [square] = platforms.tenants.filter(({ platform }) => platform === 'square') as [FuzzedTenant]
  const there = async (path: string) => (await call('GET', `/manage/v1/workspaces/${sacrificed}${path}`)).status === 200
  async function refresh(): Promise<void> {
    const base = `/workspaces/${sacrificed}`
    const account = `${base}/accounts/sacrificed`
    const { platform, vertical, credentials, settings } = square
    for (const id of ['sacrificed', 'doomed'])
      if (!(await there(`/accounts/${id}`)))
        await manage('POST', `${base}/accounts?test=false`, { id, platform, vertical, credentials, settings })
    await manage('PATCH', `${account}?test=false`, { settings })
    await manage('POST', `${account}/reconnect?test=false`, { credentials })
    const { id: mappingId } = await manage('POST', `${account}/mappings`, {
      entityType: 'product',
      direction: 'read',
      name: 'm',
      rules: { '/description': { value: 'x' } },
    })
    const { key } = await manage('POST', `${account}/mapping-keys`, { mappingId })
    await manage('PUT', `${account}/references`, { entityType: 'customer', sourceId: 'SOURCE', nativeId: 'NATIVE' })
    const { id: importId } = await manage(
      'POST',
      `${account}/references/import`,
      'entityType,sourceId,nativeId\ncustomer,A,B\n',
    )
    const { token } = await manage('POST', '/sessions', { user: service.user, password: service.password })
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: access.id,
      client_secret: access.secret,
    })
    const issued = (await (
      await fetch(`${service.url}${formBPrefix}/oauth/server/access-token`, {
        method: 'POST',
        body: form,
        headers: { connection: 'close' },
      })
    ).json()) as {
      access_token: string
    }
    const made = await manage('POST', `${base}/api-keys`, { name: 'victim' })
    const madeAccess = await manage('POST', `${base}/access-ids`, { name: 'victim' })
    const { data: activity } = await manage<{ data: { requestId: string }[] }>(
      'GET',
      `/workspaces/${workspaceId}/activity?limit=1`,
    )
    Object.assign(values, {
      mappingId,
      key,
      importId,
      session: token,
      accessToken: issued.access_token,
      apiKeyId: made.id,
      accessIdId: madeAccess.id,
      requestId: activity[0]?.requestId ?? 'x',
    })
    await Promise.all(hostile.map(({ id }) => manage('POST', `/workspaces/${workspaceId}/accounts/${id}/enable`)))
    if (document.operations.some(({ operationId }) => operationId === 'createConnectLink')) {
      const link = await call('POST', `/manage/v1${base}/connect-links`, {})
      const { id, url } = (link.body ?? {}) as { id?: string; url?: string }
      Object.assign(values, { linkId: id ?? 'x', connectToken: url?.split('/').at(-1) ?? 'x' })
    }
  }
  await refresh()

  const entityOf = ({ path }: Operation) => /\/unified\/\{accountId\}\/(\w+)/.exec(path)?.[1] ?? 'product'
  const ofSacrificed: Record<string, string> = {
    workspaceId: sacrificed,
    accountId: 'sacrificed',
    sourceId: 'SOURCE',
    entityType: 'product',
    vertical: 'restaurant',
    platform: 'square',
    file: 'product',
  }
  return {
    document,
    accounts,
    hostile,
    refresh,
    async renew(index) {
      const { id } = hostile[index] as WorldAccount
      const number = Number(/^hostile-(\d+)-/.exec(id)?.[1] ?? 0) + 1
      // The old one stays if the single-use tokens of its tenant are used up, or if its platform responds so slowly that
      // the connection of the request times out. A service that has died fails the run.
      const renewed = await settle(platforms.besieged[index] as FuzzedTenant, `hostile-${number}-`).catch(
        (error: Error) => (/reconnect_required|fetch failed/.test(error.message) ? undefined : Promise.reject(error)),
      )
      if (!renewed) return
      hostile[index] = renewed
      await call('DELETE', `/manage/v1/workspaces/${workspaceId}/accounts/${id}`)
    },
    value(name, index, operation) {
      if (name === 'accessId') return access.id
      if (name === 'accessSecret') return access.secret
      const account = (index >= accounts.length ? hostile[index - accounts.length] : accounts[index]) as WorldAccount
      if (operation.form.startsWith('form')) {
        if (name === 'accountId') return account.id
        if (name === 'id') return account.records[entityOf(operation)] ?? 'none'
        if (name === 'cursor') return account.cursors[entityOf(operation)] ?? 'none'
        if (name === 'mappingKey')
          return operation.method === 'GET' ? account.mappingKeys.read : account.mappingKeys.write
      }
      if (name === 'id')
        return operation.path.includes('/api-keys/')
          ? values.apiKeyId
          : operation.path.includes('/access-ids/')
            ? values.accessIdId
            : account.records.product
      if (name === 'accountId' && /^(delete|disable)Account$/.test(operation.operationId)) return 'doomed'
      return values[name] ?? ofSacrificed[name]
    },
    authorization(name, operation) {
      const bearer = {
        'form A': apiKey,
        'form B': values.accessToken,
        manage: service.adminToken,
        session: values.session,
        open: undefined,
      }
      if (name === 'right')
        return operation && operation.form !== 'open' ? `Bearer ${bearer[operation.form]}` : undefined
      if (name === 'none') return undefined
      if (name === 'garbage') return 'Bearer \u00e9\u00ff, Basic'
      if (name === 'wrong secret') return `Bearer ${apiKey.split('.')[0]}.${'x'.repeat(43)}`
      if (name === 'basic') return `Basic ${Buffer.from(`${access.id}:\u0000`).toString('base64')}`
      if (name === 'long') return `Bearer ${'a'.repeat(8000)}`
      return `Bearer ${bearer[name]}`
    },
  }
}
