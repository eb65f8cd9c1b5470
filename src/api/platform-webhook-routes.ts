// Webhooks of platforms. They have no credential of the service: the URL cannot be guessed, and most platforms sign.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import type { HookReceiver, Received, ReceiveOutcome } from '../platform-webhooks/receive.ts'
import { addressOf, type GuessLimit } from './throttle.ts'

/** Platforms wait for about five seconds. */
const longestMs = 4_000

export interface HookRoutesOptions {
  receiver: HookReceiver
  platforms: readonly string[]
  guesses: GuessLimit
  count(platform: string, outcome: ReceiveOutcome | 'failed'): void
}

export function hookRoutes(app: FastifyInstance, { receiver, platforms, guesses, count }: HookRoutesOptions): void {
  // The signature is over the bytes as they came, whatever their type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

  async function receive(request: FastifyRequest): Promise<Received> {
    const { platform, hookId } = request.params as { platform: string; hookId: string }
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value ?? '')]),
    )
    return withinMs(receiver.receive(platform, hookId, { headers, body }), longestMs)
  }
  app.post('/hooks/:platform/:hookId', async (request, reply) => {
    const { platform, hookId } = request.params as { platform: string; hookId: string }
    const label = platforms.includes(platform) ? platform : 'unknown'
    const { outcome, response } = await receive(request).catch((error: unknown) => {
      count(label, 'failed')
      throw new Problem('unavailable', 'The webhook could not be stored. Send it again.', {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    })
    count(label, outcome)
    switch (outcome) {
      case 'unknown':
        throw (
          guesses.failed(hookId, addressOf(request)) ??
          new Problem('not_found', 'There is no such webhook URL. Register the URL that the management API shows.')
        )
      case 'refused':
        throw new Problem(
          'unauthorized',
          'The signature of the webhook does not fit. Store the secret that the platform shows with the management API.',
        )
      case 'unreadable':
        throw new Problem('malformed_request', 'The body is not a webhook of this platform.')
    }
    reply.code(response?.status ?? 200).headers(response?.headers ?? {})
    return reply.send(response?.body ?? '')
  })
}

async function withinMs<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the database did not respond in time')), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => {}) // it may still fail later
  }
}
