// The secrets with which the webhooks of an account, or of an application, may be signed.
import type { Connector, Hooks } from '../contract/connector.ts'
import type { HookSecret, StoredHook } from '../store/platform-webhooks.ts'
import type { Account } from '../store/store.ts'

export type HookedConnector = Connector & { hooks: Hooks }
export const isHooked = (connector: Connector | undefined): connector is HookedConnector =>
  connector?.hooks !== undefined

/** `unsigned`: the platform does not sign. An empty list: nothing is accepted. */
export type ValidSecrets = readonly string[] | 'unsigned'

export function validSecrets(
  { verify, secret }: Hooks,
  { secrets }: Pick<StoredHook, 'secrets'>,
  clientSecrets: readonly string[],
  now: number,
): ValidSecrets {
  if (!verify) return 'unsigned'
  if (secret?.from === 'client')
    return clientSecrets.length === 0 && secret.unsignedWithout ? 'unsigned' : clientSecrets
  return secrets.filter(({ until }) => until === undefined || until > now).map((one) => one.secret)
}

export const clientSecretsOf = (accounts: readonly Pick<Account, 'credentials'>[]): string[] => [
  ...new Set(accounts.flatMap(({ credentials: { clientSecret } }) => clientSecret || [])),
]

/** The previous secret stays valid for as long. */
const overlapMs = 86_400_000
const mostSecrets = 5
/** The secrets of a hook, once a new one is entered. */
export function withSecret({ secrets }: Pick<StoredHook, 'secrets'>, secret: string): HookSecret[] {
  const until = Date.now() + overlapMs
  const before = secrets
    .filter((one) => one.secret !== secret && (one.until === undefined || one.until > Date.now()))
    .map((one) => ({ secret: one.secret, until: one.until ?? until }))
  return [{ secret }, ...before].slice(0, mostSecrets)
}
