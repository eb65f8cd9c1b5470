// HTML templates that escape their values, and the layout of all pages: no external resources, light and dark.
import { createHash } from 'node:crypto'
import type { Speech } from '../../accounts/words/words.ts'
import type { Branding } from '../../store/store.ts'

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = Html | string | number | false | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
function rendered(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === false || part === undefined) return ''
  if (typeof part === 'object') return part.map(rendered).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] as string)
}
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, index) => text + rendered(parts[index])).join(''))

const style = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1a1d21; --quiet: #5a6169; --line: #d5d9de; --accent: #1f5fd0; --on-accent: #fff; --bad: #b3261e; --bad-page: #fdeceb; --good: #176b3a }
@media (prefers-color-scheme: dark) { :root { --page: #121417; --card: #1b1e22; --text: #eceef1; --quiet: #a4abb3; --line: #3a4047; --accent: #7fb0ff; --on-accent: #0b1626; --bad: #ff9d94; --bad-page: #3a1d1b; --good: #7fdca4 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 12px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 480px; margin: 0 auto; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
.brand { max-width: 480px; margin: 0 auto 16px; display: flex; gap: 12px; align-items: center; justify-content: center; font-weight: 600 } .brand img { max-height: 40px; max-width: 160px }
footer { max-width: 480px; margin: 12px auto 0; color: var(--quiet); font-size: 14px; text-align: center } footer a { display: inline-block; padding: 4px 8px }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 8px } h2 { font-size: 14px; color: var(--quiet); margin: 24px 0 8px }
p { margin: 0 0 16px } ul.choices { list-style: none; margin: 0; padding: 0 } ul.choices li { margin: 0 0 8px }
ul.choices a { display: flex; gap: 12px; align-items: center; padding: 10px 16px; border: 1px solid var(--line); border-radius: 8px; color: var(--text); text-decoration: none; font-weight: 600 }
ul.choices a:hover { border-color: var(--accent) }
.mark { flex: none; display: inline-flex; width: 32px; height: 32px; align-items: center; justify-content: center; border-radius: 8px; background: var(--page); color: var(--text); font-weight: 600; font-size: 14px } .mark svg { width: 20px; height: 20px; fill: currentColor }
.title { display: flex; gap: 12px; align-items: center; margin: 0 0 12px } .title h1 { margin: 0 }
a { color: var(--accent) } label, legend { display: block; font-weight: 600; padding: 0; margin: 0 0 4px } fieldset { border: 0; margin: 0 0 16px; padding: 0 }
.field { margin: 0 0 16px } .help { margin: 0 0 4px; font-size: 14px; color: var(--quiet) } .wrong { margin: 4px 0 0; font-size: 14px; color: var(--bad); font-weight: 600 }
.radio { display: flex; gap: 8px; align-items: center; padding: 8px 0; font-weight: 400; margin: 0 } .radio input { width: 20px; height: 20px; flex: none; margin: 0 }
input[type=text], input[type=password], input[type=search], select { width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: 8px }
[aria-invalid=true] { border-color: var(--bad) } details { margin: 0 0 16px } summary { cursor: pointer; margin: 0 0 8px; min-height: 24px }
button, .button { display: block; width: 100%; min-height: 44px; padding: 10px 16px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-brand, var(--on-accent)); background: var(--brand, var(--accent)); border: 1px solid var(--brand-line, var(--accent)); border-radius: 8px; cursor: pointer }
button.second { margin: 8px 0 0; color: var(--text); background: none; border-color: var(--quiet) }
.search { display: flex; gap: 8px; margin: 0 0 8px } .search button { width: auto } .search input { flex: 1 1 0; min-width: 0 }
.bad { padding: 12px 16px; margin: 0 0 16px; background: var(--bad-page); border: 1px solid var(--bad); border-radius: 8px } .bad p { margin: 0 } .good { color: var(--good) }
.quiet { margin: 16px 0 0; font-size: 14px; text-align: center } .quiet a { display: inline-block; padding: 4px 8px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 400px) { main { padding: 16px } }
`
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const styleHash = hashOf(style)
/** The color is readable with white text. In the dark, its border tells a button from the page. */
const colored = (color: string) =>
  `:root { --brand: ${color}; --on-brand: #fff; --brand-line: ${color} } @media (prefers-color-scheme: dark) { :root { --brand-line: var(--quiet) } }`

/** The only script: hands the result to the page that opened the popup, if it has the origin of the link. */
const script =
  'const { origin, message } = document.currentScript.dataset; if (opener) { opener.postMessage(JSON.parse(message), origin); setTimeout(close, 200) }'
const scriptHash = hashOf(script)

export interface Page {
  title: string
  body: Html
  status?: number
  /** Other origins that a form of this page may redirect to. */
  formTargets?: readonly string[]
  /** For the page that opened the popup. */
  report?: Report | undefined
}
export interface Report {
  origin: string
  message: { status: 'connected' | 'cancelled'; accountId?: string; state?: string }
}
/** Who asks. The name is that of the workspace if the branding has none. */
export type Brand = Branding & { name: string }

/**
 * `form-action` also applies to redirects after a submit, so the page that leads to the platform must list the
 * platform's origin.
 */
export const contentSecurityPolicy = (
  { formTargets = [], report }: Pick<Page, 'formTargets' | 'report'> = {},
  brand?: Brand,
): string =>
  [
    "default-src 'none'",
    ['style-src', styleHash, ...(brand?.color ? [hashOf(colored(brand.color))] : [])].join(' '),
    ...(brand?.logo ? ['img-src data:'] : []),
    ...(report ? [`script-src ${scriptHash}`] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export const document = ({ title, body, report }: Page, { language, say }: Speech, brand: Brand | undefined): string =>
  html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${new Html(style)}</style>${brand?.color && html`<style>${new Html(colored(brand.color))}</style>`}</head>
<body>
${brand && html`<header class="brand">${brand.logo && html`<img src="${brand.logo}" alt="">`}<span>${brand.name}</span></header>`}
<main>
${body}
</main>
${report && html`<script data-origin="${report.origin}" data-message="${JSON.stringify(report.message)}">${new Html(script)}</script>`}
${brand?.privacyUrl && html`<footer><a href="${brand.privacyUrl}" target="_blank" rel="noreferrer">${say('privacy', { owner: brand.name })}</a></footer>`}
</body>
</html>
`.text
