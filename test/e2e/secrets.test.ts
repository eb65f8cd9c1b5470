// A run of the whole service with every kind of secret. Afterwards no secret is in any output or file where it does not
// belong.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formBPrefix } from '../../src/api/record-operations.ts'
import type { SandboxFile, SandboxTenant } from '../../src/sandbox-workspace.ts'
import { createSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { createVault } from '../../src/store/vault.ts'

/** Files that are meant to contain secrets: of the operator, and of the simulated platforms. */
const secretFiles = ['sandbox.json', 'encryption.key', 'sandbox-state.jsonl']
const canary = (name: string) => `canary-${name}-${randomBytes(12).toString('hex')}`
const secrets = new Map<string, string>()
const outputs = new Map<string, string>()
const remember = (name: string, value: string) => {
  secrets.set(name, value)
  return value
}
const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-secrets-'))
const adminToken = remember('admin token', canary('admin'))
const metricsToken = remember('metrics token', canary('metrics'))
const encryptionKey = remember('encryption key', randomBytes(32).toString('base64'))
secrets.set('encryption key in hex', Buffer.from(encryptionKey, 'base64').toString('hex'))
const firstPassword = remember('password of the first user', canary('first-password'))
let commandLines = ''
let sandboxEnvironment = ''

beforeAll(async () => {
  const child = spawn(process.execPath, ['dist/main.mjs'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      DATABASE_URL: '',
      PORT: '0',
      DATA_DIR: dataDir,
      SANDBOX_SIZE: 'small',
      PACE_SCALE: '0.01',
      LOG_LEVEL: 'trace',
      ADMIN_TOKEN: adminToken,
      METRICS_TOKEN: metricsToken,
      ENCRYPTION_KEY: encryptionKey,
      ADMIN_USER: 'ada',
      ADMIN_PASSWORD: firstPassword,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const [, address] = /listening on (http:\S+)[\s\S]*\nDocs /.exec(printed) ?? []
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', () => reject(new Error(printed)))
  })
  try {
    await use(url)
    const processes = [child.pid as number, ...childrenOf(child.pid as number)]
    commandLines = processes.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join('\n')
    sandboxEnvironment = processes
      .slice(1)
      .map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      .join('\n')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  // The API key of the sandbox is printed on purpose. Its password is not.
  outputs.set('stdout and stderr', printed.replace(/\nAPI key .*\nFirst call .*\n/, '\n'))
  for (const file of readdirSync(dataDir))
    if (!secretFiles.includes(file)) outputs.set(`file ${file}`, readFileSync(join(dataDir, file), 'latin1'))
  await keepTokens()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
/** The name of the program, in parentheses, may contain anything. */
function parentOf(pid: string): number | undefined {
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  } catch {
    return undefined // it has just ended
  }
}

/** The current tokens of the accounts, including renewed ones. */
async function keepTokens(): Promise<void> {
  const store = await createSqliteStore({
    file: join(dataDir, 'unified-records.sqlite'),
    vault: createVault([Buffer.from(encryptionKey, 'base64')]),
  })
  const { data } = await store.accounts.list('sandbox', { limit: 500 })
  for (const { id, credentials } of data) keepCredentials(id, credentials)
  await store.close()
}
function keepCredentials(owner: string, credentials: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(credentials))
    if (/token|secret|password|key/i.test(name) && !/At$|Id$/.test(name) && value.length >= 8)
      remember(`${name} of ${owner}`, value)
}

async function use(url: string): Promise<void> {
  const file = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile
  const { accounts } = (await (await fetch(`${file.sandboxUrl}/_sandbox/accounts`)).json()) as {
    accounts: SandboxTenant[]
  }
  for (const { platform, vertical, credentials } of accounts) keepCredentials(`${platform} ${vertical}`, credentials)
  remember('API key', file.apiKey.split('.')[1] as string)
  remember('access secret', file.accessSecret)
  remember('password', file.dashboard.password)
  async function send(method: string, path: string, headers: Record<string, string>, body?: unknown, shown = true) {
    const raw = typeof body === 'string'
    const response = await fetch(url + path, {
      method,
      headers: { ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
      body: raw ? body : JSON.stringify(body),
    })
    const text = await response.text()
    if (shown) outputs.set(`${method} ${path} ${outputs.size}`, `${JSON.stringify([...response.headers])} ${text}`)
    return /json/.test(response.headers.get('content-type') ?? '') &&
      !/ndjson/.test(response.headers.get('content-type') ?? '')
      ? JSON.parse(text)
      : {}
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const admin = bearer(adminToken)
  const manage = '/manage/v1/workspaces/sandbox'

  // Responses that show a secret once, by design.
  const session = await send(
    'POST',
    '/manage/v1/sessions',
    {},
    { user: 'admin', password: file.dashboard.password },
    false,
  )
  remember('session', session.token)
  expect(await send('POST', '/manage/v1/sessions', {}, { user: 'ada', password: firstPassword }, false)).toMatchObject({
    user: 'ada',
  })
  remember('new API key', (await send('POST', `${manage}/api-keys`, admin, { name: 'n' }, false)).key.split('.')[1])
  const access = await send('POST', `${manage}/access-ids`, admin, { name: 'n' }, false)
  remember('new access secret', access.secret)
  remember(
    'rotated access secret',
    (await send('POST', `${manage}/access-ids/${access.id}/rotate`, admin, undefined, false)).secret,
  )
  const link = await send('POST', `${manage}/connect-links`, admin, { platforms: ['woocommerce'] }, false)
  remember('token of a connect link', link.url.split('/').at(-1))
  remember('signing secret of a connect link', link.signingSecret)
  // Its pages contain it, because it is in their links.
  await send('GET', new URL(link.url).pathname, {}, undefined, false)
  const form = { grant_type: 'client_credentials', client_id: file.accessId, client_secret: file.accessSecret }
  const token = await send(
    'POST',
    `${formBPrefix}/oauth/server/access-token`,
    { 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams(form).toString(),
    false,
  )
  remember('access token', token.access_token)

  // Valid and invalid use.
  for (const { accountId, readMappingKey, platform } of file.accounts.filter(({ platform }) =>
    /square|zoho-books|woocommerce|clover/.test(platform),
  )) {
    await send('GET', `/unified/${accountId}/customer?pageSize=2`, bearer(file.apiKey))
    await send(
      'GET',
      `${formBPrefix}/unified/${accountId}/customer?pageSize=2&mappingKey=${readMappingKey}`,
      bearer(token.access_token),
    )
    await send('POST', `/unified/${accountId}/customer`, bearer(file.apiKey), {
      externalId: `S-${platform}`,
      name: 'Ada',
    })
    await send('GET', `/unified/${accountId}/customer/no-such-record`, bearer(file.apiKey))
    await send('POST', `${manage}/accounts/${accountId}/test`, admin)
  }
  const wrong = (name: string) => remember(name, canary(name.replaceAll(' ', '-')))
  await send(
    'GET',
    '/unified/sandbox-square-restaurant/product',
    bearer(`${file.apiKey.split('.')[0]}.${wrong('wrong API key').replaceAll('-', '_')}`),
  )
  await send('GET', '/unified/sandbox-square-restaurant/product', { authorization: `Basic ${wrong('basic')}` })
  await send('GET', `${formBPrefix}/unified/sandbox-square-restaurant/product`, bearer(`urt_${wrong('wrong token')}`))
  await send(
    'POST',
    `${formBPrefix}/oauth/server/access-token`,
    { 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams({ ...form, client_secret: wrong('wrong access secret') }).toString(),
  )
  await send('POST', '/manage/v1/sessions', {}, { user: 'admin', password: wrong('wrong password') })
  await send(
    'POST',
    '/manage/v1/sessions',
    {},
    { user: 'admin', password: wrong('password next to an invalid field'), extra: true },
  )
  await send(
    'POST',
    '/manage/v1/sessions',
    { 'content-type': 'application/json' },
    `{"user":"admin","password":"${wrong('password in broken JSON')}"`,
  )
  const platformSecret = {
    accessToken: wrong('wrong platform token'),
    refreshToken: wrong('wrong refresh token'),
    clientId: 'c',
    clientSecret: wrong('client secret'),
  }
  await send('POST', `${manage}/accounts`, admin, {
    platform: 'square',
    vertical: 'restaurant',
    credentials: platformSecret,
    settings: { no: 'such' },
  })
  for (const query of ['', '?test=false'])
    await send('POST', `${manage}/accounts${query}`, admin, {
      id: 'refused',
      platform: 'square',
      vertical: 'restaurant',
      credentials: platformSecret,
    })
  await send('GET', '/unified/refused/product', bearer(file.apiKey))
  await send('POST', `${manage}/accounts/refused/test`, admin)
  for (const query of ['', '?test=false'])
    await send('POST', `${manage}/accounts/refused/reconnect${query}`, admin, {
      credentials: { ...platformSecret, clientSecret: wrong('other client secret') },
    })
  await send('GET', `${manage}/accounts/refused`, admin)

  // Everything that can be read about it.
  const activity = (await send('GET', `${manage}/activity?limit=200`, admin)).data as { requestId: string }[]
  for (const { requestId } of activity.slice(0, 50)) await send('GET', `${manage}/activity/${requestId}`, admin)
  for (const path of ['/openapi.json', '/platforms', '/readyz']) await send('GET', path, {})
  for (const token of [metricsToken, wrong('wrong metrics token')]) await send('GET', '/metrics', bearer(token))
  for (const path of ['/accounts', '/api-keys', '/access-ids', '/overview']) await send('GET', manage + path, admin)
  for (const path of ['/audit', '/audit/export', '/audit?scope=sandbox']) await send('GET', `/manage/v1${path}`, admin)
}

it('used every kind of secret and collected every kind of output', () => {
  const kinds = [
    'admin token',
    'encryption key',
    'API key',
    'access secret',
    'access token',
    'password',
    'session',
    'client secret',
    'refreshToken of sandbox-square-restaurant',
  ]
  expect(kinds.filter((kind) => !secrets.has(kind))).toEqual([])
  expect(
    [...outputs]
      .filter(([name, text]) => /unified-records.sqlite|stdout|activity|audit/.test(name) && text.length < 100)
      .map(([name]) => name),
  ).toEqual([])
  expect(outputs.get('stdout and stderr')).toContain('native call')
})

it('left no secret in a log, a response, a metric, the activity, the audit log or a database file', () => {
  const found = [...secrets].flatMap(([secret, value]) =>
    [...outputs].filter(([, text]) => text.includes(value)).map(([output]) => `${secret} in ${output}`),
  )
  expect(found).toEqual([])
})

it('shows no secret in the process list, and gives the sandbox none of the service', () => {
  expect([...secrets].filter(([, value]) => commandLines.includes(value))).toEqual([])
  expect(commandLines).toContain('sandbox/main.mjs')
  expect(
    [adminToken, metricsToken, encryptionKey, firstPassword].filter((value) => sandboxEnvironment.includes(value)),
  ).toEqual([])
})
