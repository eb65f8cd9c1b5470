// Whether files are untouched since they were compared with a build: by size and times, in a fraction of the time that
// reading them takes. A copy, a checkout or an edit changes the time of the last status change. Plain JavaScript,
// because bin/unirec.mjs reads it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const serviceSources = ['src', join('packages', 'client'), 'scripts', 'package-lock.json']
export const serviceState = join('.cache', 'service-state')

/** Names that are no sources. */
export const isGenerated = (name) => ['node_modules', 'dist', 'coverage'].includes(name) || name.includes('.timestamp-')

export function stateOf(root, sources = serviceSources) {
  const hash = createHash('sha256')
  const add = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    if (found?.isDirectory())
      for (const name of readdirSync(join(root, path)).sort()) isGenerated(name) || add(join(path, name))
    else hash.update(`${path} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}\n`)
  }
  for (const source of sources) add(source)
  return hash.digest('hex')
}

/** Whether the build of the service has what the sources have. If in doubt, not. */
export function isServiceBuilt(root) {
  try {
    return (
      existsSync(join(root, 'dist', 'cli', 'main.mjs')) &&
      readFileSync(join(root, serviceState), 'utf8') === stateOf(root)
    )
  } catch {
    return false
  }
}
