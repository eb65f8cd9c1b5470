// First visits to the dashboard in Chromium, each on a process that has just started, while two other processes keep
// the cores busy.
import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { startService } from '../test/service-process.ts'
import { besideBusy } from './busy.ts'

export interface VisitsResult {
  visits: number
  broken: string[] // why, one for each
  slowestMs: number // until the overview shows its figures
}

export async function benchVisits(visits: number): Promise<VisitsResult> {
  const browser = await launchChromium()
  const broken: string[] = []
  let slowestMs = 0
  try {
    await besideBusy(2, async () => {
      for (let visit = 0; visit < visits; visit++) {
        const began = performance.now()
        const reason = await firstVisit(browser)
        if (reason) broken.push(`visit ${visit + 1}: ${reason}`)
        else slowestMs = Math.max(slowestMs, performance.now() - began)
      }
    })
  } finally {
    await browser.close()
  }
  return { visits, broken, slowestMs }
}

/** Undefined: everything was shown, and nothing failed. */
async function firstVisit(browser: Browser): Promise<string | undefined> {
  const service = await startService({ PACE_SCALE: '1' })
  const context = await browser.newContext()
  const failed: string[] = []
  try {
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    page.on('response', (response) => {
      if (response.status() >= 500) failed.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    page.on('pageerror', (error) => failed.push(error.message))
    const { user, password } = service.sandboxFile().dashboard
    await page.goto(`${service.url}/dashboard`)
    await page.getByLabel('User').fill(user)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Accounts' }).first().click()
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    await page.getByText('Square sandbox').first().waitFor()
    return failed[0]
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  } finally {
    await context.close()
    await service.kill('SIGKILL')
    rmSync(service.dataDir, { recursive: true, force: true })
  }
}

export function showVisits({ visits, broken, slowestMs }: VisitsResult): string {
  return [
    `${visits} first visits with two busy processes: ${broken.length} broken; slowest ${(slowestMs / 1000).toFixed(1)} s, including the start of the service`,
    ...broken,
  ].join('\n')
}
