// The environment, read once. Everything has a default, so that a fresh clone starts without configuration.
import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { OidcSettings } from './accounts/oidc.ts'
import { isPassword, isUserName, passwordRule, userNameRule } from './accounts/secrets.ts'
import type { Limits } from './api/admission.ts'
import type { Rate } from './contract/connector.ts'
import { roles } from './contract/roles.ts'
import type { ProxySettings } from './engine/outbound/proxy.ts'
import { logLevels } from './logger.ts'
import { misspelledSettings } from './setting-names.ts'

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl?: string
  databaseDirectUrl?: string // around a connection pooler
  sandbox: boolean
  sandboxUrl?: string // a sandbox that runs already, instead of one of our own
  encryptionKeys: Buffer[] // newest first
  keyFile?: { path: string; isNew: boolean } // where the keys come from; absent with ENCRYPTION_KEY
  logLevel: string
  paceScale: number
  maxWaitMs?: number // instead of a default that depends on the platform's limit
  callTimeoutMs: number
  shutdownMs?: number
  adminToken?: string
  manage?: { host: string; port: number } // the management port; absent: everything is on the one port
  metricsToken?: string
  adminUser?: string // of the first user
  adminPassword?: string
  oidc?: OidcSettings // where people sign in besides passwords
  publicUrl?: string
  allowedHosts?: string[] // of platforms, though their addresses are private
  proxy?: ProxySettings // for calls to platforms and other https addresses
  trustProxy?: string[]
  corsOrigins?: string[] // of web pages that can call the service
  readThreads?: number // at most; 0: all is read in the thread that serves
  readAhead?: boolean // false: the next page of a walk is read when it is requested
  activityDays?: number // for how long requests are kept to look at; 0: not at all
  changesDays?: number // for how long changes are kept
  limits?: Limits
  platformLimits?: Record<string, Rate[]> // instead of the connector's own
  warnings?: string[] // about the environment, each a sentence for the log
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const warnings = misspelledSettings(environment)
  try {
    return { ...readSettings(environment), warnings }
  } catch (error) {
    if (warnings.length === 0) throw error
    // The setting that is missing may be the misspelled one.
    throw new Error(`${(error as Error).message}. ${warnings.join(' ')}`, { cause: error })
  }
}

function readSettings(environment: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(environment.DATA_DIR || './data')
  const sandbox = isOn(environment, 'SANDBOX')
  const [sandboxUrl, publicUrl] = ['SANDBOX_URL', 'PUBLIC_URL'].map((name) => webAddress(environment, name))
  const adminToken = environment.ADMIN_TOKEN
  if (adminToken && adminToken.length < 32) throw new Error('ADMIN_TOKEN must have at least 32 characters')
  const port = number(environment, 'PORT', 8080, { min: 0, max: 65_535, whole: true })
  return {
    host: environment.HOST || '127.0.0.1',
    port,
    ...managementPort(environment, port),
    ...metricsToken(environment.METRICS_TOKEN),
    dataDir,
    ...databaseUrls(environment),
    sandbox,
    ...(sandboxUrl ? { sandboxUrl } : {}),
    ...encryptionKeys(environment, dataDir, sandbox),
    logLevel: logLevel(environment.LOG_LEVEL || 'info'),
    paceScale: number(environment, 'PACE_SCALE', 1, { min: 0.0001, max: 1 }),
    ...(environment.MAX_WAIT_MS ? { maxWaitMs: number(environment, 'MAX_WAIT_MS', 0, { min: 0, max: 60_000 }) } : {}),
    callTimeoutMs: number(environment, 'CALL_TIMEOUT_MS', 35_000, { min: 10, max: 300_000 }),
    shutdownMs: number(environment, 'SHUTDOWN_MS', 25_000, { min: 0, max: 600_000 }),
    ...(adminToken ? { adminToken } : {}),
    ...firstUser(environment),
    ...oidc(environment),
    allowedHosts: allowedHostsIn(environment),
    ...proxy(environment),
    trustProxy: list(
      environment,
      'TRUST_PROXY',
      /^[\da-f:.]+(\/\d{1,3})?$|^(loopback|linklocal|uniquelocal)$/i,
      'addresses or networks of proxies',
    ),
    corsOrigins: list(
      environment,
      'CORS_ORIGINS',
      /^(\*|https?:\/\/([a-z\d-]+(\.[a-z\d-]+)*|\[[\da-f:]+\])(:\d{1,5})?)$/,
      'origins such as https://app.example.com, in lower case and without a path, or *',
    ),
    limits: {
      maxInFlight: number(environment, 'MAX_IN_FLIGHT', 10_000, { min: 1, max: 1_000_000 }),
      maxConnections: number(environment, 'MAX_CONNECTIONS', 20_000, { min: 1, max: 1_000_000 }),
      shedWaitMs: number(environment, 'SHED_WAIT_MS', 1_000, { min: 0, max: 60_000 }),
      credentialConcurrency: number(environment, 'CREDENTIAL_CONCURRENCY', 1_000, { min: 1, max: 1_000_000 }),
      credentialPerMinute: number(environment, 'CREDENTIAL_REQUESTS_PER_MINUTE', 60_000, { min: 1, max: 100_000_000 }),
    },
    platformLimits: platformLimits(environment.PLATFORM_LIMITS),
    readThreads: number(environment, 'READ_THREADS', Math.min(availableParallelism() - 1, 4), { min: 0, max: 64 }),
    readAhead: isOn(environment, 'READ_AHEAD'),
    activityDays: number(environment, 'ACTIVITY_DAYS', 14, { min: 0, max: 3650 }),
    changesDays: number(environment, 'CHANGES_DAYS', 7, { min: 4, max: 3650 }),
    ...(publicUrl ? { publicUrl } : {}),
  }
}

function isOn(environment: NodeJS.ProcessEnv, name: string, fallback = 'on'): boolean {
  const text = environment[name] || fallback
  if (/^(on|true|1|yes)$/i.test(text)) return true
  if (/^(off|false|0|no)$/i.test(text)) return false
  throw new Error(`${name} must be on or off, not "${text}"`)
}

function webAddress(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name]
  if (!text) return undefined
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new Error(`${name} must be an http or https URL, such as https://records.example.com, not "${text}"`)
  return text.replace(/\/+$/, '')
}

function number(
  environment: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  { min, max, whole = false }: { min: number; max: number; whole?: boolean },
): number {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value < min || value > max || (whole && !Number.isInteger(value)))
    throw new Error(`${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${text}"`)
  return value
}

/** Listens on loopback by default, whatever HOST is: this port must not become public by accident. */
function managementPort(environment: NodeJS.ProcessEnv, publicPort: number): Pick<Config, 'manage'> {
  if (!environment.MANAGE_PORT) {
    if (environment.MANAGE_HOST) throw new Error('MANAGE_HOST has no effect without MANAGE_PORT: set both, or neither')
    return {}
  }
  const port = number(environment, 'MANAGE_PORT', 0, { min: 0, max: 65_535, whole: true })
  if (port !== 0 && port === publicPort) throw new Error(`MANAGE_PORT must differ from PORT; both are ${port}`)
  return { manage: { host: environment.MANAGE_HOST || '127.0.0.1', port } }
}

function databaseUrls(environment: NodeJS.ProcessEnv): Pick<Config, 'databaseUrl' | 'databaseDirectUrl'> {
  const { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl } = environment
  if (databaseDirectUrl && !databaseUrl)
    throw new Error('DATABASE_DIRECT_URL has no effect without DATABASE_URL: set both, or neither')
  // The message does not contain the value, which includes a password.
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl }))
    if (url && !/^postgres(ql)?:\/\//.test(url))
      throw new Error(`${name} must begin with postgres:// or postgresql://, as in postgres://user:password@host/name`)
  return { ...(databaseUrl ? { databaseUrl } : {}), ...(databaseDirectUrl ? { databaseDirectUrl } : {}) }
}

function metricsToken(token: string | undefined): Pick<Config, 'metricsToken'> {
  if (!token) return {}
  if (token.length < 16) throw new Error('METRICS_TOKEN must have at least 16 characters')
  if (!/^[\w.~+/=-]{1,4096}$/.test(token))
    throw new Error(
      'METRICS_TOKEN may only contain letters, digits and . _ ~ + / = -, because it is sent as a bearer token',
    )
  return { metricsToken: token }
}

export const allowedHostsIn = (environment: NodeJS.ProcessEnv): string[] =>
  list(
    environment,
    'ALLOWED_HOSTS',
    /^([\w-]+(\.[\w-]+)*|\[[\da-f:.]+\])(:\d{1,5})?$/i,
    'hosts, each with a port where it is not 443',
  )

function list(environment: NodeJS.ProcessEnv, name: string, form: RegExp, what: string): string[] {
  const entries = (environment[name] ?? '').split(',').flatMap((entry) => entry.trim() || [])
  const wrong = entries.find((entry) => !form.test(entry))
  if (wrong !== undefined) throw new Error(`${name} must be a comma-separated list of ${what}, not "${wrong}"`)
  return entries
}

/** As in curl, the lower-case names count first. The value can contain a password, so no error repeats it. */
function proxy(environment: NodeJS.ProcessEnv): Pick<Config, 'proxy'> {
  const text = (environment.https_proxy || environment.HTTPS_PROXY)?.trim()
  if (!text) return {}
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname.length > 1 || url.search || url.hash || !isEncoded(url))
    throw new Error(
      'HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.internal:3128 or http://user:password@proxy.internal:3128, with special characters of the password percent-encoded',
    )
  const except = (environment.no_proxy || environment.NO_PROXY || '').split(/[\s,]+/).filter(Boolean)
  const wrong = except.find((entry) => !noProxyEntry.test(entry))
  if (wrong !== undefined)
    throw new Error(
      `NO_PROXY must be a comma-separated list of names such as example.com or .example.com, addresses, networks such as 10.0.0.0/8, each with a port if needed, or *; not "${wrong}"`,
    )
  return { proxy: { url, except, resolvesNames: isOn(environment, 'PROXY_RESOLVES_NAMES', 'off') } }
}
const noProxyEntry =
  /^(\*|((\*?\.)?[\w-]+(\.[\w-]+)*\.?|\d+(\.\d+){3}\/([12]?\d|3[0-2])|\[[\da-f:.]+\])(:\d{1,5})?|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(\/(\d\d?|1[01]\d|12[0-8]))?)$/i
function isEncoded({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

/**
 * `square=10/1+500/60,xero=60/60+5000/86400`: calls per seconds, for each of the platform's windows. A window of 86400
 * seconds is the daily limit.
 */
function platformLimits(text = ''): Record<string, Rate[]> {
  const limits = text.split(',').flatMap((entry) => {
    if (entry.trim() === '') return []
    const [, platform, windows] = /^([a-z0-9-]+)=(\d+\/\d+(?:\+\d+\/\d+)*)$/.exec(entry.trim()) ?? []
    const rates = windows?.split('+').map((window) => window.split('/').map(Number) as [number, number])
    if (!platform || !rates || rates.some(([requests, seconds]) => requests < 1 || seconds < 1))
      throw new Error(`PLATFORM_LIMITS must be like square=10/1+500/60,xero=60/60 (calls per seconds), not "${entry}"`)
    return [[platform, rates.map(([requests, seconds]) => ({ requests, seconds }))] as const]
  })
  return Object.fromEntries(limits)
}

function logLevel(text: string): string {
  if (!(logLevels as readonly string[]).includes(text))
    throw new Error(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}"`)
  return text
}

function firstUser({
  ADMIN_USER: adminUser,
  ADMIN_PASSWORD: adminPassword,
}: NodeJS.ProcessEnv): Pick<Config, 'adminUser' | 'adminPassword'> {
  if (adminUser && !isUserName(adminUser)) throw new Error(`ADMIN_USER must be ${userNameRule}`)
  if (adminPassword && !isPassword(adminPassword)) throw new Error(`ADMIN_PASSWORD must have ${passwordRule}`)
  return { ...(adminUser ? { adminUser } : {}), ...(adminPassword ? { adminPassword } : {}) }
}

function oidc(environment: NodeJS.ProcessEnv): Pick<Config, 'oidc'> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = environment
  const { OIDC_DEFAULT_WORKSPACE: workspaceId, OIDC_DEFAULT_ROLE: given } = environment
  const domains = list(environment, 'OIDC_ALLOWED_DOMAINS', /^[\w-]+(\.[\w-]+)+$/, 'domains such as example.com')
  if (!issuer) {
    const orphan = Object.keys(environment).find((name) => name.startsWith('OIDC_') && environment[name])
    if (orphan) throw new Error(`${orphan} has no effect without OIDC_ISSUER: set both, or neither`)
    return {}
  }
  if (!isIssuer(issuer))
    throw new Error('OIDC_ISSUER must be an https URL without query and fragment, such as https://id.example.com')
  if (!clientId)
    throw new Error('OIDC_CLIENT_ID must be set with OIDC_ISSUER: the id that the provider gave this service')
  const role = roles.find((one) => one === (given || 'viewer'))
  if (!role) throw new Error(`OIDC_DEFAULT_ROLE must be one of ${roles.join(', ')}, not "${given}"`)
  if (domains.length > 0 !== Boolean(workspaceId))
    throw new Error(
      'OIDC_ALLOWED_DOMAINS and OIDC_DEFAULT_WORKSPACE belong together: people of these domains get a role in that workspace. Set both, or neither',
    )
  return {
    oidc: {
      issuer,
      clientId,
      ...(clientSecret ? { clientSecret } : {}),
      domains: domains.map((domain) => domain.toLowerCase()),
      ...(workspaceId ? { workspaceId } : {}),
      role,
    },
  }
}
/** Plain http only to this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && local)) && search === '' && hash === ''
}

/**
 * Comma-separated, newest first, base64 or hex of 32 bytes. Without ENCRYPTION_KEY the service creates a key in the
 * data directory, readable by its owner only.
 */
function encryptionKeys(
  { ENCRYPTION_KEY: text, DATABASE_URL: databaseUrl }: NodeJS.ProcessEnv,
  dataDir: string,
  sandbox: boolean,
): Pick<Config, 'encryptionKeys' | 'keyFile'> {
  if (text) return { encryptionKeys: text.split(',').map((part) => parseKey(part.trim(), 'ENCRYPTION_KEY')) }
  const path = join(dataDir, 'encryption.key')
  if (databaseUrl && !sandbox)
    throw new Error(
      existsSync(path)
        ? `ENCRYPTION_KEY must be set with DATABASE_URL and SANDBOX=off: set it to the key in ${path}, on every instance`
        : 'ENCRYPTION_KEY must be set with DATABASE_URL and SANDBOX=off. Create a key with: openssl rand -base64 32. Set the same key on every instance, and keep a copy apart from the database',
    )
  makeDataDir(dataDir)
  let isNew = false
  if (!existsSync(path)) {
    try {
      writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
      isNew = true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another instance was faster
    }
  }
  chmodSync(path, 0o600)
  const keys = readFileSync(path, 'utf8')
    .split(/\s+/)
    .filter(Boolean)
    .map((line) => parseKey(line, path))
  return { encryptionKeys: keys, keyFile: { path, isNew } }
}

export function makeDataDir(dataDir: string): void {
  try {
    makeDirectory(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a directory that this user can write; with SANDBOX=off, DATABASE_URL and ENCRYPTION_KEY none is needed`,
    )
  }
}

/** Node's own `recursive` never returns where the system refuses a directory with ENOENT, as it does below /proc. */
function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  if (dirname(path) !== path) makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isDirectory(path)) throw error // otherwise another process was faster
  }
}
const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function parseKey(text: string, where: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${where} must hold 32 bytes as base64 or hex`)
  return key
}
