// The published description works with tools: it is linted, parsed, and used to generate a client.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { entities } from '../../src/contract/entities/index.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { type Described, inspect } from '../openapi-inspection.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
let harness: Harness
let folder: string
interface Finding {
  ruleId: string
  message: string
  location: { pointer: string }[]
}
const documents = { 'openapi.json': '/openapi.json', 'manage.json': '/manage/openapi.json' }
beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  folder = await mkdtemp(join(root, 'node_modules/.openapi-'))
  for (const [file, path] of Object.entries(documents))
    await writeFile(join(folder, file), await (await fetch(harness.url + path)).text())
})
afterAll(async () => {
  await harness.close()
  await rm(folder, { recursive: true, force: true })
})
const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'))

it.each(Object.keys(documents))('%s is valid OpenAPI 3.0.3', async (file) => {
  const document = await SwaggerParser.validate(join(folder, file))
  expect((document as { openapi: string }).openapi).toBe('3.0.3')
})

it("has no error and no warning by Redocly's recommended rules", async () => {
  const { stdout } = await run(
    process.execPath,
    [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      ...Object.keys(documents).map((file) => join(folder, file)),
      '--extends=recommended',
      // What a vertical has of an entity is for callers that know the vertical. The next test looks for other ones.
      '--skip-rule=no-unused-components',
      '--format=json',
    ],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  ).catch((error) => error as { stdout: string })
  // One report per document.
  const reports: { problems: Finding[] }[] = JSON.parse(`[${stdout.replaceAll('}{', '},{')}]`)
  expect(reports).toHaveLength(2)
  expect(
    reports
      .flatMap(({ problems }) => problems)
      .map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([])
})

it('leaves no schema without a name, describes every operation, and has examples that fit', async () => {
  const faults: string[] = []
  const named: Record<string, string>[] = []
  for (const file of Object.keys(documents)) {
    const { faults: found, schemas } = inspect(await read(file))
    faults.push(...found)
    named.push(schemas)
  }
  expect(faults).toEqual([])
  const [records = {}, manage = {}] = named
  for (const name of Object.keys(records)) if (manage[name]) expect([name, manage[name]]).toEqual([name, records[name]])
})

it('has an operation that replaces a record exactly where a platform can replace one', async () => {
  const { paths } = await read('openapi.json')
  const documented = Object.keys(entities).filter((type) => paths[`/unified/{accountId}/${type}/{id}`].put)
  const adapters = Object.values(connectors).flatMap((connector) => Object.entries(connector.entities))
  const offered = Object.keys(entities).filter((type) => adapters.some(([name, { update }]) => name === type && update))
  expect(documented).toEqual(offered)
})

it('finds a schema without a name, an operation without a description and an example that does not fit', () => {
  const operation = (more: object) => ({ operationId: 'a', summary: 'a', description: 'a', responses: {}, ...more })
  const content = (schema: object, value: unknown) => ({
    responses: { 200: { content: { 'application/json': { schema, examples: { one: { value } } } } } },
  })
  const found = (one: object) =>
    inspect({ paths: { '/a': { get: one } }, components: { schemas: {} } } as unknown as Described).faults
  const object = { type: 'object', properties: { a: { type: 'string' } } }
  const values = { type: 'string', enum: ['a'] }
  expect([
    found(operation(content({ type: 'string' }, 'a'))),
    found(operation(content({ type: 'array', items: object }, []))),
    found(operation(content({ type: 'array', items: values }, []))),
    found(operation({ ...content({ type: 'string' }, 'a'), parameters: [{ in: 'query', name: 'b', schema: values }] })),
    found({ ...operation(content({ type: 'string' }, 'a')), description: undefined }),
    found(operation(content({ type: 'integer' }, 'a'))),
    found(operation({ responses: { 200: { content: { 'application/json': { schema: { type: 'string' } } } } } })),
    found(operation({ responses: { 202: { description: 'Done' } } })),
  ]).toEqual([
    [],
    ['a 200 has an object or values without a name'],
    ['a 200 has an object or values without a name'],
    ['a b has an object or values without a name'],
    ['a has no description'],
    ['a: the example of 200 does not fit:  must be integer'],
    ['a has no example of 200'],
    ['a: 202 is described as Done'],
  ])
})

it('generates a client that compiles and lists a page', async () => {
  await run(
    process.execPath,
    [
      join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js'),
      '-i',
      join(folder, 'openapi.json'),
      '-o',
      join(folder, 'client'),
      '-c',
      '@hey-api/client-fetch',
      '--silent',
    ],
    { cwd: root },
  ).catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`)
  })
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'generated' })).body
  await writeFile(
    join(folder, 'use.ts'),
    `import { client } from './client/client.gen'\nimport { listProducts } from './client/sdk.gen'\nclient.setConfig({ baseUrl: ${JSON.stringify(harness.url)}, auth: ${JSON.stringify(key)} })\nconst { data } = await listProducts({ path: { accountId: 'square-restaurant' }, query: { pageSize: 2 } })\nconst name: string | undefined = data?.data[0]?.name\nconsole.log(JSON.stringify({ count: data?.data.length, hasMore: data?.pagination.hasMore, name: typeof name }))\n`,
  )
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
      },
      files: ['use.ts'],
    }),
  )
  await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], {
    cwd: folder,
  }).catch((error) => {
    throw new Error(error.stdout)
  })
  const { build } = await import('vite')
  await build({
    root: folder,
    logLevel: 'silent',
    build: { ssr: join(folder, 'use.ts'), outDir: join(folder, 'out'), target: 'node24' },
  })
  const { stdout } = await run(process.execPath, [join(folder, 'out/use.js')])
  expect(JSON.parse(stdout)).toEqual({ count: 2, hasMore: true, name: 'string' })
})

it('publishes the JSON Schema of every flavor with a valid example, for strict validators too', async () => {
  const { allFlavors } = await import('../../src/contract/validation.ts')
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  formatsOf.default(ajv)
  for (const { definition, vertical, write } of allFlavors()) {
    const response = await fetch(`${harness.url}/schemas/${vertical}/${definition.entityType}.json`)
    const schema = (await response.json()) as { required: string[]; examples: unknown[] }
    expect([response.status, schema.required.includes('externalId'), write.violations(schema.examples[0])]).toEqual([
      200,
      true,
      [],
    ])
    const check = ajv.compile(schema)
    check(schema.examples[0])
    expect(check.errors, `${vertical} ${definition.entityType}`).toBeNull()
    expect(check({ ...(schema.examples[0] as object), externalId: 'a\tb' })).toBe(false)
    expect(check({ ...(schema.examples[0] as object), externalId: ' ' })).toBe(false)
  }
  expect((await fetch(`${harness.url}/schemas/accounting/order.json`)).status).toBe(404)
})

it('lists the schemas of all records and bodies, for strict validators too', async () => {
  const { allFlavors } = await import('../../src/contract/validation.ts')
  const { data } = JSON.parse(await (await fetch(`${harness.url}/schemas`)).text()) as {
    data: { vertical: string; entityType: string; url: string; record: object; body?: object }[]
  }
  expect(data).toHaveLength(allFlavors().length)
  const ajv = new Ajv2020({ strict: true })
  formatsOf.default(ajv)
  for (const { url, record, body } of data) {
    expect((await fetch(harness.url + url)).status).toBe(200)
    ajv.compile(record)
    if (body) ajv.compile(body)
  }
  const order = data.find(({ entityType }) => entityType === 'order')
  const empty = { externalId: 'O-1', lineItems: [] }
  expect([ajv.validate(order?.record ?? {}, empty), ajv.validate(order?.body ?? {}, empty)]).toEqual([true, false])
  expect(data.find(({ entityType }) => entityType === 'time_entry')).not.toHaveProperty('body')
})

it('serves the support matrix, a reference page without external scripts, health and metrics', async () => {
  const { data } = (await (await fetch(`${harness.url}/platforms`)).json()) as {
    data: { platform: string; entities: Record<string, Record<string, { write: boolean }>> }[]
  }
  const square = data.find(({ platform }) => platform === 'square')
  expect([
    square?.entities.restaurant?.product?.write,
    square?.entities.restaurant?.time_entry?.write,
    square?.entities.retail_pos?.category,
  ]).toEqual([true, false, undefined])
  const page = await (await fetch(`${harness.url}/reference`)).text()
  expect(page).not.toMatch(/<script[^>]+src="https?:/)
  for (const path of ['/reference', '/errors']) {
    const { headers } = await fetch(`${harness.url}${path}`)
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
    expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
  }
  expect((await fetch(`${harness.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${harness.url}/metrics`)).text()).toContain('unified_native_call_seconds')
})
