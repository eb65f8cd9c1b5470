// The service as it is published and in the container image: the build and what it reads, without dependencies.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { noticesFile } from './notices.mjs'

const root = join(import.meta.dirname, '../..')
const dashboard = 'packages/dashboard/dist'

interface Manifest {
  name: string
  version: string
  bin: Record<string, string>
  scripts: Record<string, string>
  [field: string]: unknown
}
/** What package.json of the checkout has and the published one has, too. */
const published = ['name', 'version', 'description', 'keywords', 'license', 'repository', 'type', 'bin'] as const

export function manifestOf(): Manifest {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  return {
    ...Object.fromEntries(published.map((field) => [field, own[field]])),
    engines: { node: '>=20' }, // which starts the Node.js of an optional dependency
    scripts: { start: own.scripts.start },
    optionalDependencies: own.optionalDependencies,
  } as unknown as Manifest
}

/** Writes the package to the folder. Needs the builds of `npm run setup`. */
export function stagePackage(folder: string): Manifest {
  const copied = { bin: 'bin', dist: 'dist', [dashboard]: dashboard, LICENSE: 'LICENSE', LICENSES: 'LICENSES' }
  for (const [from, to] of Object.entries({ ...copied, 'deploy/npm/README.md': 'README.md' })) {
    if (!existsSync(join(root, from))) throw new Error(`${from} does not exist. Run npm run setup first.`)
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(join(root, from), join(folder, to), { recursive: true })
  }
  const notices = ['dist', dashboard].map((from) => readFileSync(join(root, from, noticesFile), 'utf8'))
  writeFileSync(join(folder, noticesFile), notices.join('\n'))
  const manifest = manifestOf()
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const missing = filesRead(folder).filter((file) => !existsSync(join(folder, 'dist', file)))
  if (missing.length > 0)
    throw new Error(
      `The build reads ${missing.join(', ')}, beside dist. Add it to stagePackage in scripts/release/pack-stage.ts.`,
    )
  return manifest
}

/** Paths that the build reads at run time, relative to itself. */
function filesRead(folder: string): string[] {
  return globSync('*.mjs', { cwd: join(folder, 'dist') }).flatMap((file) =>
    [...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/import\.meta\.dirname, "(\.\.\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    ),
  )
}
