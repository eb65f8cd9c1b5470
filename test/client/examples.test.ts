// The code of docs/client.md, type-checked and run as a program that has the published package installed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { type BuiltPackage, buildPackage, runNode, tool } from './built-package.ts'

const account = 'square-restaurant' // what the harness calls the account that the page calls sandbox-square-restaurant
const guide = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8')
const examples = [...guide.matchAll(/^##+ (.+)$|^```ts\n([\s\S]*?)^```$/gm)]
  .map((match, index, all) => ({
    title: all.slice(0, index).findLast(([, title]) => title)?.[1] ?? '',
    code: match[2],
  }))
  .flatMap(({ title, code }, index) =>
    code ? [{ title, file: `example-${index}.ts`, code: code.replaceAll('sandbox-square-restaurant', account) }] : [],
  )
/** A line that only a successful program prints. */
const expected: Record<string, RegExp> = {
  'First call': /there is more/,
  'One vertical': /1 employee/,
  'Access id and secret': /\d+ categories/,
  'Reading everything': /[1-9]\d* customers have an email address/,
  Writing: /done 5\n/,
  'Many records': /2 there, 0 of them before, 1 refused/,
  Errors: /validation_failed 422[\s\S]*\/name/,
  'Waiting and aborting': /stopped after 7/,
  'Accounts and connect links':
    /square-restaurant square active[\s\S]*forged or old: .*signature is not from this secret/,
  'Management API': /square-restaurant: square, active/,
  'Types of operations': /\[\]/,
}

let built: BuiltPackage
let harness: Harness
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  ;[built, harness] = await Promise.all([buildPackage(), createHarness({ connectors, simulators, platform: 'square' })])
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
  mkdirSync(join(built.project, 'src'))
  writeFileSync(join(built.project, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024'],
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(built.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  for (const { file, code } of examples) writeFileSync(join(built.project, 'src', file), code)
})
afterAll(async () => {
  built?.remove()
  await harness?.close()
})

it('every section with code is run', () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(expected))
})
it('the examples have no type error', async () => {
  const { code, output } = await runNode([tool('typescript-native/bin/tsc'), '-p', built.project])
  expect(code, output).toBe(0)
})
it.each(examples)('"$title" does what the page says', async ({ title, file }) => {
  const { code, output } = await runNode([join(built.project, 'src', file)], { env: environment })
  expect(output).toMatch(expected[title] as RegExp)
  expect(code, output).toBe(0)
})
