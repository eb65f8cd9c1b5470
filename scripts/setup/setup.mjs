// Runs before `npm start` and `npm test`: on a fresh clone it installs and builds, afterwards it only checks.
// `setup.mjs start` (or nothing) installs what the service is built of, `test` everything, `tools` the same without
// builds. Plain JavaScript without dependencies, because it runs before anything is installed and on Node.js 20.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isGenerated, serviceState, stateOf } from './source-state.mjs'
import { slim } from './start-install.mjs'

const NEEDED_MAJOR = 24
const root = fileURLToPath(new URL('../..', import.meta.url))
const at = (...parts) => join(root, ...parts)
const lockFile = at('package-lock.json')
const installedMark = at('node_modules', '.unified-records-installed')
const dashboard = at('packages', 'dashboard')
const setupLock = at('.cache', 'setup-lock')
const [mode = 'start'] = process.argv.slice(2)
if (!['start', 'test', 'tools'].includes(mode)) {
  console.error(`Usage: npm run setup -- [start|test|tools]; not ${mode}`)
  process.exit(2)
}
const readOrNothing = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Includes the system, because packages with binaries are for one system only. */
function expectedInstall() {
  const declared = existsSync(lockFile) ? lockFile : at('package.json')
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(declared))
    .digest('hex')
}
/** The mark of an installation by a start ends with it: without development dependencies, and slim. */
const startOnly = ' start'
const isStartOnly = () => readOrNothing(installedMark).endsWith(startOnly)
/** Development dependencies that are installed stay. */
const withDevelopment = () => mode !== 'start' || (existsSync(installedMark) && !isStartOnly())

const listed = (list, value) => {
  const names = [list].flat()
  return names.includes(value) || (!names.includes(`!${value}`) && names.every((name) => name.startsWith('!')))
}
/**
 * npm leaves out optional packages for other systems and their dependencies. A package for this system must be
 * installed; npm decides about `libc`.
 */
const mayBeAbsent = (entry) => {
  const forThisSystem =
    (entry.os || entry.cpu) &&
    listed(entry.os ?? process.platform, process.platform) &&
    listed(entry.cpu ?? process.arch, process.arch) &&
    !entry.libc
  return (entry.optional || entry.devOptional || entry.peer) && !forThisSystem
}

/**
 * Whether a manual install (`npm install`, `npm ci`) already matches the lock file. Then it is not repeated. A manual
 * `npm install` after a start does not restore the files that the start has removed, so it does not count.
 */
function installedByHand(development) {
  const hidden = at('node_modules', '.package-lock.json')
  if (!existsSync(lockFile) || !existsSync(hidden) || isStartOnly()) return false
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (!found) return mayBeAbsent(entry) || (entry.dev && !development)
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      Boolean(found.link) === Boolean(entry.link) &&
      existsSync(at(path))
    )
  })
}

function installNeeded() {
  const expected = expectedInstall()
  const mark = readOrNothing(installedMark)
  if (mark === expected || (mode === 'start' && mark === `${expected}${startOnly}`)) return false
  if (!installedByHand(true)) return mode !== 'start' || !installedByHand(false)
  try {
    writeFileSync(installedMark, expected)
  } catch {
    // A read-only checkout: the next start compares again.
  }
  return false
}

/** Pictures count by their size: no build depends on what is in them, and they are large. */
function hashPath(hash, path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory())
    for (const name of readdirSync(path).sort()) isGenerated(name) || hashPath(hash, join(path, name))
  else if (found?.isFile())
    hash.update(`${path.slice(root.length)}\n`).update(path.endsWith('.png') ? String(found.size) : readFileSync(path))
}

/** What the documentation site is made of, besides src and packages/client. */
const documentation = () => [
  at('docs'),
  join(dashboard, 'README.md'),
  join(dashboard, 'src', 'tokens.css'),
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => at(name)),
]
const builds = [
  {
    name: 'the dashboard',
    from: [dashboard, at('packages', 'client')],
    into: join(dashboard, 'dist', 'index.html'),
    command: () => ['run', 'build', '--workspace', 'packages/dashboard'],
    mark: at('.cache', 'dashboard-built'),
  },
  {
    name: 'the service',
    from: [at('src'), at('packages', 'client'), at('scripts'), ...documentation()],
    into: at('dist', 'main.mjs'),
    command: () => ['run', 'build'],
    mark: at('.cache', 'service-built'),
    state: at(serviceState), // of sources that were compared with the build, for bin/unirec.mjs
  },
  {
    name: 'the client',
    from: [at('packages', 'client')],
    into: at('packages', 'client', 'dist', 'index.js'),
    // The start has no compiler. Its build of the client has no declarations.
    kind: () => (withDevelopment() ? '' : ' without types'),
    command: () => ['run', withDevelopment() ? 'build' : 'build:scripts', '--workspace', 'packages/client'],
    mark: at('.cache', 'client-built'),
  },
]
const wanted = () => (mode === 'tools' ? [] : builds)
/** By content, not by time: a checkout of an older commit, or a deleted file, makes the output stale as well. */
function sourcesOf({ from }) {
  const hash = createHash('sha256').update(readOrNothing(lockFile))
  for (const path of from) hashPath(hash, path)
  return hash.digest('hex')
}
function isStale(one) {
  if (!existsSync(one.into)) return true
  const state = one.state && stateOf(root) // before the content: what changes meanwhile is a change
  const sources = sourcesOf(one)
  const stale = ![sources, `${sources}${one.kind?.() ?? ''}`].includes(readOrNothing(one.mark))
  if (!stale) storeState(one, state)
  return stale
}
function storeState({ state: file }, state) {
  if (!file || readOrNothing(file) === state) return
  try {
    writeFileSync(file, state)
  } catch {
    // A read-only checkout: the command line starts from its sources.
  }
}

/**
 * Options of the outer npm (`--workspace`, `--omit`, `--dry-run` …) are not for the inner install; registry, proxy and
 * cache are.
 */
const OUTER_ONLY =
  /^npm_(package|lifecycle|command$|config_(also|dry_run|global|if_present|include|include_workspace_root|json|local_prefix|location|loglevel|long|omit|only|optional|package_lock|package_lock_only|parseable|prefix|production|save|silent|workspace|workspaces)$)/i
function innerEnvironment() {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !OUTER_ONLY.test(name) && name !== 'INIT_CWD' && name !== 'NODE_ENV',
    ),
  )
  const pathName = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  // npm must not run on the Node.js that `npm ci` is about to remove.
  const folders = (environment[pathName] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  return { environment: { ...environment, [pathName]: folders.join(delimiter) }, pathName }
}

const hasGroups = process.platform !== 'win32'
const children = new Set() // every npm that runs now
let interrupted = false
/**
 * npm ends first, so that the lock is never released while it still writes. Shells do not forward signals, so the whole
 * group gets it.
 */
function interrupt(signal) {
  interrupted = true
  for (const child of children)
    try {
      hasGroups ? process.kill(-child.pid, signal) : child.kill(signal)
    } catch {
      // It has just ended by itself.
    }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupt(signal))
// The process that started this one waits for it. If it is killed, the setup is no longer needed.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  interrupt('SIGTERM')
}, 250)
watch.unref()
function goOn() {
  if (interrupted) throw new Error('Interrupted.')
}

/** `otherwise`: other parameters, for a failure whose output contains a code. */
async function npm(parameters, otherwise) {
  const { code, output } = await runNpm(parameters)
  if (code === 0) return
  if (otherwise && output.includes(otherwise.code)) return npm(otherwise.parameters)
  process.stderr.write(output)
  throw new Error(`\`npm ${parameters.join(' ')}\` failed (${code}). Its output is above.`)
}

async function runNpm(parameters) {
  const { environment } = innerEnvironment()
  const program = process.env.npm_execpath ?? ''
  const runtime = process.env.npm_node_execpath ?? ''
  const direct =
    program.endsWith('npm-cli.js') &&
    existsSync(program) &&
    existsSync(runtime) &&
    !runtime.includes(`${sep}node_modules${sep}`)
  const options = { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroups }
  const child = direct
    ? spawn(runtime, [program, ...parameters], options)
    : spawn('npm', parameters, { ...options, shell: !hasGroups })
  children.add(child)
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  children.delete(child)
  goOn()
  return { code, output: Buffer.concat(output) }
}

async function install() {
  const development = withDevelopment()
  const command = existsSync(lockFile) ? 'ci' : 'install'
  const kinds = [development ? '--include=dev' : '--omit=dev', '--include=optional']
  console.log(`Installing dependencies (npm ${command}${development ? '' : ' --omit=dev'}) …`)
  rmSync(installedMark, { force: true })
  const parameters = [command, ...kinds, '--no-audit', '--no-fund']
  // Versions are locked, so what npm has in its cache needs no question to the registry. A cache that is older than the
  // lock file lacks a version; npm must ask then.
  if (existsSync(lockFile)) await npm([...parameters, '--prefer-offline'], { code: 'ETARGET', parameters })
  else await npm(parameters)
  writeFileSync(installedMark, `${expectedInstall()}${development ? '' : startOnly}`)
}

const nodeProgram = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
/**
 * The package of Node.js whose program is not in node_modules/.bin: npm 10 removes it again when it leaves out the
 * packages for other systems, which have one of the same name (https://github.com/npm/cli/issues/4362).
 */
function unlinkedNode() {
  if (existsSync(nodeProgram)) return undefined
  const { optionalDependencies = {} } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  return Object.keys(optionalDependencies).find((name) => existsSync(at('node_modules', name)))
}
async function linkNode() {
  const name = unlinkedNode()
  if (name) await npm(['rebuild', name, '--ignore-scripts'])
}

async function build(one) {
  const { name, into, command, mark } = one
  rmSync(mark, { force: true })
  if (one.state) rmSync(one.state, { force: true })
  const state = one.state && stateOf(root)
  const sources = sourcesOf(one)
  console.log(`Building ${name} …`)
  await npm(command())
  if (!existsSync(into)) throw new Error(`${name} was built, but ${into} is not there.`)
  writeFileSync(mark, `${sources}${one.kind?.() ?? ''}`)
  storeState(one, state)
}

/** They do not need each other. All end before the first error is reported, because each of them writes. */
async function buildStale() {
  const outcomes = await Promise.allSettled(wanted().filter(isStale).map(build))
  for (const { reason } of outcomes) if (reason) throw reason
}

async function installAndBuild() {
  const installs = installNeeded()
  if (installs) await install()
  await linkNode()
  try {
    await buildStale()
  } catch (error) {
    // A changed source may import a file that no build needed before.
    if (installs || !isStartOnly() || interrupted) throw error
    await install()
    await linkNode()
    await buildStale()
  }
  if (isStartOnly()) slim(root, ['dashboard', 'service'])
}

/** Finds `node` like the next script: node_modules/.bin first, then the PATH. */
function checkRuntime() {
  const { environment, pathName } = innerEnvironment()
  const path = [at('node_modules', '.bin'), environment[pathName]].join(delimiter)
  const { stdout, error } = spawnSync('node', ['--version'], {
    env: { ...environment, [pathName]: path },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= NEEDED_MAJOR) return
  throw new Error(
    [
      `This project runs on Node.js ${NEEDED_MAJOR} or newer; found ${stdout?.trim() || `none that starts (${error?.message ?? 'no version printed'})`}.`,
      `Usually it is installed with the dependencies, as an optional package for your system (${process.platform} ${process.arch}). Either`,
      '  - allow optional packages (no `omit=optional` in .npmrc), delete node_modules and run the command again, or',
      `  - install Node.js ${NEEDED_MAJOR} from https://nodejs.org/ and run the command again.`,
    ].join('\n'),
  )
}

const STALE_AFTER = 15_000
/** One setup at a time: one process creates a directory and updates its time while it runs. */
async function alone(work) {
  for (;;) {
    try {
      mkdirSync(at('.cache'), { recursive: true })
      mkdirSync(setupLock)
      break
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code))
        throw new Error(
          `This version must be installed and built first, and ${root} cannot be written. Run \`npm run setup\` as a user who can write it.`,
        )
      if (error.code !== 'EEXIST') throw error
      const left = statSync(setupLock, { throwIfNoEntry: false })
      goOn()
      if (left && Date.now() - left.mtimeMs > STALE_AFTER) rmSync(setupLock, { recursive: true, force: true })
      else await sleep(100 + Math.random() * 200)
    }
  }
  const beat = setInterval(() => utimesSync(setupLock, new Date(), new Date()), 1_000)
  try {
    await work()
  } finally {
    clearInterval(beat)
    rmdirSync(setupLock)
  }
}

try {
  if (installNeeded() || unlinkedNode() || wanted().some(isStale)) {
    await alone(installAndBuild)
    checkRuntime()
  } else if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) checkRuntime()
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
}
