// Links that let a customer connect one account.

import { isLocalHost } from '../base/local-host.ts'
import type { Vertical } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import type { ConnectLink } from '../store/store.ts'
import type { ConnectParts } from './connect.ts'
import { existingWorkspace } from './lookup.ts'
import { obstacle } from './offers.ts'
import { resultParameters } from './result.ts'
import { popupOriginFault, returnUrlFault } from './return-urls.ts'
import { createId, createSecret, hashSecret } from './secrets.ts'

export interface NewConnectLink {
  platforms?: string[]
  vertical?: Vertical
  accountId?: string
  accountName?: string
  newAccountId?: string
  returnUrl?: string
  purpose?: string
  popupOrigin?: string
  manage?: true
  state?: string
}

/** The token is in the URL for the customer and nowhere else: the store has its hash. */
export async function createConnectLink(
  { store, engine, connectors }: Pick<ConnectParts, 'store' | 'engine' | 'connectors'>,
  workspaceId: string,
  input: NewConnectLink,
  expiresInMinutes: number,
): Promise<{ link: ConnectLink; token: string }> {
  await existingWorkspace(store, workspaceId)
  const errors = await violations({ store, engine, connectors }, workspaceId, input)
  if (errors.length > 0) throw new Problem('validation_failed', 'The connect link is not valid.', { errors })
  const token = createSecret('urcl')
  const link = await store.connectLinks.create({
    ...input,
    workspaceId,
    id: createId('urlink'),
    tokenHash: hashSecret(token),
    signingSecret: createSecret('urcs'),
    expiresAt: new Date(Date.now() + expiresInMinutes * 60_000).toISOString(),
  })
  return { link, token }
}

/** `new URL` drops line breaks and tabs: what is stored would not be what is opened. */
const hasControls = (text: string) => [...text].some((character) => character < ' ' || character === '\u007f')

/** https, or http on localhost, without the parameters that the service adds. */
function returnFault(address: string): string | undefined {
  if (hasControls(address)) return 'must not have line breaks or other control characters'
  const url = URL.canParse(address) ? new URL(address) : undefined
  const local = url?.protocol === 'http:' && isLocalHost(url.hostname)
  if (!url || (url.protocol !== 'https:' && !local) || url.username || url.password)
    return 'must be an https URL (http only on localhost)'
  if (url.hash) return 'must not have a fragment'
  return resultParameters.some((name) => url.searchParams.has(name))
    ? `must not use ${resultParameters.join(', ')} in its query`
    : undefined
}

/** The exact origin of a page: a result is sent to no other. */
function popupFault(origin: string, returnUrl: string | undefined): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const local = url?.protocol === 'http:' && isLocalHost(url.hostname)
  if (!url || url.origin !== origin || (url.protocol !== 'https:' && !local))
    return 'must be an origin such as https://app.example.com, without a path (http only on localhost)'
  return returnUrl === undefined ? undefined : 'cannot be combined with returnUrl: a popup does not leave the page'
}

function manageFault({ accountId, returnUrl, popupOrigin, state }: NewConnectLink): string | undefined {
  if (accountId === undefined) return 'needs accountId: the account whose page the link opens'
  return returnUrl !== undefined || popupOrigin !== undefined || state !== undefined
    ? 'cannot be combined with returnUrl, popupOrigin, or state: the page has no result'
    : undefined
}

async function violations(
  { store, engine, connectors }: Pick<ConnectParts, 'store' | 'engine' | 'connectors'>,
  workspaceId: string,
  body: NewConnectLink,
): Promise<Violation[]> {
  const errors: Violation[] = []
  const add = (pointer: string, message: string | undefined) =>
    message !== undefined && errors.push({ pointer, message })
  for (const [index, platform] of (body.platforms ?? []).entries())
    add(`/platforms/${index}`, await obstacle({ store, engine }, workspaceId, connectors[platform], body.vertical))
  const { returnUrls } = await store.workspaceSettings.get(workspaceId)
  if (body.returnUrl !== undefined)
    add('/returnUrl', returnFault(body.returnUrl) ?? returnUrlFault(body.returnUrl, returnUrls))
  if (body.popupOrigin !== undefined)
    add('/popupOrigin', popupFault(body.popupOrigin, body.returnUrl) ?? popupOriginFault(body.popupOrigin, returnUrls))
  if (body.newAccountId !== undefined && (await store.accounts.get(body.newAccountId)))
    add('/newAccountId', 'is already the id of an account')
  if (body.manage) add('/manage', manageFault(body))
  if (body.accountId === undefined) return errors
  const account = await store.accounts.get(body.accountId)
  if (account?.workspaceId !== workspaceId) add('/accountId', 'is not an account of this workspace')
  else if (body.platforms || body.vertical || body.newAccountId)
    add('/accountId', 'cannot be combined with platforms, vertical, or newAccountId: the account determines them')
  else if (!body.manage)
    add('/accountId', await obstacle({ store, engine }, workspaceId, connectors[account.platform], account.vertical))
  return errors
}
