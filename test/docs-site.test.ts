// The documentation site, as it is written for any static host.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { render } from '../scripts/docs/docs-markdown.ts'
import { find, type SearchPage } from '../scripts/docs/docs-site/search.mjs'
import { buildSite, fileName, navigation } from '../scripts/docs/docs-site.ts'

const root = join(import.meta.dirname, '..')
const platforms = globSync('src/platforms/*/*.test.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/').split('/'))
  .flatMap(([, , platform, file]) =>
    file === `${platform}.test.ts` && platform !== 'zoho' ? [platform as string] : [],
  )
/** The platforms without OAuth: there is no application to register. */
const withKeys = ['toast', 'woocommerce']
const parent = mkdtempSync(join(tmpdir(), 'unified-records-docs-'))
const out = join(parent, 'site')
const pages = new Map<string, string>()
beforeAll(() => {
  for (const name of buildSite(out, { reference: 'https://records.example.com/reference' }).pages)
    pages.set(name, readFileSync(join(out, name), 'utf8'))
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const known = new Map<string, Set<string | undefined>>()
function idsOf(html: string): Set<string | undefined> {
  const ids = known.get(html) ?? new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  known.set(html, ids)
  return ids
}
/** Links and files of a page that the site does not have. */
function broken(name: string, html: string): string[] {
  const addresses = [...html.matchAll(/ (?:href|src|data-search)="([^"]*)"/g)].map(([, address = '']) => address)
  return addresses.filter((address) => {
    if (/^(?:https?|mailto):/.test(address)) return false
    const [path = '', hash] = address.split('#')
    const file = path ? posix.join(posix.dirname(name), path) : name
    const target = pages.get(file)
    return !existsSync(join(out, file)) || (hash !== undefined && target !== undefined && !idsOf(target).has(hash))
  })
}

function searchIndex(): SearchPage[] {
  const [file = ''] = globSync('assets/search-*.json', { cwd: out })
  return JSON.parse(readFileSync(join(out, file), 'utf8')) as SearchPage[]
}

it('links only to pages, headings and files that it has, by relative addresses', () => {
  expect([...pages].flatMap(([name, html]) => broken(name, html).map((address) => `${name}: ${address}`))).toEqual([])
  expect(broken('platforms/square.html', '<a href="../no-such.html"><a href="../contract.html#no-such">')).toHaveLength(
    2,
  )
})

it('loads nothing from another host, and has no inline script or style', () => {
  for (const [name, html] of pages) {
    expect(name + html.match(/<(?:script|img|link)[^>]+(?:src|href)="https?:/g)).toBe(`${name}null`)
    expect(name + html.match(/<script(?![^>]* src=)|<style| style="| on\w+="/g)).toBe(`${name}null`)
  }
})

it('has every page of docs and every platform in its navigation', () => {
  const listed = navigation().flatMap(({ entries }) => entries.map(({ source }) => source))
  const written = globSync('docs/*.md', { cwd: root }).filter((path) => path !== 'docs/README.md')
  const generated = platforms.map((platform) => `docs/generated/platforms/${platform}.md`)
  expect(platforms).toHaveLength(14)
  expect([...written, ...generated].filter((path) => !listed.includes(path))).toEqual([])
  expect(new Set(listed.map(fileName)).size).toBe(listed.length)
  const [guides, ...others] = navigation(
    '## Guides\n\n| [Connect](connect.md) | a [link](client.md) |\n\nSee [more](mcp.md).\n',
  )
  expect([guides, others]).toEqual([
    { title: 'Guides', entries: [{ source: 'docs/connect.md', label: 'Connect', text: 'a link' }] },
    [],
  ])
})

it('a page of a platform has the steps to register, scopes, callback URL, tests, limits, fields and the notes', () => {
  for (const id of platforms) {
    const html = pages.get(`platforms/${id}.html`) ?? ''
    const titles = ['test-environment', 'limits', 'entities', 'fields', 'webhooks', 'quirks']
    if (!withKeys.includes(id)) titles.push('create-the-developer-app', 'scopes', 'callback-url')
    expect([id, titles.filter((title) => !idsOf(html).has(title))]).toEqual([id, []])
    const [, notes = ''] =
      /^## (.+)$/m.exec(
        readFileSync(join(root, `src/platforms/${id.replace(/^zoho-.*/, 'zoho')}/README.md`), 'utf8'),
      ) ?? []
    expect(html).toContain(`>${notes}</a></h3>`)
  }
})

it('has an index for search, and every page as Markdown for agents', () => {
  const index = searchIndex()
  expect(index.map(({ name }) => name)).toEqual([...pages.keys()])
  expect(index.find(({ name }) => name === 'contract.html')?.sections).toContainEqual([
    'Exactly once',
    'exactly-once',
    expect.stringContaining('write_in_progress'),
  ])
  const links = [...readFileSync(join(out, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(out, link)))).toEqual([])
  expect(links).toContain('platforms/square.md')
  expect(readFileSync(join(out, 'platforms/square.md'), 'utf8')).toContain('](../connect.md#test-environments)')
})

it('finds the page on a topic before its mentions, and most words where no place has all', () => {
  const found = (query: string, most: number) =>
    find(searchIndex(), query)
      .slice(0, most)
      .map(({ name, anchor }) => (anchor ? `${name}#${anchor}` : name))
  expect(found('apply', 2)).toEqual(['cli.html#apply', 'configuration-as-code.html'])
  expect(found('unirec apply', 1)).toEqual(['configuration-as-code.html'])
  expect(found('webhook signature', 2)).toEqual(['webhooks.html', 'webhooks.html#verify-signatures'])
  expect(found('helm', 2)).toEqual(['deploy.html', 'deploy.html#kubernetes'])
  expect(found('webhooks signatures qwertz', 1)).toEqual(['webhooks.html'])
  expect([found('qwertz', 1), found(' ', 1)]).toEqual([[], []])
  expect(find(searchIndex(), 'helm').slice(0, 2)).toMatchObject([
    { text: 'Deploy', detail: expect.stringContaining('Helm chart') },
    { text: 'Kubernetes', detail: 'Deploy' },
  ])
  const background = find(searchIndex(), 'webhook').findIndex(({ name }) =>
    /^(index|changelog|architecture)/.test(name),
  )
  expect(background).toBe(-1)
})

it('shows adjacent code blocks of different languages as tabs, and others one by one', () => {
  const code = (language: string) => `\`\`\`${language}\nrun # it\n\`\`\`\n\n`
  const shown = (markdown: string) => render(markdown, { resolve: (href) => href }).html
  expect(shown(code('sh') + code('ts') + code('python')).match(/data-language="\w+"/g)).toHaveLength(3)
  expect(shown(`${code('sh')}Then:\n\n${code('ts')}`)).not.toContain('data-language')
  expect(shown(code('sh') + code('sh'))).not.toContain('data-language')
  expect(shown('A <b onclick="x()">tag</b> and `<i>`')).toBe('<p>A tag and <code>&lt;i&gt;</code></p>\n')
})

it('does not replace a folder with other files', () => {
  writeFileSync(join(parent, 'mine.txt'), '')
  expect(() => buildSite(parent)).toThrow(/has files that are not a site/)
  expect(existsSync(join(parent, 'mine.txt'))).toBe(true)
})
