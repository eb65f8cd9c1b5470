// Measures the path of a newcomer in a real browser: fresh start, sign-in, an account, a key that may only read, and the
// first record with it. Prints clicks, fields and seconds of each step: `node scripts/check/newcomer.ts` after `npm run setup --
// test`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { launchChromium } from '../../test/browser/chromium.ts'
import { startService } from '../../test/service-process.ts'

interface Step {
  name: string
  clicks: number
  fields: number
  seconds: number
}
const steps: Step[] = []
let current: Step
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  current = { name, clicks: 0, fields: 0, seconds: 0 }
  const start = performance.now()
  const result = await work()
  steps.push({ ...current, seconds: (performance.now() - start) / 1000 })
  return result
}
async function click(target: Locator): Promise<void> {
  current.clicks++
  await target.click()
}
async function fill(target: Locator, text: string): Promise<void> {
  current.fields++
  await target.fill(text)
}

const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-newcomer-'))
const browser = await launchChromium()
const service = await step('Fresh start', () => startService({ DATA_DIR: dataDir, PACE_SCALE: '1' }))
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()

  await step('Sign in', async () => {
    const { user, password } = service.sandboxFile().dashboard
    await page.goto(`${service.url}/dashboard`)
    await fill(page.getByLabel('User'), user)
    await fill(page.getByLabel('Password'), password)
    await click(button('Sign in'))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })
  const accountId = await step('Connect an account', async () => {
    await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' }))
    await click(link('Connect account'))
    await click(link(/^WooCommerce/))
    await click(button('Use sandbox keys'))
    await click(button('Connect account'))
    await page.waitForURL((url) => /\/accounts\/(?!connect)/.test(url.pathname))
    return decodeURIComponent(new URL(page.url()).pathname.split('/accounts/')[1] as string)
  })
  const key = await step('Create a key that may only read', async () => {
    await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Credentials' }))
    await click(link('API keys'))
    await click(button('Create API key'))
    await fill(page.getByLabel('Name'), 'First key')
    for (const name of [/^Write records/, /^Read changes/]) await click(page.getByRole('checkbox', { name }))
    await click(button('Create'))
    const secret = await page.locator('.secret-value code').first().textContent()
    await click(button('I saved it'))
    return secret as string
  })
  await step('Read the first record', async () => {
    const address = `${service.url}/unified/${encodeURIComponent(accountId)}/product?pageSize=1`
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await response.json()) as { data?: unknown[] }
    if (response.status !== 200 || data?.length !== 1) throw new Error(`${address} returned ${response.status}`)
  })
} finally {
  await browser.close()
  await service.kill()
  rmSync(dataDir, { recursive: true, force: true })
}

const sum = (name: 'clicks' | 'fields' | 'seconds') => steps.reduce((total, one) => total + one[name], 0)
const total: Step = { name: 'Total', clicks: sum('clicks'), fields: sum('fields'), seconds: sum('seconds') }
console.log('step                              clicks  fields  seconds')
for (const { name, clicks, fields, seconds } of [...steps, total])
  console.log(
    `${name.padEnd(34)}${String(clicks).padStart(6)}${String(fields).padStart(8)}${seconds.toFixed(1).padStart(9)}`,
  )
