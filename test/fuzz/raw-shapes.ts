// Requests that are almost HTTP, which proxies and servers have parsed differently.
import type { Sending } from './wire.ts'

export interface RawShape {
  /**
   * The maximum number of requests that a strict parser finds. One more response means that a request was smuggled in.
   */
  requests: number
  send: Partial<Pick<Sending, 'pauseMs' | 'leave'>>
  parts: string[]
}
interface Stuff {
  /** An existing path, a valid credential, and a record to write. */
  path: string
  authorization: string
  number: number
}
const smuggled = 'POST /unified/SMUGGLED/product HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}'
const head = ({ path, authorization }: Stuff, method: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: x', `authorization: ${authorization}`, ...headers, '', ''].join('\r\n')
const json = 'content-type: application/json'
const one = (text: string): RawShape => ({ requests: 1, send: {}, parts: [text] })
const post = (stuff: Stuff, body: string, ...headers: string[]) => one(head(stuff, 'POST', json, ...headers) + body)

export const rawShapes: Readonly<Record<string, (stuff: Stuff) => RawShape>> = {
  'both lengths, chunked inside': (stuff) =>
    post(stuff, `0\r\n\r\n${smuggled}`, `content-length: ${5 + smuggled.length}`, 'transfer-encoding: chunked'),
  'both lengths, the other order': (stuff) =>
    post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding: chunked', 'content-length: 5'),
  'two lengths': (stuff) => post(stuff, `{}${smuggled}`, 'content-length: 2', `content-length: ${2 + smuggled.length}`),
  'a list of lengths': (stuff) => post(stuff, `{}${smuggled}`, 'content-length: 2, 2'),
  'a length with a sign': (stuff) => post(stuff, `{}${smuggled}`, 'content-length: +2'),
  'a negative length': (stuff) => post(stuff, '{}', 'content-length: -2'),
  'a hexadecimal length': (stuff) => post(stuff, '{}', 'content-length: 0x2'),
  'a length with a space before the colon': (stuff) => post(stuff, `{}${smuggled}`, 'content-length : 2'),
  'an unknown transfer encoding': (stuff) => post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding: xchunked'),
  'chunked, then identity': (stuff) => post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding: chunked, identity'),
  'chunked with a tab': (stuff) =>
    post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding:\u000bchunked', 'content-length: 5'),
  'chunked twice': (stuff) => post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding: chunked', 'transfer-encoding: x'),
  'a folded header': (stuff) => post(stuff, '{}', 'x-folded: a\r\n b', 'content-length: 2'),
  'a folded transfer encoding': (stuff) =>
    post(stuff, `0\r\n\r\n${smuggled}`, 'transfer-encoding:\r\n chunked', 'content-length: 5'),
  'bare line feeds': (stuff) => one(head(stuff, 'GET').replaceAll('\r\n', '\n')),
  'one bare line feed': (stuff) => one(head(stuff, 'GET', 'x: y\ncontent-length: 5')),
  'bare carriage returns': (stuff) => one(head(stuff, 'GET', 'x: y\rcontent-length: 5')),
  'NUL in a header': (stuff) => one(head(stuff, 'GET', 'x: a\u0000b')),
  'control characters in a header': (stuff) => one(head(stuff, 'GET', 'x: a\u0001\u007fb')),
  'bytes above 127 in a header': (stuff) => one(head(stuff, 'GET', 'x: \u00e9\u00ff')),
  'a header without a colon': (stuff) => one(head(stuff, 'GET', 'nonsense')),
  'a header without a name': (stuff) => one(head(stuff, 'GET', ': x')),
  'a space in a header name': (stuff) => one(head(stuff, 'GET', 'x y: z')),
  'no host': ({ path }) => one(`GET ${path} HTTP/1.1\r\n\r\n`),
  'two hosts': (stuff) => one(head(stuff, 'GET', 'host: y')),
  'a strange host': (stuff) => one(head(stuff, 'GET').replace('host: x', 'host: a/b@c:99999')),
  'HTTP/0.9': ({ path }) => one(`GET ${path}\r\n\r\n`),
  'HTTP/1.0': ({ path }) => one(`GET ${path} HTTP/1.0\r\n\r\n`),
  'HTTP/1.9': ({ path }) => one(`GET ${path} HTTP/1.9\r\nhost: x\r\n\r\n`),
  'HTTP/2': () => one('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'an unknown method': (stuff) => one(head(stuff, 'BREW')),
  'a method in small letters': (stuff) => one(head(stuff, 'get')),
  CONNECT: () => one('CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: x\r\n\r\n'),
  TRACE: (stuff) => one(head(stuff, 'TRACE')),
  'OPTIONS *': () => one('OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n'),
  'an absolute address': ({ path }) => one(`GET http://169.254.169.254${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
  'an address without a slash': () => one('GET unified HTTP/1.1\r\nhost: x\r\n\r\n'),
  'two slashes': ({ path }) => one(`GET /${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
  'a space in the address': ({ path }) => one(`GET ${path}/a b HTTP/1.1\r\nhost: x\r\n\r\n`),
  'bytes above 127 in the address': ({ path }) => one(`GET ${path}/\u00e9\u00ff HTTP/1.1\r\nhost: x\r\n\r\n`),
  'NUL in the address': ({ path }) => one(`GET ${path}/\u0000 HTTP/1.1\r\nhost: x\r\n\r\n`),
  'a fragment in the address': ({ path }) => one(`GET ${path}#x?y HTTP/1.1\r\nhost: x\r\n\r\n`),
  'headers too large': (stuff) => one(head(stuff, 'GET', `x: ${'y'.repeat(20_000)}`)),
  'headers too many': (stuff) => one(head(stuff, 'GET', ...Array.from({ length: 1900 }, (_, index) => `h${index}:`))),
  'an address too long': ({ path }) => one(`GET ${path}/${'z'.repeat(16_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
  'many at once': (stuff) => ({
    requests: 1 + (stuff.number % 16),
    send: {},
    parts: [head(stuff, 'GET').repeat(1 + (stuff.number % 16))],
  }),
  'several in pieces': (stuff) => ({
    requests: 3,
    send: { pauseMs: 2 },
    parts: pieces(head(stuff, 'GET').repeat(3), 7),
  }),
  'a good and a bad one': (stuff) => ({ requests: 2, send: {}, parts: [`${head(stuff, 'GET')}nonsense\r\n\r\n`] }),
  'chunks with extensions and trailers': (stuff) =>
    post(stuff, '1;a=b\r\n{\r\n1;c\r\n}\r\n0\r\nx: y\r\n\r\n', 'transfer-encoding: chunked', 'trailer: x'),
  'an invalid chunk size': (stuff) => post(stuff, `zz\r\n{}\r\n0\r\n\r\n${smuggled}`, 'transfer-encoding: chunked'),
  'a chunk size too large': (stuff) =>
    post(stuff, '10000000000000000\r\n{}\r\n0\r\n\r\n', 'transfer-encoding: chunked'),
  'a chunk longer than its size': (stuff) => post(stuff, '1\r\n{}\r\n0\r\n\r\n', 'transfer-encoding: chunked'),
  'forbidden trailers': (stuff) =>
    post(stuff, '2\r\n{}\r\n0\r\ncontent-length: 99\r\nauthorization: x\r\n\r\n', 'transfer-encoding: chunked'),
  'expects 100': (stuff) => ({
    requests: 1,
    send: { pauseMs: 3 },
    parts: [head(stuff, 'POST', json, 'expect: 100-continue', 'content-length: 2'), '{}'],
  }),
  'expects nonsense': (stuff) => post(stuff, '{}', 'expect: a miracle', 'content-length: 2'),
  'a websocket': (stuff) =>
    one(
      head(
        stuff,
        'GET',
        'upgrade: websocket',
        'connection: upgrade',
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version: 13',
      ),
    ),
  'cleartext HTTP/2': (stuff) =>
    one(head(stuff, 'GET', 'upgrade: h2c', 'connection: upgrade, http2-settings', 'http2-settings: x')),
  'a body on GET': (stuff) => one(`${head(stuff, 'GET', json, 'content-length: 2')}{}`),
  'a slow body': (stuff) => ({
    requests: 1,
    send: { pauseMs: 10 },
    parts: [head(stuff, 'POST', json, 'content-length: 12'), ...pieces('{"a":"bcde"}', 3)],
  }),
  'slow headers': (stuff) => ({ requests: 1, send: { pauseMs: 5 }, parts: pieces(head(stuff, 'GET'), 20) }),
  'disconnected in the headers': (stuff) => ({
    requests: 1,
    send: { leave: true },
    parts: [head(stuff, 'GET').slice(0, 30)],
  }),
  'disconnected in the body': (stuff) => ({
    requests: 1,
    send: { leave: true },
    parts: [`${head(stuff, 'POST', json, 'content-length: 500')}{"externalId":`],
  }),
  'disconnected before the response': (stuff) => ({ requests: 1, send: { leave: true }, parts: [head(stuff, 'GET')] }),
  'a TLS hello': () => one('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'),
  'line ends only': () => one('\r\n\r\n\r\n\r\n'),
  nothing: () => ({ requests: 0, send: { leave: true }, parts: [''] }),
}

const pieces = (text: string, count: number): string[] => {
  const size = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size)).filter(
    (piece) => piece !== '',
  )
}
