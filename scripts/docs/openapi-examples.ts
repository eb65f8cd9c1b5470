// npm run examples: calls every operation of both OpenAPI documents in a sandbox, and stores what it sent and got as
// the examples of the documents, in src/api/openapi-examples.json. Secrets are replaced with fixed texts.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Example } from '../../src/api/openapi-examples.ts'
import { openIssuer } from '../../test/oidc-issuer.ts'
import { startService } from '../../test/service-process.ts'
import { payOrder } from './openapi-example-payment.ts'
import { scrubbed } from './openapi-example-scrub.ts'

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: responses of any operation
type Any = any
interface Sent {
  parameters?: Record<string, string>
  query?: string
  body?: unknown
  type?: string
  headers?: Record<string, string>
  as?: string // a bearer token; by default the admin token
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Json }>>
}

const file = join(import.meta.dirname, '../../src/api/openapi-examples.json')
const adminToken = randomBytes(24).toString('hex')
const issuer = await openIssuer()
const service = await startService(
  {
    ADMIN_TOKEN: adminToken,
    SANDBOX_PLATFORMS: 'square,woocommerce,zoho-books',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.client.clientId,
    OIDC_CLIENT_SECRET: issuer.client.clientSecret,
  },
  'src/main.ts',
)
issuer.serve(service.url)
const sandbox = service.sandboxFile()
const documents = await Promise.all(
  ['/openapi.json', '/manage/openapi.json'].map(
    async (path) => (await (await fetch(service.url + path)).json()) as Document,
  ),
)
const operations = new Map(
  documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }]),
    ),
  ),
)
const examples: Record<string, Example> = {}
const common: Record<string, string> = { accountId: 'sandbox-square-restaurant', platform: 'square' }

/** Calls an operation. Its first call with a status is the example. */
async function call(operationId: string, sent: Sent = {}): Promise<Any> {
  const operation = operations.get(operationId)
  if (!operation) throw new Error(`there is no operation ${operationId}`)
  const { parameters = {}, query = '', body, headers = {}, as = adminToken } = sent
  const used: Record<string, string> = {}
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? common[name]
    if (value === undefined) throw new Error(`${operationId} needs ${name}`)
    used[name] = value
    return encodeURIComponent(value)
  })
  const type = sent.type ?? 'application/json'
  const response = await fetch(service.url + path + query, {
    method: operation.method,
    headers: {
      ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operationId} (${operation.method} ${path}): ${response.status} ${text}`)
  const answer = /[/+]json$/.test(response.headers.get('content-type')?.split(';')[0] ?? '') ? JSON.parse(text) : text
  const example = examples[operationId]
  if (example && example.status !== response.status) example.others = { [response.status]: answer, ...example.others }
  examples[operationId] ??= {
    status: response.status,
    ...(Object.keys(used).length > 0 ? { parameters: used } : {}),
    ...(body === undefined ? {} : { body }),
    ...(text === '' ? {} : { answer }),
  }
  return Object.assign(Object(answer), { cookies: response.headers.getSetCookie() })
}
async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`no ${what}`)
}

try {
  const parts = [records, people, credentials, accounts, mappings, explorer, watchesAndWebhooks, openWrites, migrations]
  for (const part of [...parts, theRest]) await part()
  const missing = [...operations.keys()].filter((name) => !examples[name])
  if (missing.length > 0) throw new Error(`no example of ${missing.join(', ')}`)
  const secrets = [
    adminToken,
    sandbox.apiKey,
    sandbox.accessSecret,
    sandbox.dashboard.password,
    issuer.client.clientSecret,
  ]
  const origins = { [service.url]: 'https://records.example.com', [issuer.url]: 'https://id.example.com' }
  const text = `${JSON.stringify(scrubbed(examples, { origins, sandboxUrl: sandbox.sandboxUrl }), null, 2)}\n`
  for (const secret of secrets) if (text.includes(secret)) throw new Error('a secret is left in the examples')
  writeFileSync(file, text)
  console.log(`${Object.keys(examples).length} operations, ${text.length} bytes`)
} finally {
  await service.kill()
  await issuer.close()
}

async function records(): Promise<void> {
  const as = sandbox.apiKey
  for (const operation of ['listPlatforms', 'listErrors', 'listSchemas', 'getAccessTokenMethods']) await call(operation)
  await call('getSchema', { parameters: { vertical: 'restaurant', entityType: 'product' } })
  const form = { client_id: sandbox.accessId, client_secret: sandbox.accessSecret, grant_type: 'client_credentials' }
  await call('getAccessToken', {
    body: new URLSearchParams(form).toString(),
    type: 'application/x-www-form-urlencoded',
    as: '',
  })
  ;(examples.getAccessToken as Example).body = form
  await call('getAccountSupport', { as })
  const { data } = await call('listLocations', { as, query: '?pageSize=2' })
  const location = data[0].externalId
  const written: [string, Json][] = [
    ['Category', { externalId: 'CAT-1', name: 'Hot drinks' }],
    ['Product', { externalId: 'P-1', name: 'Flat white', sku: 'FW-01', price: 4.5, currencyCode: 'USD' }],
    ['Customer', { externalId: 'C-1', name: 'Ada Lovelace', email: 'ada@example.com' }],
    ['Employee', { externalId: 'E-1', name: 'Grace Hopper', email: 'grace@example.com' }],
    [
      'Order',
      {
        externalId: 'O-1',
        customerExternalId: 'C-1',
        locationExternalId: location,
        currencyCode: 'USD',
        lineItems: [{ productExternalId: 'P-1', name: 'Flat white', quantity: 2, unitPrice: 4.5 }],
      },
    ],
  ]
  for (const [entity, body] of written) {
    const { reference } = await call(`create${entity}`, { as, body })
    await call(`create${entity}`, { as, body }) // a replay
    await call(`get${entity}`, { as, parameters: { id: reference.id } })
    const changed = entity === 'Order' ? { note: 'To go' } : { name: `${body.name}, new` }
    await call(`update${entity}`, { as, parameters: { id: reference.id }, body: { ...body, ...changed } })
  }
  await payOrder(call, sandbox.apiKey, location)
  for (const entities of ['Products', 'Orders', 'Customers', 'Categories', 'Employees', 'Payments'])
    await call(`list${entities}`, { as, query: '?pageSize=2' })
  for (const [list, get] of [
    ['listTimeEntries', 'getTimeEntry'],
    ['listShifts', 'getShift'],
    ['listLocations', 'getLocation'],
    ['listRefunds', 'getRefund'],
    ['listTaxRates', 'getTaxRate'],
    ['listPaymentMethods', 'getPaymentMethod'],
  ] as const) {
    const page = await call(list, { as, query: '?pageSize=2' })
    await call(get, { as, parameters: { id: page.data[0].externalId } })
  }
  await call('callNative', { as, body: { method: 'GET', path: '/v2/locations' } })
}

async function people(): Promise<void> {
  const { data } = await call('listWorkspaces')
  common.workspaceId = data[0].id
  const { user, password } = sandbox.dashboard
  const session = await call('logIn', { as: '', body: { user, password } })
  const as = session.token as string
  await call('getSignInMethods', { as: '' })
  await call('getSession', { as })
  await call('logIn', { as: '', body: { user, password } })
  const sessions = await call('listSessions', { as })
  const other = sessions.data.find(({ current }: { current: boolean }) => !current)
  await call('endSession', { as, parameters: { sessionId: other.id } })
  await call('endOtherSessions', { as })
  const invite = (name: string) => call('createInvitation', { as, body: { name, role: 'operator' } })
  const { url } = await invite('kim@example.com')
  const token = new URL(url).hash.replace(/^#/, '') || (url as string).split('/').at(-1)
  await call('readInvitation', { as: '', body: { token } })
  const secret = 'correct horse battery staple'
  const kim = await call('acceptInvitation', { as: '', body: { token, user: 'kim', password: secret } })
  await call('changePassword', { as: kim.token, body: { currentPassword: secret, newPassword: `${secret} 2` } })
  const { id: invitationId } = await invite('lee@example.com')
  await call('listInvitations')
  await call('revokeInvitation', { parameters: { invitationId } })
  await call('createResetLink', { parameters: { user: 'kim' } })
  await call('listMembers')
  await call('setMember', { parameters: { user: 'kim' }, body: { role: 'viewer' } })
  await call('listUsers')
  await call('changeUser', { parameters: { user: 'kim' }, body: { isAdmin: false } })
  const invited = await invite('sam@example.com')
  const invitation = new URL(invited.url).hash.replace(/^#/, '') || (invited.url as string).split('/').at(-1)
  const begun = await call('beginSso', { as: '', body: { invitation }, headers: { origin: service.url } })
  const query = await issuer.signIn(begun.url, 'sam@example.com')
  const cookie = begun.cookies.map((one: string) => one.split(';')[0]).join('; ')
  await call('finishSso', { as: '', body: { query }, headers: { cookie, origin: service.url } })
  await call('removeMember', { parameters: { user: 'kim' } })
  await call('deleteUser', { parameters: { user: 'kim' } })
  await call('logOut', { as })
}

async function credentials(): Promise<void> {
  for (const kind of ['ApiKey', 'AccessId']) {
    const { id } = await call(`create${kind}`, {
      body: { name: 'Web shop', scopes: ['records:read', 'records:write'] },
    })
    const parameters = { id }
    await call(`change${kind}`, { parameters, body: { name: 'Web shop', scopes: ['records:read'] } })
    await call(`rotate${kind}`, { parameters })
    await call(`list${kind}s`)
    await call(`revoke${kind}`, { parameters })
  }
}

async function accounts(): Promise<void> {
  await call('describePlatforms')
  await call('listAccounts', { as: sandbox.apiKey })
  await call('getAccount')
  const { data } = await call('listSandboxKeys')
  const keys = data.find(({ platform }: { platform: string }) => platform === 'woocommerce') ?? data[0]
  const { platform, vertical, credentials: access, settings } = keys
  const body = { id: 'corner-shop', name: 'Corner shop', platform, vertical, credentials: access, settings }
  await call('connectAccount', { body })
  const parameters = { accountId: 'corner-shop' }
  await call('changeAccount', { parameters, body: { name: 'Corner shop, Main Street' } })
  await call('testAccount', { parameters })
  for (const action of ['disable', 'enable']) await call(`${action}Account`, { parameters })
  await call('reconnectAccount', { parameters, body: { credentials: access } })
  await call('deleteAccount', { parameters })
  const link = await call('createConnectLink', { body: { platforms: ['square', 'woocommerce'] } })
  await call('listConnectLinks')
  await call('getConnectLink', { parameters: { linkId: link.id } })
  await call('revokeConnectLink', { parameters: { linkId: link.id } })
  await call('getBranding')
  await call('setBranding', {
    body: { name: 'Example Tables', color: '#1f5fd0', privacyUrl: 'https://example.com/privacy' },
  })
  await call('putPlatformApp', { body: { clientId: 'sq0idp-example', clientSecret: 'sq0csp-example-secret' } })
  for (const operation of ['listPlatformApps', 'getPlatformApp', 'deletePlatformApp']) await call(operation)
}

async function mappings(): Promise<void> {
  const rules = { '/description': { from: '/item_data/name', default: 'No description' } }
  const direction = { entityType: 'product', direction: 'read' }
  for (const shared of ['', 'Shared']) {
    const query = shared ? '?platform=square' : ''
    const scope = shared ? { platform: 'square' } : {}
    const made = await call(`create${shared}Mapping`, {
      body: { ...direction, ...scope, name: 'Descriptions', rules },
    })
    const parameters = { mappingId: made.id, ...direction }
    await call(`change${shared}Mapping`, {
      parameters,
      body: { rules: { '/description': { value: 'Ask us' } } },
    })
    await call(`list${shared}Mappings`)
    await call(`get${shared}Mapping`, { parameters })
    await call(`list${shared}MappingVersions`, { parameters })
    await call(`set${shared}MappingDefault`, { parameters, query, body: { mappingId: made.id } })
    await call(`list${shared}MappingDefaults`, { parameters })
    await call(`clear${shared}MappingDefault`, { parameters, query })
    if (!shared) {
      const { key } = await call('createMappingKey', { body: { mappingId: made.id } })
      await call('listMappingKeys')
      await call('deleteMappingKey', { parameters: { key } })
    }
    await call(`delete${shared}Mapping`, { parameters })
  }
  const { data } = await call('exploreRecords', { parameters: { entityType: 'product' }, query: '?pageSize=1' })
  await call('previewMapping', { body: { ...direction, rules, recordId: data[0].id } })
  await call('linkReference', { body: { entityType: 'customer', sourceId: 'C-OLD', nativeId: 'SQUARE-CUSTOMER-1' } })
  await call('listReferences')
  await call('deleteReference', { parameters: { entityType: 'customer', sourceId: 'C-OLD' } })
  const imported = await call('importReferences', {
    body: 'entityType,sourceId,nativeId\ncustomer,C-2,SQUARE-CUSTOMER-2\n',
    type: 'text/csv',
  })
  await until('import', async () => {
    const found = await call('listReferenceImports')
    return found.data[0].state === 'done' ? found : undefined
  })
  await call('getReferenceImport', { parameters: { importId: imported.id } })
}

async function explorer(): Promise<void> {
  const parameters = { entityType: 'customer' }
  await call('exploreAccount')
  await call('describeEntity', { parameters })
  const record = { externalId: 'C-7', name: 'Katherine Johnson' }
  await call('validateRecord', { parameters, body: { record } })
  await call('planRecord', { parameters, body: { record } })
  const { reference } = await call('writeRecord', { parameters, body: { record } })
  const one = { ...parameters, id: reference.id }
  const { native } = await call('exploreRecord', { parameters: one })
  await call('replaceRecord', { parameters: one, body: { record: { ...record, phone: '+15555550100' } } })
  await call('traceFields', { parameters, body: { native } })
  await call('callPlatform', { body: { method: 'GET', path: '/v2/locations' } })
}

async function watchesAndWebhooks(): Promise<void> {
  const as = sandbox.apiKey
  const parameters = { entityType: 'customer' }
  const watch = { pollSeconds: 60, walkHours: 24 }
  await call('setWorkspaceWatches', { body: { entities: { product: {} }, keepRecords: true } })
  await call('getWorkspaceWatches')
  await call('setWatch', { parameters, body: watch })
  const endpoint = await call('createWebhookEndpoint', {
    body: { url: 'https://hooks.example.com/records', events: ['customer.*', 'account.*'], description: 'Web shop' },
  })
  await until('first walk', async () => {
    const { entities } = await call('getChangesStatus', { as })
    return entities.customer?.phase === 'ready' && entities.product?.phase === 'ready' ? entities : undefined
  })
  delete examples.getChangesStatus
  await call('getChangesStatus', { as })
  const { pagination } = await call('listChanges', { as, query: '?entityType=customer' })
  delete examples.listChanges
  await call('createCustomer', { as, body: { externalId: 'C-8', name: 'Mary Jackson' } })
  await until('change', async () => {
    const query = `?cursor=${encodeURIComponent(pagination.cursor)}`
    const found = await call('listChanges', { as, query })
    if (found.data.length > 0) return found
    delete examples.listChanges
    return undefined
  })
  await call('listLatestChanges')
  await call('listWatches')
  await call('startWalk', { parameters })
  await call('stopWatch', { parameters })
  const of = { endpointId: endpoint.id }
  await call('listWebhookEndpoints')
  await call('getWebhookEndpoint', { parameters: of })
  await call('changeWebhookEndpoint', { parameters: of, body: { perSecond: 10 } })
  await call('rotateWebhookSecret', { parameters: of })
  const delivery = await call('testWebhookEndpoint', { parameters: of })
  await until('attempt', async () => {
    const { data } = await call('listWebhookDeliveries', { parameters: of })
    if (data.some(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)) return data
    delete examples.listWebhookDeliveries
    return undefined
  })
  const one = { ...of, deliveryId: delivery.id }
  await call('getWebhookDelivery', { parameters: one })
  await call('replayWebhooks', { parameters: of, body: { since: new Date(Date.now() - 3_600_000).toISOString() } })
  await call('resendWebhookDelivery', { parameters: one })
  for (const action of ['disable', 'enable', 'delete']) await call(`${action}WebhookEndpoint`, { parameters: of })
  for (const operation of ['listHooks', 'getHook', 'checkHook']) await call(operation)
}

/** Writes whose responses were lost. */
async function openWrites(): Promise<void> {
  const as = sandbox.apiKey
  const customers = { platform: 'square', method: 'POST', path: '/v2/customers' }
  const lost = async (externalId: string, send: () => Promise<unknown>, more: object = {}) => {
    await call('addFault', { body: { ...customers, kind: 'reset_after', times: 1 } })
    await call('addFault', { body: { ...customers, kind: 'unavailable', ...more } })
    await send().catch(() => undefined)
    await call('clearFaults')
    const { data } = await call('listOpenWrites', { query: `?externalId=${externalId}` })
    const { writeId } = data[0]
    const database = new DatabaseSync(join(service.dataDir, 'unified-records.sqlite'), { timeout: 10_000 })
    database.exec(`update journal_steps set sent_at = sent_at - 600000 where write_id = '${writeId}'`)
    database.close()
    return { writeId: String(writeId) }
  }
  await call('listFaults')
  const create = (externalId: string) =>
    call('createCustomer', { as, body: { externalId, name: `Customer ${externalId}` } })
  const first = await lost('C-10', () => create('C-10'))
  await call('getOpenWrite', { parameters: first })
  await call('resendWrite', { parameters: first })
  const second = await lost('C-11', () => create('C-11'))
  const { data } = await call('listCustomers', { as, query: '?pageSize=100' })
  const nativeId = data.find(({ name }: { name: string }) => name === 'Customer C-11')?.externalId
  await call('confirmWrite', { parameters: second, body: { nativeId } })
  const native = { method: 'POST', path: '/v2/customers', body: { given_name: 'Dorothy' }, externalId: 'CALL-1' }
  const third = await lost('CALL-1', () => call('callNative', { as, body: native }))
  await call('discardWrite', { parameters: third })
}

async function migrations(): Promise<void> {
  const { data } = await call('listAccounts')
  const retail = data.filter(({ vertical }: { vertical: string }) => vertical === 'retail_pos')
  const [from, to] = ['square', 'woocommerce'].map(
    (name) => retail.find(({ platform }: { platform: string }) => platform === name).id,
  )
  const { id: migrationId } = await call('planMigration', { body: { from, to, entities: ['customer'] } })
  const parameters = { migrationId }
  const state = (wanted: string) =>
    until(wanted, async () => {
      const found = await call('getMigration', { parameters })
      if (found.state === wanted) return found
      delete examples.getMigration
      return undefined
    })
  await state('planned')
  await call('runMigration', { parameters, body: {} })
  await call('stopMigration', { parameters })
  await until('stop', async () => {
    const { state: now } = await call('getMigration', { parameters })
    return now === 'stopped' || now === 'done'
  })
  await call('runMigration', { parameters, body: {} })
  delete examples.getMigration
  await state('done')
  await call('listMigrations')
  await call('deleteMigration', { parameters })
}

async function theRest(): Promise<void> {
  const person = await call('createCustomer', { as: sandbox.apiKey, body: { externalId: 'C-9', name: 'Ann Example' } })
  const asked = { entityType: 'customer', id: person.reference.id, plan: true }
  const erasure = { erasureId: (await call('erasePerson', { body: asked })).id }
  await until('plan', async () => (await call('getErasure', { parameters: erasure })).state === 'done')
  await call('listErasures')
  await call('deleteErasure', { parameters: erasure })
  const { id } = await call('createWorkspace', { body: { name: 'Second brand' } })
  const parameters = { workspaceId: id }
  await call('getWorkspace', { parameters })
  await call('changeWorkspace', { parameters, body: { name: 'Third brand', test: true } })
  await call('setApplicationHookSecret', { body: { secret: 'a-signature-key-of-square' } })
  await call('getApplicationHook')
  const ofZoho = sandbox.accounts.find(({ platform }) => platform === 'zoho-books')?.accountId ?? ''
  await call('setHookSecret', { parameters: { accountId: ofZoho }, body: { secret: 'a-secret-word-of-zoho' } })
  await call('getWorkspaceSettings')
  await call('setWorkspaceSettings', { body: { returnUrls: ['https://app.example.com/connected'], activityDays: 7 } })
  for (const operation of ['getOverview', 'getAccountUsage']) await call(operation)
  const { data } = await call('listActivity', { query: '?limit=20' })
  await call('getActivity', { parameters: { requestId: data[0].requestId } })
  await call('exportActivity')
  for (const scope of ['', 'Workspace'])
    for (const action of ['list', 'export', 'verify']) await call(`${action}${scope}Audit`)
  await call('deleteWorkspace', { parameters, query: '?name=Third%20brand' })
}
