// The Python client: its own tests, and the code of docs/python.md, run by the Python of this computer.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'packages/client-python')
const account = 'square-restaurant' // what the harness calls the account that the page calls sandbox-square-restaurant
const guide = readFileSync(join(root, 'docs/python.md'), 'utf8').replaceAll('sandbox-square-restaurant', account)
const examples = guide
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [title = ''] = section.split('\n', 1)
    return [...section.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => ({ title, code }))
  })
/** A line that only a successful program prints. */
const expected: Record<string, RegExp> = {
  'First call': /there is more/,
  'Access id and secret': /\d+ categories/,
  'Reading everything': /[1-9]\d* customers have an email address/,
  Writing: /done 5\n/,
  'Native data and calls': /200 \d+ locations/,
  'Many records': /2 there, 0 of them before, 1 refused/,
  Errors: /validation_failed 422[\s\S]*\/name/,
  Changes: /created category write[\s\S]*True/,
  Webhooks: /^$/,
  'Accounts and connect links':
    /square-restaurant square active[\s\S]*forged or old: .*signature is not from this secret/,
}

const runPython = (parameters: string[], environment: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, PYTHONPATH: join(source, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...environment }
    execFile('python3', parameters, { cwd: source, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, output: stdout + stderr })
    })
  })

let harness: Harness
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'examples', scopes })).body
  const access = (await harness.manage('POST', '/access-ids', { name: 'examples' })).body
  const keys = (await harness.manage('GET', `/accounts/${account}/mapping-keys`)).body.data as {
    direction: string
    key: string
  }[]
  const keyOf = (direction: string) => keys.find((entry) => entry.direction === direction)?.key
  environment = {
    UNIREC_URL: harness.url,
    UNIREC_API_KEY: key,
    UNIREC_ACCESS_ID: access.id,
    UNIREC_ACCESS_SECRET: access.secret,
    READ_MAPPING_KEY: keyOf('read'),
    WRITE_MAPPING_KEY: keyOf('write'),
  }
})
afterAll(() => harness?.close())

it('has the version of the service', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(readFileSync(join(source, 'src/unified_records/__init__.py'), 'utf8')).toContain(`__version__ = "${version}"`)
})
it('its own tests pass', { tags: ['python3'] }, async () => {
  const { code, output } = await runPython(['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'])
  expect(output).toMatch(/Ran \d\d tests[\s\S]*OK\s*$/)
  expect(code, output).toBe(0)
})
it('every section with code is run', () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(expected))
})
it.each(examples)('"$title" does what the page says', { tags: ['python3'] }, async ({ title, code: text }) => {
  const file = join(mkdtempSync(join(tmpdir(), 'unified-records-python-')), 'example.py')
  writeFileSync(file, text)
  const { code, output } = await runPython(['-W', 'error', file], environment)
  expect(output).toMatch(expected[title] as RegExp)
  expect(code, output).toBe(0)
})
