// The prose of the repository is plain American English, without phrases that confuse readers.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const banned = [
  /\bunless told\b/,
  /\b(?:stands?|stood) in (?!for\b|the way\b)/,
  /\banew\b/,
  /\bof late\b/,
  /\bfor ever\b/,
  /\ba word on\b/,
  /\bwhoever\b/,
  /\bnobody\b/,
  /\bbehaviour/,
  /\bjournall/,
  /\b(?:re|un)?authoris/,
  /\b(?:de)?normalis/,
  /\butilis/,
  /\borganis/,
  /\brecognis/,
  /\bserialis/,
  /\bsummaris/,
  /\bcatalogue/,
  /\bcolour/,
  /\bhonour/,
  /\bneighbour/,
  /\bdata centre/,
  /\bby and by\b/,
  /\bsees to it\b/,
  /\banybody\b/,
  /\blicence/,
  /\bharbour/,
  /\bset-up\b/,
  /\bcalm weather\b/,
  /\bin earnest\b/,
  /\bour own making\b/,
  /\bto the letter\b/,
  /\bsane (?:client|caller)\b/,
].map(({ source }) => new RegExp(source, 'i'))
/** Folders and files that are checked. */
const checked = [
  '{ARCHITECTURE,CHANGELOG,CONTRIBUTING,README,SECURITY}.md',
  'docs/**/*.md',
  'packages/*/README.md',
  'packages/*/src/**/*.{ts,tsx}',
  'src/**/*.{md,ts}',
  'bench/**/*.ts',
  'scripts/**/*.{ts,mjs,txt}',
  'test/**/*.ts',
]
/** Generated texts, this file, and texts in other languages. */
const excluded = /(^|\/)(node_modules|dist|generated)\/|^test\/language\.test\.ts$|\/words\/(de|fr|es)\.ts$/
/** Names are not prose: code spans and links in Markdown; properties and strings of one word in code. */
const names = { markdown: /`[^`\n]*`|\]\([^)]*\)/g, code: /'[^'\s]*'|`[^`\s]*`|\.\w+/g }
/** Spellings of vendors, which simulators and connectors must use. */
const vendors = /\bORGANISATION\b|\bOrganisation is not subscribed\b|\binventoryBehaviour\b/g
const prose = (path: string, text: string) =>
  text.replace(path.endsWith('.md') ? names.markdown : names.code, '').replace(vendors, '')

const root = join(import.meta.dirname, '..')
const violations = (path: string, text: string) =>
  prose(path, text)
    .split('\n')
    .flatMap((line, index) =>
      banned.flatMap((phrase) => {
        const [found] = phrase.exec(line) ?? []
        return found ? [`${path}:${index + 1}: ${found}`] : []
      }),
    )

/** A comment that begins with "What" or "Of" has no subject. The other folders may still have some. */
const withSubjects = 'src/{base,contract,engine,kit,store,threads}/**/*.ts'
const withoutSubject = (path: string, text: string) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(?:\/\/|\/\*\*) (?:What|Of) /.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
    )

it('begins comments with a subject', () => {
  const paths = globSync(withSubjects, { cwd: root })
  expect(paths.length).toBeGreaterThan(200)
  expect(paths.flatMap((path) => withoutSubject(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
  expect(withoutSubject('a.ts', '// Of one account.\nconst what = 1 // What it is\n  /** What it is. */')).toEqual([
    'a.ts:1: // Of one account.',
    'a.ts:3: /** What it is. */',
  ])
})

it('contains no banned phrase', () => {
  const paths = globSync(checked, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !excluded.test(path))
  expect(paths.length).toBeGreaterThan(400)
  expect(paths.flatMap((path) => violations(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

it('reports a planted phrase with its file and line', () => {
  expect(violations('docs/page.md', 'One.\nThe limit is 50 unless told otherwise, and Nobody waits.')).toEqual([
    'docs/page.md:2: unless told',
    'docs/page.md:2: Nobody',
  ])
  expect(violations('src/cli/file.ts', '// The journalled behaviour stands in the table.')).toHaveLength(3)
  expect(violations('test/file.ts', "it('asks nobody', () => {})")).toEqual(['test/file.ts:1: nobody'])
  expect(violations('test/file.ts', "expect(used.utilisation).toBe('nobody') // the user `nobody`")).toEqual([])
  expect(
    violations(
      'docs/page.md',
      'The field `colour` and the code `unauthorised` are names of a platform; a proxy stands in for the platform.',
    ),
  ).toEqual([])
  expect(
    violations(
      'src/platforms/xero/file.ts',
      "tenantType: 'ORGANISATION' // the organisation\ninventoryBehaviour: BYPASS",
    ),
  ).toEqual(['src/platforms/xero/file.ts:1: organis'])
})
