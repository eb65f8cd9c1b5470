// Serves the built dashboard under /dashboard. Every path that is no file is the one page, whose script routes by the
// address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import { createAssets, pageHeaders, sendAsset } from './static-files.ts'

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Dashboard</title>
<h1>The dashboard is not built yet</h1><p>Run <code>npm run build --workspace packages/dashboard</code> (or start with <code>npm start</code>, which does it) and load this page again.</p>
<p>The API is there all the same: <a href="/reference">reference</a>.</p></html>`

export function dashboardRoutes(app: FastifyInstance, folder: string): void {
  const assetsOf = createAssets(folder)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders)
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const index = assetsOf().get('index.html')
    if (!index) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt)
    return sendAsset(request, reply, index)
  }
  app.get('/dashboard', page)
  app.get('/dashboard/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const asset = assetsOf().get(name)
    if (asset) return sendAsset(request, reply, asset)
    // A missing file gets a 404, not the page.
    if (name.startsWith('assets/') || /\.(js|css|map|png|svg|ico|json|woff2)$/.test(name))
      throw new Problem('not_found', 'There is no such file of the dashboard.')
    return page(request, reply)
  })
}
