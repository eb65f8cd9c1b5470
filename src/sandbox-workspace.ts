// The workspace "Sandbox": one connected account per platform and vertical, and credentials a newcomer can paste. Kept
// in DATA_DIR/sandbox.json for tools.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectAccount } from './accounts/connect.ts'
import { createAccessId, createApiKey } from './accounts/credentials.ts'
import { questionsOf } from './accounts/fields.ts'
import { sandboxWorkspace } from './accounts/sandbox-keys.ts'
import { createPassword, hashPassword } from './accounts/secrets.ts'
import type { Connector } from './contract/connector.ts'
import type { Vertical } from './contract/entity.ts'
import { scopes } from './contract/scopes.ts'
import { oauthOf } from './engine/outbound/authorize.ts'
import { tests } from './engine/outbound/verify.ts'
import { enterHooks } from './sandbox-hooks.ts'
import type { Service } from './service.ts'

/** What the sandbox process tells about the businesses it simulates. */
export interface SandboxTenant {
  platform: string
  vertical: Vertical
  credentials: Record<string, string>
  settings: Record<string, string>
  locations: string[]
}
export interface SandboxFile {
  baseUrl: string
  manageUrl: string // of the management API; the same unless MANAGE_PORT is set
  sandboxUrl?: string // the simulators and their control endpoint
  apiKey: string
  accessId: string
  accessSecret: string
  dashboard: { url: string; user: string; password: string }
  accounts: {
    accountId: string
    platform: string
    vertical: Vertical
    readMappingKey: string
    writeMappingKey: string
  }[]
}

export async function openSandboxWorkspace(
  service: Service,
  connectors: Readonly<Record<string, Connector>>,
  tenants: readonly SandboxTenant[],
  dataDir: string,
  sandboxUrl?: string,
): Promise<SandboxFile> {
  const { store } = service
  const file = join(dataDir, 'sandbox.json')
  const known = (await store.workspaces.get(sandboxWorkspace)) ? readKnown(file) : undefined
  if (!(await store.workspaces.get(sandboxWorkspace)))
    await store.workspaces.create({ id: sandboxWorkspace, name: 'Sandbox' })
  const credentials = known ?? (await createCredentials(service))
  for (const tenant of tenants) await openApp(service, connectors[tenant.platform] as Connector, tenant)
  const accounts = await Promise.all(tenants.map((tenant) => openAccount(service, connectors, tenant)))
  if (sandboxUrl) await enterHooks(service, connectors, sandboxWorkspace, accounts, sandboxUrl)
  const made: SandboxFile = {
    ...credentials,
    baseUrl: service.url(),
    manageUrl: service.manageUrl(),
    ...(sandboxUrl ? { sandboxUrl } : {}),
    dashboard: { ...credentials.dashboard, url: `${service.manageUrl()}/dashboard` },
    accounts,
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return made
}

function readKnown(file: string): SandboxFile | undefined {
  if (!existsSync(file)) return undefined
  try {
    const known = JSON.parse(readFileSync(file, 'utf8')) as SandboxFile
    return known.apiKey && known.accessId && known.accessSecret && known.dashboard?.password ? known : undefined
  } catch {
    return undefined
  }
}

async function createCredentials({
  store,
}: Service): Promise<Pick<SandboxFile, 'apiKey' | 'accessId' | 'accessSecret' | 'dashboard'>> {
  const { secret: key } = await createApiKey(store, sandboxWorkspace, { name: 'Sandbox API key', scopes })
  const { credential, secret } = await createAccessId(store, sandboxWorkspace, { name: 'Sandbox access id', scopes })
  const password = createPassword()
  // A user with that name may be a person, whose password must not change.
  const user = (await store.users.get('admin')) ? 'sandbox' : 'admin'
  await store.users.put({ name: user, passwordHash: await hashPassword(password) })
  return { apiKey: key, accessId: credential.id, accessSecret: secret, dashboard: { url: '', user, password } }
}

/**
 * The simulators know one application each: with it, connect links can be tried as they are. Hosts and shops are filled
 * in, because a newcomer cannot guess them.
 */
async function openApp(
  { store }: Service,
  connector: Connector,
  { platform, credentials: { clientId, clientSecret }, settings }: SandboxTenant,
): Promise<void> {
  const oauth = oauthOf(connector)
  if (!oauth || !clientId || !clientSecret) return
  const { required, regions } = questionsOf(connector, oauth, {})
  const names = [...required.map(({ name }) => name), ...regions.flatMap((region) => Object.keys(region.settings))]
  const given = Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))
  await store.platformApps.put({ workspaceId: sandboxWorkspace, platform, clientId, clientSecret, settings: given })
}

async function openAccount(
  { store, engine }: Service,
  connectors: Readonly<Record<string, Connector>>,
  tenant: SandboxTenant,
): Promise<SandboxFile['accounts'][number]> {
  const { platform, vertical, credentials, settings } = tenant
  const id = `sandbox-${platform}-${vertical}`
  const known = await store.accounts.get(id)
  // A refreshed token is newer than the one the simulator started with.
  if (known?.state === 'reconnect_required')
    await store.accounts.update(id, { credentials, state: 'active', stateReason: '' })
  if (!known)
    await connectAccount(
      { store, engine, connectors },
      {
        id,
        workspaceId: sandboxWorkspace,
        platform,
        vertical,
        name: `${connectors[platform]?.name} sandbox`,
        credentials,
        settings,
      },
      { requestId: 'start' },
      tests.discovery, // the simulators' own credentials, and the start waits for no rate limit
    )
  // Orders on most platforms need a location: the first one answers to a name that everybody can guess.
  if (tenant.locations[0] && !(await store.links.get(id, 'location', 'MAIN')))
    await store.links.put({
      accountId: id,
      entityType: 'location',
      sourceId: 'MAIN',
      nativeId: tenant.locations[0],
      origin: 'linked',
    })
  const keys = await store.mappingKeys.list(id)
  const keyFor = (direction: 'read' | 'write') =>
    keys.find((key) => key.isDefault && key.direction === direction)?.key ?? ''
  return { accountId: id, platform, vertical, readMappingKey: keyFor('read'), writeMappingKey: keyFor('write') }
}
