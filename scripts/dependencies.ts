// What an installation for production holds beside our own code, as package-lock.json says it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Dependency {
  name: string
  version: string
  licence: string
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

/** Sorted; the same version in several places is one. */
export function productionDependencies(root: string): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Map<string, Dependency>()
  for (const [
    place,
    { version = '', license = 'not stated', integrity, resolved, dev, devOptional, optional, link },
  ] of Object.entries(packages)) {
    const name = place.split('node_modules/').at(-1) as string
    if (!place.includes('node_modules/') || dev || devOptional || link) continue
    found.set(`${name}@${version}`, {
      name,
      version,
      licence: license,
      ...(integrity ? { integrity } : {}),
      ...(resolved ? { resolved } : {}),
      optional: optional === true,
    })
  }
  return [...found.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, dependency]) => dependency)
}

export function licencePage(root: string, made: string): string {
  const dependencies = productionDependencies(root)
  const counts = Map.groupBy(dependencies, ({ licence }) => licence)
  const sums = [...counts]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([licence, users]) => `${licence} ${users.length}`)
  return [
    '# Licences',
    '',
    made,
    '',
    `Packages that are installed for production, ${dependencies.length} in all: ${sums.join(', ')}. As CycloneDX: \`npm run sbom\`.`,
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...dependencies.map(
      ({ name, version, licence, optional }) => `| ${name}${optional ? ' (optional)' : ''} | ${version} | ${licence} |`,
    ),
    '',
  ].join('\n')
}
