// Every error response is application/problem+json (RFC 9457), from one table.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorTable, Problem } from '../contract/errors.ts'
import { serviceProblem } from '../engine/failures.ts'
import { formBPrefix } from './record-operations.ts'

declare module 'fastify' {
  interface FastifyRequest {
    problem?: Problem // of the response
  }
}

interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  code: ErrorCode
  requestId: string
  errors?: readonly { pointer: string; message: string }[]
  downstream?: { platform: string; status?: number; code?: string; message?: string }
}

export const problemBody = (problem: Problem, requestId: string, baseUrl: string): ProblemBody => ({
  type: `${baseUrl}/errors#${problem.code}`,
  title: errorTable[problem.code].title,
  status: problem.status,
  detail: problem.detail,
  code: problem.code,
  requestId,
  errors: problem.errors,
  downstream: problem.downstream,
  ...problem.extra,
})

/**
 * A body that is too large is read and discarded up to this size: closing the connection in the middle of it would
 * reset it, and a proxy would lose the response.
 */
const drained = 32 * 1024 * 1024

/** Problems for requests that Fastify itself rejects. */
const refusals: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than 1 MiB. Send a smaller body.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be application/json. Send content-type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_json',
    'The body is shorter or longer than its content-length. Send the whole body.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed_json', 'The body is empty. Send one JSON object.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A part of the path is longer than 1024 characters.'],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not a valid URL path. Percent-encode special characters.'],
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const refusal = refusals[code ?? '']
  if (refusal) return new Problem(refusal[0], refusal[1], { cause: error })
  if (/^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code ?? ''))
    return new Problem('malformed_request', 'The body cannot be decompressed. Check content-encoding.', {
      cause: error,
    })
  if (statusCode === 408)
    return new Problem('request_timeout', 'The request did not arrive completely in time. Retry it.', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed_request', 'The request cannot be understood.', { cause: error })
  return serviceProblem(error)
}

export function sendProblem(reply: FastifyReply, problem: Problem, requestId: string, baseUrl: string): FastifyReply {
  for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value)
  return reply
    .code(problem.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, requestId, baseUrl)))
}

export const nothingAt = ({ method, url }: FastifyRequest) =>
  new Problem('not_found', `There is nothing at ${method} ${pathIn(url)}. ${hintAt(pathIn(url))}`)
const pathIn = (url: string): string => (url.split('?', 1)[0] as string).slice(0, 200)
function hintAt(path: string): string {
  const shorter = path.replace(/\/+$/, '')
  if (shorter === '/unified' || shorter === `${formBPrefix}/unified`)
    return `The address needs an account and an entity type: ${shorter}/{accountId}/{entityType}.`
  return path.length > 1 && path.endsWith('/')
    ? `Remove the slash at the end: ${shorter || '/'}.`
    : 'Paths are case-sensitive; all of them are listed at /reference.'
}

export function installProblems(app: FastifyInstance, baseUrl: () => string): void {
  app.setErrorHandler((error, request: FastifyRequest, reply) => {
    const problem = toProblem(error)
    request.problem = problem
    if (problem.status >= 500)
      request.log[problem.code === 'internal_error' ? 'error' : 'warn'](
        { reqId: request.id, err: problem.cause ?? problem, code: problem.code },
        problem.detail,
      )
    // Fastify would close it; the caller may have requested that in any case.
    if (
      problem.code === 'payload_too_large' &&
      Number(request.headers['content-length']) <= drained &&
      reply.raw.shouldKeepAlive
    )
      reply.removeHeader('connection')
    return sendProblem(reply, problem, request.id, baseUrl())
  })
  app.setNotFoundHandler((request, reply) => sendProblem(reply, nothingAt(request), request.id, baseUrl()))
}
