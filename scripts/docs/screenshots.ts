// Takes screenshots of every page in both themes into docs/images: `node scripts/docs/screenshots.ts [page …]`.
// `--all FOLDER` takes whole pages at three widths into another folder, to be looked at.
// The activity is real: requests to the sandbox, repeated over the previous day so that charts have data.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchChromium } from '../../test/browser/chromium.ts'
import { freePort } from '../../test/free-port.ts'
import { startService } from '../../test/service-process.ts'
import {
  layOutOverTheDay,
  makeActivity,
  makeChanges,
  makeEndpoints,
  makeMigration,
  makeOpenWrites,
  switchFaultsOn,
  watchedRestaurant,
} from './screenshot-activity.ts'

interface Shot {
  name: string
  path: string
  /** Prepares the page. */
  before?(page: Page): Promise<void>
  signedOut?: true
  phone?: true
}
const allWidths = [1440, 1024, 390]
const widths = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
const workspace = '/w/sandbox'
const account = `${workspace}/accounts/sandbox-square-restaurant`
const shots: Shot[] = [
  { name: 'sign-in', path: '/login', signedOut: true },
  { name: 'overview', path: workspace },
  { name: 'accounts', path: `${workspace}/accounts` },
  { name: 'account', path: account },
  { name: 'account-settings', path: `${account}/settings` },
  { name: 'account-mapping-keys', path: `${account}/mapping-keys` },
  { name: 'account-references', path: `${account}/references` },
  { name: 'account-changes', path: `${workspace}/accounts/${watchedRestaurant}/changes`, before: openChange },
  { name: 'account-changes-phone', path: `${workspace}/accounts/${watchedRestaurant}/changes`, phone: true },
  { name: 'account-activity', path: `${account}/activity` },
  { name: 'connect', path: `${workspace}/accounts/connect` },
  { name: 'connect-form', path: `${workspace}/accounts/connect?platform=woocommerce` },
  { name: 'connect-link', path: `${workspace}/accounts/connect?by=link&platform=square` },
  { name: 'activity', path: `${workspace}/activity` },
  {
    name: 'activity-request',
    path: `${workspace}/activity?status=ok&entityType=order&search=O-1001`,
    before: openRequest,
  },
  {
    name: 'activity-failure',
    path: `${workspace}/activity?status=error`,
    before: openFirst,
  },
  { name: 'activity-none', path: `${workspace}/activity?search=req_nothing` },
  { name: 'writes', path: `${workspace}/writes` },
  { name: 'write', path: `${workspace}/writes?state=partial`, before: openFirst },
  { name: 'explorer', path: `${workspace}/explorer/sandbox-square-restaurant/product` },
  { name: 'explorer-native', path: `${workspace}/explorer/sandbox-square-restaurant/product/native` },
  { name: 'explorer-new', path: `${workspace}/explorer/sandbox-square-restaurant/order/new` },
  { name: 'explorer-call', path: `${workspace}/explorer/sandbox-square-restaurant/product/call` },
  { name: 'mapping-new', path: `${workspace}/mappings/sandbox-square-restaurant/new` },
  { name: 'mapping-defaults', path: `${workspace}/mappings/sandbox-square-restaurant/defaults` },
  { name: 'mappings', path: `${workspace}/mappings/sandbox-square-restaurant` },
  { name: 'migrations', path: `${workspace}/migrations` },
  { name: 'migration-new', path: `${workspace}/migrations/new` },
  { name: 'migration-plan', path: `${workspace}/migrations`, before: openStep('Plan') },
  { name: 'migration-run', path: `${workspace}/migrations`, before: openStep('Run') },
  { name: 'migration-report', path: `${workspace}/migrations`, before: openFirst },
  { name: 'credentials', path: `${workspace}/credentials` },
  { name: 'credentials-secret', path: `${workspace}/credentials/api-keys?create=yes`, before: createKey },
  { name: 'people', path: `${workspace}/people` },
  { name: 'audit', path: `${workspace}/audit` },
  { name: 'settings', path: `${workspace}/settings` },
  { name: 'settings-phone', path: `${workspace}/settings`, phone: true },
  { name: 'webhooks', path: `${workspace}/webhooks` },
  { name: 'webhooks-phone', path: `${workspace}/webhooks`, phone: true },
  { name: 'webhook-failing', path: `${workspace}/webhooks`, before: openEndpoint('Order import') },
  { name: 'webhook-phone', path: `${workspace}/webhooks`, before: openEndpoint('Order import'), phone: true },
  { name: 'webhook-new', path: `${workspace}/webhooks/new`, before: chooseEvents },
  { name: 'platforms', path: `${workspace}/platforms` },
  { name: 'platform', path: `${workspace}/platforms/clover` },
  { name: 'errors', path: `${workspace}/errors` },
  { name: 'sandbox', path: `${workspace}/sandbox` },
  { name: 'profile', path: `${workspace}/profile` },
  { name: 'audit-installation', path: `${workspace}/audit/installation` },
  { name: 'not-found', path: `${workspace}/no-such-page` },
  { name: 'palette', path: workspace, before: openPalette },
]

async function openFirst(page: Page): Promise<void> {
  await page.locator('.table-link').first().click()
}
function openStep(name: string) {
  return async (page: Page) => {
    await openFirst(page)
    await page.getByRole('navigation', { name: 'Steps of the migration' }).getByRole('link', { name }).click()
  }
}
async function openRequest(page: Page): Promise<void> {
  await page.locator('.table-link').first().click()
  await page.locator('.waterfall-call').last().locator('summary').click()
}
async function openChange(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Updated/ })
    .first()
    .click()
}
function openEndpoint(name: string) {
  return async (page: Page) => {
    await page.locator('.table-link').filter({ hasText: name }).click()
    await page.locator('.delivery-toggle').first().click()
  }
}
async function chooseEvents(page: Page): Promise<void> {
  await page.getByLabel('URL').fill('https://shop.example.com/hooks')
  await page.getByLabel('Selected events').check()
  for (const group of ['Products', 'Categories']) await page.getByRole('checkbox', { name: group }).check()
}
async function createKey(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Order import, production')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Shown only once').waitFor()
}
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sq')
  await page.waitForTimeout(400)
}

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
}

async function take(page: Page, name: string, theme: string): Promise<void> {
  if (options.all === undefined) {
    await page.screenshot({ path: join(images, `${name}-${theme}.png`), fullPage: false })
    return
  }
  for (const width of allWidths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(images, `${name}-${width}-${theme}.png`), fullPage: true })
  }
}

const { values: options, positionals: selected } = parseArgs({
  options: { all: { type: 'string' } },
  allowPositionals: true,
})
const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-pictures-'))
const images = options.all ?? join(import.meta.dirname, '../../docs/images')
mkdirSync(images, { recursive: true })
const first = await startService({ DATA_DIR: dataDir })
await makeActivity(first)
await first.kill()
await layOutOverTheDay(dataDir)
const sandboxPort = await freePort()
const service = await startService({ DATA_DIR: dataDir, SANDBOX_PORT: String(sandboxPort) })
const receiver = await makeEndpoints(service)
await makeChanges(service, sandboxPort)
await makeOpenWrites(service, sandboxPort)
await makeMigration(service)
await switchFaultsOn(service)
const browser = await launchChromium()
try {
  const { user, password } = service.sandboxFile().dashboard
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: widths.desktop,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(error.message))
    for (const { name, path, before, signedOut, phone } of shots) {
      if (options.all !== undefined && phone) continue
      if (selected.length > 0 && !selected.includes(name) && name !== 'sign-in') continue
      await page.setViewportSize(phone ? widths.phone : widths.desktop)
      await page.goto(`${service.url}/dashboard${path}`)
      await settle(page)
      await before?.(page)
      await settle(page)
      if (selected.length === 0 || selected.includes(name)) await take(page, name, theme)
      if (!signedOut) continue
      await page.getByLabel('User').fill(user)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/w\//)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await service.kill()
  receiver.closeAllConnections()
  receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
}
