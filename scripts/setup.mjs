// Runs before `npm start` and `npm test`: on a fresh clone it installs and builds, afterwards it only checks.
// Plain JavaScript without dependencies, because it runs before anything is installed and on Node 20.
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

const NEEDED_MAJOR = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)
const lockFile = at('package-lock.json')
const installedMark = at('node_modules', '.unified-records-installed')
const dashboard = at('packages', 'dashboard')
const setupLock = at('.cache', 'setup-lock')
const readOrNothing = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Includes the system, because packages with binaries are for one system only. */
function expectedInstall() {
  const declared = existsSync(lockFile) ? lockFile : at('package.json')
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(declared))
    .digest('hex')
}

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

/** Whether a manual install (`npm install`, `npm ci`) already matches the lock file. Then it is not repeated. */
function installedByHand() {
  const hidden = at('node_modules', '.package-lock.json')
  if (!existsSync(lockFile) || !existsSync(hidden)) return false
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (!found) return mayBeAbsent(entry)
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
  if (readOrNothing(installedMark) === expected) return false
  if (!installedByHand()) return true
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
    command: ['run', 'build', '--workspace', 'packages/dashboard'],
    mark: at('.cache', 'dashboard-built'),
  },
  {
    name: 'the service',
    from: [at('src'), at('packages', 'client'), at('scripts'), ...documentation()],
    into: at('dist', 'main.mjs'),
    command: ['run', 'build'],
    mark: at('.cache', 'service-built'),
    state: at(serviceState), // of sources that were compared with the build, for bin/unirec.mjs
  },
  {
    name: 'the client',
    from: [at('packages', 'client')],
    into: at('packages', 'client', 'dist', 'index.js'),
    command: ['run', 'build', '--workspace', 'packages/client'],
    mark: at('.cache', 'client-built'),
  },
]
/** By content, not by time: a checkout of an older commit, or a deleted file, makes the output stale as well. */
function sourcesOf({ from }) {
  const hash = createHash('sha256').update(readOrNothing(lockFile))
  for (const path of from) hashPath(hash, path)
  return hash.digest('hex')
}
function isStale(one) {
  if (!existsSync(one.into)) return true
  const state = one.state && stateOf(root) // before the content: what changes meanwhile is a change
  const stale = readOrNothing(one.mark) !== sourcesOf(one)
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
let child // the npm that runs now
let interrupted = false
/**
 * npm ends first, so that the lock is never released while it still writes. Shells do not forward signals, so the whole
 * group gets it.
 */
function interrupt(signal) {
  interrupted = true
  try {
    if (child) hasGroups ? process.kill(-child.pid, signal) : child.kill(signal)
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
  child = direct
    ? spawn(runtime, [program, ...parameters], options)
    : spawn('npm', parameters, { ...options, shell: !hasGroups })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', resolve)
  })
  child = undefined
  goOn()
  return { code, output: Buffer.concat(output) }
}

async function install() {
  const command = existsSync(lockFile) ? 'ci' : 'install'
  console.log(`Installing dependencies (npm ${command}) …`)
  rmSync(installedMark, { force: true })
  const parameters = [command, '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  // Versions are locked, so what npm has in its cache needs no question to the registry. A cache that is older than the
  // lock file lacks a version; npm must ask then.
  if (existsSync(lockFile)) await npm([...parameters, '--prefer-offline'], { code: 'ETARGET', parameters })
  else await npm(parameters)
  writeFileSync(installedMark, expectedInstall())
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
  await npm(command)
  if (!existsSync(into)) throw new Error(`${name} was built, but ${into} is not there.`)
  writeFileSync(mark, sources)
  storeState(one, state)
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
  if (installNeeded() || unlinkedNode() || builds.some(isStale)) {
    await alone(async () => {
      if (installNeeded()) await install()
      await linkNode()
      for (const one of builds.filter(isStale)) await build(one)
    })
    checkRuntime()
  } else if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) checkRuntime()
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
}
