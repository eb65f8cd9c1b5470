// `npm run pack:check`: packs everything and uses it as a stranger would, in empty folders: the service up to its first
// record, the TypeScript client with its types, the Python client, and the launcher on a system without a Node.js
// package. Prints each step with its seconds and exits with 1 if one fails. Installs from the registry that npm uses.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const limitSeconds = 30
const work = mkdtempSync(join(tmpdir(), 'unified-records-pack-check-'))
const out = join(work, 'out')
/** What the machine has: no Node.js of this checkout, no settings of the npm that runs this script. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|DATABASE_URL$|ENCRYPTION_KEY$|DATA_DIR$|SANDBOX)/i.test(name),
    ),
  ),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)
function run(command: string, parameters: string[], cwd: string, more: Record<string, string> = {}): string {
  try {
    return execFileSync(command, parameters, {
      cwd,
      env: { ...environment, ...more },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  }
}
const step = (name: string, start: number) => console.log(`${seconds(start).padStart(6)} s  ${name}`)
function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
const emptyFolder = (name: string) => {
  const folder = join(work, name)
  mkdirSync(folder)
  return folder
}
const packed = (pattern: RegExp) => join(out, readdirSync(out).find((name) => pattern.test(name)) as string)

interface Running {
  url: string
  apiKey: string
}
let stop = async () => {}
/** From an empty folder to the first record. */
async function fromEmptyFolder(): Promise<Running> {
  const folder = emptyFolder('service')
  const start = performance.now()
  run('npm', ['install', packed(/^unified-records-\d.*\.tgz$/)], folder)
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  step(
    `npm install unified-records-….tgz with Node.js ${run('node', ['--version'], folder)}: ${packages.join(', ')}`,
    start,
  )
  const child = spawn('npx', ['unified-records', '--port', '0'], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  stop = async () => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGTERM') // as Ctrl-C does, the whole group
    await exited
  }
  const url = await addressOf(child)
  step(`npx unified-records: listening on ${url}`, start)
  const { apiKey } = JSON.parse(readFileSync(join(folder, 'data/sandbox.json'), 'utf8')) as { apiKey: string }
  const response = await fetch(`${url}/unified/sandbox-square-restaurant/product?pageSize=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const { data } = (await response.json()) as { data: { name: string }[] }
  const total = Number(seconds(start))
  step(`the first record: ${data[0]?.name}`, start)
  for (const path of ['/dashboard', '/reference', '/openapi.json'])
    expect((await fetch(`${url}${path}`)).status === 200, `GET ${path} failed`)
  expect(total < limitSeconds, `the first record took ${total} s; the limit is ${limitSeconds} s`)
  return { url, apiKey }
}
function addressOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk
      const [, url] = /^listening on (http:\S+)\n[\s\S]*^API key/m.exec(printed) ?? []
      if (url) resolve(url)
    })
    child.once('close', () => reject(new Error(`the service ended: ${printed}`)))
  })
}

const program = (line: string) => `import { createClient } from '@unified-records/client'
import { open } from '@unified-records/connect'
const client = createClient({ url: process.env.UNIREC_URL!, apiKey: process.env.UNIREC_API_KEY })
const { product } = client.account('sandbox-square-restaurant')
const { data } = await product.list({ pageSize: 1 })
${line}
console.log(typeof open, name)
`
/** One call, and types: a field that does not exist is an error. */
function typeScriptClient({ url, apiKey }: Running): void {
  const folder = emptyFolder('client')
  const start = performance.now()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', packed(/-client-.*\.tgz$/), packed(/-connect-.*\.tgz$/)], folder)
  const compile = (line: string) => {
    writeFileSync(join(folder, 'globals.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
    writeFileSync(join(folder, 'program.ts'), program(line))
    return spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript-native/bin/tsc'),
        ...['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'globals.d.ts', 'program.ts'],
      ],
      { cwd: folder, encoding: 'utf8' },
    )
  }
  const wrong = compile('const name = data[0]?.nme')
  expect(wrong.status !== 0 && /Property 'nme' does not exist/.test(wrong.stdout), `no type error: ${wrong.stdout}`)
  const right = compile('const name: string | undefined = data[0]?.name')
  expect(right.status === 0, right.stdout)
  const printed = run('node', ['program.js'], folder, { UNIREC_URL: url, UNIREC_API_KEY: apiKey })
  expect(/^function \S/.test(printed), `the client printed ${printed}`)
  step(`client and connect: installed, types resolve, one call: ${printed.replace('function ', '')}`, start)
}

function pythonClient({ url, apiKey }: Running): void {
  const folder = emptyFolder('python')
  const start = performance.now()
  run('python3', ['-m', 'venv', 'venv'], folder)
  run('venv/bin/pip', ['install', '--no-index', '--quiet', packed(/\.whl$/)], folder)
  const code = [
    'import os, unified_records as u',
    'a = u.Client(os.environ["UNIREC_URL"], api_key=os.environ["UNIREC_API_KEY"]).account("sandbox-square-restaurant")',
    'print(u.__version__, next(iter(a.product.list()))["name"])',
  ]
  const printed = run('venv/bin/python', ['-c', code.join('\n')], folder, { UNIREC_URL: url, UNIREC_API_KEY: apiKey })
  step(`Python client: wheel installed without an index, one call: ${printed}`, start)
  const names = run('tar', ['tzf', packed(/\.tar\.gz$/)], folder).split('\n')
  const needed = ['PKG-INFO', 'pyproject.toml', 'LICENSE', 'README.md', 'src/unified_records/__init__.py']
  expect(
    needed.every((name) => names.some((path) => path.endsWith(`/${name}`))),
    `the archive has ${names.join(', ')}`,
  )
}

/** As npm installs it on a system for which there is no Node.js package. */
function withoutNodePackage(): void {
  const folder = emptyFolder('riscv')
  const start = performance.now()
  run('npm', ['install', '--os=linux', '--cpu=riscv64', packed(/^unified-records-\d.*\.tgz$/)], folder)
  const system = (major: string) =>
    `data:text/javascript,${encodeURIComponent(
      `for (const [name, value] of Object.entries({ platform: 'linux', arch: 'riscv64', versions: { ...process.versions, node: '${major}.0.0' } })) Object.defineProperty(process, name, { value })`,
    )}`
  const launch = (major: string, ...words: string[]) =>
    spawnSync(
      process.execPath,
      [
        '--import',
        system(major),
        join(folder, 'node_modules/unified-records/bin', words[0] as string),
        ...words.slice(1),
      ],
      {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
      },
    )
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(packages.join() === 'unified-records', `installed ${packages.join(', ')}`)
  const old = launch('22', 'unified-records.mjs')
  expect(old.status === 2 && old.stderr.split('\n').length === 2, `exit code ${old.status}: ${old.stderr}`)
  const current = launch('24', 'unirec.mjs', '--version')
  expect(current.status === 0 && /^\d+\.\d+/.test(current.stdout), current.stderr)
  step(`Linux riscv64: Node.js 24 runs it; Node.js 22 prints: ${old.stderr.trim()}`, start)
}

try {
  const start = performance.now()
  console.log(run(process.execPath, ['scripts/release/pack.ts', out], root))
  step('packed', start)
  const running = await fromEmptyFolder()
  typeScriptClient(running)
  pythonClient(running)
  withoutNodePackage()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await stop()
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
