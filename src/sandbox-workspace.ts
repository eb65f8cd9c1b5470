// The workspace "Sandbox": one connected account per platform and vertical, and credentials a newcomer can paste. Kept
// in DATA_DIR/sandbox.json for tools.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
import { enterHooks } from './sandbox-webhooks.ts'
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
  const { file, next } = filesIn(dataDir)
  const workspace = await store.workspaces.get(sandboxWorkspace)
  const credentials =
    (workspace && (readKnown(next) ?? readKnown(file))) ?? (await createCredentials(service, next, !workspace))
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
  write(file, made)
  rmSync(next, { force: true })
  return made
}

/** `next` has the credentials until all that `file` names is there. */
function filesIn(dataDir: string): { file: string; next: string } {
  const file = join(dataDir, 'sandbox.json')
  return { file, next: `${file}.new` }
}
/** Its address is not the one of the next start. What waits for the file waits until the sandbox is ready. */
export function hideSandboxFile(dataDir: string): void {
  const { file, next } = filesIn(dataDir)
  if (readKnown(file)) renameSync(file, next)
}
/** At any moment, the file is the old one or the new one. */
function write(file: string, content: object): void {
  writeFileSync(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
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

/** Written down before they are valid: a start that is interrupted then leaves none that nothing knows. */
async function createCredentials(
  { store: outer }: Service,
  file: string,
  isFirst: boolean,
): Promise<Pick<SandboxFile, 'apiKey' | 'accessId' | 'accessSecret' | 'dashboard'>> {
  const password = createPassword()
  const passwordHash = await hashPassword(password)
  return outer.transaction(async (store) => {
    if (isFirst) await store.workspaces.create({ id: sandboxWorkspace, name: 'Sandbox' })
    const { secret: apiKey } = await createApiKey(store, sandboxWorkspace, {
      name: 'Sandbox API key',
      scopes: [...scopes],
    })
    const { credential, secret } = await createAccessId(store, sandboxWorkspace, {
      name: 'Sandbox access id',
      scopes: [...scopes],
    })
    // A user with that name may be a person, whose password must not change.
    const user = (await store.users.get('admin')) ? 'sandbox' : 'admin'
    await store.users.put({ name: user, passwordHash })
    const dashboard = { url: '', user, password }
    const credentials = { apiKey, accessId: credential.id, accessSecret: secret, dashboard }
    write(file, credentials)
    return credentials
  })
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
