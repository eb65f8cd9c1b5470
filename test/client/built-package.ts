// The client as published: built, packed, and installed in a project.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export interface BuiltPackage {
  /** A project that has the client installed. */
  project: string
  /** The client in its node_modules. */
  folder: string
  remove(): void
}

export const runNode = (
  parameters: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, parameters, { ...options, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })
export const tool = (path: string) => join(root, 'node_modules', path)

export async function buildPackage(): Promise<BuiltPackage> {
  const project = mkdtempSync(join(realpathSync(tmpdir()), 'unified-records-client-'))
  const folder = join(project, 'node_modules/@unified-records/client')
  const source = join(root, 'packages/client')
  mkdirSync(folder, { recursive: true })
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  // Without its scripts: they build it from the sources, which are not part of it.
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const { code, output } = await runNode([
    tool('typescript-native/bin/tsc'),
    '-p',
    source,
    '--outDir',
    join(folder, 'dist'),
  ])
  if (code !== 0) throw new Error(output)
  mkdirSync(join(project, 'node_modules/@types'))
  symlinkSync(tool('@types/node'), join(project, 'node_modules/@types/node'), 'junction')
  symlinkSync(tool('undici-types'), join(project, 'node_modules/undici-types'), 'junction')
  return { project, folder, remove: () => rmSync(project, { recursive: true, force: true }) }
}
