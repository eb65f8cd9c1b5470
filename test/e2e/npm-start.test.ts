// A service started through npm ends with npm: no process is left, and the port is free.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cliProgram } from '../cli-process.ts'
import { quiet } from '../until.ts'
import { type WatchedProcess, watchProcess } from '../watched-process.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
let mark: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-npm-'))
  mark = `UNIREC_TEST_MARK=${randomBytes(12).toString('hex')}`
})
afterEach(() => {
  for (const pid of marked()) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Every process that the test started, directly or indirectly: they inherit the mark. */
function marked(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark)
        ? [Number(name)]
        : []
    } catch {
      return [] // it has just ended
    }
  })
}
function run(
  command: string,
  parameters: string[],
  cwd: string,
  environment: Record<string, string> = {},
): WatchedProcess {
  const outer = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|DATABASE_URL$|ENCRYPTION_KEY$|SANDBOX)/i.test(name)),
  )
  const [name, value] = mark.split('=') as [string, string]
  const own = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    SANDBOX_SIZE: 'small',
    SANDBOX_PLATFORMS: 'square',
  }
  return watchProcess(command, parameters, { cwd, env: { ...outer, ...own, ...environment, [name]: value } })
}
const kill = ({ child }: WatchedProcess, signal: NodeJS.Signals) => process.kill(child.pid as number, signal)
const nothingIsLeft = () => expect.poll(marked).toEqual([])
const portOf = async (started: WatchedProcess) => Number((await started.until(/^listening on http:\S+:(\d+)$/m))[1])
async function canListen(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

describe('npm start', () => {
  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('ends on %s after the service and the sandbox have ended', async (signal, code) => {
    const npm = run('npm', ['start'], root)
    const port = await portOf(npm)
    expect(marked().length).toBeGreaterThanOrEqual(3)
    kill(npm, signal)
    expect(await npm.exited).toBe(code)
    expect(marked()).toEqual([])
    await canListen(port)
    expect(npm.printed()).toContain(`"signal":"${signal}"`)
  })

  it('ends the service when it is killed', async () => {
    const npm = run('npm', ['start'], root)
    const port = await portOf(npm)
    kill(npm, 'SIGKILL')
    await npm.until(/"signal":"npm exit"/) // a pipe may hold the last lines longer than the process lives
    await nothingIsLeft()
    await canListen(port)
  })
})

const npmStart = (project: string) => run('npm', ['start', '--offline'], project)
const unirecServe = (project: string) => run(process.execPath, ['bin/unirec.mjs', 'serve'], project)
it.each([
  ['npm start', 'SIGTERM', npmStart],
  ['npm start', 'SIGINT', npmStart],
  ['npm start', 'SIGKILL', npmStart],
  ['unirec serve', 'SIGTERM', unirecServe],
  ['unirec serve', 'SIGKILL', unirecServe],
] as const)('%s leaves nothing behind on %s while the setup runs', async (_, signal, begin) => {
  const project = join(folder, 'project')
  const marker = join(folder, 'started')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const part of ['src', 'packages/client', 'packages/dashboard', 'node_modules'])
    mkdirSync(join(project, part), { recursive: true })
  for (const file of [
    'scripts/setup/setup.mjs',
    'scripts/setup/source-state.mjs',
    'scripts/setup/start-install.mjs',
    'bin',
  ])
    cpSync(join(root, file), join(project, file), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(project, file), text)
  const manifest = JSON.stringify({ name: 'project', version: '1.0.0', workspaces: ['packages/dashboard'], scripts })
  write('package.json', manifest)
  // Nothing to install: the setup is interrupted while it builds.
  const installed = createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(manifest).digest('hex')
  write('node_modules/.unified-records-installed', installed)
  write(
    'packages/dashboard/package.json',
    JSON.stringify({ name: 'dashboard', version: '1.0.0', scripts: { build: 'node slow.mjs' } }),
  )
  write(
    'packages/dashboard/slow.mjs',
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\nsetTimeout(() => {}, 600_000)\n`,
  )
  const started = begin(project)
  await expect.poll(() => existsSync(marker)).toBe(true)
  expect(started.printed()).not.toContain('Installing')
  kill(started, signal)
  expect(await started.exited).not.toBe(0)
  await nothingIsLeft()
  expect(existsSync(join(project, '.cache/setup-lock'))).toBe(false)
})

describe('unirec serve', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('through npx ends on %s to npx', async (signal) => {
    const npx = run('npx', ['--no', 'unirec', 'serve', '--sandbox', 'off'], root)
    const port = await portOf(npx)
    kill(npx, signal)
    await nothingIsLeft()
    await canListen(port)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends on %s to a launcher that could not become the service',
    async (signal) => {
      // As on Node.js 20, which has no execve.
      const launcher = run(
        process.execPath,
        ['--import', 'data:text/javascript,delete process.execve', cliProgram, 'serve', '--sandbox', 'off'],
        root,
      )
      const port = await portOf(launcher)
      expect(marked().length).toBeGreaterThanOrEqual(2)
      kill(launcher, signal)
      await nothingIsLeft()
      await canListen(port)
    },
  )
})

it('a service that was started directly continues without its parent', async () => {
  const started = spawnSync(
    'sh',
    ['-c', `"$0" dist/main.mjs > "$1" 2>&1 & echo $!`, process.execPath, join(folder, 'output')],
    {
      cwd: root,
      env: {
        ...process.env,
        [mark.split('=')[0] as string]: mark.split('=')[1],
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: '',
        SANDBOX: 'off',
        npm_lifecycle_event: 'deploy',
      },
      encoding: 'utf8',
    },
  )
  const pid = Number(started.stdout)
  const output = () => readFileSync(join(folder, 'output'), 'utf8')
  await expect.poll(output).toMatch(/^listening on /m)
  await quiet(1_500) // three checks of the parent
  expect(marked()).toEqual([pid])
})
