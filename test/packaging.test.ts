// What is published and deployed, without installing it: `npm run pack:check`, `deploy:check` and `image:check` do.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stagePackage } from '../scripts/release/pack-stage.ts'
import { settingNames } from '../src/setting-names.ts'
import { serviceFlags } from './service-process.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path))
const { version } = readJson('package.json') as { version: string }

describe('the package of the service', () => {
  let folder: string
  let manifest: Record<string, unknown>
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'unified-records-staged-'))
    manifest = stagePackage(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  /** A launcher on another system or Node.js, as far as it can see. */
  function launch(program: string, words: string[], seen: { platform?: string; arch?: string; node?: string } = {}) {
    const { node = process.versions.node, ...system } = seen
    const code = `for (const [name, value] of Object.entries(${JSON.stringify(system)})) Object.defineProperty(process, name, { value })
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    const preload = `data:text/javascript,${encodeURIComponent(code)}`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', preload, join(folder, 'bin', program), ...words],
      { encoding: 'utf8' },
    )
    return { status, stdout, stderr }
  }

  it('has no dependencies, no development scripts, and is not private', () => {
    expect(manifest.dependencies ?? manifest.devDependencies ?? manifest.private ?? manifest.workspaces).toBeUndefined()
    expect(Object.keys(manifest.scripts as object)).toEqual(['start'])
    for (const file of ['LICENSE', 'LICENSES/MIT.txt', 'README.md', 'packages/dashboard/dist/index.html'])
      expect(existsSync(join(folder, file)), file).toBe(true)
  })
  it('has the licenses of what is bundled into the service and the dashboard', () => {
    const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(notices).toMatch(/^fastify \S+ \(MIT\)\n\nMIT License/m)
    expect(notices).toMatch(/^react-dom \S+ \(MIT\)\n\nMIT License/m)
    expect(notices).toMatch(/^lucide\n\nISC License/m)
    expect(notices).not.toMatch(/^(vitest|rolldown|playwright-core) /m)
  })
  it('runs its commands without node_modules', () => {
    expect(launch('unirec.mjs', ['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    const help = launch('unified-records.mjs', ['--help']).stdout
    expect(help).toContain('Usage: unified-records [flags]')
    expect(help).not.toContain('unirec serve')
  })
  it.each([
    ['unified-records', 'linux', 'riscv64', 'install Node.js 24 from https://nodejs.org/.'],
    ['unirec', 'win32', 'arm64', 'install Node.js 24 from https://nodejs.org/.'],
    ...[
      ['linux', 'x64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
    ].map(([platform, arch]) => [
      'unirec',
      platform,
      arch,
      'install Node.js 24 from https://nodejs.org/, or run npm install without --omit=optional, which brings one.',
    ]),
  ])('%s says in one sentence on %s %s that Node.js 22 is too old', (command, platform, arch, advice) => {
    expect(launch(`${command}.mjs`, ['serve'], { platform, arch, node: '22.4.0' })).toEqual({
      status: 2,
      stdout: '',
      stderr: `${command} runs on Node.js 24 or newer, and this is 22.4.0: ${advice}\n`,
    })
  })
})

it.each(['client', 'connect'])(
  '@unified-records/%s has what a registry shows, and is built when it is packed',
  (name) => {
    const manifest = readJson(`packages/${name}/package.json`)
    expect(manifest).toMatchObject({ version, license: 'MIT', files: ['dist'], publishConfig: { access: 'public' } })
    expect(manifest.repository).toMatchObject({ directory: `packages/${name}` })
    expect(manifest.keywords.length).toBeGreaterThan(0)
    expect(manifest.scripts.prepack).toBe('npm run build')
    for (const file of ['LICENSE', 'README.md']) expect(existsSync(join(root, 'packages', name, file)), file).toBe(true)
  },
)

describe('deploy', () => {
  it('starts the service everywhere as npm start does', () => {
    const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(read('Dockerfile')) ?? []
    expect(JSON.parse(entrypoint)).toEqual(['node', ...serviceFlags, '/app/dist/main.mjs'])
    const [, command] = /^ExecStart=(.*)$/m.exec(read('deploy/systemd/unified-records.service')) ?? []
    expect(command?.split(' ').slice(1, -1)).toEqual(serviceFlags)
  })
  it('documents every variable of the service', () => {
    const page = read('docs/configuration.md')
    const names = new Set(read('src/config.ts').match(/(?<!constants\.)\b(?:[A-Z]+(?:_[A-Z]+)+|HOST|PORT|SANDBOX)\b/g))
    expect(names.size).toBeGreaterThan(35)
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    expect([...names].toSorted()).toEqual(settingNames.toSorted())
  })
  it('keeps management off the port that a proxy publishes, and secrets out of git and the image', () => {
    expect(read('deploy/systemd/unified-records.service')).toMatch(/^Environment=.* MANAGE_PORT=9090$/m)
    const { service } = parse(read('deploy/compose.yaml')).services
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    for (const file of ['.gitignore', '.dockerignore']) expect(read(file)).toMatch(/^(\*\*\/)?\.env$/m)
  })
  it('runs without root, with a read-only root file system, and reserves resources', () => {
    expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/m)
    const { services } = parse(read('deploy/compose.yaml'))
    expect(services.service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '40s' })
    for (const service of Object.values<{ deploy: object }>(services))
      expect(service.deploy).toMatchObject({ resources: { reservations: { cpus: '1', memory: '512M' } } })
    const { resources } = parse(read('deploy/helm/values.yaml'))
    expect(resources.requests).toEqual({ cpu: '1', memory: '512Mi' })
  })
})
