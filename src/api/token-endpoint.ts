// OAuth 2.0 client credentials (RFC 6749 §4.4): access id and secret for a token of one hour. Errors are RFC 6749 §5.2,
// not problems, so that every OAuth client understands them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret, sameText, type TokenIssuer } from '../accounts/secrets.ts'
import { Problem } from '../contract/errors.ts'
import type { Store } from '../store/store.ts'
import { isLive } from './authentication.ts'
import { addressOf, type GuessLimit } from './throttle.ts'

const tokenLifetimeSeconds = 3600

interface Refusal {
  error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type'
  description: string
}

export interface TokenEndpointOptions {
  store: Store
  issuer: TokenIssuer
  guesses: GuessLimit
  now?: () => number
}

export function tokenEndpoint(
  app: FastifyInstance,
  { store, issuer, guesses, now = Date.now }: TokenEndpointOptions,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16_384 }, (_, __, done) => done(null, undefined))

  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/oauth/server/access-token',
    config: { refuses: true },
    onRequest: async () => {
      throw new Problem(
        'method_not_allowed',
        'A token is requested with POST. Send client_id, client_secret and grant_type as a form.',
        { headers: { allow: 'POST, OPTIONS' } },
      )
    },
    handler: async () => undefined,
  })
  app.post('/oauth/server/access-token', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    const form = readForm(request)
    if ('error' in form) return refuse(reply, form, request)
    const credential = await store.credentials.lookup(form.clientId)
    const good = sameText(hashSecret(form.clientSecret), credential?.secretHash ?? '')
    if (!credential || !good || credential.kind !== 'access_id' || !isLive(credential, now())) {
      const tooMany = guesses.failed(form.clientId, addressOf(request))
      if (tooMany) throw tooMany
      return refuse(
        reply,
        { error: 'invalid_client', description: 'The access id or the secret is not valid.' },
        request,
      )
    }
    await store.credentials.touch(credential.id, request.ip)
    const seconds = Math.floor(now() / 1000)
    const end = credential.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(credential.expiresAt) / 1000
    const expiresAt = Math.min(seconds + tokenLifetimeSeconds, Math.ceil(end))
    return {
      access_token: issuer.issue({ accessId: credential.id, generation: credential.generation, expiresAt }),
      token_type: 'Bearer',
      expires_in: expiresAt - seconds,
    }
  })
}

function readForm(request: FastifyRequest): { clientId: string; clientSecret: string } | Refusal {
  const form = request.body
  if (!(form instanceof URLSearchParams))
    return { error: 'invalid_request', description: 'The body must be application/x-www-form-urlencoded.' }
  const repeated = ['client_id', 'client_secret', 'grant_type'].find((name) => form.getAll(name).length > 1)
  if (repeated) return { error: 'invalid_request', description: `${repeated} was given more than once.` }
  const basic = basicOf(request.headers.authorization)
  if (basic === 'malformed')
    return { error: 'invalid_request', description: 'The authorization header is not valid HTTP Basic.' }
  if (basic && form.has('client_secret'))
    return { error: 'invalid_request', description: 'The client authenticates in two ways at once.' }
  const grant = form.get('grant_type')
  if (!grant) return { error: 'invalid_request', description: 'grant_type is missing.' }
  if (grant !== 'client_credentials')
    return { error: 'unsupported_grant_type', description: 'grant_type must be client_credentials.' }
  const clientId = basic ? basic.id : form.get('client_id')
  const clientSecret = basic ? basic.secret : form.get('client_secret')
  if (!clientId || !clientSecret)
    return { error: 'invalid_request', description: `${clientId ? 'client_secret' : 'client_id'} is missing.` }
  return { clientId, clientSecret }
}

function basicOf(header: string | undefined): { id: string; secret: string } | 'malformed' | undefined {
  if (header === undefined) return undefined
  const match = /^Basic +([\w+/=-]+)$/i.exec(header)
  const text = match ? Buffer.from(match[1] as string, 'base64').toString('utf8') : ''
  const colon = text.indexOf(':')
  if (colon < 1) return 'malformed'
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
  } catch {
    return 'malformed'
  }
}

function refuse(reply: FastifyReply, { error, description }: Refusal, request: FastifyRequest): FastifyReply {
  const basic = error === 'invalid_client' && request.headers.authorization !== undefined
  if (basic) reply.header('www-authenticate', 'Basic realm="unified-records"')
  return reply.code(error === 'invalid_client' ? 401 : 400).send({ error, error_description: description })
}
