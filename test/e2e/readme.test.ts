// The commands and the program in README.md, run against the service as a reader would run them.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildPackage, runNode, tool } from '../client/built-package.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const start = /^## Start\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? ''
const blocks = (language: string) =>
  [...start.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text as string)

let folder: string
let service: ServiceProcess
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-readme-'))
  service = await startService({ DATA_DIR: join(folder, 'data') })
  await vi.waitFor(() => expect(service.printed()).toMatch(/^Docs .*\n/m), { timeout: 120_000 })
})
afterAll(async () => {
  await service?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs lines in bash, in the folder that contains `data`; curl also prints the response headers. */
const bash = (lines: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const script = `curl() { command curl --include "$@" && echo; }\n${lines.replaceAll('http://127.0.0.1:8080', service.url)}`
    execFile('bash', ['-e', '-c', script], { cwd: folder }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    )
  })
const responses = (output: string) =>
  output
    .split(/^(?=HTTP\/1\.1 )/m)
    .filter(Boolean)
    .map((text) => ({
      status: Number(text.split(' ')[1]),
      replayed: /^idempotent-replayed: true\r$/im.test(text),
      body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))),
    }))

it('the commands read two products, write three records and replay them', async () => {
  const [run, read = '', write = ''] = blocks('sh')
  expect(run).toBe('npm start\n')
  const [products, ...first] = responses(await bash(read + write))
  expect(products?.body.data).toHaveLength(2)
  expect(products?.body.pagination.cursor).toEqual(expect.any(String))
  expect(first.map(({ status, replayed }) => [status, replayed])).toEqual(Array(3).fill([201, false]))
  const again = responses(await bash(read + write)).slice(1)
  expect(again.map(({ status, replayed, body }) => [status, replayed, body.reference.replayed])).toEqual(
    Array(3).fill([200, true, true]),
  )
  expect(again.map(({ body }) => body.reference.id)).toEqual(first.map(({ body }) => body.reference.id))
})

it('the program runs in a fresh checkout after the setup', async () => {
  for (const part of ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'scripts', 'packages'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => basename(path) !== 'dist' })
  // The packages are those of this checkout, except the client, which is the one of the fresh checkout.
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@unified-records'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name === '.unified-records-installed') cpSync(join(root, 'node_modules', name), join(modules, name))
    else if (name !== '@unified-records') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(root, 'packages')))
    symlinkSync(`../../packages/${name}`, join(modules, '@unified-records', name))
  const setup = await runNode(['scripts/setup.mjs'], { cwd: folder })
  expect(setup.code, setup.output).toBe(0)

  const [code = ''] = blocks('ts')
  const [, read = '', , program = ''] = blocks('sh')
  writeFileSync(join(folder, 'example.ts'), code)
  expect(await bash(`${read}\n${program}`)).toMatch(/^order O-2 is \S+ at the platform$/m)
})

it('the program has no type error and writes an order', async () => {
  const [code = ''] = blocks('ts')
  const built = await buildPackage()
  try {
    const file = join(built.project, 'src/readme.ts')
    mkdirSync(join(built.project, 'src'))
    writeFileSync(file, code)
    writeFileSync(join(built.project, 'package.json'), '{ "type": "module" }')
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024'],
      types: ['node'],
      noEmit: true,
      skipLibCheck: true,
    }
    writeFileSync(join(built.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
    const types = await runNode([tool('typescript-native/bin/tsc'), '-p', built.project])
    expect(types.code, types.output).toBe(0)
    const program = await runNode([file], {
      env: { UNIREC_URL: service.url, UNIREC_API_KEY: service.sandboxFile().apiKey },
    })
    expect(program.output).toMatch(/^order O-2 is \S+ at the platform$/m)
    expect(program.code, program.output).toBe(0)
  } finally {
    built.remove()
  }
})

it('the start prints an address and four lines that work as they are', async () => {
  const { apiKey, dashboard } = service.sandboxFile()
  const [, lines = ''] = /^listening on http:\S+\n\n([\s\S]*)$/m.exec(service.printed()) ?? []
  expect(lines.trimEnd().split('\n')).toEqual([
    `Dashboard   ${service.url}/dashboard (user admin, password in ${join(folder, 'data/sandbox.json')})`,
    `API key     ${apiKey}`,
    expect.stringContaining('First call  curl -s '),
    `Docs        ${service.url}/reference and docs/README.md`,
  ])
  expect(lines).not.toContain(dashboard.password)
  const call = /^First call {2}(.*)$/m.exec(lines)?.[1] ?? ''
  expect(responses(await bash(call)).map(({ status, body }) => [status, body.data.length])).toEqual([[200, 2]])
})
