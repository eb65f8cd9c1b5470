// Address and credentials: flags before the environment before a profile before what a sandbox on this machine has
// written down.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type ResponseInfo } from '../../packages/client/src/index.ts'
import type { SandboxFile } from '../sandbox-workspace.ts'
import { CommandFailure, type Connection, exitCodes, type Invocation, type Output, unreadable } from './command.ts'
import { createManage } from './manage.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { type ChosenProfile, chosenProfile } from './profiles.ts'
import { dataDirOf, readSandboxFile } from './sandbox-file.ts'

/** Of a command that reads or writes records. */
export class MissingCredentials extends CommandFailure {
  readonly reason = 'no API key is set'
  readonly fix = 'run unirec login, or set UNIREC_API_KEY (or UNIREC_ACCESS_ID and UNIREC_ACCESS_SECRET)'
  constructor() {
    super(exitCodes.unreachable, '')
    this.message = `${this.reason}: ${this.fix}`
  }
}

type Context = Pick<Invocation, 'flags' | 'environment' | 'signal' | 'output'>

export async function connect({ flags, environment, signal, output }: Context): Promise<Connection> {
  const profile = profileFor({ flags, environment, output })
  const variables = profile?.byFlag ? {} : environment
  const setting = (flag: string, variable: string): string | undefined =>
    typeof flags[flag] === 'string' ? flags[flag] : variables[variable] || undefined
  const secret = (flag: string, variable: string): string | undefined =>
    typeof flags[flag] === 'string' ? readSecret(flags[flag]) : variables[variable] || undefined
  const dataDir = dataDirOf({ flags, environment })
  const typedUrl = setting('url', 'UNIREC_URL')
  const given = typedUrl === undefined ? profile?.url : checkedUrl(typedUrl)
  const beside = readSandboxFile(dataDir)
  const sandbox =
    beside && (given === undefined || given === beside.baseUrl || given === beside.manageUrl) ? beside : undefined
  const url = given ?? sandbox?.baseUrl
  if (!url)
    throw new CommandFailure(
      exitCodes.usage,
      `no service URL: run unirec login, set UNIREC_URL or --url, or start a sandbox (there is no ${join(dataDir, 'sandbox.json')})`,
    )
  const listeners: ((info: ResponseInfo) => void)[] = []
  const typedKey = secret('api-key-file', 'UNIREC_API_KEY')
  const typedId = setting('access-id', 'UNIREC_ACCESS_ID')
  const apiKey = typedKey ?? (typedId ? undefined : profile?.apiKey)
  const accessId = typedId ?? profile?.accessId
  const adminToken =
    secret('admin-token-file', 'UNIREC_ADMIN_TOKEN') ??
    profile?.adminToken ??
    (profile && sessionToken(profile, output))
  const workspace =
    setting('workspace', 'UNIREC_WORKSPACE') ?? profile?.workspace ?? (sandbox && !adminToken ? 'sandbox' : undefined)
  const own = apiKey
    ? { apiKey }
    : accessId
      ? {
          accessId,
          accessSecret: secret('access-secret-file', 'UNIREC_ACCESS_SECRET') ?? profile?.accessSecret ?? '',
          authUrl: checkedAuthUrl(setting('auth-url', 'UNIREC_AUTH_URL') ?? profile?.authUrl),
        }
      : undefined
  if (profile) output.note(`using profile ${profile.name} (${profile.url})`)
  if (sandbox && !own && !adminToken) output.note(`using the sandbox at ${url} (${join(dataDir, 'sandbox.json')})`)
  const credentials = own ?? (sandbox ? { apiKey: sandbox.apiKey } : undefined)
  const client =
    credentials &&
    createClient({
      url,
      fetch: createPlainFetch(),
      ...credentials,
      mappingKeys: { ...(sandbox ? mappingKeysOf(sandbox) : {}), ...readMappingKeys(environment.UNIREC_MAPPING_KEYS) },
      onResponse: (info) => {
        for (const listener of listeners) listener(info)
      },
    })
  const manageUrl = sandbox?.manageUrl ?? url
  const login = sandbox ? { ...sandbox.dashboard, keptIn: join(dataDir, 'cli-session.json') } : undefined
  // A key of a workspace manages that workspace, if it has a scope for it.
  const ofKey = adminToken || login ? undefined : apiKey
  const manage =
    adminToken || login || ofKey
      ? createManage({
          url: manageUrl,
          signal,
          workspace: ofKey ? 'current' : workspace || undefined,
          adminToken: adminToken || ofKey,
          login,
        })
      : undefined
  const key = credentials && 'apiKey' in credentials ? credentials.apiKey : undefined
  return {
    url,
    manageUrl,
    /** A command that only uses the management API needs none. */
    get client() {
      if (!client) throw new MissingCredentials()
      return client
    },
    apiKey: key,
    watch: (listener) => void listeners.push(listener),
    manage,
    byKey: ofKey !== undefined,
  }
}

/** Its credentials are for its URL only. */
function profileFor(given: Pick<Invocation, 'flags' | 'environment' | 'output'>): ChosenProfile | undefined {
  const { flags, environment } = given
  if (typeof flags['data-dir'] === 'string' && flags.profile === undefined) return undefined
  const typed = typeof flags.url === 'string' ? flags.url : undefined
  const profile = chosenProfile(given)
  const url = (typed ?? (profile?.byFlag ? undefined : environment.UNIREC_URL))?.replace(/\/+$/, '')
  if (!profile || !url || url === profile.url) return profile
  if (profile.byFlag)
    throw new CommandFailure(
      exitCodes.usage,
      `--url and --profile cannot be combined: profile ${profile.name} is for ${profile.url}. Omit one, or log in: unirec login --profile NAME --url ${url}`,
    )
  return undefined
}

function sessionToken({ name, session }: ChosenProfile, output: Output): string | undefined {
  if (!session || Date.parse(session.expiresAt) > Date.now()) return session?.token
  output.note(
    `the session of ${session.user} has expired. Sign in again: unirec login --profile ${name} --user ${session.user}`,
  )
  return undefined
}

/** Without repeating it: it can contain a password. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search)
    throw new CommandFailure(
      exitCodes.usage,
      '--url (UNIREC_URL) must be a URL such as https://records.example.com, without a user name, password or query',
    )
  return text.replace(/\/+$/, '')
}

function checkedAuthUrl(authUrl: string | undefined): string | undefined {
  const url = authUrl !== undefined && URL.canParse(authUrl) ? new URL(authUrl) : undefined
  if (authUrl !== undefined && (!url || !/^https?:$/.test(url.protocol) || url.username || url.password))
    throw new CommandFailure(
      exitCodes.usage,
      'UNIREC_AUTH_URL (--auth-url) is not the URL of a token endpoint such as https://auth.example.com/token, without a user name or password',
    )
  return authUrl
}

const mappingKeysOf = ({ accounts }: SandboxFile) =>
  Object.fromEntries(
    accounts.map(({ accountId, readMappingKey, writeMappingKey }) => [
      accountId,
      { read: readMappingKey, write: writeMappingKey },
    ]),
  )

/** ACCOUNT=READ/WRITE, several separated by commas. */
export function readMappingKeys(text = ''): Record<string, { read?: string; write?: string }> {
  const entries = text.split(',').flatMap((part) => {
    const [account = '', keys = ''] = part.trim().split('=')
    const [read, write] = keys.split('/')
    if (part.trim() && !read && !write)
      throw new CommandFailure(exitCodes.usage, `UNIREC_MAPPING_KEYS is ACCOUNT=READ/WRITE, not "${part.trim()}"`)
    return part.trim() ? [[account, { read: read || undefined, write: write || undefined }] as const] : []
  })
  return Object.fromEntries(entries)
}

export function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** For commands that require the management API. */
export function managed({ manage }: Connection): NonNullable<Connection['manage']> {
  if (!manage)
    throw new CommandFailure(
      exitCodes.unreachable,
      "this needs the management API: unirec login --user NAME, or set UNIREC_API_KEY to a key with the scope manage, or UNIREC_ADMIN_TOKEN to the service's ADMIN_TOKEN",
    )
  return manage
}
