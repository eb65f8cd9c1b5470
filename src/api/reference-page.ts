// The API reference page. Its library is large, so it is loaded when somebody looks, not at every start.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * No other site can show these pages in a frame, and they load nothing from elsewhere. The reference page brings its
 * own inline script and styles.
 */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const title = 'Unified Records API'
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><rect width="24" height="24" rx="6" fill="#2353d9"/><path d="M7.2 5.8v4.6a4.8 4.8 0 0 0 9.6 0V5.8M7.2 18.6h9.6" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>'

const settings = {
  // Nothing that sends the document or a request to another host.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The name of a button contains the text that it shows.
  localization: { translations: { navigation: { showAllEndpoints: 'Show More: all {name} endpoints' } } },
  // The library's own colors have too little contrast for small text.
  customCss: `
.light-mode { --scalar-color-2: #4a4f5a; --scalar-color-3: #5c616d; --scalar-color-blue: #0a5cad; --scalar-color-green: #08682f; --scalar-color-orange: #8a4300; --scalar-color-red: #a8201a; --scalar-color-purple: #6037a8; --scalar-color-yellow: #755500 }
.dark-mode { --scalar-color-2: #c3c7d0; --scalar-color-3: #a4a9b5; --scalar-color-blue: #7db8ff; --scalar-color-green: #6fd996; --scalar-color-orange: #ffb074; --scalar-color-red: #ff9a93; --scalar-color-purple: #c3a6ff; --scalar-color-yellow: #ecc85a }
code { color: var(--scalar-color-1) !important }
a[href*="scalar.com"] { display: none }
/* The section of a link gets the focus so that the keyboard continues there. It is not a control. */
section[tabindex="-1"] { outline: none !important }
/* Toggles of the sidebar: 24 pixels instead of 22. */
button.absolute[aria-expanded] { padding: 4px }
/* The title in the bar of a phone. */
span.flex-1.whitespace-nowrap { min-width: 0; overflow: hidden; text-overflow: ellipsis }`,
}
/**
 * What the library leaves out: names of buttons that have an icon only, and a list that scrolls with the keyboard. It
 * also scrolls to the section of a link only once. On a slow device the sections above grow after that, and the reader
 * would see another section. So the section is followed until the reader does something.
 */
const repair = `
const repair = () => {
  for (const one of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) one.setAttribute('aria-label', 'Copy code')
  for (const one of document.querySelectorAll('ul.endpoints:not([tabindex])')) one.tabIndex = 0
}
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true })
const linked = location.hash.slice(1)
if (linked) {
  const follow = new ResizeObserver(() => document.getElementById(linked)?.scrollIntoView())
  follow.observe(document.getElementById('app'))
  const stop = () => follow.disconnect()
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate']) addEventListener(type, stop, { once: true })
}`
const styles = `
:root { --scalar-custom-header-height: 48px; color-scheme: light dark }
body { margin: 0 }
.top { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 48px; display: flex; align-items: center; gap: 10px; padding: 0 20px; font: 600 15px system-ui; color: #1b1f2a; background: #fff; border-bottom: 1px solid #d9dce3 }
.top a { display: flex; align-items: center; gap: 10px; color: inherit; text-decoration: none }
.dark-mode .top { color: #eceef4; background: #0f1115; border-color: #2b2f39 }
`

/** The documents that the request can read: on a port of its own, the management API is not on the public one. */
const sources = (hasManagement: boolean) => [
  { title: 'Records', slug: 'records', url: '/openapi.json', default: true },
  ...(hasManagement ? [{ title: 'Management', slug: 'manage', url: '/manage/openapi.json' }] : []),
]
const page = (hasManagement: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}">
<style>${styles}</style>
</head>
<body>
<nav class="top" aria-label="Unified Records"><a href="/reference/">${mark.replace('<svg ', '<svg aria-hidden="true" ')}${title}</a></nav>
<div id="app"></div>
<script src="js/scalar.js"></script>
<script>Scalar.createApiReference('#app', ${JSON.stringify({ ...settings, sources: sources(hasManagement) })})
${repair}</script>
</body>
</html>
`

export function referencePage(app: FastifyInstance, hasManagement: (request: FastifyRequest) => boolean): void {
  let opened: Promise<FastifyInstance> | undefined
  /** Its page is not used, only its script. */
  async function open(): Promise<FastifyInstance> {
    const { default: scalar } = await import('@scalar/fastify-api-reference')
    const library = Fastify()
    await library.register(scalar, { routePrefix: '/reference', configuration: { content: '{}' } as never })
    return library
  }
  app.get('/reference', async (_, reply: FastifyReply) => reply.headers(pageHeaders).redirect('/reference/'))
  app.get('/reference/', async (request, reply) =>
    reply
      .headers(pageHeaders)
      .type('text/html; charset=utf-8')
      .send(page(hasManagement(request))),
  )
  app.get('/reference/js/scalar.js', async (request, reply) => {
    opened ??= open()
    const { statusCode, headers, rawPayload } = await (await opened).inject({ method: 'GET', url: request.url })
    const { connection: _, 'content-length': __, ...kept } = headers
    return reply
      .code(statusCode)
      .headers({ ...kept, ...pageHeaders })
      .send(rawPayload)
  })
}
