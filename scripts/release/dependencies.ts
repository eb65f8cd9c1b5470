// The production dependencies, from package-lock.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildTools } from '../setup/start-install.mjs'

export interface Dependency {
  name: string
  version: string
  license: string
  integrity?: string
  resolved?: string
  optional: boolean
}
interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** As Node.js finds it: in the package's own node_modules, or in that of a folder above. */
function resolvePackage(packages: Record<string, LockedPackage>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

/**
 * What the service and the dashboard consist of, with the Node.js that runs them; the tools that build them are in
 * neither. Sorted; the same version in several folders is one entry.
 */
export function productionDependencies(root: string): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Map<string, Dependency>()
  const waiting = ['', 'packages/dashboard'].map((path) => ({ path, entry: packages[path] as LockedPackage }))
  const visited = new Set<string>()
  for (const { path: from, entry } of waiting) {
    const isOwn = !from.includes('node_modules/')
    const named = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
    for (const name of Object.keys(named)) {
      const path = resolvePackage(packages, from, name)
      if (!path || visited.has(path) || (isOwn && buildTools.includes(name))) continue
      visited.add(path)
      const locked = packages[path] as LockedPackage
      const { version = '', license = 'not stated', integrity, resolved, optional } = locked
      found.set(`${name}@${version}`, { name, version, license, integrity, resolved, optional: optional === true })
      waiting.push({ path, entry: locked })
    }
  }
  return [...found.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, dependency]) => dependency)
}

export function licensePage(root: string, made: string): string {
  const dependencies = productionDependencies(root)
  const counts = Map.groupBy(dependencies, ({ license }) => license)
  const sums = [...counts]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([license, users]) => `${license} ${users.length}`)
  return [
    '# Licenses',
    '',
    made,
    '',
    `Packages that the service and the dashboard are built of, ${dependencies.length} in all, with the Node.js of each system: ${sums.join(', ')}. As CycloneDX: \`npm run sbom\`.`,
    '',
    '| package | version | license |',
    '|---|---|---|',
    ...dependencies.map(
      ({ name, version, license, optional }) => `| ${name}${optional ? ' (optional)' : ''} | ${version} | ${license} |`,
    ),
    '',
  ].join('\n')
}
