// Markdown to HTML for the documentation site: anchors as on GitHub, adjacent code blocks as tabs, and the sections for
// search.
import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  depth: number
  text: string
  anchor: string
}
export interface Section {
  heading: string // '' above the first heading
  anchor: string
  text: string
}
export interface Rendered {
  html: string
  title: string
  description: string
  headings: Heading[]
  sections: Section[]
}
export interface RenderOptions {
  /** The address of a link or an image; undefined: only its text is shown. */
  resolve(href: string): string | undefined
  /** Tables of two columns that list pages become lists of cards. */
  cards?: boolean
  /** How often an anchor is used so far: in pages of several parts. */
  used?: Map<string, number>
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
/** Without the signs of Markdown. */
export const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const languages: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
}
const keywords =
  /^(?:async|await|break|catch|class|const|def|else|except|export|false|for|from|function|if|import|in|let|new|None|not|of|raise|return|throw|true|True|False|try|undefined|while|with)$/
const parts =
  /(#[^\n]*|\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|([A-Za-z_$][\w$]*)|[\s\S]/g

/** Comments, strings and keywords; more colors would say no more. */
export function highlight(code: string, language: string): string {
  if (!(language in languages)) return escapeHtml(code)
  const isComment = (text: string, at: number) =>
    language === 'sh' || language === 'python'
      ? text.startsWith('#') && /^$|\s$/.test(code.slice(Math.max(0, at - 1), at))
      : text.startsWith('//') && code[at - 1] !== ':'
  return code.replaceAll(parts, (text, comment?: string, quoted?: string, word?: string, at = 0) => {
    if (comment)
      return isComment(comment, at)
        ? `<span class="c">${escapeHtml(comment)}</span>`
        : escapeHtml(comment[0] ?? '') + highlight(comment.slice(1), language)
    if (quoted) return `<span class="s">${escapeHtml(quoted)}</span>`
    if (word && language !== 'sh' && keywords.test(word)) return `<span class="k">${word}</span>`
    return escapeHtml(text)
  })
}

export function render(markdown: string, { resolve, cards = false, used = new Map() }: RenderOptions): Rendered {
  const headings: Heading[] = []
  const sections: Section[] = [{ heading: '', anchor: '', text: '' }]
  const unique = (title: string) => {
    const anchor = anchorOf(title)
    const count = used.get(anchor) ?? 0
    used.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
  const block = (code: string, language = '') =>
    `<div class="code"><pre><code>${highlight(code, language)}\n</code></pre></div>`
  const marked = new Marked({
    renderer: {
      heading(html, depth, raw) {
        const text = plain(raw)
        if (depth === 1) return `<h1>${html}</h1>\n`
        const anchor = unique(text)
        headings.push({ depth, text, anchor })
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${html}</a></h${depth}>\n`
      },
      link(href, title, text) {
        const address = resolve(href)
        return address === undefined
          ? text
          : `<a href="${escapeHtml(address)}"${title ? ` title="${escapeHtml(title)}"` : ''}>${text}</a>`
      },
      image(href, _, text) {
        const address = resolve(href)
        return address === undefined
          ? text
          : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code: (code, info) => block(code, info?.split(' ')[0]),
      table: (header, body) =>
        `<div class="table-frame"><table><thead>${header}</thead><tbody>${body}</tbody></table></div>\n`,
      tablecell: (content, { header }) => (header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`),
      html: () => '',
    },
  })

  const tokens = marked.lexer(markdown)
  let html = ''
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const { blocks, last } = codeBlocks(tokens, index)
    if (blocks.length > 1) {
      html += tabs(blocks, block)
      index = last
    } else if (cards && token.type === 'table' && token.header.length === 2) html += cardList(token as Tokens.Table)
    else html += marked.parser([token])
    collect(token)
  }
  function cardList({ rows }: Tokens.Table): string {
    const inline = (cell: Tokens.TableCell | undefined) => marked.parseInline(cell?.text ?? '') as string
    return `<ul class="cards">${rows.map(([page, text]) => `<li>${inline(page)}<p>${inline(text)}</p></li>`).join('')}</ul>\n`
  }
  function collect(token: Token): void {
    if (token.type === 'heading' && token.depth > 1) {
      const { text = '', anchor = '' } = headings.at(-1) ?? {}
      sections.push({ heading: text, anchor, text: '' })
    } else if (token.type !== 'html' && token.type !== 'space' && token.type !== 'heading') {
      const section = sections.at(-1) as Section
      section.text += ` ${plain(token.raw.replaceAll(/^\|[-| :]+\|$/gm, '').replaceAll(/[|>#]/g, ' '))}`
    }
  }
  const first = tokens.find((token) => token.type === 'paragraph' && !/^This page is generated/.test(token.raw))
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1)
  return {
    html,
    title: plain(title?.text ?? ''),
    description: plain(first?.raw ?? '').replace(/^(.{80,220}?[.!?])\s.*$/s, '$1'),
    headings,
    sections,
  }
}

/** Code blocks of different languages with nothing between them: the same thing, once per language. */
function codeBlocks(tokens: readonly Token[], from: number): { blocks: Tokens.Code[]; last: number } {
  const blocks: Tokens.Code[] = []
  let last = from
  for (let index = from; index < tokens.length; index++) {
    const token = tokens[index] as Token
    if (token.type === 'space') continue
    const language = token.type === 'code' ? (token as Tokens.Code).lang : undefined
    if (!language || !(language in languages) || blocks.some(({ lang }) => lang === language)) break
    blocks.push(token as Tokens.Code)
    last = index
  }
  return { blocks, last }
}
const tabs = (blocks: readonly Tokens.Code[], block: (code: string, language?: string) => string): string =>
  `<div class="tabs">${blocks
    .map(({ text, lang = '' }) => `<section data-language="${languages[lang]}">${block(text, lang)}</section>`)
    .join('')}</div>\n`
