// unirec login, logout, profiles …: credentials that are typed once.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Client, createClient, UnifiedError } from '../../packages/client/src/index.ts'
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { checkedUrl, readSecret } from './connect.ts'
import { textIn } from './flag-values.ts'
import { createManage, serviceUnreachable } from './manage.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { firstProfile, namedProfile, type Profile, profilesFile, readProfiles, writeProfiles } from './profiles.ts'
import { pipedSecret } from './secret-input.ts'
import { showTable } from './table.ts'

export const login: Command = {
  name: 'login',
  summary: 'Store the URL of a service and a credential in a profile, after checking both',
  arguments: [],
  flags: [
    {
      name: 'user',
      type: 'string',
      value: 'NAME',
      description: 'Sign in as this user for the management API; the session lasts 12 hours',
    },
  ],
  examples: [
    'unirec login --url https://records.example.com',
    'unirec login --profile staging --url https://staging.example.com < key.txt',
    'unirec login --profile staging --user ada',
  ],
  async run(invocation) {
    const { flags, environment, output } = invocation
    const stored = readProfiles(environment)
    const name = namedProfile(invocation) ?? stored.current ?? firstProfile
    const before = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined
    const url = await serviceUrl(invocation, before?.url)
    const added = await credentialIn(invocation, url)
    const workspace = textIn(flags.workspace)
    const profile: Profile = {
      ...(before?.url === url ? without(before, added) : {}),
      url,
      ...added,
      ...(workspace ? { workspace } : {}),
    }
    const file = writeProfiles(environment, {
      version: 1,
      current: name,
      profiles: { ...stored.profiles, [name]: profile },
    })
    output.line(
      output.json
        ? JSON.stringify(shown(name, profile, true))
        : `logged in: profile ${name} (${url}), ${kindsOf(profile).join(' and ')}`,
    )
    output.note(`stored in ${file}`)
    const set = ['UNIREC_URL', 'UNIREC_API_KEY', 'UNIREC_ACCESS_ID', 'UNIREC_ADMIN_TOKEN'].filter(
      (variable) => environment[variable],
    )
    if (set.length > 0) output.note(`warning: ${set.join(', ')} in the environment takes precedence over the profile`)
    return exitCodes.ok
  },
}

/** A new credential replaces the one for the same purpose. */
function without(before: Profile, added: Partial<Profile>): Partial<Profile> {
  const { workspace } = before
  const { apiKey, accessId, accessSecret, authUrl, adminToken, session } = before
  return added.apiKey || added.accessId
    ? { workspace, adminToken, session }
    : { workspace, apiKey, accessId, accessSecret, authUrl }
}

async function serviceUrl(invocation: Invocation, before: string | undefined): Promise<string> {
  const { flags, environment, input, output } = invocation
  let url = textIn(flags.url) ?? before ?? environment.UNIREC_URL
  if (!url && input.isTTY && output.isTerminal) url = await ask(invocation, 'URL of the service: ')
  if (!url)
    throw new CommandFailure(exitCodes.usage, 'login needs the URL of the service: --url https://records.example.com')
  return checkedUrl(url)
}

/** Checked against the service: a profile that cannot work is not stored. */
async function credentialIn(invocation: Invocation, url: string): Promise<Partial<Profile>> {
  const { flags, signal } = invocation
  const user = textIn(flags.user)
  const accessId = textIn(flags['access-id'])
  const files = ['api-key-file', 'access-secret-file', 'admin-token-file'].filter((name) => textIn(flags[name]))
  if (files.length > 1 || (user && (files.length > 0 || accessId)))
    throw new CommandFailure(
      exitCodes.usage,
      'login stores one credential at a time: an API key, an access id, an admin token or a --user',
    )
  if (user) return { session: await signIn(invocation, url, user) }
  const named = files[0] === undefined ? undefined : readSecret(flags[files[0]] as string)
  const question = accessId ? `Secret of ${accessId}: ` : 'API key or admin token: '
  const secret = named ?? (await secretInput(invocation, question))
  const once = { url, fetch: createPlainFetch(), maxRetries: 0 }
  if (accessId) {
    const authUrl = textIn(flags['auth-url'])
    const given = { accessId, accessSecret: secret, ...(authUrl ? { authUrl } : {}) }
    await checkCaller(createClient({ ...once, ...given }), url, signal)
    return given
  }
  if (files[0] !== 'admin-token-file' && (files[0] === 'api-key-file' || secret.startsWith('urk_'))) {
    await checkCaller(createClient({ ...once, apiKey: secret }), url, signal)
    return { apiKey: secret }
  }
  await createManage({ url, signal, adminToken: secret }).call('listWorkspaces')
  return { adminToken: secret }
}

/** The account does not exist: a credential that is accepted gets 404. */
async function checkCaller(client: Client, url: string, signal: AbortSignal): Promise<void> {
  await client
    .account('unirec-login')
    .describe({ signal })
    .catch((error: unknown) => {
      if (error instanceof UnifiedError && error.code === 'unknown_account') return
      if (error instanceof UnifiedError && error.code === 'network_error') throw serviceUnreachable(url, error.cause)
      throw error
    })
}

async function signIn(invocation: Invocation, url: string, user: string): Promise<NonNullable<Profile['session']>> {
  const password = await secretInput(invocation, `Password of ${user}: `)
  const manage = createManage({ url, signal: invocation.signal, anonymous: true })
  const { token = '', expiresAt } = await manage.call('logIn', { body: { user, password } })
  return { user, token, expiresAt }
}

async function secretInput(invocation: Invocation, question: string): Promise<string> {
  const { input } = invocation
  const secret = (input.isTTY ? await ask(invocation, question, true) : await pipedSecret(input, '')).trim()
  if (secret === '')
    throw new CommandFailure(
      exitCodes.usage,
      'no credential was given: type it, pipe it to standard input, or name its file with --api-key-file or --admin-token-file',
    )
  return secret
}

async function ask({ input, output, signal }: Invocation, question: string, isHidden = false): Promise<string> {
  output.prompt(question)
  // A terminal echoes what is typed, unless this reads key by key and writes nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface(isHidden ? { input, output: nowhere, terminal: true, historySize: 0 } : { input })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve)
      terminal.once('SIGINT', () => reject(new CommandFailure(exitCodes.interrupted, 'interrupted')))
      terminal.once('close', () => resolve(''))
      signal.addEventListener('abort', () => resolve(''), { once: true })
    })
  } finally {
    terminal.close()
    if (isHidden) output.prompt('\n')
  }
}

export const logout: Command = {
  name: 'logout',
  summary: 'Delete a profile and its credentials from this machine; ends its session',
  arguments: [],
  flags: [{ name: 'all', type: 'boolean', description: 'Delete all profiles' }],
  examples: ['unirec logout --profile staging'],
  async run(invocation) {
    const { flags, environment, output, signal } = invocation
    const stored = readProfiles(environment)
    const named = namedProfile(invocation)
    const names = flags.all ? Object.keys(stored.profiles) : [named ?? stored.current ?? firstProfile]
    const missing = names.find((name) => !Object.hasOwn(stored.profiles, name))
    if (missing !== undefined)
      throw new CommandFailure(
        exitCodes.usage,
        `there is no profile "${missing}". unirec profiles list shows all; unirec logout --profile NAME deletes one`,
      )
    const profiles = Object.fromEntries(Object.entries(stored.profiles).filter(([name]) => !names.includes(name)))
    const { current } = stored
    writeProfiles(environment, {
      version: 1,
      ...(current !== undefined && Object.hasOwn(profiles, current) ? { current } : {}),
      profiles,
    })
    for (const name of names) {
      const { url, session } = stored.profiles[name] as Profile
      // An expired session, or a service that is away, must not keep the credentials here.
      if (session)
        await createManage({ url, signal, adminToken: session.token })
          .call('logOut')
          .catch(() => output.note(`the session of ${session.user} at ${url} could not be ended; it expires by itself`))
      output.line(output.json ? JSON.stringify({ deleted: name }) : `deleted profile ${name}`)
    }
    return exitCodes.ok
  },
}

const kindsOf = ({ apiKey, accessId, adminToken, session }: Profile): string[] => [
  ...(apiKey ? [`API key ${apiKey.split('.')[0]}`] : []),
  ...(accessId ? [`access id ${accessId}`] : []),
  ...(adminToken ? ['admin token'] : []),
  ...(session ? [`user ${session.user} until ${session.expiresAt}`] : []),
]
/** Never a secret. */
const shown = (name: string, profile: Profile, isCurrent: boolean) => ({
  profile: name,
  current: isCurrent,
  url: profile.url,
  credentials: kindsOf(profile),
  workspace: profile.workspace,
})

export const profilesList: Command = {
  name: 'profiles list',
  summary: 'List the profiles on this machine, without their secrets',
  arguments: [],
  flags: [],
  async run({ environment, output }) {
    const { current, profiles } = readProfiles(environment)
    const all = Object.entries(profiles).map(([name, profile]) => shown(name, profile, name === current))
    if (output.json) for (const one of all) output.line(JSON.stringify(one))
    else if (all.length === 0) output.note('there are no profiles; see unirec login --help')
    else
      showTable(
        output,
        ['profile', 'url', 'credentials', 'workspace'],
        all.map(({ profile, current, url, credentials, workspace }) => [
          current ? `${profile} (current)` : profile,
          url,
          credentials.join(', '),
          workspace,
        ]),
      )
    if (all.length > 0) output.note(`stored in ${profilesFile(environment)}`)
    return exitCodes.ok
  },
}

export const profilesUse: Command = {
  name: 'profiles use',
  summary: 'Make a profile the current one',
  arguments: [{ name: 'name', description: 'Name of the profile', complete: 'profile' }],
  flags: [],
  examples: ['unirec profiles use staging'],
  async run({ arguments: { name = '' }, environment, output }) {
    const stored = readProfiles(environment)
    if (!Object.hasOwn(stored.profiles, name))
      throw new CommandFailure(exitCodes.usage, `there is no profile "${name}". unirec profiles list shows all`)
    writeProfiles(environment, { ...stored, current: name })
    output.line(output.json ? JSON.stringify({ current: name }) : `${name} is the current profile`)
    return exitCodes.ok
  },
}
