// npm run new-entity <platform> <entity>: adds one more entity to a platform, from the declaration of the entity type:
// the connector's file, the simulator's resource, a fixture and a test, all registered. Types and lint pass at once.
// What only the vendor's documentation says is a TODO, and the tests fail until there is none.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entities } from '../../src/contract/entities/index.ts'
import type { EntityType } from '../../src/contract/entity.ts'
import { connectorFile, fixtureFile, namesOf, requiredLists, resourceFile, testFile } from './entity-files.ts'

/** The routes beside which the new ones are mounted: they need the same permission until a person changes it. */
const neighbors = /(?<spread>\.\.\.)?\b(?<name>(customer|contact|client|employee|staff)Routes)\b/

/** A connector has its entities on one line, or each on a line of its own. */
const knownEntities = /^(?<indent> +)entities: \{(?:(?<line>.*)|(?<lines>\n[\s\S]*?\n)\k<indent>)\}/m

/** What a file becomes. A file in which the place is not found is left, and the person is told what to write there. */
class Checkout {
  readonly changed: string[] = []
  readonly left: string[] = []
  readonly #folder: string
  constructor(folder: string) {
    this.#folder = folder
  }
  path(file: string): string {
    return join(this.#folder, file)
  }
  text(file: string): string {
    return existsSync(this.path(file)) ? readFileSync(this.path(file), 'utf8') : ''
  }
  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true })
    writeFileSync(this.path(file), text)
    if (!this.changed.includes(file)) this.changed.push(file)
  }
  edit(file: string, what: string, pattern: RegExp, replace: (...found: string[]) => string, imports = ''): boolean {
    const text = this.text(file)
    const edited = text.replace(pattern, (...found: string[]) => replace(...found))
    if (edited === text) this.left.push(`${what} in ${file}`)
    else this.write(file, withImport(edited, imports))
    return edited !== text
  }
}
/** After the comment at the top; the formatter sorts imports. */
const withImport = (text: string, line: string): string => {
  const first = text.search(/^import /m)
  return line === '' ? text : `${text.slice(0, first)}${line}\n${text.slice(first)}`
}

function createEntity(platform: string, type: EntityType, root: string): Checkout {
  const names = namesOf(type)
  const checkout = new Checkout(join(root, 'src/platforms', platform))
  const { file, files, one, many } = names
  const create = `create${names.Many}`
  const world = checkout.text('simulator/world.ts')
  const context = /\bRoutes<Caller>/.test(checkout.text('simulator/contacts.ts')) ? 'Caller' : 'World'
  const records = new RegExp(`^ {2}${many}[?]?:`, 'm').test(world) ? `${one}Records` : many
  const stored = new RegExp(`\\bStored${names.One}\\b`).test(world) ? `${names.One}Record` : `Stored${names.One}`
  const now = /^ {2}now\(\): number|\bextends Clock\b/m.test(world) ? 'now' : 'second'
  const resource = checkout.text(`simulator/${files}.ts`) === '' ? files : `${file}-records`

  checkout.write(`${file}.ts`, connectorFile(type))
  checkout.write(`simulator/${resource}.ts`, resourceFile(type, { platform, context, records, stored, now }))
  checkout.write(`fixtures/${file}.json`, fixtureFile(type))
  checkout.write(`${file}.test.ts`, testFile(type, resource))

  const from = `from './${file}.ts'`
  const entry = one === type ? one : `${type}: ${one}`
  checkout.edit(
    'connector.ts',
    'the entity',
    knownEntities,
    (_, indent, line, lines) =>
      lines === undefined
        ? `${indent}entities: {${line}, ${entry} }`
        : `${indent}entities: {${lines}${indent}  ${entry},\n${indent}}`,
    `import { ${one}, ${one}Shapes } ${from}`,
  )
  checkout.edit(
    'connector.ts',
    'the shapes',
    /^( +)shapes(?:: (.*))?,$/m,
    (_, indent, value = 'shapes') => `${indent}shapes: { ...${value}, ...${one}Shapes },`,
  )
  const isMember = /const collection = <T>/.test(world)
  checkout.edit(
    'simulator/world.ts',
    'the collection',
    /(^export interface World\b[^{]*\{)([\s\S]*?^export function createWorld[\s\S]*?return \{)/m,
    (_, head, rest) =>
      `${head}\n  ${records}: Collection<${stored}>${rest} ${records}: ${isMember ? '' : 'state.'}collection('${records}'),`,
    `import type { ${stored} } from './${resource}.ts'`,
  )
  const imported = `from './${resource}.ts'`
  const simulator = 'simulator/simulator.ts'
  const [imports = '', body = ''] = splitImports(checkout.text(simulator))
  const mounted = body
    .replace(neighbors, (found, spread) => (spread ? `${found}, ...${one}Routes` : `{ ...${found}, ...${one}Routes }`))
    .replace(
      /^( +)seed\w+\(world\b.*\bsize, seededAt\)$/m,
      (found, indent) => `${found}\n${indent}seed${names.Many}(world, size, seededAt)`,
    )
  if (mounted.split(`${one}Routes`).length !== 2) checkout.left.push(`the routes in ${simulator}`)
  if (!mounted.includes(`seed${names.Many}(`)) checkout.left.push(`the seed in ${simulator}`)
  checkout.write(simulator, withImport(imports + mounted, `import { ${one}Routes, seed${names.Many} } ${imported}`))
  const own = `${type}: ${create}(world)`
  const importRecords = `import { ${create} } ${imported}`
  if (/Partial<Record<EntityType, NativeRecords>>/.test(checkout.text('simulator/records.ts')))
    checkout.edit(
      'simulator/records.ts',
      'the records',
      /(export function createRecords[\s\S]*?^ {2}return \{\n)/m,
      (found) => `${found}    ${own},\n`,
      importRecords,
    )
  else
    checkout.edit(
      simulator,
      'the records',
      /( +records: \{ .*) \},$/m,
      (_, known) => `${known}, ${own} },`,
      importRecords,
    )
  return checkout
}
/** A neighbor is looked for below the imports. */
function splitImports(text: string): [string, string] {
  const end = text.lastIndexOf('\nimport ') + 1
  const next = text.indexOf('\n\n', end) + 1
  return [text.slice(0, next), text.slice(next)]
}

function problemWith(platform: string, type: string, root: string): string | undefined {
  const folder = join(root, 'src/platforms', platform)
  const connector = join(folder, 'connector.ts')
  if (platform === '' || !Object.hasOwn(entities, type))
    return `usage: npm run new-entity <platform> <entity>, with one of ${Object.keys(entities).join(', ')}`
  if (!existsSync(connector))
    return `src/platforms/${platform} has no connector.ts; npm run new-platform makes a platform`
  const text = readFileSync(connector, 'utf8')
  const { line, lines = line } = knownEntities.exec(text)?.groups ?? {}
  if (lines === undefined)
    return `src/platforms/${platform}/connector.ts declares no entities; its folder is another one`
  if (new RegExp(`\\b${type}\\b`).test(lines) || existsSync(join(folder, `${namesOf(type as EntityType).file}.ts`)))
    return `${platform} has ${namesOf(type as EntityType).words} already`
  if (
    !existsSync(join(folder, 'simulator/world.ts')) ||
    /graphql/.test(readFileSync(join(folder, 'simulator/simulator.ts'), 'utf8'))
  )
    return `the simulator of ${platform} has no resources that this script knows; take one of its files as the pattern`
  const required = requiredLists(type as EntityType)
  return required.length > 0
    ? `${type} has ${required.join(', ')}, which no table describes; write it by hand`
    : undefined
}

/** What is of no use yet: no caller can read an entity in a vertical that does not have it. */
function unreachable(platform: string, type: EntityType, root: string): string | undefined {
  const text = readFileSync(join(root, 'src/platforms', platform, 'connector.ts'), 'utf8')
  const served = [...(/\bverticals: \[(.*?)\]/.exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  const { verticals } = entities[type]
  return served.length === 0 || served.some((name) => (verticals as readonly string[]).includes(name))
    ? undefined
    : `${platform} serves ${served.join(', ')}; ${type} is declared for ${verticals.join(', ')} only, so it cannot be read yet`
}

const [platform = '', type = '', root = join(import.meta.dirname, '../..')] = process.argv.slice(2)
const problem = problemWith(platform, type, root)
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  const checkout = createEntity(platform, type as EntityType, root)
  const paths = checkout.changed.map((file) => checkout.path(file))
  const biome = join(import.meta.dirname, '../../node_modules/@biomejs/biome/bin/biome')
  spawnSync(process.execPath, [biome, 'check', '--write', ...paths], { cwd: root, stdio: 'ignore' })
  for (const path of paths) console.log(`wrote ${path}`)
  for (const place of checkout.left) console.log(`not found: add ${place}`)
  const warning = unreachable(platform, type as EntityType, root)
  if (warning) console.log(`\nNote: ${warning}`)
  console.log(
    `\nNext: npm test -- src/platforms/${platform} says what is missing. docs/add-a-platform.md explains how to continue.`,
  )
}
