// The API reference page. Its library is large, so it is loaded when somebody looks, not at every start.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Documents } from './openapi.ts'

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

export function referencePage(app: FastifyInstance, documents: () => Promise<Documents>): void {
  let opened: Promise<FastifyInstance> | undefined
  async function open(): Promise<FastifyInstance> {
    const { default: scalar } = await import('@scalar/fastify-api-reference')
    const { records, manage } = await documents()
    const page = Fastify()
    await page.register(scalar, {
      routePrefix: '/reference',
      configuration: {
        sources: [
          { title: 'Records', slug: 'records', content: records, default: true },
          { title: 'Management', slug: 'manage', content: manage },
        ],
        title: 'Unified Records API',
        // Nothing that sends the document or a request to another host.
        telemetry: false,
        withDefaultFonts: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        showDeveloperTools: 'never',
        customCss: 'a[href*="scalar.com"] { display: none }',
      } as never,
    })
    return page
  }
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    opened ??= open()
    const { statusCode, headers, rawPayload } = await (await opened).inject({ method: 'GET', url: request.url })
    const { connection: _, 'content-length': __, ...kept } = headers
    return reply
      .code(statusCode)
      .headers({ ...kept, ...pageHeaders })
      .send(rawPayload)
  }
  app.get('/reference', serve)
  app.get('/reference/*', serve)
}
