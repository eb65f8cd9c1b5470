import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const built = ['packages/dashboard/dist/index.html', 'dist/main.mjs', 'packages/client/dist/index.js']
const manifest = { name: 'project', version: '1.0.0' }
const locked = {
  '': manifest,
  'node_modules/run': { version: '1.0.0', integrity: 'a' },
  'node_modules/develop': { version: '1.0.0', integrity: 'b', dev: true },
}

let folder: string
const at = (path: string) => join(folder, path)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-setup-'))
  for (const part of ['src', 'programs', ...built.map(dirname)]) mkdirSync(at(part), { recursive: true })
  for (const file of ['setup.mjs', 'source-state.mjs', 'start-install.mjs'])
    cpSync(join(root, 'scripts/setup', file), at(`scripts/setup/${file}`))
  writeFileSync(at('package.json'), JSON.stringify(manifest))
  writeFileSync(at('package-lock.json'), JSON.stringify({ ...manifest, packages: locked }))
  writeFileSync(at('src/main.ts'), '')
  npmDoes()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An npm that writes down its calls, installs and builds; `first` runs before that. */
function npmDoes(...first: string[]): void {
  const npm = [
    '#!/bin/sh',
    `echo "$*" >> '${at('calls')}'`,
    ...first,
    'case "$1" in ci) rm -rf node_modules;; esac',
    'mkdir -p node_modules/run .cache',
    'case "$*" in *--include=dev*) mkdir -p node_modules/develop;; esac',
    'case "$1" in ci) mkdir node_modules/node-test; touch node_modules/node-test/package.json;; esac',
    'case "$1" in ci) touch node_modules/run/index.js node_modules/run/index.d.ts;; esac',
    'for build in dashboard service; do echo node_modules/run/index.js > .cache/used-by-$build; done',
    ...built.map((file) => `touch ${file}`),
  ]
  writeFileSync(at('programs/npm'), npm.join('\n'), { mode: 0o755 })
}

function setUp(mode?: string) {
  writeFileSync(at('calls'), '')
  const { PATH } = process.env
  const { status, stderr } = spawnSync(process.execPath, ['scripts/setup/setup.mjs', ...(mode ? [mode] : [])], {
    cwd: folder,
    env: { PATH: [at('programs'), dirname(process.execPath), PATH].join(delimiter) },
    encoding: 'utf8',
  })
  const calls = readFileSync(at('calls'), 'utf8').trim().split('\n').filter(Boolean)
  return {
    status,
    stderr,
    installs: calls.filter((line) => line.startsWith('ci')),
    builds: calls.filter((line) => line.startsWith('run')).toSorted(),
    others: calls.filter((line) => !/^(ci|run)\b/.test(line)),
  }
}
const withoutDevelopment = expect.stringMatching(/^ci --omit=dev --include=optional /)
const withDevelopment = expect.stringMatching(/^ci --include=dev --include=optional /)
const clientScripts = 'run build:scripts --workspace packages/client'

it('installs from the cache of npm, and asks the registry if the cache is older than the lock file', () => {
  npmDoes('case "$*" in *--prefer-offline*) echo "npm error code ETARGET" >&2; exit 1;; esac')
  const { status, installs } = setUp()
  expect([status, installs]).toEqual([
    0,
    [expect.stringContaining('--prefer-offline'), expect.not.stringContaining('offline')],
  ])
})

it('does not repeat an installation that failed for another reason', () => {
  npmDoes('case "$*" in *--prefer-offline*) echo "npm error code ENOTFOUND" >&2; exit 1;; esac')
  const { status, stderr, installs } = setUp()
  expect([status, installs]).toEqual([1, [expect.stringContaining('--prefer-offline')]])
  expect(stderr).toContain('npm error code ENOTFOUND')
  expect(stderr).toMatch(/`npm ci .*` failed \(1\)\. Its output is above\./)
})

it('installs for a start what it needs, for a test the rest, and then nothing more for a start', () => {
  expect(setUp('start')).toMatchObject({ installs: [withoutDevelopment], builds: { length: 3 } })
  expect(setUp('start')).toMatchObject({ installs: [], builds: [] })
  expect([existsSync(at('node_modules/run/index.js')), existsSync(at('node_modules/run/index.d.ts'))]).toEqual([
    true,
    false,
  ])
  expect(setUp('tools')).toMatchObject({ installs: [withDevelopment], builds: [] })
  expect(existsSync(at('node_modules/run/index.d.ts'))).toBe(true)
  expect(setUp('test')).toMatchObject({ installs: [], builds: ['run build --workspace packages/client'] })
  expect(setUp('start')).toMatchObject({ installs: [], builds: [] })
})

it('does nothing for a word that it does not know', () => {
  expect(setUp('tests')).toMatchObject({
    status: 2,
    stderr: 'Usage: npm run setup -- [start|test|tools]; not tests\n',
    installs: [],
  })
})

it('leaves the development dependencies to who has them when the lock file changes', () => {
  setUp('test')
  const changed = { ...locked, 'node_modules/run': { version: '1.0.1', integrity: 'c' } }
  writeFileSync(at('package-lock.json'), JSON.stringify({ ...manifest, packages: changed }))
  expect(setUp('start')).toMatchObject({
    installs: [withDevelopment],
    builds: expect.arrayContaining(['run build --workspace packages/client']),
  })
})

it.each([
  ['everything', locked, []],
  ['no development dependencies', { 'node_modules/run': locked['node_modules/run'] }, [withDevelopment]],
])('accepts an installation by hand of %s', (_, packages, installsOfTest) => {
  mkdirSync(at('node_modules/run'), { recursive: true })
  mkdirSync(at('node_modules/develop'))
  writeFileSync(at('node_modules/run/index.d.ts'), '')
  writeFileSync(at('node_modules/.package-lock.json'), JSON.stringify({ packages }))
  expect(setUp('start').installs).toEqual([])
  expect(existsSync(at('node_modules/run/index.d.ts'))).toBe(true)
  expect(setUp('test').installs).toEqual(installsOfTest)
})

it('does not take an installation by hand on top of a start for complete', () => {
  setUp('start')
  mkdirSync(at('node_modules/develop'))
  writeFileSync(at('node_modules/.package-lock.json'), JSON.stringify({ packages: locked }))
  expect(setUp('test').installs).toEqual([withDevelopment])
})

it('installs again if a build needs a file that the start has removed', () => {
  setUp('start')
  writeFileSync(at('src/main.ts'), 'changed')
  npmDoes('case "$*" in "run build") [ -f node_modules/run/index.d.ts ] || exit 1;; esac')
  expect(setUp('start')).toMatchObject({
    status: 0,
    installs: [withoutDevelopment],
    builds: ['run build', 'run build', clientScripts, 'run build --workspace packages/dashboard'].slice(0, 2),
  })
})

it('links the Node.js that npm 10 has installed without its program', () => {
  writeFileSync(at('package.json'), JSON.stringify({ ...manifest, optionalDependencies: { 'node-test': '1.0.0' } }))
  const rebuild = ['rebuild node-test --ignore-scripts']
  expect(setUp('start')).toMatchObject({ installs: [withoutDevelopment], others: rebuild })
  npmDoes('case "$1" in rebuild) mkdir -p node_modules/.bin; touch node_modules/.bin/node; esac')
  expect(setUp('start')).toMatchObject({ installs: [], others: rebuild, builds: [] })
  expect(setUp('start')).toMatchObject({ installs: [], others: [], builds: [] })
})

it('says which build failed after the others have ended', () => {
  npmDoes('case "$*" in "run build") echo broken >&2; exit 1;; esac')
  const { status, stderr, installs, builds } = setUp('start')
  expect([status, installs.length]).toEqual([1, 1])
  expect(builds).toEqual(['run build', 'run build --workspace packages/dashboard', clientScripts])
  expect(stderr).toContain('broken')
  expect(setUp('start').builds).toEqual(['run build', 'run build'])
})
