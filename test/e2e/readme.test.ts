// The commands and programs in README.md and in the guides, run against the service as a reader would run them.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliProgram } from '../cli-process.ts'
import { buildPackage, runNode, tool } from '../client/built-package.ts'
import { inOrder } from '../in-order.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { until } from '../until.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const start = /^## Start\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? ''
const blocks = (language: string, page = start) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text as string)

/** What the blocks of each guide print, in the order of the page. */
const guides: Record<string, Record<'sh' | 'ts' | 'python', RegExp[]>> = {
  'quick-start': {
    sh: [/^$/, /"cursor":"/, /"reference":\{.*"replayed":false/],
    ts: [/there is more/, /at the platform: \S+, replayed: true/],
    python: [/there is more/, /at the platform: \S+, replayed: True/],
  },
  'push-orders': {
    sh: [/"\/lineItems\/0\/name"/, /"reference":\{.*"replayed":false/],
    ts: [/^\S+ was there/m, /^3 orders are at the platform, 0 were refused$/m],
    python: [/^\S+ was there/m, /^3 orders are at the platform, 0 were refused$/m],
  },
  'push-paid-orders': {
    sh: [/"total":10\.5\b/],
    ts: [/^10\.5 and a tip of 2 are paid; the order is COMPLETED$/m],
    python: [/^10 is paid; the order is COMPLETED$/m],
  },
  'handle-unknown-outcomes': {
    sh: [/"reference":\{.*"replayed":false/],
    ts: [/^done$/m],
    python: [/^done$/m],
  },
}
const guide = (name: string, language: string) =>
  blocks(language, readFileSync(join(root, `docs/${name}.md`), 'utf8')).filter((text) => text !== 'npm start\n')

let folder: string
let service: ServiceProcess
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-readme-'))
  service = await startService({ DATA_DIR: join(folder, 'data'), SANDBOX_PLATFORMS: 'square,clover' })
  await until('the end of the start', () => /^Docs .*\n/m.test(service.printed()))
})
afterAll(async () => {
  await service?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs lines in a shell, in the folder that contains `data`; curl also prints the response headers. */
const shell = (lines: string): Promise<string> =>
  run('sh', ['-e', '-c', `curl() { command curl --include "$@" && echo; }\n${here(lines)}`])
const here = (lines: string) =>
  lines
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('npx unirec', `DATA_DIR=data "${process.execPath}" "${cliProgram}"`)
const run = (program: string, parameters: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...credentials(), PYTHONPATH: join(root, 'packages/client-python/src') }
    execFile(program, parameters, { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
    )
  })
const credentials = () => ({ UNIREC_URL: service.url, UNIREC_API_KEY: service.sandboxFile().apiKey })
const responses = (output: string) =>
  output
    .split(/^(?=HTTP\/1\.1 )/m)
    .filter(Boolean)
    .map((text) => ({
      status: Number(text.split(' ')[1]),
      replayed: /^idempotent-replayed: true\r$/im.test(text),
      body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))),
    }))

describe('the guides', inOrder, () => {
  it('the commands read two products, write three records and replay them', { tags: ['curl'] }, async () => {
    const [run, read = '', write = ''] = blocks('sh')
    expect(run).toBe('npm start\n')
    const [products, ...first] = responses(await shell(read + write))
    expect(products?.body.data).toHaveLength(2)
    expect(products?.body.pagination.cursor).toEqual(expect.any(String))
    expect(first.map(({ status, replayed }) => [status, replayed])).toEqual(Array(3).fill([201, false]))
    const again = responses(await shell(read + write)).slice(1)
    expect(again.map(({ status, replayed, body }) => [status, replayed, body.reference.replayed])).toEqual(
      Array(3).fill([200, true, true]),
    )
    expect(again.map(({ body }) => body.reference.id)).toEqual(first.map(({ body }) => body.reference.id))
  })

  it('the program runs in a fresh checkout after the setup, which builds the client', { tags: ['curl'] }, async () => {
    const pages = readdirSync(root).filter((name) => name.endsWith('.md'))
    const folders = ['src', 'scripts', 'packages', 'docs']
    for (const part of ['package.json', 'package-lock.json', 'tsconfig.json', ...folders, ...pages])
      cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => basename(path) !== 'dist' })
    // The setup of this checkout has built the other two, so this one need not: the program only needs the client.
    const built = [
      'packages/dashboard/dist/index.html',
      'dist/main.mjs',
      '.cache/dashboard-built',
      '.cache/service-built',
    ]
    for (const file of built) cpSync(join(root, file), join(folder, file))
    // The packages are those of this checkout, except the client, which is the one of the fresh checkout.
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, '@unified-records'), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name === '.unified-records-installed') cpSync(join(root, 'node_modules', name), join(modules, name))
      else if (name !== '@unified-records') symlinkSync(join(root, 'node_modules', name), join(modules, name))
    for (const name of readdirSync(join(root, 'packages')))
      symlinkSync(`../../packages/${name}`, join(modules, '@unified-records', name))
    const setup = await runNode(['scripts/setup/setup.mjs'], { cwd: folder })
    expect(setup.code, setup.output).toBe(0)

    const [code = ''] = blocks('ts')
    const [, read = '', , program = ''] = blocks('sh')
    writeFileSync(join(folder, 'example.ts'), code)
    expect(await shell(`${read}\n${program}`)).toMatch(/^order O-2 is \S+ at the platform$/m)
  })

  it.each(Object.entries(guides))(
    'the commands of %s do what the page says',
    { tags: ['curl'] },
    async (name, { sh: expected }) => {
      const commands = guide(name, 'sh')
      expect(commands).toHaveLength(expected.length)
      // The quick start says that its programs run on another platform, too.
      const accounts = ['sandbox-square-restaurant', ...(name === 'quick-start' ? ['sandbox-clover-restaurant'] : [])]
      for (const account of accounts)
        for (const [index, text] of commands.entries()) {
          const lines = here(text.replaceAll('sandbox-square-restaurant', account))
          expect(await run('sh', ['-e', '-c', lines])).toMatch(expected[index] as RegExp)
        }
    },
  )

  it('the programs of the guides in Python do what the pages say', { tags: ['python3'] }, async () => {
    for (const [name, { python: expected }] of Object.entries(guides)) {
      const programs = guide(name, 'python')
      expect(programs).toHaveLength(expected.length)
      const printed = await Promise.all(programs.map((text) => run('python3', ['-B', '-W', 'error', '-c', text])))
      for (const [index, output] of printed.entries()) expect(output).toMatch(expected[index] as RegExp)
    }
  })

  it('the programs in TypeScript have no type error and do what the pages say', async () => {
    const built = await buildPackage()
    try {
      mkdirSync(join(built.project, 'src'))
      const programs = [
        { page: 'README', texts: blocks('ts'), expected: [/^order O-2 is \S+ at the platform$/m] },
        ...Object.entries(guides).map(([page, { ts: expected }]) => ({ page, texts: guide(page, 'ts'), expected })),
      ].flatMap(({ page, texts, expected }) => {
        expect([page, texts.length]).toEqual([page, expected.length])
        return texts.map((text, index) => ({
          text,
          expected: expected[index] as RegExp,
          file: join(built.project, `src/${page}-${index}.ts`),
        }))
      })
      for (const { file, text } of programs) writeFileSync(file, text)
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
      await Promise.all(
        programs.map(async ({ file, expected }) => {
          const { output, code } = await runNode([file], { env: credentials() })
          expect(output).toMatch(expected)
          expect(code, output).toBe(0)
        }),
      )
    } finally {
      built.remove()
    }
  })

  it('the start prints an address and four lines that work as they are', { tags: ['curl'] }, async () => {
    const { apiKey, dashboard } = service.sandboxFile()
    const [, lines = ''] = /^listening on http:\S+\n\n([\s\S]*)$/m.exec(service.printed()) ?? []
    expect(lines.trimEnd().split('\n')).toEqual([
      `Dashboard   ${service.url}/dashboard (user admin, password in ${join(folder, 'data/sandbox.json')})`,
      `API key     ${apiKey}`,
      expect.stringContaining('First call  curl -s '),
      `Docs        ${service.url}/docs and ${service.url}/reference`,
    ])
    expect(lines).not.toContain(dashboard.password)
    const call = /^First call {2}(.*)$/m.exec(lines)?.[1] ?? ''
    expect(responses(await shell(call)).map(({ status, body }) => [status, body.data.length])).toEqual([[200, 2]])
  })
})
