// The part of the management API that an application's backend needs, with a key of its workspace.
import { createList } from './list.ts'
import {
  type AnyManageRequest,
  type ManageAnswer,
  type ManageBody,
  type ManageItem,
  type ManageList,
  type ManageOperation,
  type ManagePage,
  type ManageParameters,
  type ManageRequest,
  manageAddress,
  workspacePath,
} from './manage-call.ts'
import { checkedUrl, type Send, withoutSlash } from './transport.ts'
import type { EntityName, List, ListOptions } from './types.ts'

export type { ManageAnswer, ManageBody, ManageOperation, ManageRequest }
export type Account = ManageAnswer<'getAccount'>
export type AccountFilter = { search?: string; platform?: string; state?: string }
export type NewConnectLink = ManageBody<'createConnectLink'>
/** `url` is for the customer, `signingSecret` for `verifyConnectResult`. Both are shown once. */
export type CreatedConnectLink = ManageAnswer<'createConnectLink'>
export type ConnectLink = ManageAnswer<'getConnectLink'>
export type WorkspaceWatches = ManageAnswer<'getWorkspaceWatches'>
export type AccountWatches = ManageAnswer<'listWatches'>
export type WatchSettings = ManageBody<'setWatch'>
export type NewWebhookEndpoint = ManageBody<'createWebhookEndpoint'>
/** `secret` is for `verifyWebhook`. It is shown once. */
export type CreatedWebhookEndpoint = ManageAnswer<'createWebhookEndpoint'>
export type WebhookEndpoint = ManageAnswer<'getWebhookEndpoint'>
export type WebhookEndpointChange = ManageBody<'changeWebhookEndpoint'>

type Signal = Pick<ListOptions, 'signal'>
type Paging = Pick<ListOptions, 'signal' | 'pageSize' | 'cursor'>
export interface ManageClient {
  /** Any operation of the management API, by the name that the API description gives it. */
  call<K extends ManageOperation>(operation: K, ...parameters: ManageParameters<K, [Signal]>): Promise<ManageAnswer<K>>
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
    set(watches: ManageBody<'setWorkspaceWatches'>, options?: Signal): Promise<WorkspaceWatches>
    /** Of one account. */
    list(accountId: string, options?: Signal): Promise<AccountWatches>
    watch(
      accountId: string,
      entityType: EntityName,
      settings?: WatchSettings,
      options?: Signal,
    ): Promise<ManageAnswer<'setWatch'>>
    stop(accountId: string, entityType: EntityName, options?: Signal): Promise<void>
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

export function createManageClient(send: Send, manageUrl: string | undefined): ManageClient {
  const origin = manageUrl && withoutSlash(checkedUrl(manageUrl, 'manageUrl', 'http://10.0.0.5:9090'))
  /** Where the API of the workspace is; `short`: its addresses for callers, which exist without the management port. */
  const managed = { origin, base: '/manage/v1', workspace: workspacePath('current') }
  const short = { base: '', workspace: '' }

  async function answerOf(
    { base, workspace, ...place }: { origin?: string | undefined; base: string; workspace: string },
    operation: ManageOperation,
    given: AnyManageRequest,
    { signal }: Signal = {},
  ) {
    const own = given.workspace === undefined ? workspace : workspacePath(given.workspace)
    const { method, path } = manageAddress(operation, given, own)
    const [body, type] =
      typeof given.body === 'string' ? [given.body, 'text/csv'] : [JSON.stringify(given.body), 'application/json']
    const content = body === undefined ? {} : { body, headers: { 'content-type': type } }
    // A POST that is repeated after a lost response would create a second object.
    const once = method === 'POST' || method === 'PATCH'
    return (await send({ method, ...place, path: base + path, ...content, signal, once })).body
  }
  const request = <K extends ManageOperation>(
    place: typeof managed | typeof short,
    operation: K,
    given: ManageRequest<K>,
    options?: Signal,
  ): Promise<ManageAnswer<K>> => answerOf(place, operation, given, options)
  const call = <K extends ManageOperation>(operation: K, given: ManageRequest<K>, options?: Signal) =>
    request(managed, operation, given, options)
  const list = <K extends ManageList>(
    place: typeof managed | typeof short,
    operation: K,
    { signal, pageSize, cursor: start, ...filter }: AccountFilter & Paging = {},
  ): List<ManageItem<K>> =>
    createList(async (cursor, until) => {
      const query = { ...filter, limit: pageSize, after: cursor ?? start }
      const { data, next }: ManagePage<K> = await answerOf(place, operation, { query }, { signal: until })
      return { data, pagination: { hasMore: next !== undefined, cursor: next } }
    }, signal)
  const account = (accountId: string) => ({ path: { accountId } })
  const link = (linkId: string) => ({ path: { linkId } })
  const watch = (accountId: string, entityType: string) => ({ path: { accountId, entityType } })
  const endpoint = (endpointId: string) => ({ path: { endpointId } })
  return {
    call: (operation, ...[given = {}, options]) => answerOf(managed, operation, given, options),
    accounts: {
      list: (options) => list(short, 'listAccounts', options),
      get: (id, options) => request(short, 'getAccount', account(id), options),
      disable: (id, options) => call('disableAccount', account(id), options),
      enable: (id, options) => call('enableAccount', account(id), options),
      delete: (id, options) => call('deleteAccount', account(id), options),
    },
    connectLinks: {
      create: (body = {}, options) => request(short, 'createConnectLink', { body }, options),
      list: (options) => list(short, 'listConnectLinks', options),
      get: (id, options) => request(short, 'getConnectLink', link(id), options),
      revoke: (id, options) => request(short, 'revokeConnectLink', link(id), options),
    },
    watches: {
      get: (options) => call('getWorkspaceWatches', {}, options),
      set: (body, options) => call('setWorkspaceWatches', { body }, options),
      list: (id, options) => call('listWatches', account(id), options),
      watch: (id, entityType, body = {}, options) => call('setWatch', { ...watch(id, entityType), body }, options),
      stop: (id, entityType, options) => call('stopWatch', watch(id, entityType), options),
    },
    webhookEndpoints: {
      create: (body, options) => call('createWebhookEndpoint', { body }, options),
      list: (options) => list(managed, 'listWebhookEndpoints', options),
      get: (id, options) => call('getWebhookEndpoint', endpoint(id), options),
      update: (id, body, options) => call('changeWebhookEndpoint', { ...endpoint(id), body }, options),
      delete: (id, options) => call('deleteWebhookEndpoint', endpoint(id), options),
    },
  }
}
