// The documentation as a site: `npm run docs:site -- OUT` writes static files that work on any host and below any path.
// scripts/build.mjs calls it for the service, which serves the same files under /docs. docs/README.md is the index: its
// headings and the links in its tables and lists are the navigation.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeHtml, plain, type Rendered, render, type Section } from './docs-markdown.ts'

const root = join(import.meta.dirname, '..')
const index = 'docs/README.md'
/** Only a folder with this file is replaced. */
const mark = 'llms-full.txt'
const productName = 'Unified Records'

interface Entry {
  source: string // path in the repository
  label: string
  text: string // what it covers
}
interface NavSection {
  title: string
  entries: Entry[]
}
interface Page extends Rendered {
  markdown: string
  source: string
  name: string // of the file
  label: string
}
export interface SiteOptions {
  /** Where the API reference is; without it the site does not link one. */
  reference?: string
  /** Where the OpenAPI document is; by default the site has a copy. */
  document?: string
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isPage = (path: string): boolean => path.endsWith('.md') && existsSync(join(root, path))
/** A path in the repository, from a link in one of its pages. */
const target = (source: string, href: string): string => posix.normalize(posix.join(posix.dirname(source), href))

/** The headings of the index, and the first link of each row and list item below them. */
export function navigation(text = read(index)): NavSection[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const entries = lines.flatMap((line) => {
        const [, label = '', href = '', rest = ''] = /^(?:\| *|- )\[([^\]]+)\]\(([^)\s#]+)\)(.*)$/.exec(line) ?? []
        const source = target(index, href)
        return href && isPage(source)
          ? [{ source, label: plain(label), text: plain(rest.replaceAll(/^[\s|:,]+|[\s|]+$/g, '')) }]
          : []
      })
      return { title: plain(title), entries }
    })
}

/** `docs/generated/platforms/square.md` is platforms/square.html, `src/sandbox/README.md` sandbox.html. */
export function fileName(source: string): string {
  if (source === index) return 'index.html'
  const path = source
    .replace(/^docs\/(?:generated\/)?|^src\/|^packages\//, '')
    .replace(/\/README\.md$/, '.md')
    .toLowerCase()
  return path.replace(/\.md$/, '.html')
}

/** `<!-- include: ../file.md -->`: the text of another page without its title, for readers of the site. */
function withIncludes(source: string): { source: string; text: string }[] {
  return read(source)
    .split(/^(<!-- include: \S+ -->)$/m)
    .map((part) => {
      const [, href] = /^<!-- include: (\S+) -->$/.exec(part) ?? []
      if (!href) return { source, text: part }
      const path = target(source, href)
      return {
        source: path,
        text: read(path)
          .replace(/^# .*$/m, '')
          .replaceAll(/^#(#+ )/gm, '##$1'),
      }
    })
}

function readPages(sections: readonly NavSection[], { document }: SiteOptions): { pages: Page[]; images: Set<string> } {
  const entries = [{ source: index, label: 'Overview', text: '' }, ...sections.flatMap((section) => section.entries)]
  const names = new Map(entries.map(({ source }) => [source, fileName(source)]))
  for (const { source } of entries)
    for (const part of withIncludes(source)) if (!names.has(part.source)) names.set(part.source, fileName(source))
  const images = new Set<string>()
  const repository = repositoryUrl()
  const pages = entries.map(({ source, label }) => {
    const name = names.get(source) as string
    const up = '../'.repeat(name.split('/').length - 1)
    const resolveFrom = (from: string) => (href: string) => {
      if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
      const [path = '', hash] = href.split('#')
      const file = target(from, path)
      const page = names.get(file)
      if (page) return `${up}${page}${hash ? `#${hash}` : ''}`
      if (document && file === 'docs/generated/openapi.json') return document
      if (/\.(?:png|json|ya?ml)$/.test(file) && file.startsWith('docs/')) {
        images.add(file)
        return up + assetName(file)
      }
      return repository && `${repository}/blob/main/${file}${hash ? `#${hash}` : ''}`
    }
    const used = new Map<string, number>()
    const parts = withIncludes(source).map((part) =>
      render(part.text, { resolve: resolveFrom(part.source), cards: source === index, used }),
    )
    const [first] = parts as [Rendered]
    const relinked = withIncludes(source).map((part) =>
      part.text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, image, text, href) => {
        const address = resolveFrom(part.source)(href)
        return address === undefined ? text : `${image}[${text}](${asMarkdown(address)})`
      }),
    )
    const rendered = {
      markdown: relinked.join(''),
      ...first,
      html: parts.map(({ html }) => html).join(''),
      headings: parts.flatMap(({ headings }) => headings),
      sections: parts.flatMap((part) => part.sections),
    }
    return { ...rendered, source, name, label }
  })
  return { pages, images }
}
const assetName = (file: string) => file.replace(/^docs\/(?:generated\/)?/, '')
function repositoryUrl(): string | undefined {
  const { repository } = JSON.parse(read('package.json')) as { repository?: string | { url: string } }
  const url = typeof repository === 'string' ? repository : repository?.url
  return url?.replace(/^git\+/, '').replace(/\.git$/, '')
}

/** Words of a section, each once: enough to find it, a third of its text. */
const stopWords = new Set(
  'a an and are as at be by for from has have if in is it its no not of on or that the then this to was what when which with without you your'.split(
    ' ',
  ),
)
const wordsOf = ({ text }: Section): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu) ?? [])]
    .filter((word) => !stopWords.has(word) && word.length < 40)
    .join(' ')
const searchIndex = (pages: readonly Page[]) =>
  pages.map(({ name, label, title, sections }) => ({
    name,
    title: label === 'Overview' ? label : title,
    sections: sections
      .filter(({ heading, text }) => heading || text)
      .map((section) => [section.heading, section.anchor, wordsOf(section)]),
  }))

function llmsText(sections: readonly NavSection[], pages: readonly Page[]): string {
  const lines = sections.flatMap(({ title, entries }) => [
    `## ${title}`,
    '',
    ...entries.map(({ source, label, text }) => {
      const page = pages.find((one) => one.source === source) as Page
      return `- [${label}](${markdownName(page)}): ${text || page.description}`
    }),
    '',
  ])
  const about = `> ${plain(/^\*\*(.+)\*\*$/m.exec(read('README.md'))?.[1] ?? '')}`
  return [
    `# ${productName}`,
    '',
    about,
    '',
    'All pages in one file: [llms-full.txt](llms-full.txt).',
    '',
    ...lines,
  ].join('\n')
}
/** Pages of this site, as Markdown. */
const asMarkdown = (address: string) => (/^[a-z]+:/.test(address) ? address : address.replace(/\.html(?=#|$)/, '.md'))
const markdownName = ({ name }: Page) => name.replace(/\.html$/, '.md')
export function buildSite(out: string, options: SiteOptions = {}): { pages: string[] } {
  const sections = navigation()
  const { pages, images } = readPages(sections, options)
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, mark)))
    throw new Error(`${out} has files that are not a site of this program. Name an empty or a new folder.`)
  rmSync(out, { recursive: true, force: true })
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(out, name)), { recursive: true })
    writeFileSync(join(out, name), content)
  }
  const hashed = (name: string, content: string) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
    const file = `assets/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`
    write(file, content)
    return file
  }
  const style = hashed('site.css', `${tokens()}${read('scripts/docs-site/site.css')}`)
  const theme = hashed('theme.js', read('scripts/docs-site/theme.js'))
  const script = hashed('site.js', read('scripts/docs-site/site.js'))
  const search = hashed('search.json', JSON.stringify(searchIndex(pages)))
  write('mark.svg', read('packages/dashboard/public/mark.svg'))
  const files = { style, theme, script, search }
  for (const [at, page] of pages.entries()) {
    write(page.name, pageHtml({ page, sections, files, options, before: pages[at - 1], after: pages[at + 1] }))
    write(markdownName(page), page.markdown)
  }
  for (const file of images) {
    mkdirSync(dirname(join(out, assetName(file))), { recursive: true })
    cpSync(join(root, file), join(out, assetName(file)))
  }
  write('llms.txt', llmsText(sections, pages))
  write(
    mark,
    pages
      .slice(1)
      .map((page) => page.markdown.trim())
      .join('\n\n---\n\n'),
  )
  return { pages: pages.map(({ name }) => name) }
}

/** The tokens of the dashboard. Without JavaScript, the system decides which theme applies. */
function tokens(): string {
  const css = read('packages/dashboard/src/tokens.css')
  const dark = /:root\[data-theme="dark"\] (\{[\s\S]*?\n\})/.exec(css)?.[1] ?? ''
  return `${css}@media (prefers-color-scheme: dark) { :root:not([data-theme]) ${dark} }\n`
}

interface PageParts {
  page: Page
  sections: readonly NavSection[]
  files: Readonly<Record<'style' | 'theme' | 'script' | 'search', string>>
  options: SiteOptions
  before?: Page
  after?: Page
}
function pageHtml({ page, sections, files, options, before, after }: PageParts): string {
  const up = '../'.repeat(page.name.split('/').length - 1)
  const isHome = page.source === index
  const link = (source: string, label: string) =>
    `<a href="${up}${fileName(source)}"${source === page.source ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`
  const navigationHtml = sections
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }, at) => {
      const open = (isHome && at < 2) || entries.some(({ source }) => source === page.source)
      const items = entries.map(({ source, label }) => `<li>${link(source, label)}</li>`).join('')
      return `<details${open ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items}</ul></details>`
    })
    .join('')
  const outline = page.headings.filter(({ depth }) => depth <= 3)
  const onThisPage =
    outline.length > 1 && !isHome
      ? `<aside class="outline"><nav aria-labelledby="outline-title"><h2 id="outline-title">On this page</h2><ul>${outline
          .map(
            ({ depth, text, anchor }) => `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
          )
          .join('')}</ul></nav></aside>`
      : ''
  const step = (other: Page | undefined, relation: string) =>
    other && !isHome
      ? `<a rel="${relation}" class="${relation}" href="${up}${other.name}"><span>${relation === 'prev' ? 'Previous' : 'Next'}</span>${escapeHtml(other.label)}</a>`
      : ''
  const title = isHome ? `${productName} documentation` : `${page.title} · ${productName}`
  return `<!doctype html>
<html lang="en" data-root="${up}" data-search="${up}${files.search}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${up}mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}${files.style}">
<script src="${up}${files.theme}"></script>
<script src="${up}${files.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="icon menu" aria-label="Menu" aria-expanded="false" aria-controls="navigation" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg></button>
<a class="brand" href="${up}index.html"><img src="${up}mark.svg" alt="" width="24" height="24">${productName} <span>Docs</span></a>
<button type="button" class="search-button" aria-keyshortcuts="Control+K /" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg><span>Search</span><kbd aria-hidden="true">/</kbd></button>
${options.reference ? `<a class="reference" href="${escapeHtml(options.reference)}">API reference</a>\n` : ''}<button type="button" class="icon theme" aria-label="Dark theme" aria-pressed="false" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="half" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg></button>
</header>
<div class="layout">
<nav class="navigation" id="navigation" aria-label="Documentation">${isHome ? '' : `<p>${link(index, 'Overview')}</p>`}${navigationHtml}</nav>
<main id="content"${isHome ? ' class="home"' : ''} tabindex="-1">
<article>
${page.html}</article>
<footer class="steps">${step(before, 'prev')}${step(after, 'next')}</footer>
</main>
${onThisPage}</div>
</body>
</html>
`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [out, flag, reference] = process.argv.slice(2)
  if (!out || out.startsWith('-') || (flag && (flag !== '--reference' || !reference))) {
    console.error(
      'Usage: npm run docs:site -- OUT [--reference URL]\nOUT is replaced. URL: where the API reference of your service is.',
    )
    process.exit(2)
  }
  const { pages } = buildSite(out, { reference })
  console.log(`${pages.length} pages in ${relative(process.cwd(), out) || out}`)
}
