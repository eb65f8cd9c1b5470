// What both commands share: finding a Node.js that is new enough (this one, or the one installed with the dependencies)
// and handing over to it. Plain JavaScript, because older ones must be able to read it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededMajor = 24
export const root = fileURLToPath(new URL('..', import.meta.url))
/** The published package has the build alone. */
export const isCheckout = existsSync(join(root, 'src'))

const majorOf = (version) => Number(/^v?(\d+)/.exec(version ?? '')?.[1] ?? 0)
export const isNewEnough = majorOf(process.versions.node) >= neededMajor
const manifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The service runs as `npm start` runs it: in a checkout, what is stale is built first. */
export function serve(words) {
  if (isCheckout) {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup/setup.mjs')], { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
  const flags = manifest().scripts.start.split(' ').slice(2, -1) // exec node <flags> <script>
  handOver([...flags, join(root, 'dist/cli/main.mjs'), 'serve', ...words])
}

/** Does not come back: this process becomes the other one, or waits for it. */
export function handOver(words) {
  const program = isNewEnough ? process.execPath : installedNode()
  if (process.execve && process.platform !== 'win32') process.execve(program, [program, ...words], process.env)
  const child = spawn(program, words, {
    stdio: 'inherit',
    env: { ...process.env, UNIREC_LAUNCHER: String(process.pid) },
  }) // the service ends with this process
  // A terminal sends its signals to both; what is sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(2)
  })
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}

/** From the optional package for this system, beside this one or above it. */
function installedNode() {
  const isWindows = process.platform === 'win32'
  const system = `${isWindows ? 'win' : process.platform}-${process.arch}`
  const name = Object.keys(manifest().optionalDependencies ?? {}).find((one) => one.endsWith(`-${system}`))
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const program = join(folder, 'bin', isWindows ? 'node.exe' : 'node')
    if (majorOf(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout) >= neededMajor) return program
  } catch {
    // Not installed.
  }
  const command = basename(process.argv[1] ?? 'unirec').replace(/\.mjs$/, '')
  console.error(
    `${command} runs on Node.js ${neededMajor} or newer, and this is ${process.versions.node}: install Node.js ${neededMajor} from https://nodejs.org/${name ? ', or run npm install without --omit=optional, which brings one' : ''}.`,
  )
  process.exit(2)
}
