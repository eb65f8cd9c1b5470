// Serves the built dashboard under /dashboard. Browsers cache files whose names contain a hash forever; every other
// path is the one page, whose script routes by the address.
// Not @fastify/static: the headers, the fallback page and the compression would stay here, and files in memory leave no
// path to escape from.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}
const headers = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
interface Asset {
  body: Buffer
  type: string
  hashed: boolean
  packed: Map<string, Promise<Buffer>> // by encoding, created on first use
}
const packers: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) as Promise<Buffer>,
  gzip: (body) => promisify(gzip)(body) as Promise<Buffer>,
}
const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Dashboard</title>
<h1>The dashboard is not built yet</h1><p>Run <code>npm run build --workspace packages/dashboard</code> (or start with <code>npm start</code>, which does it) and load this page again.</p>
<p>The API is there all the same: <a href="/reference">reference</a>.</p></html>`

/**
 * All files are read at the first request of the page, and again after another build. No other file can be requested,
 * whatever the path is.
 */
function createAssets(folder: string): () => ReadonlyMap<string, Asset> {
  let known: { builtAt: number; assets: Map<string, Asset> } | undefined
  return () => {
    const builtAt = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined) return new Map()
    if (known?.builtAt !== builtAt) known = { builtAt, assets: readAll(folder) }
    return known.assets
  }
}

function readAll(folder: string): Map<string, Asset> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const name = relative(folder, file).split(sep).join('/')
      const type = types[extname(file)] ?? 'application/octet-stream'
      return [name, { body: readFileSync(file), type, hashed: name.startsWith('assets/'), packed: new Map() }]
    }),
  )
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, hashed, packed }: Asset,
): Promise<FastifyReply> {
  reply.type(type).header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (!/^(text|application)\/|svg/.test(type)) return reply.send(body)
  reply.header('vary', 'accept-encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = ['br', 'gzip'].find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  )
  if (!encoding) return reply.send(body)
  let made = packed.get(encoding)
  if (!made) {
    made = (packers[encoding] as (typeof packers)[string])(body)
    packed.set(encoding, made)
  }
  return reply.header('content-encoding', encoding).send(await made)
}

export function dashboardRoutes(app: FastifyInstance, folder: string): void {
  const assetsOf = createAssets(folder)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(headers)
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const index = assetsOf().get('index.html')
    if (!index) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt)
    return send(request, reply, index)
  }
  app.get('/dashboard', page)
  app.get('/dashboard/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const asset = assetsOf().get(name)
    if (asset) return send(request, reply, asset)
    // A missing file gets a 404, not the page.
    if (name.startsWith('assets/') || /\.(js|css|map|png|svg|ico|json|woff2)$/.test(name))
      throw new Problem('not_found', 'There is no such file of the dashboard.')
    return page(request, reply)
  })
}
