// Digests of vendor specifications (scripts/vendor-digest.ts): where they come from, what they contain, and which tests
// read files outside the repository.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectors } from '../src/platforms/registry.ts'
import config from '../vitest.config.ts'

const root = join(import.meta.dirname, '..')
const filesIn = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
const licenses = filesIn('LICENSES/*.txt').map((path) => path.slice('LICENSES/'.length, -'.txt'.length))

type Digest = Readonly<Record<string, unknown>>
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
function missingFacts({ source, version, license, sha256, changes }: Digest): string[] {
  return [
    ...(isText(source) ? [] : ['source']),
    ...(isText(version) ? [] : ['version']),
    ...(isText(license) && licenses.includes(license.split(/[ ,]/)[0]!) ? [] : ['license']),
    ...(/^[0-9a-f]{64}$/.test(String(sha256)) ? [] : ['sha256']),
    ...(isText(changes) ? [] : ['changes']),
  ]
}
/** Sentences: quoted text in a GraphQL schema, otherwise four words in a row. */
function prose({ source: _, version: __, license: ___, sha256: ____, changes: _____, ...content }: Digest): string[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(texts) : []
  const { schema, ...rest } = content
  return [
    ...texts(schema).filter((line) => /["#]/.test(line)),
    ...texts(rest).filter((text) => /(\p{L}+\s+){3}\p{L}+/u.test(text)),
  ]
}

const vendorTests = filesIn('src/platforms/*/*.{vendor,vendor-file}.test.ts')
/**
 * These vendors state no license, so no digest of their files is committed: `npm run vendors` makes digests and runs
 * these tests.
 */
const withoutLicense = ['bigcommerce', 'clover', 'toast', 'zoho-books']
/** Relative paths in a file that leave the repository. */
const outside = (path: string, text: string): string[] =>
  [...text.matchAll(/['"`](\.\.\/[^'"`$]*)/g)]
    .map(([, address]) => address!)
    .filter((address) => relative(root, resolve(root, dirname(path), address)).startsWith('..'))
const skips = (text: string): boolean => /\.skip\b|\.(skipIf|runIf)\b/.test(text)

describe('every digest', () => {
  const digests = filesIn('src/platforms/*/fixtures/*.digest.json')
  it('was found', () => {
    expect(digests.map((path) => path.split('/')[2])).toEqual(
      expect.arrayContaining(['lightspeed-x', 'quickbooks-online', 'shopify', 'square', 'xero']),
    )
  })
  it.each(digests)('%s names its source and a license whose text is in LICENSES, and has no prose', (path) => {
    const digest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Digest
    expect(missingFacts(digest)).toEqual([])
    expect(prose(digest)).toEqual([])
  })
  it('is rejected without a source, with an unknown license or with a sentence', () => {
    const digest = {
      source: 'a',
      version: '1',
      license: 'MIT, (c) A',
      sha256: '0'.repeat(64),
      changes: 'b',
      components: { schemas: { A: { type: 'string', enum: ['Awaiting Pickup'] } } },
    }
    expect([missingFacts(digest), prose(digest)]).toEqual([[], []])
    expect(missingFacts({ ...digest, source: '', license: 'none stated', sha256: 'x' })).toEqual([
      'source',
      'license',
      'sha256',
    ])
    expect(prose({ ...digest, components: { description: 'The name of the customer.' } })).toEqual([
      'The name of the customer.',
    ])
    expect(prose({ ...digest, schema: ['type A {', '  "The name."', '  name: String @deprecated', '}'] })).toEqual([
      '  "The name."',
    ])
  })
})

/** Calls that the vendor's specification lacks: by platform, `METHOD /path` and the reason. */
const unspecified: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'lightspeed-x': {
    'GET /sales': 'sales have another format since 2026-07, which is only described on pages',
    'POST /sales': 'new in 2026-07',
    'GET /sales/{}': 'sales have another format since 2026-07, which is only described on pages',
    'PUT /sales/{}': 'new in 2026-07',
    'PUT /products/{}': 'in 2.1 and later, which are only described on pages',
  },
}
type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>
/** `METHOD /path` without the version of the API, the names of parameters and the case, which none of them depends on. */
const normalized = (operation: string): string =>
  operation
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/ \/(api\.xro\/2\.0|api\/2026-07)\//, ' /')
    .toLowerCase()
const operationsOf = (paths: Paths): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => normalized(`${method} ${path}`)),
  )
/** The conformance suite requires a shape for every call, so the shapes are the calls that a connector makes. */
const uncovered = (calls: readonly string[], paths: readonly Paths[], exceptions: readonly string[]): string[] => {
  const known = new Set([...paths.flatMap(operationsOf), ...exceptions.map(normalized)])
  return calls.filter((call) => !known.has(normalized(call)))
}

describe('the digests of a platform', () => {
  const pathsOf = (platform: string): Paths[] =>
    filesIn(`src/platforms/${platform}/fixtures/*.digest.json`).flatMap((path) => {
      const { paths } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { paths?: Paths }
      return paths ? [paths] : []
    })
  const specified = Object.values(connectors).filter(({ id }) => pathsOf(id).length > 0)
  it('are found', () => {
    expect(specified.map(({ id }) => id)).toEqual(['square', 'lightspeed-x', 'xero'])
  })
  it.each(specified)('have every operation that the connector of $id calls', ({ id, shapes = {} }) => {
    const exceptions = Object.keys(unspecified[id] ?? {})
    expect(uncovered(Object.keys(shapes), pathsOf(id), exceptions)).toEqual([])
    expect(exceptions.filter((call) => pathsOf(id).flatMap(operationsOf).includes(normalized(call)))).toEqual([])
  })
  it('are incomplete without an operation', () => {
    const paths = { '/orders/{order_id}': { parameters: [], get: {} } }
    expect(uncovered(['GET /orders/{id}', 'PUT /orders/{id}', 'GET /orders'], [paths], ['GET /orders'])).toEqual([
      'PUT /orders/{id}',
    ])
  })
})

describe('every vendor test', () => {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  it('reads nothing outside the repository and skips nothing', () => {
    expect(vendorTests).toHaveLength(9)
    expect(vendorTests.filter((path) => outside(path, textOf(path)).length > 0 || skips(textOf(path)))).toEqual([])
  })
  it('of a vendor without a license is left to `npm run vendors`', () => {
    const platformsOf = (paths: string[]) => paths.map((path) => path.split('/')[2])
    expect(platformsOf(vendorTests.filter((path) => path.endsWith('.vendor-file.test.ts')))).toEqual(withoutLicense)
    expect(platformsOf(vendorTests.filter((path) => textOf(path).includes('.cache/vendor-digests/')))).toEqual(
      withoutLicense,
    )
    expect(config.test?.exclude).toContain('**/*.vendor-file.test.ts')
  })
  it('is rejected otherwise', () => {
    expect(outside('src/platforms/square/a.ts', "new URL('../../../../specs/a.json', import.meta.url)")).toEqual([
      '../../../../specs/a.json',
    ])
    expect(
      outside(
        'src/platforms/square/a.ts',
        "import '../../kit/money.ts'\nnew URL('./fixtures/a.json', import.meta.url)",
      ),
    ).toEqual([])
    expect(['context.skip(reason)', 'it.skipIf(absent)', 'it.runIf(present)', "it('runs')"].map(skips)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})

describe('npm run vendors', () => {
  const run = (...given: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/vendors.ts'), ...given], { encoding: 'utf8' })
  it('fails when a vendor file is missing, and names it and its source', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unified-records-vendors-'))
    const { status, stderr } = run('--from', folder)
    rmSync(folder, { recursive: true })
    expect(status).toBe(1)
    expect(stderr).toContain(`${folder} has no bigcommerce-products_catalog.v3.yml,`)
    expect(stderr).toContain('\n  clover-platform-thirdparty.yaml: github.com/')
  })
  it('fails without a folder', () => {
    expect(
      [run(), run('--from', join(root, 'no-such-folder')), run('--form', '.')].map(({ status, stderr }) => [
        status,
        stderr.split('\n').at(-2),
      ]),
    ).toEqual(Array(3).fill([2, 'Usage: npm run vendors -- --from <folder of the vendor files>']))
  })
})
