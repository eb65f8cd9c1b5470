// What the HTTP parser refuses never becomes a request, and yet somebody waits for an answer: the same shape as
// everywhere, then the connection ends.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/errors.ts'
import { Problem, sentence } from '../contract/errors.ts'
import { createRequestId } from '../store/request-id.ts'
import { problemBody } from './problem.ts'

const codes: Readonly<Record<string, [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['header_too_large', 'The headers, or the address, are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive completely in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunks of the body have too much beside them.'],
  HPE_INVALID_URL: [
    'malformed_request',
    'The path or the query has a character that must be percent-encoded, such as ë: send %C3%AB.',
  ],
  HPE_INVALID_CONSTANT: [
    'malformed_request',
    'The path and the query are not followed by HTTP/1.1. If they contain a space, send %20.',
  ],
}
/** Of Node's HTTP parser. */
interface ParserError extends Error {
  code?: string
  reason?: string
  bytesParsed?: number
  rawPacket?: unknown
}

function problemOf(error: ParserError): Problem {
  const known = codes[error.code ?? '']
  if (known) return new Problem(...known)
  const method = error.code === 'HPE_INVALID_METHOD' ? methodIn(error) : undefined
  return new Problem(
    'malformed_request',
    method
      ? `${method} is not a method of HTTP. Use GET, POST, PUT, PATCH or DELETE, in upper case.`
      : `The request is not valid HTTP: ${sentence(error.reason ?? 'it cannot be parsed')} Correct that part.`,
  )
}
/** The parser stops inside the method, after requests that it has read from the same packet. */
function methodIn({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  return /^[a-z-]{1,20}(?= )/i.exec(text.slice(text.lastIndexOf('\n', bytesParsed) + 1))?.[0]
}

function messageOf(problem: Problem, baseUrl: string): { headers: Record<string, string>; body: string } {
  const requestId = createRequestId()
  const body = JSON.stringify(problemBody(problem, requestId, baseUrl))
  return {
    body,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
      connection: 'close',
    },
  }
}

const latest = new WeakMap<Socket, ServerResponse>()
/** Remembers the response of each connection, for `refuseUnreadable`. */
export function followResponses(server: Server): void {
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response))
}

export function refuseUnreadable(error: ParserError, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // The rest of a request that has its response: a second one would be taken for that of the next request.
  const response = latest.get(socket)
  if (response?.headersSent && !response.req.complete) return void socket.end()
  const problem = problemOf(error)
  const { headers, body } = messageOf(problem, baseUrl)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Node itself would respond with 417 and no explanation. */
export function refuseExpectations(server: Server, baseUrl: () => string): void {
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = messageOf(
      new Problem('malformed_request', 'The only expectation that can be met is 100-continue.'),
      baseUrl(),
    )
    response.writeHead(400, headers).end(body)
  })
}
