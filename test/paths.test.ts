// The project runs in any folder, such as `My Work/unified records`: what breaks with a space in its path is refused.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync(['{src,test,scripts,bench,bin}/**/*.{ts,mjs}', 'packages/*/{src,test,*.ts}/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', 'test/paths.test.ts'],
})
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

const fileUrl = String.raw`new URL\([^\n]*?\bimport\.meta\.(?:url|resolve\([^)]*\))\)`
/** Where a path with a space becomes another path, or two. */
function cutPaths(text: string): string[] {
  const code = withoutComments(text)
  const named = [...code.matchAll(new RegExp(String.raw`\b(\w+) = ${fileUrl}`, 'g'))].map(([, name]) => `\\b${name}`)
  const kinds = {
    'pathname of a file URL': new RegExp(
      String.raw`(?:${[fileUrl, ...named].join('|')})\.pathname\b|\bpathname\b[^=\n]*\} = ${fileUrl}`,
    ),
    'path in NODE_OPTIONS': /NODE_OPTIONS: *`[^`]*\$\{(?!pathToFileURL\()/,
    'command line for a shell': /\bshell: (?!false\b)|import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'/,
  }
  return Object.entries(kinds).flatMap(([kind, pattern]) => (pattern.test(code) ? [kind] : []))
}

it('no source depends on a path without spaces', () => {
  expect(sources).toContain('test/browser/https-shop.ts')
  const found = sources.flatMap((path) =>
    cutPaths(readFileSync(join(root, path), 'utf8')).map((kind) => `${path.replaceAll('\\', '/')}: ${kind}`),
  )
  // On Windows they start npm, which is a script for a shell there, with parameters that contain no path.
  const shells = ['scripts/setup/setup.mjs', 'scripts/check/start-check.mjs'].map(
    (path) => `${path}: command line for a shell`,
  )
  expect(found).toEqual(shells)
})

const placeholder = (expression: string) => `\${${expression}}`
it.each([
  ["spawn(process.execPath, [new URL('./main.ts', import.meta.url).pathname])", 'pathname of a file URL'],
  ["const file = new URL('./a.json', import.meta.url)\nreadFileSync(file.pathname)", 'pathname of a file URL'],
  ["const { pathname } = new URL('./a.json', import.meta.url)", 'pathname of a file URL'],
  ["new URL(import.meta.resolve('axe-core')).pathname", 'pathname of a file URL'],
  [`{ NODE_OPTIONS: \`--import=${placeholder("join(folder, 'a.ts')")}\` }`, 'path in NODE_OPTIONS'],
  ["spawn('npm', [folder], { shell: true })", 'command line for a shell'],
  ["import { execSync, spawn } from 'node:child_process'", 'command line for a shell'],
])('%s is refused', (code, kind) => {
  expect(cutPaths(code)).toEqual([kind])
})
it.each([
  'const path = new URL(response.url()).pathname',
  "const file = new URL('./a.json', import.meta.url)\nreadFileSync(file)",
  `{ NODE_OPTIONS: \`--import=${placeholder('pathToFileURL(file)')}\` }`,
  "import { execFileSync } from 'node:child_process'",
])('%s is allowed', (code) => {
  expect(cutPaths(code)).toEqual([])
})
