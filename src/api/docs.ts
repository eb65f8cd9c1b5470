// Serves the documentation under /docs. Its pages link each other by relative addresses, so the first one ends with a
// slash; `/docs/quick-start` is the file quick-start.html.
import type { FastifyInstance } from 'fastify'
import { createAssets, pageHeaders, sendAsset } from './static-files.ts'

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`
const notBuilt = page(
  'The documentation is not built yet',
  'Run <code>npm run build</code> (or start with <code>npm start</code>, which does it) and load this page again. The API reference is at <a href="/reference">/reference</a>.',
)
const notFound = page('There is no such page', 'Search the <a href="/docs/">documentation</a>.')

export function docsRoutes(app: FastifyInstance, folder: string): void {
  const assetsOf = createAssets(folder)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders)
  })
  app.get('/docs', async (_, reply) => reply.redirect('/docs/'))
  app.get('/llms.txt', async (_, reply) => reply.redirect('/docs/llms.txt'))
  app.get('/docs/reference', async (_, reply) => reply.redirect('/reference'))
  app.get('/docs/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const assets = assetsOf()
    const asset = assets.get(name || 'index.html') ?? assets.get(`${name}.html`)
    if (asset) return sendAsset(request, reply, asset)
    reply.type('text/html; charset=utf-8')
    return assets.size === 0 ? reply.code(503).send(notBuilt) : reply.code(404).send(notFound)
  })
}
