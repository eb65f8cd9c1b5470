// docs/generated/platforms.md: what is known about each platform's API, and where it comes from.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallCounts } from '../../src/conformance/calls.ts'
import type { Connector, Rate } from '../../src/contract/connector.ts'
import { entityTypes, type Vertical } from '../../src/contract/entity.ts'
import { reviewNoticeDays } from '../../src/contract/review.ts'
import { platformSupport } from '../../src/engine/support.ts'

export type CallsByPlatform = Readonly<Record<string, Readonly<Partial<Record<Vertical, CallCounts>>>>>

interface Witness {
  what: string
  source: string
  version: string
  license: string
}
const none = '–'
const number = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
/** `10 / s, 100 / min (90 usable), 5 at once`. */
export const rates = (limit: readonly Rate[], concurrency?: number): string =>
  [
    ...limit.map(
      ({ requests, usable, seconds }) =>
        `${requests} / ${seconds === 1 ? 's' : seconds === 60 ? 'min' : `${seconds} s`}${usable === undefined ? '' : ` (${usable} usable)`}`,
    ),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
  ].join(', ')

export function platformsPage(
  connectors: readonly Connector[],
  calls: CallsByPlatform,
  root: string,
  made: string,
): string {
  const sdks = sdksByPlatform(
    connectors.map(({ id }) => id),
    root,
  )
  return [
    '# Platforms',
    '',
    made,
    '',
    `The service warns operators ${reviewNoticeDays} days before a review is due ([operating](../operating.md#what-to-watch)). A daily quota or a limit of concurrent calls is listed where the vendor states one and the service observes it.`,
    '',
    '| platform | API version | review by | test environment | rate limit | daily quota | concurrent calls |',
    '|---|---|---|---|---|---|---|',
    ...connectors.map(overviewRow),
    '',
    '## Records',
    '',
    'Calls per 1 000 records are measured by the conformance suite: a walk over 1 000 records of the simulator, in pages of the default size (50) and in pages of the largest size that the platform sends. Calls for facts of the account (currency, locations), which are then cached for two minutes, are included. Real data differs: a call per order or product depends on its contents, and a walk by time makes more calls over a long history. `npm run docs -- --measure` measures again, and `npm run nightly` fails if these figures differ.',
    '',
    '| platform | entity | largest page | modification time | calls, default pages | calls, largest pages |',
    '|---|---|---|---|---|---|',
    ...connectors.flatMap((connector) => recordRows(connector, calls[connector.id] ?? {})),
    '',
    ...firstWalks(connectors),
    '## Evidence',
    '',
    "What connector and simulator are tested against. A digest has the structure of the vendor's specification. A vendor that states no license has no digest here; `npm run vendors` tests against its files. An SDK of the vendor calls the simulator.",
    '',
    '| platform | evidence | version | license | source |',
    '|---|---|---|---|---|',
    ...connectors.flatMap(({ id, name }) =>
      [...fixturesOf(id, root), ...vendorFilesOf(id, root), ...(sdks.get(id) ?? [])].map(
        ({ what, version, license, source }) => `| ${name} | ${what} | ${version} | ${license} | ${source} |`,
      ),
    ),
    '',
  ].join('\n')
}

function overviewRow(connector: Connector): string {
  const { name, docs, apiVersion, regions = [], limit, concurrency, dailyLimit } = connector
  const tests = regions.filter(({ test }) => test).map(({ label }) => label)
  const calls = dailyLimit?.calls
  const daily =
    typeof calls === 'object'
      ? Object.entries(calls.limits)
          .map(([plan, most]) => `${plan} ${number(most)}`)
          .join(', ')
      : calls && number(calls)
  return `| [${name}](${docs}) | ${apiVersion.name} | ${apiVersion.reviewBy} | ${tests.join(', ') || none} | ${rates(limit)} | ${daily ?? none} | ${concurrency ?? none} |`
}

function recordRows(connector: Connector, calls: Readonly<Partial<Record<Vertical, CallCounts>>>): string[] {
  const { entities } = platformSupport(connector)
  return connector.verticals.flatMap((vertical) =>
    entityTypes.flatMap((type) => {
      const entry = entities[vertical]?.[type]
      if (!entry) return []
      const { defaultPage, largestPage } = calls[vertical]?.[type] ?? {}
      const counted = [defaultPage, largestPage].map((count) => (count === undefined ? none : number(count)))
      return `| ${connector.name} | ${vertical} ${type} | ${number(entry.pageLimit)} | ${entry.stampPrecision ?? none} | ${counted.join(' | ')} |`
    }),
  )
}

/** Where a first walk reads each record separately, and a later one only what has changed. */
function firstWalks(connectors: readonly Connector[]): string[] {
  const names = connectors.flatMap(({ id, name, entities }) =>
    Object.entries(entities).flatMap(([type, adapter]) =>
      adapter?.list.complete?.version ? [`${type} of [${name}](../../src/platforms/${id}/README.md)`] : [],
    ),
  )
  if (names.length === 0) return []
  return [
    `**The first walk after each start of an instance takes one call per record:** ${names.join(', ')}. The platform's list lacks fields that only the details of one record have. These figures are of a first walk. Later walks take a call only for new and changed records, because the details are cached in memory. To avoid the calls, walk once after a start, then read with \`updatedAfter\`, and restart seldom.`,
    '',
  ]
}

/** Fixtures that say where they come from. */
function fixturesOf(platform: string, root: string): Witness[] {
  return filesIn(root, `src/platforms/${platform}/fixtures/*.json`).flatMap((path) => {
    const { source, version, license } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Partial<Witness>
    const [, file, digest] = /([^/]+?)(\.digest)?\.json$/.exec(path) as RegExpExecArray
    const what = `[${digest ? 'digest' : 'fixture'} ${file}](../../${path})`
    return source ? [{ what, source, version: version ?? none, license: license ?? none }] : []
  })
}
const vendorFilesOf = (platform: string, root: string): Witness[] =>
  filesIn(root, `src/platforms/${platform}/*.vendor-file.test.ts`).map((path) => ({
    what: `[specification](../../${path}), not in the repository`,
    version: none,
    license: 'none stated',
    source: '`scripts/check/vendor-digest.ts`',
  }))

/** Packages that the tests of only one platform import. */
function sdksByPlatform(platforms: readonly string[], root: string): Map<string, Witness[]> {
  const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const installed = Object.keys(json('package.json').devDependencies)
  const users = new Map<string, Set<string>>()
  for (const platform of platforms)
    for (const path of filesIn(root, `src/platforms/${platform}/**/*.test.ts`))
      for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(
        /(?:from |import\(|require\()'([^'.][^']*)'/g,
      ))
        users.set(name as string, (users.get(name as string) ?? new Set()).add(platform))
  const found = new Map<string, Witness[]>()
  for (const name of installed) {
    const [platform, ...others] = users.get(name) ?? []
    if (!platform || others.length > 0) continue
    const { version, license } = json(`node_modules/${name}/package.json`)
    const sdk = { what: 'SDK', source: `npm ${name}`, version, license: license ?? none }
    found.set(platform, [...(found.get(platform) ?? []), sdk])
  }
  return found
}
const filesIn = (root: string, pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
