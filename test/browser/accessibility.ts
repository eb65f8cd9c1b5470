// Runs axe-core on the content of the page without the shell and returns all but minor findings. Evaluated by
// the browser's own protocol, so the strict policy of the page stays as it is.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(part: string): Promise<AxeResult> } }).axe.run('main'),
  )
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
