// `npm run image:check`: builds the Dockerfile without a container engine and without pulling an image, and starts the
// result as an engine would: read-only, as the user of the image, with only /data and /tmp writable. The base image is
// made of Debian's packages (mmdebstrap) and the Node.js that npm installs here; Debian's buildah runs the Dockerfile.
// Needs root on Debian. Prints figures and exits with 1 if something is wrong.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackage } from '../../test/debian.ts'
import { findProgram } from '../setup/programs.mjs'

const root = join(import.meta.dirname, '../..')
const largestMegabytes = 200
const work = mkdtempSync(join(tmpdir(), 'unified-records-image-check-'))
const at = (...parts: string[]) => join(work, ...parts)

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
function run(command: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect(status === 0, `${command} ${parameters.join(' ')} failed:\n${stdout}\n${stderr}`)
  return stdout.trim()
}
const buildah = (...parameters: string[]) =>
  run('buildah', '--root', at('storage'), '--runroot', at('run'), '--storage-driver', 'vfs', ...parameters)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** What docker.io/library/node:26-bookworm-slim is: Debian without recommended packages, Node.js and npm, user 1000. */
function makeBase(): void {
  const start = performance.now()
  const base = at('base')
  // Its mounts, among them /dev/shm of this machine, end with the namespace even if it is killed.
  run('unshare', '--mount', 'mmdebstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', base)
  run('chroot', base, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node')
  cpSync(join(root, `node_modules/node-linux-${process.arch}/bin`), join(base, 'usr/local/bin'), { recursive: true })
  run('npm', 'install', '--global', '--ignore-scripts', '--prefix', join(base, 'usr/local'), 'npm@11')
  // A certificate authority that this machine trusts, for npm in the build.
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  if (authorities) {
    cpSync(authorities, join(base, 'etc/authorities.crt'), { dereference: true })
    writeFileSync(join(base, 'usr/local/etc/npmrc'), 'cafile=/etc/authorities.crt\n')
  }
  for (const part of ['var/cache/apt', 'var/lib/apt/lists']) rmSync(join(base, part), { recursive: true, force: true })
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, base, '/')
  buildah('commit', '--quiet', '--rm', container, 'localhost/node-base')
  rmSync(base, { recursive: true })
  console.log(`base image of Debian packages and Node.js: ${seconds(start)}`)
}

interface Settings {
  Env: string[]
  User: string
  Entrypoint: string[]
  WorkingDir: string
  Healthcheck: { Test: string[] }
}
/** Runs the Dockerfile, and returns the settings of the image and the folder with its files. */
function build(): { settings: Settings; folder: string } {
  const start = performance.now()
  buildah(
    'bud',
    '--quiet',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--build-arg',
    'NODE_IMAGE=localhost/node-base',
    '--tag',
    'unified-records',
    '.',
  )
  console.log(`buildah runs the Dockerfile: ${seconds(start)}`)
  buildah('push', '--quiet', 'unified-records', `oci:${at('pushed')}`)
  const blobs = at('pushed', 'blobs/sha256')
  const size = readdirSync(blobs).reduce((sum, name) => sum + statSync(join(blobs, name)).size, 0)
  console.log(`compressed image: ${megabytes(size)} (limit ${largestMegabytes} MB)`)
  expect(size < largestMegabytes * 1e6, 'the image is too large')
  const inspected = JSON.parse(buildah('inspect', '--type', 'image', 'unified-records')) as {
    Docker: { config: Settings }
  }
  const folder = buildah('mount', buildah('from', 'unified-records'))
  const native = run(
    'find',
    join(folder, 'app'),
    '-name',
    '*.node',
    '-o',
    '-name',
    '*.so*',
    '-o',
    '-path',
    '*/node_modules',
  )
  expect(native === '', `/app has native code or dependencies: ${native}`)
  console.log(
    `/app: ${run('du', '-sh', join(folder, 'app')).split('\t')[0]}, no native code: the same files for x64 and arm64`,
  )
  return { settings: inspected.Docker.config, folder }
}

/** An image as an engine starts it with --read-only, --cap-drop=ALL and no-new-privileges. */
async function start({ settings, folder }: ReturnType<typeof build>, given: Record<string, string>) {
  const data = mkdtempSync(at('data-'))
  const [uid, gid] = settings.User.split(':').map(Number) as [number, number]
  expect(uid > 0, 'the image runs as root')
  chownSync(data, uid, gid)
  const variables = [...settings.Env, ...Object.entries(given).map((entry) => entry.join('='))]
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    `mount --bind ${data} ${folder}/data`,
    `mount -t tmpfs -o mode=1777 tmpfs ${folder}/tmp`,
    `mount -t proc proc ${folder}/proc`,
    `mount --rbind /dev ${folder}/dev`,
    `mount -o remount,bind,ro ${folder}`,
  ]
  const enter = `exec setpriv --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot chroot --userspec=${settings.User} --groups= ${folder} env -i -C ${settings.WorkingDir} "$@"`
  const began = performance.now()
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      [...mounts, enter].join(' && '),
      'sh',
      ...variables,
      ...settings.Entrypoint,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const inside = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  const execute = (...command: string[]) =>
    spawnSync(
      'nsenter',
      [
        '--target',
        inside(),
        '--mount',
        '--pid',
        '--root',
        '--setuid',
        String(uid),
        '--setgid',
        String(gid),
        'env',
        '-i',
        ...variables,
        ...command,
      ],
      { encoding: 'utf8' },
    )
  const [kind, ...health] = settings.Healthcheck.Test
  expect(kind === 'CMD', 'no health check')
  for (let left = 120; execute(...health).status !== 0; left--) {
    expect(left > 0 && child.exitCode === null, `the health check fails: ${printed}`)
    await sleep(500)
  }
  return { data, exited, execute, inside, healthyAfter: seconds(began), printed: () => printed }
}
type Started = Awaited<ReturnType<typeof start>>

async function stop({ exited, inside }: Started): Promise<string> {
  const pid = inside()
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const began = performance.now()
  process.kill(Number(pid), 'SIGTERM')
  const code = await exited
  expect(code === 0, `exit code ${code} after SIGTERM`)
  return `peak memory ${megabytes(Number(peak) * 1024)}, exit code 0 ${seconds(began)} after SIGTERM`
}
function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })
}

async function check(image: ReturnType<typeof build>): Promise<void> {
  const production = await start(image, { PORT: await freePort() })
  const { stdout } = production.execute(
    'sh',
    '-c',
    'id -u; for i in /app/x /etc/x /usr/x /data/x /tmp/x; do (: > $i) 2>/dev/null && echo $i; done',
  )
  expect(stdout === '1000\n/data/x\n/tmp/x\n', `user and writable files: ${stdout}`)
  expect(production.execute('unirec', '--version').status === 0, 'unirec does not run in the image')
  console.log(
    `as user 1000, read-only but for /data and /tmp: healthy after ${production.healthyAfter}, ${await stop(production)}`,
  )

  const port = await freePort()
  const sandbox = await start(image, { PORT: port, SANDBOX: 'on' })
  const { apiKey } = JSON.parse(await soon(join(sandbox.data, 'sandbox.json'))) as { apiKey: string }
  const response = await fetch(`http://127.0.0.1:${port}/unified/sandbox-square-restaurant/product?pageSize=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const { data } = (await response.json()) as { data: { name: string }[] }
  expect(Boolean(data[0]?.name), `no record: ${JSON.stringify(data)}`)
  console.log(
    `with SANDBOX=on: healthy after ${sandbox.healthyAfter}, a record: ${data[0]?.name}, ${await stop(sandbox)}`,
  )
}
/** The sandbox writes it after the service listens. */
async function soon(file: string): Promise<string> {
  for (let left = 120; !existsSync(file); left--) {
    expect(left > 0, `${file} does not exist`)
    await sleep(500)
  }
  return readFileSync(file, 'utf8')
}

try {
  expect(process.getuid?.() === 0, 'Run it as root: it mounts file systems and installs Debian packages.')
  for (const name of ['mmdebstrap', 'buildah']) if (!findProgram(name)) await installPackage(name)
  makeBase()
  await check(build())
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  execFileSync('rm', ['-rf', '--one-file-system', work])
}
