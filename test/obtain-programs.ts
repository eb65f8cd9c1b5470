// Programs that tests run and this computer lacks: Chromium from npm or from Playwright, the others from packages of
// Debian. Without root nothing is installed: they are unpacked to a folder of the checkout.
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  findProgram,
  hasDebianPackages,
  type ProgramName,
  programs,
  unpackedPrograms,
} from '../scripts/setup/programs.mjs'
import { installPackage } from './debian.ts'

const run = promisify(execFile)
const modules = join(import.meta.dirname, '../node_modules')
const bin = join(unpackedPrograms, 'bin')
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** At once for all workers, before they start. What cannot be obtained stays missing, and its tests are not run. */
export async function obtainPrograms(): Promise<void> {
  const missing = (Object.keys(programs) as ProgramName[]).filter((name) => name !== 'chromium' && !findProgram(name))
  const attempt = (names: readonly string[], work: Promise<void>) =>
    work.catch((error: Error) => console.error(`${names.join(', ')} could not be obtained: ${error.message}`))
  await Promise.all([attempt(['chromium'], obtainChromium()), attempt(missing, obtainPackages(missing))])
  if (existsSync(bin)) process.env.PATH = [process.env.PATH, bin].filter(Boolean).join(delimiter)
}

/** Several processes may do this at the same time: each prepares a folder of its own and renames it. */
async function prepare(folder: string, work: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(unpackedPrograms, { recursive: true })
  const partial = await mkdtemp(join(unpackedPrograms, 'partial-'))
  try {
    await work(partial)
    await rename(partial, folder).catch((error: Error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** A program that runs another one with libraries that the system lacks. */
async function addProgram(name: string, program: string, libraries: string[], more: string[] = []): Promise<string> {
  const path = join(bin, name)
  const paths = `${libraries.map(quoted).join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}`
  const shared = libraries.length > 0 ? [`export LD_LIBRARY_PATH=${paths}`] : []
  const text = ['#!/bin/sh', ...shared, ...more, `exec ${quoted(program)} "$@"`, ''].join('\n')
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return path
  await mkdir(bin, { recursive: true })
  const partial = `${path}.${process.pid}`
  await writeFile(partial, text)
  await chmod(partial, 0o755)
  await rename(partial, path)
  return path
}

export async function obtainChromium(): Promise<void> {
  const isInstalled = () => ![undefined, join(bin, 'chromium')].includes(findProgram('chromium'))
  if (isInstalled()) return
  if (hasChromiumPackage) return void (await unpackChromium())
  // The one of Debian brings the libraries that it needs, the one of Playwright does not.
  if (hasDebianPackages() && process.getuid?.() === 0) await installPackage(programs.chromium.debian)
  if (!isInstalled()) await downloadChromium()
}
const versionOf = (name: string) =>
  (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version

export const hasChromiumPackage = process.platform === 'linux' && process.arch === 'x64'
/** The package unpacks to the temporary directory, together with libraries and a font. */
export async function unpackChromium(): Promise<string> {
  const name = '@sparticuz/chromium'
  const folder = join(unpackedPrograms, `chromium-${versionOf(name)}`)
  await prepare(folder, async (partial) => {
    const script = `const { default: chromium, inflate } = await import('${name}')
      await Promise.all([chromium.executablePath(), inflate(process.argv[1])])`
    const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')))
    await run(process.execPath, ['--input-type=module', '-e', script, libraries], {
      cwd: modules,
      env: { ...process.env, TMPDIR: partial },
    })
    const fonts =
      '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>'
    await writeFile(join(partial, 'fonts.conf'), fonts)
  })
  return addProgram(
    'chromium',
    join(folder, 'chromium'),
    [join(folder, 'al2023/lib')],
    [`[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE=${quoted(join(folder, 'fonts.conf'))}`],
  )
}

async function downloadChromium(): Promise<void> {
  const folder = join(unpackedPrograms, `playwright-${versionOf('playwright-core')}`)
  await prepare(folder, async (partial) => {
    const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: partial }
    const program = createRequire(import.meta.url).resolve('playwright-core/package.json')
    await run(process.execPath, [join(dirname(program), 'cli.js'), 'install', '--only-shell', 'chromium'], { env })
  })
  const [program] = globSync(join(folder, '*/*/chrome-headless-shell'))
  if (!program) throw new Error(`${folder} has no Chromium`)
  await addProgram('chromium', program, [])
}

async function obtainPackages(names: readonly ProgramName[]): Promise<void> {
  if (names.length === 0 || !hasDebianPackages()) return
  if (process.getuid?.() === 0) for (const name of names) await installPackage(programs[name].debian)
  else {
    await mkdir(unpackedPrograms, { recursive: true })
    const folder = await mkdtemp(join(unpackedPrograms, 'packages-'))
    try {
      await unpackPackages(names, folder)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }
}

/** apt-get needs root only for the folders of the system. Signatures are checked as always. */
async function unpackPackages(names: readonly ProgramName[], folder: string): Promise<void> {
  const [state, cache, tree] = ['state', 'cache', 'tree'].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [join(state, 'lists/partial'), join(cache, 'archives/partial'), tree])
    await mkdir(path, { recursive: true })
  const settings = [
    `Dir::State=${state}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=true',
    'Acquire::http::Timeout=20',
  ]
  const aptGet = (...parameters: string[]) =>
    run('apt-get', [...settings.flatMap((setting) => ['-o', setting]), ...parameters])
  await aptGet('update')
  const packages = names.map((name) => programs[name].debian)
  await aptGet('install', '--reinstall', '--download-only', '--yes', '--no-install-recommends', ...packages)
  // A C library works only with the loader of its own version.
  for (const file of globSync(join(cache, 'archives/*.deb')))
    if (!basename(file).startsWith('libc6_')) await run('dpkg-deb', ['-x', file, tree])
  for (const path of [state, cache]) await rm(path, { recursive: true })
  const libraries = globSync(['usr/lib/*-linux-*', 'lib/*-linux-*'], { cwd: tree }).map((path) => join(tree, path))
  const settingsOf: Partial<Record<ProgramName, Record<string, string>>> = {
    git: {
      GIT_EXEC_PATH: join(tree, 'usr/lib/git-core'),
      GIT_TEMPLATE_DIR: join(tree, 'usr/share/git-core/templates'),
    },
  }
  for (const name of names) {
    const program = ['usr/bin', 'usr/sbin', 'bin']
      .map((place) => join(tree, place, name))
      .find((path) => existsSync(path))
    const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }
    const starts = program && (await run(program, ['--version'], { env }).catch(() => undefined))
    if (!starts) continue
    const variables = Object.entries(settingsOf[name] ?? {})
    const more = variables.map(([variable, value]) => `export ${variable}=${quoted(value)}`)
    await addProgram(name, program, libraries, more)
  }
}
