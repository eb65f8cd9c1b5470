// HEAD is answered by the route of GET, without its body. Fastify can add a HEAD route for each GET route, but those
// took a seventh of the time of a start.
import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'node:http' {
  interface IncomingMessage {
    isHead?: true
  }
}

/** The router looks for GET. Node.js sends no body, because it has seen the method before. */
export const routeHeadAsGet =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.method === 'HEAD') {
      request.method = 'GET'
      request.isHead = true
    }
    listener(request, response)
  }

/** Install it before all other hooks, which see the method of the caller. */
export function installHead(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _, done) => {
    if (raw.isHead) raw.method = 'HEAD'
    done()
  })
  app.addHook('onSend', ({ raw }, _, payload, done) => {
    if (!raw.isHead || !isStream(payload)) return done(null, payload)
    payload.on('error', () => {})
    payload.resume()
    done(null, null)
  })
}

const isStream = (payload: unknown): payload is NodeJS.ReadableStream =>
  typeof (payload as Partial<NodeJS.ReadableStream> | null | undefined)?.resume === 'function'
