// A generated platform passes types, lint and conformance without changes.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { conformance } from '../src/conformance/suite.ts'
import type { Connector, EntityAdapter } from '../src/contract/connector.ts'
import type { CreateSimulator } from '../src/sandbox/simulator.ts'

const root = join(import.meta.dirname, '..')
const script = join(root, 'scripts/scaffold/new-platform.ts')

/** A checkout with links to all other files, so that only the platform and the two lists are written. */
const checkout = mkdtempSync(join(tmpdir(), 'unified-records-platform-'))
const platforms = join(checkout, 'src/platforms')
mkdirSync(platforms, { recursive: true })
for (const name of readdirSync(join(root, 'src')))
  if (name !== 'platforms') symlinkSync(join(root, 'src', name), join(checkout, 'src', name))
for (const entry of readdirSync(join(root, 'src/platforms'), { withFileTypes: true })) {
  const source = join(root, 'src/platforms', entry.name)
  if (entry.isDirectory()) symlinkSync(source, join(platforms, entry.name))
  else cpSync(source, join(platforms, entry.name))
}
for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(checkout, name))
const output = execFileSync(process.execPath, [script, 'corner-till', checkout], { encoding: 'utf8' })
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

const load = (file: string) => import(join(platforms, file)) as Promise<Record<string, unknown>>
const { cornerTill } = await load('corner-till/connector.ts')
const { createCornerTillSimulator } = await load('corner-till/simulator/simulator.ts')
const generated = cornerTill as Connector
const createSimulator = createCornerTillSimulator as CreateSimulator
const { toUnified, create, ...reads } = generated.entities.customer as EntityAdapter<'customer'> & {
  create: NonNullable<EntityAdapter<'customer'>['create']>
}
const withoutAddress = <R extends { address?: unknown }>({ address, ...record }: R) => record
const withoutAddresses: Connector = {
  ...generated,
  id: 'no-addresses',
  entities: {
    customer: {
      ...reads,
      toUnified: (...given) => withoutAddress(toUnified(...given)),
      create: {
        ...create,
        notStored: { ...create.notStored, '/address': true },
        run: (call, record) => create.run(call, withoutAddress(record)),
      },
    },
  },
}
// Side by side: both mostly wait.
describe('the generated platform, as it is and without addresses', () => {
  for (const connector of [generated, withoutAddresses])
    conformance(connector, (options) => ({ ...createSimulator(options), platform: connector.id }))
})

it('is registered', () => {
  const text = (file: string) => readFileSync(join(platforms, file), 'utf8')
  expect(text('registry.ts')).toMatch(
    /^import \{ cornerTill \} from '\.\/corner-till\/connector\.ts'$[\s\S]*^ {2}cornerTill,\n\]$/m,
  )
  expect(text('simulators.ts')).toMatch(
    /^import \{ createCornerTillSimulator \} from [\s\S]*^ {2}'corner-till': createCornerTillSimulator,\n\}$/m,
  )
  expect(output).toContain('Next: npm run docs')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = [...output.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
  expect(named).toEqual(['docs', 'pin-revisions'])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  // Node.js 20 cannot run a TypeScript file; npm finds the installed Node.js 24 first.
  expect(output).not.toContain('node scripts/')
})

it('has no type error and no lint error', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  const written = ['src/platforms/corner-till', 'src/platforms/registry.ts', 'src/platforms/simulators.ts']
  // Not the suite, which imports the service.
  const files = ['connector.ts', 'simulator/simulator.ts'].map((file) => join('src/platforms/corner-till', file))
  writeFileSync(
    join(checkout, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, incremental: false, tsBuildInfoFile: undefined }, files }),
  )
  writeFileSync(
    join(checkout, 'biome.json'),
    JSON.stringify({ ...JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')), vcs: { enabled: false } }),
  )
  const run = (program: string, ...parameters: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'node_modules', program), ...parameters],
      { cwd: checkout, encoding: 'utf8' },
    )
    return { status, text: stdout + stderr }
  }
  const types = run('typescript-native/bin/tsc', '-p', '.')
  expect(types.status, types.text).toBe(0)
  const lint = run('@biomejs/biome/bin/biome', 'check', ...written)
  expect(lint.status, lint.text).toBe(0)
})

it.each([
  ['Corner Till', /^usage: npm run new-platform <name>/],
  ['square', /^src\/platforms\/square already exists/],
])('rejects the name %o and writes nothing', (name, message) => {
  const { status, stderr } = spawnSync(process.execPath, [script, name, checkout], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)])
})

it('is what docs/add-a-platform.md opens with', () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/add-a-platform.md'), 'utf8')) ?? []
  expect(code).toBe(readFileSync(join(root, 'scripts/scaffold/platform-template/customer.ts.txt'), 'utf8'))
})
