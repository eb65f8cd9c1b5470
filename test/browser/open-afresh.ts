import type { Page } from 'playwright-core'
import { settled, visit } from './dashboard-session.ts'

/**
 * Opens a page of the workspace as a link does, from a page that has nothing in common with it: what a test waits for
 * could otherwise be on the page before, too. Loading the dashboard again takes more processor time.
 */
export async function openAfresh(page: Page, workspace: string, path: string): Promise<void> {
  const nowhere = page.getByRole('heading', { name: 'Page not found' }).first()
  await visit(page, `${workspace}/nowhere`)
  await nowhere.waitFor()
  await page.evaluate(`history.pushState(null, '', '${workspace}${path}')`)
  await nowhere.waitFor({ state: 'detached' })
  await settled(page)
}
