// npm run new-platform <name>: creates src/platforms/<name>/ from scripts/scaffold/platform-template and registers it. The
// result passes all checks; docs/add-a-platform.md continues from there.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const template = join(import.meta.dirname, 'platform-template')

/** Adds a line to the end of the list that closes with `end`, and an import at its alphabetical position. */
function register(text: string, importLine: string, entry: string, end: string): string {
  const lines = text.split('\n')
  const source = (line: string) => /from '(\.\/.+)'/.exec(line)?.[1]
  const imports = lines.filter(source)
  const next = imports.find((line) => (source(line) as string) > (source(importLine) as string))
  lines.splice(next ? lines.indexOf(next) : lines.indexOf(imports.at(-1) as string) + 1, 0, importLine)
  lines.splice(
    lines.findLastIndex((line, index) => line === end && index <= lines.indexOf(end)),
    0,
    `  ${entry},`,
  )
  return lines.join('\n')
}

function createPlatform(id: string, root: string): string[] {
  const words = id.split('-')
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const pascal = words.map(capital).join('')
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  const rename = (text: string) =>
    text
      .replaceAll('sample-shop', id)
      .replaceAll('sampleShop', camel)
      .replaceAll('SampleShop', pascal)
      .replaceAll('Sample Shop', words.map(capital).join(' '))
  const folder = join(root, 'src/platforms', id)
  const change = (file: string, edit: (text: string) => string) => {
    const path = join(root, 'src/platforms', file)
    writeFileSync(path, edit(readFileSync(path, 'utf8')))
  }
  const created = globSync('**/*.txt', { cwd: template }).map((file) => {
    const target = join(folder, rename(file.slice(0, -'.txt'.length)))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(template, file), target)
    writeFileSync(target, rename(readFileSync(target, 'utf8')))
    return target
  })
  change('registry.ts', (text) => register(text, `import { ${camel} } from './${id}/connector.ts'`, camel, ']'))
  const key = id.includes('-') ? `'${id}'` : id
  change('simulators.ts', (text) =>
    register(
      text,
      `import { create${pascal}Simulator } from './${id}/simulator/simulator.ts'`,
      `${key}: create${pascal}Simulator`,
      '}',
    ),
  )
  return created
}

const [id = '', root = join(import.meta.dirname, '../..')] = process.argv.slice(2)
const problem = !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)
  ? 'usage: npm run new-platform <name>, with a name in lowercase letters, digits and hyphens, such as corner-till'
  : existsSync(join(root, 'src/platforms', id))
    ? `src/platforms/${id} already exists; choose another name or remove the folder`
    : undefined
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  for (const file of createPlatform(id, root)) console.log(`created ${file}`)
  console.log(
    `\nNext: npm run docs -- --measure ${id}, npm run pin-revisions, then npm test -- src/platforms/${id}. docs/add-a-platform.md explains how to continue.`,
  )
}
