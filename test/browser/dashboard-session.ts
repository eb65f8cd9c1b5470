// One service, one browser, and one signed-in page per width, shared by all browser tests of a file. Collects errors of
// all pages.
import type { Page } from 'playwright-core'
import type { SandboxTenant } from '../../src/sandbox-workspace.ts'
import { chooseCases } from '../case-choice.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'
import { type OpenBrowser, openBrowser } from './chromium.ts'

export const widths = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const
export type Width = keyof typeof widths
/**
 * What a page does is tried at one width in `npm test` and at both in the nightly run. Whether it fits is checked at
 * all, always: see every-page.test.ts.
 */
export const widthsFor = (file: string): readonly Width[] =>
  chooseCases(['desktop', 'phone'] as const, { oneIn: 2, group: () => file })

export interface DashboardSession {
  service: ServiceHere
  browser: OpenBrowser
  /** Credentials and settings of a business on a simulated platform. */
  tenant(platform: string): Promise<SandboxTenant>
  /** A call of the sandbox's control endpoint: changes records at the platform, adds faults. */
  control<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A call of the management API, in the workspace of the sandbox. */
  manage<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A separate, monitored page. */
  open(width: Width, colorScheme?: 'light' | 'dark'): Promise<Page>
  /** Gives the context of the page a session, as the form does, and opens nothing. */
  signIn(page: Page): Promise<void>
  /** Through the form, to the overview. */
  signInWithForm(page: Page): Promise<void>
  /** Errors on any page so far: console errors, exceptions, requests to other origins. */
  complaints: string[]
  close(): Promise<void>
}

/** For tests that need accounts of no other platform. With all simulators, a service takes twice the time to open. */
export const withSquare = (environment: Record<string, string>) => openServiceHere(environment, ['square'])

export async function openDashboard(
  environment: Record<string, string> = {},
  open: (environment: Record<string, string>) => Promise<ServiceHere> = openServiceHere,
): Promise<DashboardSession> {
  const [service, browser] = await Promise.all([open(environment), openBrowser()])
  const complaints: string[] = []
  const own = new Set([service.url, service.manageUrl])
  const watch = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      // The browser logs 4xx responses as errors; they are expected here.
      if (message.type() === 'error' && !/status of [45]\d\d/.test(message.text()))
        complaints.push(`${page.url()}: ${message.text()}`)
    })
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !own.has(new URL(request.url()).origin))
        complaints.push(`${page.url()} asked ${request.url()}`)
    })
  }
  const control = <T>(method: string, path: string, body?: unknown) =>
    send<T>(method, `${service.sandboxFile().sandboxUrl}/_sandbox${path}`, body)
  let token: Promise<string> | undefined
  async function logIn(): Promise<string> {
    const { user, password } = service.sandboxFile().dashboard
    return (await send<{ token: string }>('POST', `${service.manageUrl}/manage/v1/sessions`, { user, password })).token
  }
  function tokenOfSession(): Promise<string> {
    token ??= logIn()
    return token
  }
  return {
    service,
    browser,
    complaints,
    control,
    async manage(method, path, body) {
      const headers = { authorization: `Bearer ${await tokenOfSession()}` }
      return send(method, `${service.manageUrl}/manage/v1/workspaces/sandbox${path}`, body, headers)
    },
    async tenant(platform) {
      const { accounts } = await control<{ accounts: SandboxTenant[] }>('GET', '/accounts')
      return accounts.find((account) => account.platform === platform) as SandboxTenant
    },
    async open(width, colorScheme = 'light') {
      const context = await browser.newContext({ viewport: widths[width], colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      watch(page)
      return page
    },
    async signIn(page) {
      const value = await tokenOfSession()
      await page.context().addCookies([{ name: 'unirec_session', value, url: service.manageUrl, sameSite: 'Strict' }])
    },
    async signInWithForm(page) {
      const { user, password } = service.sandboxFile().dashboard
      await page.goto(`${service.manageUrl}/dashboard`)
      await page.getByLabel('User').fill(user)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    },
    async close() {
      await browser.close()
      await service.stop()
    },
  }
}

async function send<T>(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Opens a page as a link of the dashboard does if it is there already. Loading it takes three times the processor time. */
export async function visit(page: Page, address: string): Promise<void> {
  const isThere = page.url().startsWith(`${new URL(address).origin}/dashboard/w/`) && page.url() !== address
  await (isThere ? page.evaluate(`history.pushState(null, '', '${address}')`) : page.goto(address))
}

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Waits until the page has loaded what it needs at first, and has nothing to do. */
export async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate('document.fonts.ready.then(() => new Promise((idle) => requestIdleCallback(idle)))')
}

/** Waits until the page shows a change of its size or theme. */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
