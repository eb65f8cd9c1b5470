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

it('finds the pages', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/threat-model.md', 'src/platforms/square/README.md']),
  )
})
it.each(pages)('%s links only to files and headings that exist', (page) => {
  expect(broken(page)).toEqual([])
})
