// The production dependencies, from package-lock.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

/** Sorted; the same version in several folders is one entry. */
export function productionDependencies(root: string): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Map<string, Dependency>()
  for (const [
    path,
    { version = '', license = 'not stated', integrity, resolved, dev, devOptional, optional, link },
  ] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) as string
    if (!path.includes('node_modules/') || dev || devOptional || link) continue
    found.set(`${name}@${version}`, {
      name,
      version,
      license,
      integrity,
      resolved,
      optional: optional === true,
    })
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
    `Packages that are installed for production, ${dependencies.length} in all: ${sums.join(', ')}. As CycloneDX: \`npm run sbom\`.`,
    '',
    '| package | version | license |',
    '|---|---|---|',
    ...dependencies.map(
      ({ name, version, license, optional }) => `| ${name}${optional ? ' (optional)' : ''} | ${version} | ${license} |`,
    ),
    '',
  ].join('\n')
}
