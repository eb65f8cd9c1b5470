// Built files, held in memory: the dashboard and the documentation. Browsers cache files whose names contain a hash
// forever, and ask about all others with the ETag that they have.
// Not @fastify/static: the headers, the fallback page and the compression would stay here, and files in memory leave no
// path to escape from.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
/** Nothing is loaded from elsewhere, no inline script runs, and no other site can show these pages in a frame. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
export interface Asset {
  body: Buffer
  type: string
  etag: string
  hashed: boolean
  packed: Map<string, Promise<Buffer>> // by encoding, created on first use
}
const packers: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) as Promise<Buffer>,
  gzip: (body) => promisify(gzip)(body) as Promise<Buffer>,
}
/**
 * All files are read at the first request, and again after another build. No other file can be requested,
 * whatever the path is.
 */
export function createAssets(folder: string): () => ReadonlyMap<string, Asset> {
  let cache: { builtAt: number; assets: Map<string, Asset> } | undefined
  return () => {
    const builtAt = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined) return new Map()
    if (cache?.builtAt !== builtAt) cache = { builtAt, assets: readAll(folder) }
    return cache.assets
  }
}

function readAll(folder: string): Map<string, Asset> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const name = relative(folder, file).split(sep).join('/')
      const type = types[extname(file)] ?? 'application/octet-stream'
      const body = readFileSync(file)
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return [name, { body, type, etag, hashed: name.startsWith('assets/'), packed: new Map() }]
    }),
  )
}

export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, etag, hashed, packed }: Asset,
): Promise<FastifyReply> {
  reply.type(type).header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  // Weak, because a compressed body has other bytes.
  reply.header('etag', `W/${etag}`)
  const etags = String(request.headers['if-none-match'] ?? '').split(',')
  if (etags.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
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
