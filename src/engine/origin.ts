// Which host a call goes to. Connectors name hosts as data; nothing else can.
import type { Connector } from '../contract/connector.ts'
import { Problem } from '../contract/errors.ts'
import type { Account } from '../store/store.ts'
import type { EngineOptions } from './options.ts'
import { fill } from './template.ts'

/** Token values that say where a platform lives (a data centre's domain) are kept among the credentials. */
const originValues = (account: Account) => ({ ...account.credentials, ...account.settings })

export function originOf(connector: Connector, account: Account, name: string, options: Pick<EngineOptions, 'originOverride'>): string {
  const override = options.originOverride?.(account)
  if (override) return override
  const template = connector.origins[name]
  if (template === undefined) throw new Error(`${connector.id} has no origin "${name}"`)
  const origin = fill(template, originValues(account))
  if (origin === undefined)
    throw new Problem('reconnect_required', `The account lacks a setting that ${connector.name}'s address needs.`, { downstream: { platform: connector.id } })
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url?.protocol !== 'https:' || url.username || url.password || url.search || url.hash)
    throw new Problem('forbidden', `The account's settings do not give an https address for ${connector.name}.`, { downstream: { platform: connector.id } })
  return origin
}
