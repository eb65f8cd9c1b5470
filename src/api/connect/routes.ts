// Hosted pages where an end customer connects an account: https://…/connect/{token}. There is no sign-in: the token in
// the URL is the permission.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectParts } from '../../accounts/connect.ts'
import { credentialFields, questionsOf, readAnswers } from '../../accounts/fields.ts'
import { createFlow, dataOf, type Outcome, type Visitor } from '../../accounts/flow.ts'
import { openState } from '../../accounts/oauth-state.ts'
import { type Offer, offersOf } from '../../accounts/offers.ts'
import { returnAddress } from '../../accounts/result.ts'
import { hashSecret } from '../../accounts/secrets.ts'
import type { Auth, Connector } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'
import { fits } from '../../engine/outbound/authorize.ts'
import { isTest } from '../../engine/settings.ts'
import type { ConnectLink } from '../../store/store.ts'
import type { Vault } from '../../store/vault.ts'
import { loadOf } from '../admission.ts'
import { toProblem } from '../problem.ts'
import { addressOf, createThrottle, tooOften } from '../throttle.ts'
import { type Browser, createBrowsers } from './browser.ts'
import { contentSecurityPolicy, document, type Page } from './html.ts'
import {
  authorizePage,
  donePage,
  type Ending,
  endingPage,
  keysPage,
  type Place,
  platformsPage,
  questionsPage,
  type Step,
  settingsPage,
  verticalsPage,
} from './pages.ts'

export interface ConnectOptions extends ConnectParts {
  vault: Vault
  baseUrl: () => string
}
/** Shows another page than the requested one. */
class Detour extends Error {
  readonly page: Page
  constructor(page: Page) {
    super(page.title)
    this.page = page
  }
}
const ending = (page: Ending) => new Detour(endingPage(page))
const unknownLink = () =>
  ending({
    title: 'This link is not valid',
    message: 'Check that you copied the whole link, or ask the sender for a new one.',
    status: 404,
  })
const noCookie = () =>
  ending({
    title: 'Start again',
    message:
      'This page was opened in a different browser than the link, or cookies are blocked. Open the link again and continue in the same browser.',
    status: 403,
  })

export const redirectPath = '/connect/callback'

interface Visit {
  link: ConnectLink
  token: string
  owner: string
  browser: Browser
  place: Place
}

export function connectRoutes(app: FastifyInstance, { vault, baseUrl, ...parts }: ConnectOptions): void {
  const { store, connectors } = parts
  const browsers = createBrowsers(vault, () => baseUrl().startsWith('https:'))
  const flow = createFlow({
    ...parts,
    vault,
    redirectUri: () => `${baseUrl()}${redirectPath}`,
    onError: (error) => app.log.error({ err: error }, 'connect'),
  })
  const guesses = createThrottle({ limit: 30 })
  const submissions = createThrottle({ limit: 20 })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 65_536 },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )
  app.addHook('onRequest', async (_, reply) => {
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('content-security-policy', contentSecurityPolicy())
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Detour) return show(reply, error.page)
    const problem = toProblem(error)
    if (problem.code === 'internal_error')
      request.log.error({ reqId: request.id, err: problem.cause ?? problem }, 'connect')
    for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value)
    const message =
      problem.status >= 500 ? `Something went wrong. Try again in a moment. (${request.id})` : problem.detail
    return show(reply, endingPage({ title: 'Something went wrong', message, status: problem.status }))
  })
  const show = (reply: FastifyReply, page: Page, owner?: string) =>
    reply
      .code(page.status ?? 200)
      .header('content-security-policy', contentSecurityPolicy(page.formTargets))
      .type('text/html; charset=utf-8')
      .send(document(page, owner))

  async function linkOf(request: FastifyRequest, token: string): Promise<ConnectLink> {
    const address = addressOf(request)
    const waitMs = guesses.waitMs(address)
    if (waitMs > 0) throw tooOften('Too many invalid links. Wait a minute and try again.', waitMs)
    const link = /^urcl_\w{40,50}$/.test(token) ? await store.connectLinks.byToken(hashSecret(token)) : undefined
    if (link) return link
    guesses.count(address)
    throw unknownLink()
  }
  async function visit(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const { token } = request.params as { token: string }
    const link = await linkOf(request, token)
    const browser = browsers.greet(request, reply)
    const workspace = await store.workspaces.get(link.workspaceId)
    return {
      link,
      token,
      browser,
      owner: workspace?.name ?? '',
      place: { base: `/connect/${token}`, formToken: browser.formToken, hasReturn: link.returnUrl !== undefined },
    }
  }
  async function openVisit(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const found = await visit(request, reply)
    const dead = whyDead(found.link)
    if (dead) throw ending(dead)
    return found
  }
  async function stepOf(request: FastifyRequest, found: Visit, typed: URLSearchParams): Promise<Step> {
    const { platform, vertical } = request.params as { platform: string; vertical: Vertical }
    const offer = (await offersOf(parts, found.link)).find(({ connector }) => connector.id === platform)
    if (!offer?.verticals.includes(vertical))
      throw ending({
        title: 'Not available',
        message: 'This link is for a different system.',
        status: 404,
        retry: found.place.base,
      })
    const method = offer.methods.find(({ kind }) => kind === typed.get('method')) ?? (offer.methods[0] as Auth)
    return { place: found.place, offer, vertical, method, questions: questionsOf(offer.connector, method, offer.fixed) }
  }
  const formOf = (request: FastifyRequest): { form: URLSearchParams; browser: Browser } => {
    const browser = browsers.known(request)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    if (!browser || !browsers.isOurs(browser, form.get('csrf'))) throw noCookie()
    return { form, browser }
  }
  const returnOrigin = ({ returnUrl }: ConnectLink) => (returnUrl ? new URL(returnUrl).origin : undefined)

  function land(reply: FastifyReply, link: ConnectLink, base: string, outcome: Outcome): FastifyReply {
    if (outcome.state === 'connected') {
      reply.request.connectedAccountId = outcome.accountId
      return reply.redirect(
        returnAddress(link, { status: 'connected', accountId: outcome.accountId }) ?? `${base}/done`,
        303,
      )
    }
    if (outcome.state === 'choosing') return reply.redirect(`${base}/choose`, 303)
    const back = returnAddress(link, { status: 'failed', error: 'connection_failed' })
    return show(reply, endingPage({ title: 'Not connected', message: outcome.message, status: 422, retry: base, back }))
  }

  app.get('/:token', async (request, reply) => {
    const found = await openVisit(request, reply)
    const offers = await offersOf(parts, found.link)
    const [only] = offers
    if (only && offers.length === 1) return reply.redirect(`${found.place.base}/${only.connector.id}`, 303)
    return show(reply, platformsPage(found.place, offers, queryOf(request).get('q') ?? ''), found.owner)
  })
  app.get('/:token/:platform', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { platform } = request.params as { platform: string }
    const offer = (await offersOf(parts, found.link)).find(({ connector }) => connector.id === platform)
    if (!offer)
      throw ending({
        title: 'Not available',
        message: 'This link is for a different system.',
        status: 404,
        retry: found.place.base,
      })
    if (offer.verticals.length === 1)
      return reply.redirect(`${found.place.base}/${platform}/${offer.verticals[0]}`, 303)
    return show(reply, verticalsPage(found.place, offer), found.owner)
  })
  app.get('/:token/:platform/:vertical', async (request, reply) => {
    const found = await openVisit(request, reply)
    const typed = queryOf(request)
    const step = await stepOf(request, found, typed)
    if (step.method.kind !== 'oauth2')
      return show(
        reply,
        keysPage(step, { values: new URLSearchParams(), errors: {} }, undefined, returnOrigin(found.link)),
        found.owner,
      )
    const { settings, errors } = readAnswers(step.offer.connector, step.questions, typed, step.offer.fixed)
    if (Object.keys(errors).length > 0)
      return show(
        reply,
        settingsPage(step, { values: typed, errors: typed.has('answered') ? errors : {} }),
        found.owner,
      )
    const origin = await flow.authorizeOrigin(found.link, {
      platform: step.offer.connector.id,
      vertical: step.vertical,
      settings,
    })
    return show(reply, authorizePage(step, typed, origin), found.owner)
  })
  app.post('/:token/:platform/:vertical', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { form, browser } = formOf(request)
    const step = await stepOf(request, found, form)
    const { connector } = step.offer
    const { settings, errors } = readAnswers(connector, step.questions, form, step.offer.fixed)
    const target = { platform: connector.id, vertical: step.vertical, settings }
    if (step.method.kind === 'oauth2') {
      if (Object.keys(errors).length > 0) return show(reply, settingsPage(step, { values: form, errors }), found.owner)
      const url = await flow.authorizeUrl(found.link, found.token, target, browser.hash)
      if (url === 'busy')
        throw ending({
          title: 'Link in use',
          message: 'This link is in use in another browser. Try again in a moment.',
          status: 409,
          retry: found.place.base,
        })
      return reply.redirect(url, 303)
    }
    const waitMs = submissions.waitMs(found.link.id)
    if (waitMs > 0) throw tooOften('Too many attempts. Wait a minute and try again.', waitMs)
    submissions.count(found.link.id)
    const fields = credentialFields(step.method)
    const credentials = Object.fromEntries(fields.map(({ name }) => [name, (form.get(name) ?? '').trim()]))
    for (const { name } of fields) if (credentials[name] === '') errors[name] = 'is required'
    const again = (message: string, violations: readonly Violation[]) =>
      show(
        reply,
        keysPage(
          step,
          { values: form, errors: { ...errors, ...byField(violations) } },
          { message, errors: violations },
          returnOrigin(found.link),
        ),
        found.owner,
      )
    if (Object.keys(errors).length > 0) return again('Check the fields below.', [])
    const grant = {
      ...target,
      auth: step.method.kind,
      credentials,
      settings: { ...lateAnswers(step.offer, form, settings), ...settings },
    }
    const outcome = await flow.typed(found.link, grant, visitorOf(request, browser))
    return outcome.state === 'failed'
      ? again(outcome.message, outcome.errors)
      : land(reply, found.link, found.place.base, outcome)
  })

  app.get('/callback', async (request, reply) => {
    const query = queryOf(request)
    const state = openState(vault, query.get('state') ?? '')
    const link = state && (await store.connectLinks.get({ workspaceId: state.workspaceId, id: state.linkId }))
    if (!state || !link)
      throw ending({
        title: 'Start again',
        message: 'The sign-in expired or belongs to a different link. Open your link again.',
        status: 400,
      })
    const base = `/connect/${state.token}`
    const data = dataOf(link)
    const dead = whyDead(link)
    if (link.attempt.id !== state.attemptId || !data) {
      if (dead) throw ending(dead)
      throw ending({
        title: 'Start again',
        message: 'Another attempt was started with this link, so this one is no longer valid.',
        status: 409,
        retry: base,
      })
    }
    const browser = browsers.known(request)
    if (browser?.hash !== data.browser) throw noCookie()
    if (link.attempt.state === 'connected')
      return land(reply, link, base, { state: 'connected', accountId: link.connectedAccountId as string })
    if (dead) throw ending(dead)
    const refused = query.get('error')
    if (refused !== null || !query.get('code')) {
      const { name } = connectors[data.platform] as Connector
      const denied = refused === 'access_denied'
      const message = denied
        ? `You did not approve the connection at ${name}. Nothing was connected.`
        : `${name} did not approve the connection. Nothing was connected.`
      await flow.declined(link, data, message)
      const back = returnAddress(link, { status: 'failed', error: denied ? 'access_denied' : 'authorization_failed' })
      if (denied && back) return reply.redirect(back, 303)
      return show(reply, endingPage({ title: 'Not connected', message, status: 200, retry: base, back }))
    }
    return land(reply, link, base, await flow.returned(link, data, query, visitorOf(request, browser)))
  })

  app.get('/:token/choose', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { connector, data } = openQuestions(found.link, found.browser)
    return show(
      reply,
      questionsPage(found.place, { connector }, data.questions ?? [], undefined, returnOrigin(found.link)),
      found.owner,
    )
  })
  app.post('/:token/choose', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { form, browser } = formOf(request)
    const { connector, data } = openQuestions(found.link, browser)
    const names = (data.questions ?? []).map(({ pointer }) => pointer.slice('/settings/'.length))
    const settings = lateAnswers({ connector, fixed: {} }, form, {}, names)
    if (names.some((name) => settings[name] === undefined))
      return show(
        reply,
        questionsPage(
          found.place,
          { connector },
          data.questions ?? [],
          'Choose one of the options.',
          returnOrigin(found.link),
        ),
        found.owner,
      )
    return land(
      reply,
      found.link,
      found.place.base,
      await flow.chosen(found.link, data, settings, visitorOf(request, browser)),
    )
  })
  function openQuestions(link: ConnectLink, browser: Browser) {
    const data = dataOf(link)
    if (link.attempt.state !== 'choosing' || !data)
      throw ending({ title: 'Nothing to choose', message: 'This step is already complete.', status: 404 })
    if (data.browser !== browser.hash) throw noCookie()
    return { data, connector: connectors[data.platform] as Connector }
  }

  app.get('/:token/done', async (request, reply) => {
    const { link, browser, owner } = await visit(request, reply)
    const data = dataOf(link)
    const dead = whyDead(link)
    if (link.attempt.state !== 'connected' || data?.browser !== browser.hash) throw dead ? ending(dead) : unknownLink()
    const account = await store.accounts.get(link.connectedAccountId as string)
    return show(
      reply,
      donePage(
        connectors[data.platform]?.name ?? '',
        returnAddress(link, { status: 'connected', accountId: link.connectedAccountId as string }),
        {
          twice: account !== undefined && (await store.accounts.sameBusiness(account)).length > 0,
          test: account !== undefined && isTest(connectors[data.platform] as Connector, account.settings),
        },
      ),
      owner,
    )
  })
  app.get('/:token/cancel', async (request, reply) => {
    const { link, place, owner } = await openVisit(request, reply)
    const back = returnAddress(link, { status: 'failed', error: 'cancelled' })
    if (back) return reply.redirect(back, 303)
    return show(
      reply,
      endingPage({
        title: 'Canceled',
        message: 'Nothing was connected. You can close this window or open the link again later.',
        status: 200,
        retry: place.base,
      }),
      owner,
    )
  })
}

/** Undefined if the link can be used. */
function whyDead(link: ConnectLink): Ending | undefined {
  const ask = 'Ask the sender for a new link.'
  if (link.connectedAt)
    return {
      title: 'This link was already used',
      message: `It connected an account and works only once. ${ask}`,
      status: 410,
    }
  if (link.revokedAt) return { title: 'This link was revoked', message: ask, status: 410 }
  if (Date.parse(link.expiresAt) <= Date.now())
    return {
      title: 'This link has expired',
      message: ask,
      status: 410,
      back: returnAddress(link, { status: 'failed', error: 'link_expired' }),
    }
  return undefined
}

const visitorOf = (request: FastifyRequest, { hash }: Browser): Visitor => ({
  browser: hash,
  address: request.ip,
  requestId: request.id,
  ...loadOf(request),
})
const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
const byField = (violations: readonly Violation[]): Record<string, string> =>
  Object.fromEntries(
    violations.map(({ pointer, message, choices }) => [
      pointer.replace(/^\/(settings|credentials)\//, ''),
      choices ? 'is required' : message,
    ]),
  )

/** Settings that the form asked for after the platform responded. */
function lateAnswers(
  { connector, fixed }: Pick<Offer, 'connector' | 'fixed'>,
  form: URLSearchParams,
  known: Record<string, string>,
  names = Object.keys(connector.settings?.properties ?? {}),
): Record<string, string> {
  const answers = names.flatMap((name) => {
    const value = (form.get(name) ?? '').trim()
    // An empty field is no answer: as a setting, it would override what the platform reports.
    return value === '' || !fits(connector, name, value) || known[name] !== undefined || fixed[name] !== undefined
      ? []
      : [[name, value] as const]
  })
  return Object.fromEntries(answers)
}
