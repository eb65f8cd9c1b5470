import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/README.md', 'packages/*/README.md'], { cwd: root }).map(
  (page) => page.replaceAll('\\', '/'),
)
/** Links to files that do not exist, and to headings that a page does not have. */
const broken = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path, heading] = link.split('#') as [string, string?]
      const file = path ? join(root, page, '..', path) : join(root, page)
      return !existsSync(file) || (heading !== undefined && file.endsWith('.md') && !headings(file).includes(heading))
    })
const headings = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => slug(title as string))
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Variables in the examples of a page that it neither sets nor names in a sentence. */
function unexplained(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = /^( *)```\w*\n([\s\S]*?)^\1```$/gm
  const code = [...text.matchAll(blocks)].map(([, , block]) => block).join('\n')
  const prose = text.replaceAll(blocks, '')
  const used = new Set(
    [...code.matchAll(/(?:\$\{?|process\.env\.|environ\[")([A-Z][A-Z_]*)\b/g)].map(([, name]) => name),
  )
  return [...used].filter(
    (name) => !new RegExp(`(^|[ (])${name}=`, 'm').test(code) && !new RegExp(`\`\\$?${name}\``).test(prose),
  ) as string[]
}

it('finds the pages', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/threat-model.md', 'src/platforms/square/README.md']),
  )
})
it.each(pages)('%s links only to files and headings that exist', (page) => {
  expect(broken(page)).toEqual([])
})
it('every variable in the examples of a page is set or explained there', () => {
  expect(
    Object.fromEntries(pages.map((page) => [page, unexplained(page)]).filter(([, names]) => names?.length)),
  ).toEqual({})
})
