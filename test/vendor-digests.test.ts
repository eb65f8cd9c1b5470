// Digests of vendor specifications (scripts/check/vendor-digest.ts): where they come from, what they contain, and which tests
// read files outside the repository.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Connector } from '../src/contract/connector.ts'
import { connectors } from '../src/platforms/registry.ts'
import config from '../vitest.config.ts'
import { exceptions } from './vendor-exceptions.ts'
import { excepted, type Specification, unspecified } from './vendor-operations.ts'

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

describe('the specification of a platform', () => {
  const filesOf = (platform: string): Specification[] =>
    filesIn(`src/platforms/${platform}/fixtures/*.digest.json`)
      .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Specification)
      .filter(({ paths }) => paths)
  const compared = Object.values(connectors).filter(({ id }) => !withoutLicense.includes(id))
  it('is a digest, a file that `npm run vendors` reads, or an exception with its reason', () => {
    const specified = compared.filter(({ id }) => filesOf(id).length > 0).map(({ id }) => id)
    expect(specified).toEqual(['square', 'lightspeed-x', 'xero'])
    const without = Object.keys(exceptions).filter((id) => exceptions[id]?.specification)
    expect([...specified, ...withoutLicense, ...without].toSorted()).toEqual(Object.keys(connectors).toSorted())
    const reasons = Object.values(exceptions).flatMap(({ calls = [], ...rest }) => [...calls, ...Object.values(rest)])
    expect(reasons.filter(({ reason, docs }) => !isText(reason) || !/^https:\/\//.test(docs))).toEqual([])
  })
  it.each(compared)(
    'has every call, host and token endpoint of the connector of $id, or an exception has',
    (connector) => {
      const own = exceptions[connector.id]
      expect(unspecified(connector, filesOf(connector.id), own)).toEqual(excepted(own))
    },
  )
  it('lacks an operation, a test host or a token endpoint that it does not have', () => {
    const connector = {
      shapes: { 'GET /v2/orders/{id}': 'anything', 'PUT /v2/orders/{id}': 'anything' },
      origins: { api: 'https://{apiHost}', login: 'https://login.example.com' },
      regions: ['api', 'sandbox'].map((name) => ({ label: name, settings: { apiHost: `${name}.example.com` } })),
      auth: [{ kind: 'oauth2', authorize: { path: '/authorize' }, exchange: { path: '/token' } }],
    } as unknown as Connector
    const file = {
      servers: [{ url: 'https://api.example.com/v2' }],
      oauth: ['https://login.example.com/token'],
      paths: { '/orders/{order_id}': { parameters: [], get: {} } },
    }
    expect(unspecified(connector, [file])).toEqual({
      calls: ['PUT /v2/orders/{id}'],
      origins: ['https://sandbox.example.com'],
      tokens: ['/authorize'],
    })
    expect(unspecified(connector, []).calls).toBe('all')
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
    spawnSync(process.execPath, [join(root, 'scripts/check/vendors.ts'), ...given], { encoding: 'utf8' })
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
