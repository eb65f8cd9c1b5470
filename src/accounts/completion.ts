// The last step of every flow: a connected account, or an explanation for the person on the page.
import type { Connector } from '../contract/connector.ts'
import type { Vertical } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { Refusal } from '../engine/outbound/refusal.ts'
import { tests } from '../engine/outbound/verify.ts'
import type { Account, ConnectLink, Store } from '../store/store.ts'
import { type Asker, type ConnectParts, connectAccount, reconnectAccount } from './connect.ts'
import { settingFields } from './fields.ts'
import type { Message, Word } from './words/words.ts'

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
  message: Message
  errors: Violation[] // of fields: /settings/… and /credentials/…
}
const words: Partial<Record<Problem['code'], Word>> = {
  unknown_account: 'accountGone',
  already_exists: 'accountExists',
  too_many_requests: 'limited',
  downstream_timeout: 'noResponse',
  downstream_error: 'unreachable',
  internal_error: 'failed',
  unavailable: 'busy',
  write_in_progress: 'otherRequest',
}
/** What happened and what to do next, for a person who knows the platform but not this service. */
export function explain(problem: Problem, connector: Connector, auth: string): Explanation {
  const values = { platform: connector.name }
  const errors = [...(problem.errors ?? [])]
  if (problem.code === 'reconnect_required' || (problem instanceof Refusal && problem.part === 'credentials'))
    return { message: { word: auth === 'oauth2' ? 'notAuthorized' : 'notAccepted', values }, errors }
  const ofSettings = errors.filter(({ pointer }) => pointer.startsWith('/settings/'))
  if (ofSettings.length === 0) {
    const word = words[problem.code]
    return { message: word ? { word, values } : { word: 'refused', values, detail: problem.detail }, errors }
  }
  // After an authorization there is no form to show the fields in.
  const shown = auth !== 'oauth2' && !(problem instanceof Refusal)
  return { message: shown ? { word: 'valuesInvalid' } : aboutSettings(connector, ofSettings), errors }
}

/** Uses the platform's field names. */
function aboutSettings(connector: Connector, errors: readonly Violation[]): Message {
  const labels = new Map(settingFields(connector).map(({ name, label }) => [`/settings/${name}`, label]))
  const named = errors.map(({ pointer, message }) => ({ label: labels.get(pointer) ?? 'A setting', message }))
  return {
    word: 'settingsRejected',
    values: { platform: connector.name, labels: named.map(({ label }) => label).join(', ') },
    detail: named.map(({ label, message }) => `${label} ${message}.`).join(' '),
  }
}
