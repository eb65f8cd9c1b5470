// The last step of every way: an account that works, new or connected again; or the reason why not, in words for the person in front of the page.
import type { Connector } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { Refusal } from '../../engine/outbound/refusal.ts'
import { tests } from '../../engine/outbound/verify.ts'
import type { Account, ConnectLink, Store } from '../../store/store.ts'
import { type Asker, type ConnectParts, connectAccount, reconnectAccount } from './account.ts'
import { settingFields } from './fields.ts'

/** What a customer has granted, by authorising or by typing keys. */
export interface Grant {
  platform: string
  vertical: Vertical
  auth: string
  credentials: Record<string, string>
  settings: Record<string, string>
}

/** Answers the account's id. Nothing stays behind when it fails. */
export async function complete(parts: ConnectParts, link: ConnectLink, grant: Grant, asker: Asker): Promise<string> {
  const test = grant.auth === 'oauth2' ? tests.authorized : tests.full
  if (link.accountId !== undefined) return (await reconnectAccount(parts, (await accountOf(parts.store, link)).id, grant, asker, test)).id
  const { workspaceId, newAccountId, accountName } = link
  const wanted = { ...grant, workspaceId, ...(newAccountId ? { id: newAccountId } : {}), ...(accountName ? { name: accountName } : {}) }
  return (await connectAccount(parts, wanted, asker, test)).id
}

export async function accountOf(store: Store, { accountId, workspaceId }: ConnectLink): Promise<Account> {
  const account = await store.accounts.get(accountId as string)
  if (account?.workspaceId !== workspaceId) throw new Problem('unknown_account', 'The account that this link is for does not exist any more.')
  return account as Account
}

export interface Explanation {
  message: string
  errors: Violation[] // of fields: /settings/… and /credentials/…
}
/** What happened and what to do, for somebody who knows the platform and not this service. */
export function explain(problem: Problem, connector: Connector, auth: string): Explanation {
  const { name } = connector
  const errors = [...(problem.errors ?? [])]
  const notAccepted =
    auth === 'oauth2'
      ? `${name} did not accept the authorisation. Please try again.`
      : `${name} did not accept these credentials. Check that each was copied completely, that it still works there, and that it belongs to the business named here.`
  const words: Partial<Record<Problem['code'], string>> = {
    reconnect_required: notAccepted,
    already_exists: 'The account that this link would make exists already. Ask for a new link.',
    too_many_requests: `${name} takes only so many calls, and they are used up for the moment. Wait a minute and try again.`,
    downstream_timeout: `${name} did not answer in time. Nothing was changed; please try again.`,
    downstream_error: `${name} could not be reached or answered with an error. Check the address if you typed one; otherwise try again later.`,
    internal_error: 'Something went wrong here. Nothing was changed; please try again.',
    unavailable: 'The service is busy for the moment. Nothing was changed; please try again.',
    write_in_progress: 'This account is being connected at this moment. Please try again.',
  }
  if (problem instanceof Refusal && problem.part === 'credentials') return { message: notAccepted, errors }
  const ofSettings = errors.filter(({ pointer }) => pointer.startsWith('/settings/'))
  // After an authorization there is no form to show the fields in.
  const shown = auth !== 'oauth2' && !(problem instanceof Refusal)
  const settings = shown ? 'Something is missing or not right. Please check the fields below.' : inWords(connector, ofSettings)
  return { message: (ofSettings.length > 0 ? settings : words[problem.code]) ?? problem.detail, errors }
}

/** With the platform's own names of the fields. */
function inWords(connector: Connector, errors: readonly Violation[]): string {
  const labels = new Map(settingFields(connector).map(({ name, label }) => [`/settings/${name}`, label]))
  return errors.map(({ pointer, message }) => `${labels.get(pointer) ?? 'A setting'} ${message}.`).join(' ')
}
