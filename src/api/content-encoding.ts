// Compressed bodies. What they expand to counts against the same limit as any body, while it arrives.
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../contract/errors.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export function installContentEncoding(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase()
    if (encoding === undefined || encoding === '' || encoding === 'identity') return done(null, payload)
    const create = decoders[encoding]
    if (!create)
      return done(
        new Problem(
          'unsupported_media_type',
          'The body has a content-encoding that is not supported. Send it with gzip, deflate or br, or uncompressed.',
          { headers: { 'accept-encoding': 'gzip, deflate, br' } },
        ),
      )
    // Fastify compares the compressed length with content-length.
    const decoder: Transform & { receivedEncodedLength?: number } = create()
    decoder.receivedEncodedLength = 0
    payload.on('data', (chunk: Buffer) => {
      decoder.receivedEncodedLength = (decoder.receivedEncodedLength ?? 0) + chunk.length
    })
    // Fastify stops listening once it has rejected the body for another reason, such as its content type.
    decoder.on('error', () => {})
    payload.on('error', (error) => decoder.destroy(error))
    // A body that was rejected halfway is not expanded any further.
    reply.raw.once('finish', () => {
      payload.unpipe(decoder)
      decoder.destroy()
      payload.resume()
    })
    done(null, payload.pipe(decoder))
  })
}
