// The page of a connected account: https://…/connect/account/{token}. The token is exchanged for a cookie, so that it
// does not stay in the address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountOf } from '../../accounts/completion.ts'
import type { ConnectParts } from '../../accounts/connect.ts'
import { createConnectLink } from '../../accounts/connect-links.ts'
import { endConnection, endedByCustomer } from '../../accounts/end-connection.ts'
import type { Connector } from '../../contract/connector.ts'
import type { HookKeeper } from '../../platform-webhooks/registrar.ts'
import { cookieOf, cookieText } from '../manage/cookies.ts'
import { accountPage, endPage } from './account-pages.ts'
import type { Browsers } from './browser.ts'
import { formOf, unknownLink, type Visits, visitorOf } from './visits.ts'

const cookie = 'unified_connect_account'
const base = '/connect/account'

export function accountRoutes(
  app: FastifyInstance,
  parts: ConnectParts,
  { visits, browsers, secure, hookKeeper }: AccountRouteOptions,
): void {
  const { store, connectors } = parts
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = cookieOf(request, cookie)
    if (token === undefined) throw unknownLink()
    const { link, place } = await visits.openVisit(request, reply, { token, manage: true })
    const account = await accountOf(store, link)
    return { link, account, connector: connectors[account.platform] as Connector, place: { ...place, base } }
  }
  app.get('/account/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const { link } = await visits.openVisit(request, reply, { token, manage: true })
    const seconds = Math.ceil((Date.parse(link.expiresAt) - Date.now()) / 1000)
    // Lax: the link is opened from another site, and the redirect must include the cookie.
    const options = { seconds, secure: secure(), path: base, lax: true }
    return reply.header('set-cookie', cookieText(cookie, token, options)).redirect(base, 303)
  })
  app.get('/account', async (request, reply) => {
    const { account, connector, place } = await open(request, reply)
    const ended = account.state === 'reconnect_required' && account.stateReason === endedByCustomer
    return visits.show(reply, accountPage(place, account, connector, ended))
  })
  app.post('/account/reconnect', async (request, reply) => {
    const { link, account } = await open(request, reply)
    formOf(browsers, request)
    const input = { accountId: account.id, purpose: link.purpose }
    const { token } = await createConnectLink(parts, link.workspaceId, input, 60)
    return reply.redirect(`/connect/${token}`, 303)
  })
  app.get('/account/end', async (request, reply) => {
    const { connector, place } = await open(request, reply)
    return visits.show(reply, endPage(place, connector))
  })
  app.post('/account/end', async (request, reply) => {
    const { link, account } = await open(request, reply)
    const { browser } = formOf(browsers, request)
    await hookKeeper.leave(account) // while there are credentials
    await endConnection(parts, link, account, visitorOf(request, browser))
    return reply.redirect(base, 303)
  })
}
export interface AccountRouteOptions {
  visits: Visits
  browsers: Browsers
  secure: () => boolean
  hookKeeper: Pick<HookKeeper, 'leave'>
}
