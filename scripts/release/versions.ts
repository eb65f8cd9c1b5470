// The places that state the version. package.json is the one that the others follow.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  version?: string
  packages?: Record<string, { version?: string }> // of a lock file
  info?: { version?: string } // of an OpenAPI document
}
const ownPackages = /^(packages\/[^/]+)?$/
/** In Python, and in a Helm chart, which states its own version and that of the service. */
const statement = /^(__version__ = |version: |appVersion: )(["']?)(\d+\.\d+\.\d+)\2$/gm

function ofJson(text: string, path: string, to?: string): [string, string[]] {
  const document = JSON.parse(text) as Manifest
  const holders: { version?: string }[] = path.startsWith('docs/') ? (document.info ? [document.info] : []) : [document]
  for (const [name, entry] of Object.entries(document.packages ?? {}))
    if (ownPackages.test(name) && entry.version) holders.push(entry)
  const found = holders.flatMap(({ version }) => version ?? [])
  if (to) for (const holder of holders) holder.version = to
  return [`${JSON.stringify(document, null, 2)}\n`, found]
}
function ofLines(text: string, _path: string, to?: string): [string, string[]] {
  const found = [...text.matchAll(statement)].map(([, , , version = '']) => version)
  return [to ? text.replace(statement, `$1$2${to}$2`) : text, found]
}

/** Relative to the folder, sorted. */
export function versionFiles(root: string): string[] {
  const generated = globSync('docs/generated/*.json', { cwd: root }).filter(
    (path) => ofJson(readFileSync(join(root, path), 'utf8'), path)[1].length > 0,
  )
  return [
    'package.json',
    'package-lock.json',
    ...globSync('packages/*/package.json', { cwd: root }),
    'packages/client-python/src/unified_records/__init__.py',
    ...globSync('deploy/*/Chart.yaml', { cwd: root }),
    ...generated,
  ]
    .filter((path) => existsSync(join(root, path)))
    .sort()
}

const handlerOf = (path: string) => (path.endsWith('.json') ? ofJson : ofLines)

/** All versions that a file states. */
export function versionsIn(root: string, path: string): string[] {
  return handlerOf(path)(readFileSync(join(root, path), 'utf8'), path)[1]
}
export function writeVersion(root: string, path: string, version: string): void {
  const [text] = handlerOf(path)(readFileSync(join(root, path), 'utf8'), path, version)
  writeFileSync(join(root, path), text)
}
