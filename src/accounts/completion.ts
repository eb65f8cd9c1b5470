// The last step of every flow: a connected account, or an explanation for the person on the page.
import type { Connector } from '../contract/connector.ts'
import type { Vertical } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { Refusal } from '../engine/outbound/refusal.ts'
import { tests } from '../engine/outbound/verify.ts'
import type { Account, ConnectLink, Store } from '../store/store.ts'
import { type Asker, type ConnectParts, connectAccount, reconnectAccount } from './connect.ts'
import { settingFields } from './fields.ts'

/** What a customer granted, through OAuth or by entering keys. */
export interface Grant {
  platform: string
  vertical: Vertical
  auth: string
  credentials: Record<string, string>
  settings: Record<string, string>
}

/** Returns the account's id. A failure stores nothing. */
export async function complete(parts: ConnectParts, link: ConnectLink, grant: Grant, asker: Asker): Promise<string> {
  const test = grant.auth === 'oauth2' ? tests.authorized : tests.full
  if (link.accountId !== undefined)
    return (await reconnectAccount(parts, (await accountOf(parts.store, link)).id, grant, asker, test)).id
  const { workspaceId, newAccountId, accountName } = link
  const account = {
    ...grant,
    workspaceId,
    id: newAccountId,
    name: accountName || undefined,
  }
  return (await connectAccount(parts, account, asker, test)).id
}

export async function accountOf(store: Store, { accountId, workspaceId }: ConnectLink): Promise<Account> {
  const account = await store.accounts.get(accountId as string)
  if (account?.workspaceId !== workspaceId)
    throw new Problem('unknown_account', 'The account for this link no longer exists. Ask the sender for a new link.')
  return account as Account
}

export interface Explanation {
  message: string
  errors: Violation[] // of fields: /settings/… and /credentials/…
}
/** What happened and what to do next, for a person who knows the platform but not this service. */
export function explain(problem: Problem, connector: Connector, auth: string): Explanation {
  const { name } = connector
  const errors = [...(problem.errors ?? [])]
  const notAccepted =
    auth === 'oauth2'
      ? `${name} did not accept the authorization. Try again.`
      : `${name} did not accept these credentials. Check that you copied each value completely, that it is still active, and that it belongs to this business.`
  const words: Partial<Record<Problem['code'], string>> = {
    reconnect_required: notAccepted,
    already_exists: 'This account already exists. Ask for a new link.',
    too_many_requests: `${name} is limiting requests right now. Wait a minute and try again.`,
    downstream_timeout: `${name} did not respond in time. Nothing was changed. Try again.`,
    downstream_error: `${name} is unreachable or returned an error. If you entered an address, check it. Otherwise, try again later.`,
    internal_error: 'Something went wrong. Nothing was changed. Try again.',
    unavailable: 'The service is busy. Nothing was changed. Try again.',
    write_in_progress: 'Another request is connecting this account. Try again.',
  }
  if (problem instanceof Refusal && problem.part === 'credentials') return { message: notAccepted, errors }
  const ofSettings = errors.filter(({ pointer }) => pointer.startsWith('/settings/'))
  // After an authorization there is no form to show the fields in.
  const shown = auth !== 'oauth2' && !(problem instanceof Refusal)
  const settings = shown
    ? 'Some values are missing or invalid. Check the fields below.'
    : inWords(connector, ofSettings)
  return { message: (ofSettings.length > 0 ? settings : words[problem.code]) ?? problem.detail, errors }
}

/** Uses the platform's field names. */
function inWords(connector: Connector, errors: readonly Violation[]): string {
  const labels = new Map(settingFields(connector).map(({ name, label }) => [`/settings/${name}`, label]))
  return errors.map(({ pointer, message }) => `${labels.get(pointer) ?? 'A setting'} ${message}.`).join(' ')
}
