// A generated entity passes types and lint at once, its two sides understand each other, and what is left to a person
// fails a test.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runUpdate } from '../src/conformance/run-update.ts'
import type { EntityAdapter } from '../src/contract/connector.ts'
import { NativeFailure } from '../src/contract/native-failure.ts'
import { fakeCallFor, whole } from '../src/platforms/fake-call.ts'
import { createState } from '../src/sandbox/collection.ts'
import { createRouter, type Routes } from '../src/sandbox/router.ts'
import type { NativeRecords } from '../src/sandbox/simulator.ts'
import { openTodos } from './open-todos.ts'

const root = join(import.meta.dirname, '..')
const script = join(root, 'scripts/scaffold/new-entity.ts')
/** Every way in which platforms mount routes, keep records and seed them. */
const generated = [
  ['xero', 'employee', 'employee', 'employees'],
  ['zoho', 'location', 'location', 'locations'],
  ['woocommerce', 'category', 'category', 'categories'],
  ['bigcommerce', 'category', 'category', 'categories'],
  ['quickbooks-online', 'time_entry', 'time-entry', 'time-entries'],
  ['toast', 'customer', 'customer', 'customers'],
] as const

/** A checkout with links to all files but those of the platforms that are changed. */
const checkout = mkdtempSync(join(tmpdir(), 'unified-records-entity-'))
const platforms = join(checkout, 'src/platforms')
mkdirSync(platforms, { recursive: true })
for (const name of readdirSync(join(root, 'src')))
  if (name !== 'platforms') symlinkSync(join(root, 'src', name), join(checkout, 'src', name))
for (const name of readdirSync(join(root, 'src/platforms'))) {
  const source = join(root, 'src/platforms', name)
  if (generated.some(([platform]) => platform === name)) cpSync(source, join(platforms, name), { recursive: true })
  else symlinkSync(source, join(platforms, name))
}
for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(checkout, name))
writeFileSync(
  join(checkout, 'biome.json'),
  JSON.stringify({ ...JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')), vcs: { enabled: false } }),
)
const run = (...parameters: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: checkout, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}
const outputs = generated.map(([platform, type]) => run(script, platform, type, checkout))
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

it('finds the place of every part', () => {
  for (const { status, text } of outputs) {
    expect([status, text]).toEqual([0, expect.stringContaining('Next: npm test -- src/platforms/')])
    expect(text).not.toContain('not found')
  }
})

it('says where an entity cannot be read', () => {
  expect(outputs[0]?.text).toContain('Note: xero serves accounting; employee is declared for restaurant only')
  expect(outputs.at(-1)?.text).not.toContain('Note')
})

it('has no type error and no lint error', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  const files = generated.flatMap(([platform, , file]) =>
    ['connector.ts', 'simulator/simulator.ts', `${file}.test.ts`].map((name) => join(platforms, platform, name)),
  )
  writeFileSync(
    join(checkout, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, incremental: false, tsBuildInfoFile: undefined }, files }),
  )
  const types = run(join(root, 'node_modules/typescript-native/bin/tsc'), '-p', '.')
  expect(types.status, types.text).toBe(0)
  const changed = generated.map(([platform]) => join('src/platforms', platform))
  const lint = run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', ...changed)
  expect(lint.status, lint.text).toBe(0)
})

it.each(generated)(
  '%s: every file of the %s has something left to do, which fails a test',
  (platform, _, file, files) => {
    const open = openTodos(checkout, platform)
    for (const name of [`${file}.ts`, `simulator/${files}.ts`, `fixtures/${file}.json`])
      expect(open).toContainEqual(expect.stringMatching(new RegExp(`^src/platforms/${platform}/${name}: TODO`)))
    expect(readFileSync(join(platforms, platform, `${file}.test.ts`), 'utf8')).toContain("it('has nothing left to do'")
  },
)

it('the connector and the simulator of an employee understand each other', async () => {
  const load = (file: string) => import(join(platforms, 'xero', file)) as Promise<Record<string, unknown>>
  const { employee } = (await load('employee.ts')) as { employee: EntityAdapter<'employee'> }
  const simulator = (await load('simulator/employees.ts')) as {
    employeeRoutes: Routes<unknown>
    seedEmployees(world: unknown, size: string, at: number): void
    createEmployees(world: unknown): NativeRecords
  }
  const world = { employees: createState().collection('employees'), now: Date.now }
  simulator.seedEmployees(world, 'small', Date.now())
  const records = simulator.createEmployees(world)
  const noPage = () => ({ status: 404, body: {} })
  const router = createRouter(simulator.employeeRoutes, { notFound: noPage, methodNotAllowed: noPage })
  const { call } = fakeCallFor()(async ({ method, path, query = {}, body }) => {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
    const request = { method, path, query: given, headers: {}, body: JSON.stringify(body) ?? '' }
    const response = await router(request, world)
    return response.status === 404
      ? new NativeFailure({ kind: 'not_found', message: 'none' }, 404)
      : whole(response.body, { status: response.status })
  })
  const { rows: first, next } = await employee.list.page(call, { size: 4 })
  const { rows: second } = await employee.list.page(call, { size: 4 }, next)
  expect([...first, ...second].map((row) => employee.id(row))).toEqual(records.ids())
  const since = new Date().toISOString()
  const [touched = ''] = records.ids()
  records.touch(touched)
  const { rows: changed } = await employee.list.page(call, { size: 9, updatedAfter: since.replace(/\d{3}Z/, '000Z') })
  expect(changed.map((row) => employee.id(row))).toContain(touched)
  const given = { externalId: 'X', name: 'Grace Hopper', email: 'grace@example.com', active: true }
  const { id } = await employee.create!.run(call, given)
  await runUpdate(employee, call, id, { ...given, nickname: 'Amazing' })
  const mapping = { account: call.account, warn: () => expect.unreachable() }
  const stored = { ...given, externalId: id, nickname: 'Amazing', isOwner: undefined, role: undefined }
  expect(employee.toUnified(await employee.get!(call, id), mapping)).toEqual({ ...stored, employeeCode: undefined })
  expect(await employee.get!(call, 'none')).toBeUndefined()
})

it.each([
  [['xero', 'invoice'], /^usage: npm run new-entity <platform> <entity>, with one of product, order/],
  [['nowhere', 'employee'], /^src\/platforms\/nowhere has no connector\.ts/],
  [['square', 'employee'], /^square has employees already/],
  [['toast', 'time_entry'], /^toast has time entries already/],
  [['zoho', 'customer'], /^zoho has customers already/],
  [['xero', 'order'], /^order has lineItems, which no table describes/],
  [['shopify', 'category'], /^the simulator of shopify has no resources/],
  [['zoho-books', 'category'], /^src\/platforms\/zoho-books\/connector\.ts declares no entities/],
])('rejects %o and writes nothing', (given, message) => {
  const { status, text } = run(script, ...given, checkout)
  expect([status, text]).toEqual([2, expect.stringMatching(message)])
})
