// The example rules and the dashboard use only metrics and labels that exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { until } from '../until.ts'

const folder = join(import.meta.dirname, '../../docs/operations')
const rules = (
  parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`panel "${title}"`, expr] as const)),
]
let harness: Harness
const metrics = new Map<string, Set<string>>() // name -> labels

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  const made = await harness.call('POST', '/unified/square-restaurant/customer', { externalId: 'M-1', name: 'Ada' })
  expect(made.status).toBe(201)
  harness.sandbox.fault('square', { kind: 'throttle', times: 1 })
  await harness.call('GET', '/unified/square-restaurant/product')
  const shown = async () =>
    (await Promise.all(harness.services.map(({ app }) => app.inject('/metrics')))).map(({ body }) => body).join('\n')
  await until('the gauges', async () => (await shown()).includes('unified_journal_open{'))
  for (const line of (await shown()).split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (!name) continue
    const known = metrics.get(name) ?? new Set<string>()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label as string)
    metrics.set(name, known)
  }
})
afterAll(() => harness?.close())

const namesIn = (expr: string) => [...new Set(expr.match(/\b(unified|nodejs|process)_\w+/g) ?? [])]

it.each(expressions)('%s uses metrics that exist', (_, expr) => {
  const names = namesIn(expr)
  expect(names).not.toEqual([])
  expect(names.filter((name) => !metrics.has(name))).toEqual([])
})
it.each(expressions)('%s uses labels that exist', (_, expr) => {
  const known = new Set(['instance', ...namesIn(expr).flatMap((name) => [...(metrics.get(name) ?? [])])])
  const asked = [...expr.matchAll(/by \(([^)]*)\)/g)]
    .flatMap(([, list]) => (list as string).split(/,\s*/))
    .concat([...expr.matchAll(/[{,](\w+)=/g)].map(([, label]) => label as string))
  expect(asked.filter((label) => !known.has(label))).toEqual([])
})
it('the example scrape configuration reads /metrics as a service with METRICS_TOKEN expects, and loads rules that exist', () => {
  const { rule_files: ruleFiles, scrape_configs: scrapes } = parse(
    readFileSync(join(folder, 'prometheus.yml'), 'utf8'),
  ) as {
    rule_files: string[]
    scrape_configs: { metrics_path: string; authorization: { type: string } }[]
  }
  expect(ruleFiles.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  expect(scrapes).toEqual([
    expect.objectContaining({ metrics_path: '/metrics', authorization: expect.objectContaining({ type: 'Bearer' }) }),
  ])
})
it('a rule with an unknown metric is found', () => {
  expect(namesIn('rate(unified_nothing_total[5m])').filter((name) => !metrics.has(name))).toEqual([
    'unified_nothing_total',
  ])
})
