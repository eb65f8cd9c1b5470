// Who opens a link, in which language, and what they are shown: the pages carry the brand of the link's workspace.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../accounts/flow.ts'
import { returnAddress } from '../../accounts/result.ts'
import { hashSecret } from '../../accounts/secrets.ts'
import { usedTypes } from '../../accounts/used-types.ts'
import { acceptedTags, languageOf, type Message, type Speech, sayIn, type Word } from '../../accounts/words/words.ts'
import type { ConnectLink, Store } from '../../store/store.ts'
import { loadOf } from '../admission.ts'
import { cookieOf, cookieText } from '../manage/cookies.ts'
import { addressOf, createThrottle, tooOften } from '../throttle.ts'
import type { Browser, Browsers } from './browser.ts'
import { type Brand, contentSecurityPolicy, document, type Page, type Report } from './html.ts'
import { type Ending, endingPage, type PageContext } from './pages.ts'

/** Shows another page than the requested one. */
export class Detour extends Error {
  readonly ending: Ending
  constructor(ending: Ending) {
    super(ending.title)
    this.ending = ending
  }
}
export const ending = (
  title: Word,
  word: Word,
  status: number,
  more: { retry?: string; back?: string | undefined } = {},
): Detour => new Detour({ title, message: { word }, status, ...more })
export const unknownLink = () => ending('invalidLink', 'copyWholeLink', 404)
export const noCookie = () => ending('startAgain', 'otherBrowser', 403)

/** Undefined if the link can be used. */
export function whyDead(link: ConnectLink): Detour | undefined {
  if (link.connectedAt) return ending('used', 'usedAsk', 410)
  if (link.revokedAt) return ending('revoked', 'askNewLink', 410)
  if (Date.parse(link.expiresAt) <= Date.now())
    return ending('expired', 'askNewLink', 410, {
      back: returnAddress(link, { status: 'failed', error: 'link_expired' }),
    })
  return undefined
}

/** The result of a link that was opened in a popup, for the page that opened it. */
export const reportOf = (
  { popupOrigin, state }: ConnectLink,
  result: Omit<Report['message'], 'state'>,
): Report | undefined =>
  popupOrigin === undefined ? undefined : { origin: popupOrigin, message: { ...result, state } }

export interface Visit {
  link: ConnectLink
  token: string
  browser: Browser
  place: PageContext
}
interface VisitOptions {
  token?: string
  manage?: true
}
export type Visits = ReturnType<typeof createVisits>
const languageCookie = 'unified_connect_language'
export const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')

export function createVisits(store: Store, browsers: Browsers, secure: () => boolean) {
  const guesses = createThrottle({ limit: 30 })
  const brands = new WeakMap<FastifyRequest, Brand>()

  /** `lang` of the link is kept in a cookie: forms and redirects do not repeat it. */
  function speechOf(request: FastifyRequest): Speech {
    const chosen = [queryOf(request).get('lang') ?? '', cookieOf(request, languageCookie) ?? '']
    const language = languageOf([...chosen, ...acceptedTags(request.headers['accept-language'] ?? '')]) ?? 'en'
    return { language, say: sayIn(language) }
  }
  function keepLanguage(request: FastifyRequest, reply: FastifyReply): void {
    const language = languageOf([queryOf(request).get('lang') ?? ''])
    if (language)
      reply.header(
        'set-cookie',
        cookieText(languageCookie, language, { secure: secure(), path: '/connect', lax: true }),
      )
  }

  async function brandOf(request: FastifyRequest, { workspaceId, purpose }: ConnectLink): Promise<Brand> {
    const [workspace, branding] = await Promise.all([
      store.workspaces.get(workspaceId),
      store.branding.get(workspaceId),
    ])
    const brand = { ...branding, name: branding.name ?? workspace?.name ?? '', purpose: purpose ?? branding.purpose }
    brands.set(request, brand)
    return brand
  }
  /** A popup must stay connected to the page that opened it. */
  async function present(request: FastifyRequest, reply: FastifyReply, link: ConnectLink): Promise<Brand> {
    if (link.popupOrigin !== undefined) reply.header('cross-origin-opener-policy', 'unsafe-none')
    return brandOf(request, link)
  }
  async function linkOf(request: FastifyRequest, token: string): Promise<ConnectLink> {
    const address = addressOf(request)
    const waitMs = guesses.waitMs(address)
    if (waitMs > 0) throw tooOften(speechOf(request).say('tooManyLinks'), waitMs)
    const link = /^urcl_\w{40,50}$/.test(token) ? await store.connectLinks.byToken(hashSecret(token)) : undefined
    if (link) return link
    guesses.count(address)
    throw unknownLink()
  }
  /** By default the token in the address, of a link that connects an account. */
  async function visit(request: FastifyRequest, reply: FastifyReply, options: VisitOptions = {}): Promise<Visit> {
    const { token = (request.params as { token: string }).token, manage } = options
    const link = await linkOf(request, token)
    if (link.manage !== manage) throw unknownLink()
    const browser = browsers.greet(request, reply)
    const place: PageContext = {
      base: `/connect/${token}`,
      formToken: browser.formToken,
      hasReturn: link.returnUrl !== undefined,
      speech: speechOf(request),
      brand: await present(request, reply, link),
      used: await usedTypes(store, link.workspaceId),
    }
    return { link, token, browser, place }
  }
  function show(reply: FastifyReply, page: Page): FastifyReply {
    const brand = brands.get(reply.request)
    return reply
      .code(page.status ?? 200)
      .header('content-security-policy', contentSecurityPolicy(page, brand))
      .header('content-language', speechOf(reply.request).language)
      .type('text/html; charset=utf-8')
      .send(document(page, speechOf(reply.request), brand))
  }
  return {
    speechOf,
    keepLanguage,
    present,
    visit,
    async openVisit(request: FastifyRequest, reply: FastifyReply, options?: VisitOptions): Promise<Visit> {
      const found = await visit(request, reply, options)
      const dead = whyDead(found.link)
      if (dead) throw dead
      return found
    },
    show,
    end: (
      reply: FastifyReply,
      title: Word,
      message: Message,
      { report, ...rest }: Omit<Ending, 'title' | 'message'> & Pick<Page, 'report'>,
    ) => show(reply, { ...endingPage(speechOf(reply.request), { title, message, ...rest }), report }),
  }
}

/** A form of one of our pages, in the browser that opened it. */
export function formOf(browsers: Browsers, request: FastifyRequest): { form: URLSearchParams; browser: Browser } {
  const browser = browsers.known(request)
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  if (!browser || !browsers.isOurs(browser, form.get('csrf'))) throw noCookie()
  return { form, browser }
}
export const visitorOf = (request: FastifyRequest, { hash }: Browser): Visitor => ({
  browser: hash,
  address: request.ip,
  requestId: request.id,
  ...loadOf(request),
})
