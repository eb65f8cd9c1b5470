// The API reference page. Its library is large, so it is loaded when somebody looks, not at every start.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

export function referencePage(app: FastifyInstance, document: Record<string, unknown>): void {
  let opened: Promise<FastifyInstance> | undefined
  async function open(): Promise<FastifyInstance> {
    const { default: scalar } = await import('@scalar/fastify-api-reference')
    const page = Fastify()
    await page.register(scalar, {
      routePrefix: '/reference',
      configuration: {
        content: document,
        title: 'Unified Records API',
        telemetry: false,
        withDefaultFonts: false,
      } as never,
    })
    return page
  }
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    opened ??= open()
    const { statusCode, headers, rawPayload } = await (await opened).inject({ method: 'GET', url: request.url })
    const { connection: _, 'content-length': __, ...kept } = headers
    return reply.code(statusCode).headers(kept).send(rawPayload)
  }
  app.get('/reference', serve)
  app.get('/reference/*', serve)
}
