// Hosted pages where an end customer connects an account: https://…/connect/{token}. There is no sign-in: the token in
// the URL is the permission.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectParts } from '../../accounts/connect.ts'
import { type Answers, credentialFields, questionsOf, readAnswers } from '../../accounts/fields.ts'
import { createFlow, dataOf, type Outcome } from '../../accounts/flow.ts'
import { openState } from '../../accounts/oauth-state.ts'
import { type Offer, offersOf } from '../../accounts/offers.ts'
import { returnAddress } from '../../accounts/result.ts'
import type { SandboxKeysOf } from '../../accounts/sandbox-keys.ts'
import type { Message } from '../../accounts/words/words.ts'
import type { Auth, Connector } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'
import { fits } from '../../engine/outbound/authorize.ts'
import { isTest } from '../../engine/settings.ts'
import type { ConnectLink } from '../../store/store.ts'
import type { Vault } from '../../store/vault.ts'
import { toProblem } from '../problem.ts'
import { createThrottle, tooOften } from '../throttle.ts'
import { type AccountRouteOptions, accountRoutes } from './account-routes.ts'
import { type Browser, createBrowsers } from './browser.ts'
import { empty, type FieldFault } from './form-parts.ts'
import { contentSecurityPolicy } from './html.ts'
import {
  authorizePage,
  donePage,
  endingPage,
  keysPage,
  type MethodPage,
  platformsPage,
  questionsPage,
  settingsPage,
  textOf,
  verticalsPage,
} from './pages.ts'
import {
  createVisits,
  Detour,
  ending,
  formOf,
  noCookie,
  queryOf,
  reportOf,
  unknownLink,
  type Visit,
  visitorOf,
  whyDead,
} from './visits.ts'

export interface ConnectOptions extends ConnectParts {
  vault: Vault
  baseUrl: () => string
  sandboxKeys: SandboxKeysOf
  hookKeeper: AccountRouteOptions['hookKeeper']
}
export const redirectPath = '/connect/callback'

export function connectRoutes(
  app: FastifyInstance,
  { vault, baseUrl, sandboxKeys, hookKeeper, ...parts }: ConnectOptions,
): void {
  const { store, connectors } = parts
  const secure = () => baseUrl().startsWith('https:')
  const browsers = createBrowsers(vault, secure)
  const visits = createVisits(store, browsers, secure)
  const { speechOf, keepLanguage, present, visit, openVisit, show, end } = visits
  const flow = createFlow({
    ...parts,
    vault,
    redirectUri: () => `${baseUrl()}${redirectPath}`,
    onError: (error) => app.log.error({ err: error }, 'connect'),
  })
  const submissions = createThrottle({ limit: 20 })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 65_536 },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )
  app.addHook('onRequest', async (request, reply) => {
    keepLanguage(request, reply)
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('content-security-policy', contentSecurityPolicy())
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Detour) return show(reply, endingPage(speechOf(request), error.ending))
    const problem = toProblem(error)
    if (problem.code === 'internal_error')
      request.log.error({ reqId: request.id, err: problem.cause ?? problem }, 'connect')
    for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value)
    const message: Message =
      problem.status >= 500
        ? { word: 'somethingWrongLater', values: { id: request.id } }
        : {
            word: problem.code === 'too_many_requests' ? 'tooManyAttempts' : 'requestRejected',
            detail: problem.detail,
          }
    return end(reply, 'somethingWrong', message, { status: problem.status })
  })

  async function stepOf(request: FastifyRequest, found: Visit, typed: URLSearchParams): Promise<MethodPage> {
    const { platform, vertical } = request.params as { platform: string; vertical: Vertical }
    const offer = (await offersOf(parts, found.link)).find(({ connector }) => connector.id === platform)
    if (!offer?.verticals.includes(vertical))
      throw ending('notAvailable', 'otherSystem', 404, { retry: found.place.base })
    const method = offer.methods.find(({ kind }) => kind === typed.get('method')) ?? (offer.methods[0] as Auth)
    const questions = questionsOf(offer.connector, method, offer.fixed)
    const simulated = method.kind === 'oauth2' ? [] : await sandboxKeys(found.link.workspaceId)
    const keys = simulated.find((one) => one.platform === platform && one.vertical === vertical)
    return { place: found.place, offer, vertical, method, questions, keys }
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
    return end(reply, 'notConnected', outcome.message, { status: 422, retry: base, back })
  }

  accountRoutes(app, parts, { visits, browsers, secure, hookKeeper })
  app.get('/:token', async (request, reply) => {
    const found = await openVisit(request, reply)
    const offers = await offersOf(parts, found.link)
    const [only] = offers
    if (only && offers.length === 1) return reply.redirect(`${found.place.base}/${only.connector.id}`, 303)
    return show(reply, platformsPage(found.place, offers, queryOf(request).get('q') ?? ''))
  })
  app.get('/:token/:platform', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { platform } = request.params as { platform: string }
    const offer = (await offersOf(parts, found.link)).find(({ connector }) => connector.id === platform)
    if (!offer) throw ending('notAvailable', 'otherSystem', 404, { retry: found.place.base })
    if (offer.verticals.length === 1)
      return reply.redirect(`${found.place.base}/${platform}/${offer.verticals[0]}`, 303)
    return show(reply, verticalsPage(found.place, offer))
  })
  app.get('/:token/:platform/:vertical', async (request, reply) => {
    const found = await openVisit(request, reply)
    const typed = queryOf(request)
    const step = await stepOf(request, found, typed)
    if (step.method.kind !== 'oauth2') return show(reply, keysPage(step, empty, undefined, returnOrigin(found.link)))
    const { settings, errors } = readAnswers(step.offer.connector, step.questions, typed, step.offer.fixed)
    if (Object.keys(errors).length > 0)
      return show(reply, settingsPage(step, { values: typed, errors: typed.has('answered') ? faultsIn(errors) : {} }))
    const origin = await flow.authorizeOrigin(found.link, {
      platform: step.offer.connector.id,
      vertical: step.vertical,
      settings,
    })
    return show(reply, authorizePage(step, typed, origin))
  })
  app.post('/:token/:platform/:vertical', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { form, browser } = formOf(browsers, request)
    const step = await stepOf(request, found, form)
    const { connector } = step.offer
    if (step.keys && form.has('sandbox'))
      for (const [name, value] of Object.entries({ ...step.keys.settings, ...step.keys.credentials }))
        form.set(name, value)
    const { settings, errors } = readAnswers(connector, step.questions, form, step.offer.fixed)
    const target = { platform: connector.id, vertical: step.vertical, settings }
    if (step.method.kind === 'oauth2') {
      if (Object.keys(errors).length > 0)
        return show(reply, settingsPage(step, { values: form, errors: faultsIn(errors) }))
      const url = await flow.authorizeUrl(found.link, found.token, target, browser.hash)
      if (url === 'busy') throw ending('linkBusy', 'inOtherBrowser', 409, { retry: found.place.base })
      return reply.redirect(url, 303)
    }
    const waitMs = submissions.waitMs(found.link.id)
    if (waitMs > 0) throw tooOften(found.place.speech.say('tooManyAttempts'), waitMs)
    submissions.count(found.link.id)
    const fields = credentialFields(step.method)
    const credentials = Object.fromEntries(fields.map(({ name }) => [name, (form.get(name) ?? '').trim()]))
    for (const { name } of fields) if (credentials[name] === '') errors[name] = 'required'
    const again = (message: Message, violations: readonly Violation[]) => {
      const filled = { values: form, errors: { ...faultsIn(errors), ...byField(violations) } }
      const fault = { message: textOf(found.place.speech, message), errors: violations }
      return show(reply, keysPage(step, filled, fault, returnOrigin(found.link)))
    }
    if (Object.keys(errors).length > 0) return again({ word: 'checkFields' }, [])
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
    if (!state || !link) throw ending('startAgain', 'signInExpired', 400)
    await present(request, reply, link)
    const base = `/connect/${state.token}`
    const data = dataOf(link)
    const dead = whyDead(link)
    if (link.attempt.id !== state.attemptId || !data) {
      throw dead ?? ending('startAgain', 'otherAttempt', 409, { retry: base })
    }
    const browser = browsers.known(request)
    if (browser?.hash !== data.browser) throw noCookie()
    if (link.attempt.state === 'connected')
      return land(reply, link, base, { state: 'connected', accountId: link.connectedAccountId as string })
    if (dead) throw dead
    const refused = query.get('error')
    if (refused !== null || !query.get('code')) {
      const { name } = connectors[data.platform] as Connector
      const denied = refused === 'access_denied'
      const message: Message = { word: denied ? 'youDeclined' : 'platformDeclined', values: { platform: name } }
      await flow.declined(link, data, message)
      const back = returnAddress(link, { status: 'failed', error: denied ? 'access_denied' : 'authorization_failed' })
      if (denied && back) return reply.redirect(back, 303)
      return end(reply, 'notConnected', message, { status: 200, retry: base, back })
    }
    return land(reply, link, base, await flow.returned(link, data, query, visitorOf(request, browser)))
  })

  app.get('/:token/choose', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { connector, data } = openQuestions(found.link, found.browser)
    return show(
      reply,
      questionsPage(found.place, { connector }, data.questions ?? [], undefined, returnOrigin(found.link)),
    )
  })
  app.post('/:token/choose', async (request, reply) => {
    const found = await openVisit(request, reply)
    const { form, browser } = formOf(browsers, request)
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
          found.place.speech.say('chooseOne'),
          returnOrigin(found.link),
        ),
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
    if (link.attempt.state !== 'choosing' || !data) throw ending('nothingToChoose', 'stepComplete', 404)
    if (data.browser !== browser.hash) throw noCookie()
    return { data, connector: connectors[data.platform] as Connector }
  }

  app.get('/:token/done', async (request, reply) => {
    const { link, browser, place } = await visit(request, reply)
    const data = dataOf(link)
    const dead = whyDead(link)
    if (link.attempt.state !== 'connected' || data?.browser !== browser.hash) throw dead ?? unknownLink()
    const account = await store.accounts.get(link.connectedAccountId as string)
    const accountId = link.connectedAccountId as string
    const page = donePage(
      place.speech,
      connectors[data.platform]?.name ?? '',
      returnAddress(link, { status: 'connected', accountId }),
      {
        twice: account !== undefined && (await store.accounts.sameBusiness(account)).length > 0,
        test: account !== undefined && isTest(connectors[data.platform] as Connector, account.settings),
      },
    )
    return show(reply, { ...page, report: reportOf(link, { status: 'connected', accountId }) })
  })
  app.get('/:token/cancel', async (request, reply) => {
    const { link, place } = await openVisit(request, reply)
    const back = returnAddress(link, { status: 'failed', error: 'cancelled' })
    if (back) return reply.redirect(back, 303)
    return end(
      reply,
      'canceled',
      { word: 'canceledNothing' },
      { status: 200, retry: place.base, report: reportOf(link, { status: 'cancelled' }) },
    )
  })
}

const faultsIn = (errors: Answers['errors']): Record<string, FieldFault> =>
  Object.fromEntries(Object.entries(errors).map(([name, word]) => [name, { word }]))
const byField = (violations: readonly Violation[]): Record<string, FieldFault> =>
  Object.fromEntries(
    violations.map(({ pointer, message, choices }) => [
      pointer.replace(/^\/(settings|credentials)\//, ''),
      choices ? { word: 'required' } : { word: 'rejected', detail: message },
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
