// Runs axe-core on a page. Evaluated by the browser's own protocol, so the strict policy of the page stays as it is.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { chooseCases } from '../case-choice.ts'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  impact: string
  html: string
  failureSummary: string
}

/**
 * A page that passes at one width in one theme rarely fails at another. In each run axe tries it at one of its looks, in
 * the nightly run at all. `place` is the name of the page: not all pages begin with the same look.
 */
export const looksForAxe = <T>(place: string, looks: readonly T[]): ReadonlySet<T> =>
  new Set(chooseCases(looks, { oneIn: looks.length, group: () => place }))

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
export const faultsOf = async (page: Page) => allButMinor(await findingsOf(page, undefined, "'main'"))
export const faultsOfDocument = async (page: Page) =>
  allButMinor(await findingsOf(page, undefined, 'document', ['target-size']))
