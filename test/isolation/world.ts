// Two workspaces with one object of every kind each, and every kind of credential: can any of them see, change, guess
// or detect objects of the other workspace?
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { hashPassword, hashSecret } from '../../src/accounts/secrets.ts'
import { formBPrefix } from '../../src/api/record-operations.ts'
import { type Role, roles } from '../../src/contract/roles.ts'
import { noProgress } from '../../src/migrate/job.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { createService, type Service } from '../../src/service.ts'
import { copyMigrated } from '../migrated-sqlite.ts'

export interface Side {
  workspaceId: string
  accountId: string
  mappingId: string
  mappingKeys: { read: string; write: string }
  ownKey: string // of the mapping
  apiKey: { id: string; key: string }
  accessId: { id: string; secret: string }
  recordId: string
  sourceId: string
  importId: string
  migrationId: string
  erasureId: string
  linkId: string
  endpointId: string
  deliveryId: string
  writeId: string
  linkToken: string
  requestId: string
  cursor: string
  feedCursor: string
  externalId: string
  member: string
  invitationId: string
}
/** How a request authenticates. */
export interface Credential {
  name: string
  headers: Record<string, string>
  opens: 'form A' | 'form B' | 'manage' | 'nothing'
}
/** An API key and an access token with the same scopes and limits. */
export interface ScopedCaller {
  name: string
  'form A': string
  'form B': string
}
/** A person with a role in the own workspace, in the foreign one, or in none. */
export interface Person {
  name: string
  role?: Role // in the own workspace
  token: string
}
export interface World {
  people: Person[]
  otherAccountId: string
  createCaller(name: string, more: object): Promise<ScopedCaller>

  service: Service
  own: Side
  foreign: Side
  credentials: Credential[]
  /** Everything of the foreign workspace in the database. */
  snapshot(): Promise<unknown>
  send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply>
  close(): Promise<void>
}
export interface Reply {
  status: number
  headers: Record<string, unknown>
  text: string
}
const minute = 60_000

export async function createWorld(): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-records-isolation-'))
  const sandbox = await createSandbox({
    simulators: { square: simulators.square as CreateSimulator },
    size: 'small',
    paceScale: 0.001,
    strict: false,
  })
  await copyMigrated(dataDir)
  const adminToken = randomBytes(24).toString('hex')
  let ahead = 0
  const service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: true,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'silent',
      paceScale: 0.001,
      maxWaitMs: 10_000,
      callTimeoutMs: 5000,
      adminToken,
    },
    connectors,
    originOverride: (account) => sandbox.origin(account.platform),
    logger: pino({ level: 'silent' }),
    now: () => Date.now() + ahead,
  })
  const { app, store } = service
  await app.ready()

  let address = 0
  async function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply> {
    // Guesses are counted by address.
    const remoteAddress = `10.${++address >> 16}.${(address >> 8) & 255}.${address & 255}`
    const payload =
      body === undefined ? {} : typeof body === 'string' ? { payload: body } : { payload: JSON.stringify(body) }
    const type = body === undefined || headers['content-type'] ? {} : { 'content-type': 'application/json' }
    const {
      statusCode,
      headers: received,
      payload: text,
    } = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...type, ...headers },
      remoteAddress,
      ...payload,
    })
    return { status: statusCode, headers: received, text }
  }
  const admin = { authorization: `Bearer ${adminToken}` }
  async function must(method: string, path: string, body?: unknown, headers: Record<string, string> = admin) {
    const { status, text, headers: received } = await send(method, path, headers, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return { ...(text === '' ? {} : JSON.parse(text)), headers: received }
  }
  const manage = (method: string, path: string, body?: unknown) => must(method, `/manage/v1${path}`, body)
  const tokenFor = async ({ id, secret }: { id: string; secret: string }): Promise<string> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).toString()
    return (
      await must('POST', `${formBPrefix}/oauth/server/access-token`, form, {
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).access_token
  }

  /** All have the same password: a hash takes long. */
  const passwordHash = await hashPassword('a long enough password')
  async function addPerson(name: string, workspaceId?: string, role: Role = 'viewer'): Promise<string> {
    await store.users.create({ name, passwordHash, isAdmin: false })
    if (workspaceId) await store.members.put(workspaceId, { user: name, role })
    return name
  }
  const logIn = (user = 'operator', more: object = {}) =>
    must('POST', '/manage/v1/sessions', { user, password: 'a long enough password', ...more }, {})

  async function settle(name: string, tenant: number): Promise<Side> {
    const { id: workspaceId } = await manage('POST', '/workspaces', { name: `${name} workspace` })
    const base = `/workspaces/${workspaceId}`
    const { vertical, credentials, settings } = sandbox.simulator('square').tenants[tenant] as (typeof tenants)[number]
    const accountId = `${name}-account`
    await manage('POST', `${base}/accounts`, {
      id: accountId,
      name: `${name} shop`,
      platform: 'square',
      vertical,
      credentials,
      settings,
    })
    const ofAccount = `${base}/accounts/${accountId}`
    const { id: mappingId } = await manage('POST', `${ofAccount}/mappings`, {
      entityType: 'product',
      direction: 'read',
      name: `${name} mapping`,
      rules: { '/description': { value: name } },
    })
    const { key: ownKey } = await manage('POST', `${ofAccount}/mapping-keys`, { mappingId })
    const keys = (await manage('GET', `${ofAccount}/mapping-keys`)).data as {
      key: string
      direction: string
      isDefault: boolean
    }[]
    const keyOf = (direction: string) => keys.find((key) => key.isDefault && key.direction === direction)?.key as string
    const sourceId = `${name}-SOURCE`
    await manage('PUT', `${ofAccount}/references`, { entityType: 'customer', sourceId, nativeId: `${name}-NATIVE` })
    const importId = await importOne(ofAccount, name)
    const migrationId = `${name}-MIGRATION`
    const both = { from: accountId, to: accountId, createdBy: name, options: {} }
    await store.migrations.create({ workspaceId, id: migrationId, ...both, progress: noProgress })
    await store.migrations.change({ workspaceId, id: migrationId }, { state: 'planned' }, ['planning'])
    const erasureId = `${name}-ERASURE`
    const person = { entityType: 'customer', nativeId: `${name}-NATIVE` } as const
    const counts = { isPlan: true, openWrites: 0, unsettled: 0 }
    await store.erasures.create({ accountId, id: erasureId, ...person, ...counts, createdBy: name })
    const { id: endpointId } = await manage('POST', `${base}/webhook-endpoints`, {
      url: 'https://hooks.example.com/',
      events: ['*'],
      description: `Endpoint of ${base}`,
    })
    const { id: deliveryId } = await manage('POST', `${base}/webhook-endpoints/${endpointId}/test`)
    const { id: linkId, url: linkUrl } = await manage('POST', `${base}/connect-links`, { platforms: ['woocommerce'] })
    const apiKey = await manage('POST', `${base}/api-keys`, { name: `${name} key` })
    const accessId = await manage('POST', `${base}/access-ids`, { name: `${name} access` })
    const externalId = `${name}-KEY`
    const caller = { authorization: `Bearer ${apiKey.key}` }
    const written = await must('POST', `/unified/${accountId}/product`, { externalId, name: `${name} tea` }, caller)
    const page = await must('GET', `/unified/${accountId}/product?pageSize=1`, undefined, caller)
    await reportOne(accountId, workspaceId, written.reference.id, written.data)
    const feed = await must('GET', `/unified/${accountId}/changes`, undefined, caller)
    if (feed.data.length !== 1) throw new Error('the feed has one change')
    const side = {
      workspaceId,
      accountId,
      mappingId,
      ownKey,
      mappingKeys: { read: keyOf('read'), write: keyOf('write') },
      apiKey,
      accessId,
    }
    return {
      ...side,
      recordId: written.reference.id,
      sourceId,
      importId,
      migrationId,
      erasureId,
      linkId,
      endpointId,
      deliveryId,
      writeId: await leaveOpen(accountId, `${name}-OPEN`),
      linkToken: String(linkUrl).split('/').at(-1) as string,
      member: await addPerson(`${name}-member`, workspaceId, 'viewer'),
      invitationId: (await manage('POST', `${base}/invitations`, { name, role: 'viewer' })).id,
      requestId: String(page.headers['x-request-id']),
      cursor: page.pagination.cursor,
      feedCursor: feed.pagination.cursor,
      externalId,
    }
  }
  const { tenants } = sandbox.simulator('square')
  /** No worker runs here. */
  async function reportOne(id: string, workspaceId: string, nativeId: string, data: object): Promise<void> {
    const { changes } = store
    await changes.settings.setAccount({ id, workspaceId }, 'product', {})
    await changes.ensure({ id, workspaceId }, ['product'])
    const feed = await changes.takeFeed(id, 'isolation', minute)
    const watch = feed?.watches[0]
    if (!feed || !watch) throw new Error('no feed')
    await changes.commit(feed, {
      watches: [{ watch, state: { phase: 'ready' } }],
      changes: [{ watch, operation: 'created', nativeId, origin: 'poll', record: { data } }],
    })
  }
  /** A write that nothing but a person can settle. */
  async function leaveOpen(accountId: string, externalId: string): Promise<string> {
    const key = { accountId, entityType: 'product' as const, externalId }
    const entry = { ...key, writeId: randomUUID(), contentHash: externalId, record: { externalId }, holder: 'h' }
    await store.journal.begin({ ...entry, startedAt: new Date().toISOString() }, minute)
    await store.journal.park(key, 'h', { state: 'unknown', detail: 'final' })
    return entry.writeId
  }
  async function importOne(ofAccount: string, name: string): Promise<string> {
    const { id } = await must(
      'POST',
      `/manage/v1${ofAccount}/references/import`,
      `entityType,sourceId,nativeId\ncustomer,${name}-2,${name}-3\n`,
      {
        ...admin,
        'content-type': 'text/csv',
      },
    )
    return id
  }
  const own = await settle('anna', 0)
  const foreign = await settle('bert', 1)

  const token = await tokenFor(own.accessId)
  /** A second account, which credentials can be limited to. */
  const otherAccountId = 'anna-other'
  const { vertical, credentials: access, settings } = tenants[0] as (typeof tenants)[number]
  await manage('POST', `/workspaces/${own.workspaceId}/accounts`, {
    id: otherAccountId,
    platform: 'square',
    vertical,
    credentials: access,
    settings,
  })
  async function createCaller(name: string, more: object): Promise<ScopedCaller> {
    const body = { name, ...more }
    const { key } = await manage('POST', `/workspaces/${own.workspaceId}/api-keys`, body)
    const accessId = await manage('POST', `/workspaces/${own.workspaceId}/access-ids`, body)
    return { name, 'form A': key, 'form B': await tokenFor(accessId) }
  }
  const expiring = await createCaller('expired', {})
  for (const kind of ['api_key', 'access_id'] as const)
    for (const { id, name } of (await store.credentials.list(own.workspaceId, kind, { limit: 100 })).data)
      if (name === 'expired') await store.credentials.change(id, { name, expiresAt: new Date(0).toISOString() })
  const revokedKey = await manage('POST', `/workspaces/${own.workspaceId}/api-keys`, { name: 'revoked' })
  await manage('DELETE', `/workspaces/${own.workspaceId}/api-keys/${revokedKey.id}`)
  const rotated = await manage('POST', `/workspaces/${own.workspaceId}/access-ids`, { name: 'rotated' })
  const rotatedToken = await tokenFor(rotated)
  await manage('POST', `/workspaces/${own.workspaceId}/access-ids/${rotated.id}/rotate`)
  const gone = await manage('POST', `/workspaces/${own.workspaceId}/access-ids`, { name: 'revoked' })
  const goneToken = await tokenFor(gone)
  await manage('DELETE', `/workspaces/${own.workspaceId}/access-ids/${gone.id}`)
  ahead = -2 * 60 * minute
  const expiredToken = await tokenFor(own.accessId)
  ahead = 0
  await store.users.put({ name: 'operator', passwordHash })
  const people: Person[] = []
  for (const role of roles)
    people.push({
      name: `${role} of the own workspace`,
      role,
      token: (await logIn(await addPerson(`own ${role}`, own.workspaceId, role))).token,
    })
  const stranger = await addPerson('stranger', foreign.workspaceId, 'admin')
  people.push({ name: 'admin of the other workspace', token: (await logIn(stranger)).token })
  people.push({ name: 'user without a role', token: (await logIn(await addPerson('none'))).token })
  const session = await logIn()
  const ended = await logIn()
  await must('DELETE', '/manage/v1/sessions', undefined, { authorization: `Bearer ${ended.token}` })
  const expiredSession = `urses_${randomBytes(24).toString('hex')}`
  await store.sessions.create({
    tokenHash: hashSecret(expiredSession),
    user: 'operator',
    expiresAt: new Date(Date.now() - minute).toISOString(),
  })
  const browser = await logIn('operator', { cookie: true })
  const cookies = [browser.headers['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0])

  const bearer = (name: string, value: string, opens: Credential['opens'] = 'nothing'): Credential => ({
    name,
    headers: { authorization: `Bearer ${value}` },
    opens,
  })
  const credentials: Credential[] = [
    { name: 'none', headers: {}, opens: 'nothing' },
    bearer('garbage', 'garbage'),
    { name: 'not a bearer', headers: { authorization: 'Basic YTpi' }, opens: 'nothing' },
    bearer('API key', own.apiKey.key, 'form A'),
    bearer('API key with a wrong secret', `${own.apiKey.id}.${'x'.repeat(43)}`),
    bearer('foreign key id with own secret', `${foreign.apiKey.id}.${own.apiKey.key.split('.')[1]}`),
    bearer('foreign key id with a wrong secret', `${foreign.apiKey.id}.${'x'.repeat(43)}`),
    bearer('revoked API key', revokedKey.key),
    bearer('expired API key', expiring['form A']),
    bearer('access token of an expired access id', expiring['form B']),
    bearer('access token', token, 'form B'),
    bearer('access token with a changed signature', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
    bearer('expired access token', expiredToken),
    bearer('access token from before a rotation', rotatedToken),
    bearer('access token of a revoked access id', goneToken),
    bearer('access secret', own.accessId.secret),
    bearer('mapping key', own.mappingKeys.read),
    bearer('token of a connect link', own.linkToken),
    bearer('admin token', adminToken, 'manage'),
    bearer('session', session.token, 'manage'),
    {
      name: 'session cookie with its CSRF token',
      headers: { cookie: cookies.join('; '), 'x-csrf-token': browser.csrf },
      opens: 'manage',
    },
    bearer('expired session', expiredSession),
    bearer('ended session', ended.token),
  ]

  const openWritesOf = async (workspaceId: string) =>
    (await store.journal.openWrites(workspaceId, {}, { limit: 500 })).data.map(({ writeId }) => writeId)
  async function snapshot(): Promise<unknown> {
    const everything = { limit: 500 }
    const { workspaceId, accountId, mappingId, externalId } = foreign
    return {
      workspace: await store.workspaces.get(workspaceId),
      accounts: await store.accounts.list(workspaceId, everything),
      keys: [
        await store.credentials.list(workspaceId, 'api_key', everything),
        await store.credentials.list(workspaceId, 'access_id', everything),
      ],
      mappings: await store.mappings.versions(mappingId),
      mappingKeys: await store.mappingKeys.list(accountId),
      links: await store.links.list(accountId, undefined, everything),
      members: await store.members.list(workspaceId, everything),
      invitations: await store.invitations.list(workspaceId, everything),
      connectLinks: await store.connectLinks.list(workspaceId, everything),
      migrations: await store.migrations.list(workspaceId, everything),
      imports: await store.referenceImports.list(accountId, everything),
      entry: await store.journal.get({ accountId, entityType: 'product', externalId }),
      openWrites: await openWritesOf(workspaceId),
    }
  }
  return {
    service,
    people,
    own,
    foreign,
    otherAccountId,
    createCaller,
    credentials,
    snapshot,
    send,
    async close() {
      await service.close()
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
