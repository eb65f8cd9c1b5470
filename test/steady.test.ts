// Rules for tests that hold on a machine that is ten times slower and busy. A planted violation proves that each check
// can fail.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Source {
  path: string
  text: string
}
const root = join(import.meta.dirname, '..')
const own = 'test/steady.test.ts'
const sources: Source[] = globSync(['{src,test}/**/*.ts', 'packages/*/{src,test}/**/*.{ts,tsx}'], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path) && path !== own)
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

interface Rule {
  name: string
  applies(path: string): boolean
  pattern: RegExp
  planted: string
}
const isTest = (path: string) => /\.(test|long)\.tsx?$/.test(path)
const isOfTests = (path: string) => isTest(path) || path.startsWith('test/') || path.startsWith('src/conformance/')
const rules: Rule[] = [
  {
    name: 'no test waits for a second of the real clock: `time` of the harness is the clock of the platform',
    applies: isOfTests,
    pattern: /\b\d+ - \(?Date\.now\(\) % \d/,
    planted: 'await sleep(1020 - (Date.now() % 1000))',
  },
  {
    name: 'no stall holds a call until another one has come: `holdCalls` waits for it',
    applies: (path) => /^src\/(platforms|engine|changes|webhooks)\//.test(path) && isTest(path),
    pattern: /kind: 'stall'/,
    planted: "fault({ kind: 'stall', method: 'GET', times: 2, delayMs: 500 })",
  },
  {
    name: 'a lease of a test is long, or ends at once',
    applies: isTest,
    pattern:
      /\.(?:begin|renew|restart|acquire|takeFeed|takeOver)\((?:[^()]|\([^()]*\))*, ([2-9]|[1-9]\d{1,2}|[1-9]_?\d{3})\)/,
    planted: "await store.journal.begin(entryOf('dropped'), 80)",
  },
  {
    name: 'no test changes the environment of its worker, which other files share',
    applies: isTest,
    pattern: /\bprocess\.env(\.\w+|\[[^\]]+\]) = |\bdelete process\.env|\bprocess\.chdir\(/,
    planted: "process.env.TZ = 'Asia/Kathmandu'",
  },
]
const breaking = ({ applies, pattern }: Rule, files: readonly Source[]) =>
  files.filter(({ path, text }) => applies(path) && pattern.test(text)).map(({ path }) => path)

it.each(rules)('$name', (rule) => {
  const path = 'src/platforms/planted/planted.test.ts'
  expect(breaking(rule, [{ path, text: rule.planted }])).toEqual([path])
  expect(breaking(rule, sources)).toEqual([])
})
