// The part of the management API that an application's backend needs, with a key of its workspace.
import type { ManageOperations } from './generated/manage.ts'
import { createList } from './list.ts'
import { checkedUrl, type HttpRequest, type Send, withoutSlash } from './transport.ts'
import type { EntityName, List, ListOptions } from './types.ts'

type Operations = ManageOperations
type InWorkspace = '/manage/v1/workspaces/{workspaceId}'
type Answer<Key extends keyof Operations> = Operations[Key] extends { answer: infer T } ? T : never
type Body<Key extends keyof Operations> = Operations[Key] extends { body: infer T } ? T : never

export type Account = Answer<`GET ${InWorkspace}/accounts/{accountId}`>
export type AccountFilter = Pick<Operations[`GET ${InWorkspace}/accounts`]['query'], 'search' | 'platform' | 'state'>
export type NewConnectLink = Body<`POST ${InWorkspace}/connect-links`>
/** `url` is for the customer, `signingSecret` for `verifyConnectResult`. Both are shown once. */
export type CreatedConnectLink = Answer<`POST ${InWorkspace}/connect-links`>
export type ConnectLink = Answer<`GET ${InWorkspace}/connect-links/{linkId}`>
export type WorkspaceWatches = Answer<`GET ${InWorkspace}/watches`>
export type AccountWatches = Answer<`GET ${InWorkspace}/accounts/{accountId}/watches`>
export type WatchSettings = Body<`PUT ${InWorkspace}/accounts/{accountId}/watches/{entityType}`>
export type NewWebhookEndpoint = Body<`POST ${InWorkspace}/webhook-endpoints`>
/** `secret` is for `verifyWebhook`. It is shown once. */
export type CreatedWebhookEndpoint = Answer<`POST ${InWorkspace}/webhook-endpoints`>
export type WebhookEndpoint = Answer<`GET ${InWorkspace}/webhook-endpoints/{endpointId}`>
export type WebhookEndpointChange = Body<`PATCH ${InWorkspace}/webhook-endpoints/{endpointId}`>

type Signal = Pick<ListOptions, 'signal'>
type Paging = Pick<ListOptions, 'signal' | 'pageSize' | 'cursor'>
export interface ManageClient {
  /** Scope `accounts:read`; changes need `manage`. */
  readonly accounts: {
    /** One page when awaited, all accounts when iterated. */
    list(options?: AccountFilter & Paging): List<Omit<Account, 'warnings' | 'dailyLimit'>>
    get(accountId: string, options?: Signal): Promise<Account>
    disable(accountId: string, options?: Signal): Promise<Account>
    enable(accountId: string, options?: Signal): Promise<Account>
    /** With its references, mappings and journal. */
    delete(accountId: string, options?: Signal): Promise<void>
  }
  /** Scope `connect:create`. */
  readonly connectLinks: {
    create(link?: NewConnectLink, options?: Signal): Promise<CreatedConnectLink>
    list(options?: Paging): List<ConnectLink>
    get(linkId: string, options?: Signal): Promise<ConnectLink>
    revoke(linkId: string, options?: Signal): Promise<void>
  }
  /** What is watched for changes. Scope `manage`. */
  readonly watches: {
    /** Of all accounts, by default. */
    get(options?: Signal): Promise<WorkspaceWatches>
    set(watches: Body<`PUT ${InWorkspace}/watches`>, options?: Signal): Promise<WorkspaceWatches>
    /** Of one account. */
    list(accountId: string, options?: Signal): Promise<AccountWatches>
    watch(
      accountId: string,
      entityType: EntityName,
      settings?: WatchSettings,
      options?: Signal,
    ): Promise<AccountWatches>
    stop(accountId: string, entityType: EntityName, options?: Signal): Promise<AccountWatches>
  }
  /** Scope `manage`. */
  readonly webhookEndpoints: {
    create(endpoint: NewWebhookEndpoint, options?: Signal): Promise<CreatedWebhookEndpoint>
    list(options?: Paging): List<WebhookEndpoint>
    get(endpointId: string, options?: Signal): Promise<WebhookEndpoint>
    update(endpointId: string, change: WebhookEndpointChange, options?: Signal): Promise<WebhookEndpoint>
    delete(endpointId: string, options?: Signal): Promise<void>
  }
}

const json = { 'content-type': 'application/json' }

export function createManageClient(send: Send, manageUrl: string | undefined): ManageClient {
  const origin = manageUrl && withoutSlash(checkedUrl(manageUrl, 'manageUrl', 'http://10.0.0.5:9090'))
  const encode = encodeURIComponent
  /** Addresses of callers, which exist without the management port, too. */
  const short = (path: string) => ({ path })
  const managed = (path: string) => ({ origin, path: `/manage/v1/workspaces/current${path}` })
  type Address = ReturnType<typeof managed> | ReturnType<typeof short>

  async function call(method: HttpRequest['method'], address: Address, { signal }: Signal = {}, body?: object) {
    const content = body ? { body: JSON.stringify(body), headers: json } : {}
    // A POST that is repeated after a lost response would create a second object.
    const once = method === 'POST' || method === 'PATCH'
    // biome-ignore lint/suspicious/noExplicitAny: untyped JSON, typed by ManageClient
    return (await send({ method, ...address, ...content, signal, once })).body as any
  }
  function list<T>(
    address: Address,
    { signal, pageSize, cursor: start, ...filter }: AccountFilter & Paging = {},
  ): List<T> {
    return createList(async (cursor, until) => {
      const query = { ...filter, limit: pageSize?.toString(), after: cursor ?? start }
      const { data, next } = (await send({ method: 'GET', ...address, query, signal: until })).body
      return { data, pagination: { hasMore: next !== undefined, cursor: next } }
    }, signal)
  }
  const account = (id: string) => `/accounts/${encode(id)}`
  const link = (id: string) => short(`/connect-links/${encode(id)}`)
  const watch = (id: string, entityType: string) => managed(`${account(id)}/watches/${encode(entityType)}`)
  const endpoint = (id: string) => managed(`/webhook-endpoints/${encode(id)}`)
  return {
    accounts: {
      list: (options) => list(short('/accounts'), options),
      get: (id, options) => call('GET', short(account(id)), options),
      disable: (id, options) => call('POST', managed(`${account(id)}/disable`), options),
      enable: (id, options) => call('POST', managed(`${account(id)}/enable`), options),
      delete: (id, options) => call('DELETE', managed(account(id)), options),
    },
    connectLinks: {
      create: (given = {}, options) => call('POST', short('/connect-links'), options, given),
      list: (options) => list(short('/connect-links'), options),
      get: (id, options) => call('GET', link(id), options),
      revoke: (id, options) => call('DELETE', link(id), options),
    },
    watches: {
      get: (options) => call('GET', managed('/watches'), options),
      set: (watches, options) => call('PUT', managed('/watches'), options, watches),
      list: (id, options) => call('GET', managed(`${account(id)}/watches`), options),
      watch: (id, entityType, settings = {}, options) => call('PUT', watch(id, entityType), options, settings),
      stop: (id, entityType, options) => call('DELETE', watch(id, entityType), options),
    },
    webhookEndpoints: {
      create: (given, options) => call('POST', managed('/webhook-endpoints'), options, given),
      list: (options) => list(managed('/webhook-endpoints'), options),
      get: (id, options) => call('GET', endpoint(id), options),
      update: (id, change, options) => call('PATCH', endpoint(id), options, change),
      delete: (id, options) => call('DELETE', endpoint(id), options),
    },
  }
}
