// The programs of the system that tests and scripts run. `npm test` and `npm run nightly` look for them first, so that
// what is missing is known before anything is installed. Plain JavaScript without dependencies, for Node.js 20.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isWindows = process.platform === 'win32'

/** Names of the packages of Debian and Homebrew, and what runs the program. */
export const programs = {
  bash: { debian: 'bash', brew: 'bash', purpose: 'the completion of commands' },
  chromium: { debian: 'chromium-headless-shell', brew: 'google-chrome', purpose: 'the pages in a browser' },
  curl: { debian: 'curl', brew: 'curl', purpose: 'the commands in the guides' },
  git: { debian: 'git', brew: 'git', purpose: 'the release' },
  pgbouncer: { debian: 'pgbouncer', brew: 'pgbouncer', purpose: 'PostgreSQL behind PgBouncer' },
  python3: { debian: 'python3', brew: 'python', purpose: 'the Python client' },
}
/** As above; these scripts run on Debian. */
export const nightlyPrograms = {
  buildah: { debian: 'buildah', purpose: '`image`' },
  go: { debian: 'golang-go', purpose: '`deploy`, `clients`' },
  java: { debian: 'default-jdk-headless', purpose: '`clients`' },
  javac: { debian: 'default-jdk-headless', purpose: '`clients`' },
  mcs: { debian: 'mono-mcs', purpose: '`clients`' },
  mmdebstrap: { debian: 'mmdebstrap', purpose: '`image`' },
  mono: { debian: 'mono-runtime', purpose: '`clients`' },
  'systemd-analyze': { debian: 'systemd', purpose: '`deploy`' },
}

/** Outside of the PATH of most users. */
const places = {
  chromium: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
  pgbouncer: ['/usr/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
}

/** Packages of Debian that were unpacked for a user who may not install them: see test/obtain-programs.ts. */
export const unpackedPrograms = join(root, '.cache', 'programs', system())
/** A checkout may be shared with a container of another system. */
function system() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const [id, version] = ['ID', 'VERSION_ID'].map((name) => new RegExp(`^${name}="?([\\w.-]+)`, 'm').exec(release)?.[1])
  return [id ?? process.platform, version, process.arch].filter(Boolean).join('-')
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** @returns {string | undefined} its path; CHROMIUM names the one for the tests */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), join(unpackedPrograms, 'bin')]
  return [
    ...(name === 'chromium' && process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
    ...(places[name] ?? []),
    ...folders.map((folder) => join(folder, isWindows ? `${name}.exe` : name)),
  ].find(isProgram)
}
export const hasDebianPackages = () => isProgram('/usr/bin/apt-get')

export function howToInstall(names) {
  const of = (kind) => [...new Set(names.map((name) => (programs[name] ?? nightlyPrograms[name])[kind]))].join(' ')
  return process.platform === 'darwin' ? `brew install ${of('brew')}` : `apt-get install ${of('debian')}`
}

/** What is missing, and what happens then. Nothing if nothing is. */
function linesOf(part) {
  const looked = Object.keys(part === 'nightly' ? { ...programs, ...nightlyPrograms } : programs)
  const missing = looked.filter((name) => !findProgram(name))
  if (missing.length === 0) return []
  const others = missing.filter((name) => name !== 'chromium')
  return [
    `Missing programs: ${missing.join(', ')}. To install them: ${howToInstall(missing)}`,
    ...(missing.includes('chromium') ? ['The tests get a Chromium of their own, without installing it.'] : []),
    ...(others.length === 0
      ? []
      : hasDebianPackages()
        ? [
            process.getuid?.() === 0
              ? 'The tests install packages of Debian.'
              : 'The tests unpack packages of Debian into .cache/programs, without installing them.',
          ]
        : ['Tests that need one of them are not run, which is a failure with CI=true.']),
  ]
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const lines = linesOf(process.argv[2])
  if (lines.length > 0) console.log(lines.join('\n'))
}
