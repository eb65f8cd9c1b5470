// Runs axe-core on a page. Evaluated by the browser's own protocol, so the strict policy of the page stays as it is.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  impact: string
  html: string
  failureSummary: string
}

/**
 * Rules whose findings can differ between widths and between themes. Where a page has passed all rules once, `npm test`
 * tries only these at its other widths and in its other theme. The nightly run tries all.
 */
const looks = ['region', 'scrollable-region-focusable', 'target-size', 'color-contrast']
export const ofLooks = process.env.EVERY_WIDTH ? undefined : looks

interface Finding {
  isMinor: boolean
  fault: string
}
/** On what the expression `part` names. */
export async function findingsOf(
  page: Page,
  rules?: string[],
  part = 'document',
  others: string[] = [], // rules that are off at first
): Promise<Finding[]> {
  // Once per document. Without the HTML of all elements that axe tries: only that of the faults is needed.
  if ((await page.evaluate('typeof axe')) === 'undefined')
    await page.evaluate(`${source}; axe.configure({ noHtml: true })`)
  const enabled = Object.fromEntries(others.map((rule) => [rule, { enabled: true }]))
  const options = {
    resultTypes: ['violations'],
    elementRef: true,
    ...(rules ? { runOnly: rules } : { rules: enabled }),
  }
  const violations = (await page.evaluate(
    `axe.run(${part}, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ element, failureSummary }) => ({ id, impact, html: element.outerHTML.slice(0, 160), failureSummary }))))`,
  )) as Violation[]
  return violations.map(({ id, impact, html, failureSummary }) => ({
    isMinor: impact === 'minor',
    fault: `${id}: ${html} ${failureSummary}`,
  }))
}
const allButMinor = (findings: Finding[]) => findings.filter(({ isMinor }) => !isMinor).map(({ fault }) => fault)
/** Without the shell, which is the same around every page. */
export const faultsOf = async (page: Page, rules?: string[]) => allButMinor(await findingsOf(page, rules, "'main'"))
export const faultsOfDocument = async (page: Page, rules?: string[]) =>
  allButMinor(await findingsOf(page, rules, 'document', ['target-size']))
