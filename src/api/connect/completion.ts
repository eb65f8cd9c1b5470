// The last step of every way: an account that works, new or connected again; or the reason why not, in words for the person in front of the page.
import type { Connector } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Account, ConnectLink, Store } from '../../store/store.ts'
import { connectAccount, settingViolations } from '../manage/accounts.ts'

/** What a customer has granted, by authorising or by typing keys. */
export interface Grant {
  platform: string
  vertical: Vertical
  auth: string
  credentials: Record<string, string>
  settings: Record<string, string>
}
export interface ConnectParts {
  store: Store
  engine: Engine
  connectors: Readonly<Record<string, Connector>>
}

/** Answers the account's id. Nothing stays behind when it fails. */
export async function complete({ store, engine, connectors }: ConnectParts, link: ConnectLink, grant: Grant, requestId: string): Promise<string> {
  if (link.accountId !== undefined) return reconnect({ store, engine, connectors }, link, grant, requestId)
  const { workspaceId, newAccountId, accountName } = link
  const wanted = { ...grant, workspaceId, ...(newAccountId ? { id: newAccountId } : {}), ...(accountName ? { name: accountName } : {}) }
  const { id } = await connectAccount(store, engine, connectors, wanted, requestId, { prove: true })
  return id
}

async function reconnect(
  { store, engine, connectors }: ConnectParts,
  link: ConnectLink,
  { auth, credentials: given, settings: chosen }: Grant,
  requestId: string,
): Promise<string> {
  const account = await accountOf(store, link)
  const connector = connectors[account.platform] as Connector
  const context = { requestId, caller: 'management', maxWaitMs: 30_000 }
  // Proven under another id, which no account can have: what is stored goes on working until the new credentials do, and cannot stand in for them.
  const draft: Account = { ...account, id: `probe ${account.id}`, auth, credentials: given, settings: { ...account.settings, ...chosen }, state: 'active' }
  if (auth === 'client_credentials') draft.credentials = { ...given, ...(await engine.credentials.exchange(draft, connector, {}, context)) }
  sameBusiness(connector, account, draft)
  const settings = { ...(await engine.discover(draft, context)), ...draft.settings }
  const errors = settingViolations(connector, settings)
  if (errors.length > 0) throw new Problem('validation_failed', 'The account cannot be connected like this.', { errors })
  const proof = await engine.test({ ...draft, settings }, context)
  engine.forgetFacts(draft.id)
  if (!proof.ok) throw proof.problem
  await store.accounts.update(account.id, { credentials: draft.credentials, auth, settings, state: 'active', stateReason: '' })
  engine.forgetFacts(account.id)
  return account.id
}

export async function accountOf(store: Store, { accountId, workspaceId }: ConnectLink): Promise<Account> {
  const account = await store.accounts.get(accountId as string)
  if (account?.workspaceId !== workspaceId) throw new Problem('unknown_account', 'The account that this link is for does not exist any more.')
  return account as Account
}

/** References and mappings belong to one business: another one behind the same account would mix two sets of books. */
function sameBusiness(connector: Connector, before: Account, after: Account): void {
  const names = connector.auth.flatMap((auth) => ('answer' in auth ? Object.keys(auth.answer.keep ?? {}) : [])).filter((name) => name !== 'scope')
  for (const name of names) {
    const [old, fresh] = [before, after].map(({ credentials, settings }) => credentials[name] ?? settings[name])
    if (old !== undefined && fresh !== undefined && old !== fresh)
      throw new Problem('forbidden', `This is another business at ${connector.name} than the one that the account stands for. Log in there as the first one, and try again.`)
  }
}

export interface Explanation {
  message: string
  errors: Violation[] // of fields: /settings/… and /credentials/…
}
/** What happened and what to do, for somebody who knows the platform and not this service. */
export function explain(problem: Problem, connector: Connector, auth: string): Explanation {
  const { name } = connector
  const errors = [...(problem.errors ?? [])]
  const words: Partial<Record<Problem['code'], string>> = {
    reconnect_required:
      auth === 'oauth2'
        ? `${name} did not accept the authorisation. Please try again.`
        : `${name} did not accept these credentials. Check that each was copied completely, that it still works there, and that it belongs to the business named here.`,
    already_exists: 'The account that this link would make exists already. Ask whoever sent you the link for a new one.',
    validation_failed: 'Something is missing or not right. Please check the fields below.',
    too_many_requests: `${name} takes only so many calls, and they are used up for the moment. Wait a minute and try again.`,
    downstream_timeout: `${name} did not answer in time. Nothing was changed; please try again.`,
    downstream_error: `${name} could not be reached or answered with an error. Check the address if you typed one; otherwise try again later.`,
    internal_error: 'Something went wrong here. Nothing was changed; please try again.',
    unavailable: 'The service is busy for the moment. Nothing was changed; please try again.',
  }
  const refused = problem.code === 'unknown_account' && problem.detail === 'The account was deleted.' // a draft's token could not be renewed
  return { message: (refused ? words.reconnect_required : words[problem.code]) ?? problem.detail, errors }
}
