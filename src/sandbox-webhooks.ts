// Enters the URLs of webhooks in the consoles of the simulated platforms, as a person does, and stores the secrets that
// the consoles show. What is entered already stays the same, so every start can do it again.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from './contract/connector.ts'
import type { Vertical } from './contract/entity.ts'
import { hookUrl } from './platform-webhooks/address.ts'
import { freshHook } from './platform-webhooks/registrar.ts'
import { withSecret } from './platform-webhooks/secrets.ts'
import type { Service } from './service.ts'
import type { HookOwner, StoredHook } from './store/platform-webhooks.ts'

const codeTries = 40
const betweenTriesMs = 50

interface Place {
  owner: HookOwner
  vertical?: Vertical
}

export async function enterHooks(
  { store, url: serviceUrl }: Pick<Service, 'store' | 'url'>,
  connectors: Readonly<Record<string, Connector>>,
  workspaceId: string,
  accounts: readonly { accountId: string; platform: string; vertical: Vertical }[],
  sandboxUrl: string,
): Promise<void> {
  async function console(platform: string, body: object): Promise<{ secret?: string } | undefined> {
    const response = await fetch(`${sandboxUrl}/_sandbox/${platform}/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) return undefined
    return text === '' ? {} : (JSON.parse(text) as { secret?: string })
  }
  const codeOf = (hook: StoredHook | undefined) => hook?.challenges.findLast(({ code }) => code !== undefined)?.code
  /** The platform sends it to the URL. */
  async function newCode(id: string, before: string | undefined): Promise<string | undefined> {
    for (let tries = 0; tries < codeTries; tries++) {
      const code = codeOf(await store.hooks.find(id))
      if (code !== undefined && code !== before) return code
      await sleep(betweenTriesMs)
    }
    return undefined
  }
  async function enter({ hooks, id: platform }: Connector, { owner, vertical }: Place): Promise<void> {
    if (!hooks) return
    const hook = await store.hooks.ensure(owner, freshHook(hooks))
    const known = hook.secrets[0]?.secret
    // Some consoles let a person choose the secret.
    const chosen = known ?? randomBytes(16).toString('hex')
    const entered = await console(platform, {
      url: hookUrl(serviceUrl(), hook),
      secret: chosen,
      ...(vertical ? { vertical } : {}),
    })
    if (!entered) return // its webhooks are registered in another way
    const secret = entered.secret ?? chosen
    if (hooks.secret?.from === 'entered' && secret !== known)
      await store.hooks.setSecrets(hook.id, withSecret(hook, secret))
    if (!hooks.challenge || hooks.confirm) return
    const code = await newCode(hook.id, codeOf(hook))
    if (code !== undefined) await console(platform, { code })
  }
  const places = Object.values(connectors).flatMap((connector) => {
    const { hooks, id: platform } = connector
    const own = accounts.filter((account) => account.platform === platform)
    if (!hooks || hooks.register || own.length === 0) return []
    if (hooks.scope === 'application') return [{ connector, place: { owner: { workspaceId, platform } } }]
    return own.map(({ accountId, vertical }) => ({
      connector,
      place: { owner: { workspaceId, platform, accountId }, vertical },
    }))
  })
  await Promise.all(places.map(({ connector, place }) => enter(connector, place)))
}
