// Hostile responses of a platform: wrong shapes, wrong sizes, wrong HTTP.
import fc from 'fast-check'
import { hostileValue, type RawJson } from './hostile.ts'

export type HostileResponse =
  /** The response of the simulator with one value replaced. */
  | { kind: 'bent'; at: number; value: RawJson | 'removed'; status?: number }
  | { kind: 'plain'; status: number; type: string; text: string; headers?: [string, string][] }
  | { kind: 'redirect'; status: number; to: string }
  | { kind: 'bomb'; encoding: 'gzip' | 'br' | 'deflate' | 'compress' }
  | { kind: 'endless' }
  | { kind: 'large'; megabytes: number }
  | { kind: 'drip' }
  | { kind: 'reset'; after: number }
  | { kind: 'bytes'; text: string }
  | { kind: 'honest' }

const statuses = [
  200, 200, 200, 201, 202, 204, 206, 207, 300, 304, 400, 401, 402, 403, 404, 405, 409, 410, 412, 422, 429, 500, 502,
  503, 504, 599, 999,
]
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/html',
  'text/plain',
  'application/octet-stream',
  'application/xml',
  '',
  'nonsense',
]
const bodies = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '1e400',
  '""',
  '"text"',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '{"data":null}',
  '{"data":{}}',
  '{"errors":null}',
  '{"errors":[]}',
  '{"errors":[null]}',
  '{"errors":{}}',
  '{"error":1}',
  '{"error":{"code":{}}}',
  '{"message":[]}',
  '{"__proto__":{"a":1}}',
  '{"a":',
  '<!doctype html><html>',
  '<xml/>',
  '\u0000\u0001',
  '{"Fault":{"Error":null}}',
  '{"objects":null}',
  '{"elements":{}}',
  '{"QueryResponse":[]}',
  '{"data":{"__typename":1}}',
  '[{"errors":[{}]}]',
  `${'['.repeat(50_000)}`,
  `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
]
const odd: [string, string][] = [
  ['set-cookie', 'session=evil; Domain=.example.com'],
  ['retry-after', '-5'],
  ['retry-after', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['retry-after', 'nonsense'],
  ['retry-after', '1e3'],
  ['link', '<http://169.254.169.254/latest>; rel="next"'],
  ['link', 'nonsense'],
  ['x-ratelimit-remaining', 'NaN'],
  ['x-ratelimit-reset', '-1'],
  ['www-authenticate', 'Bearer error="nonsense"'],
  ['etag', 'W/"\u00e9"'],
  ['date', 'nonsense'],
]
const wire = [
  '',
  'nonsense\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'HTTP/1.1 999 \r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.0 200 OK\r\n\r\n{}',
  'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}',
  `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\ncontent-length: 2\r\n\r\n{}`,
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}',
]
export const hostileResponse: fc.Arbitrary<HostileResponse> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record(
      {
        kind: fc.constant('bent' as const),
        at: fc.nat(400),
        value: fc.oneof(
          { weight: 6, arbitrary: hostileValue },
          { weight: 1, arbitrary: fc.constant('removed' as const) },
        ),
        status: fc.constantFrom(200, 201, 202, 400, 404, 500),
      },
      { requiredKeys: ['kind', 'at', 'value'] },
    ),
  },
  {
    weight: 22,
    arbitrary: fc.record(
      {
        kind: fc.constant('plain' as const),
        status: fc.constantFrom(...statuses),
        type: fc.constantFrom(...types),
        text: fc.constantFrom(...bodies),
        headers: fc.array(fc.constantFrom(...odd), { maxLength: 2 }),
      },
      { requiredKeys: ['kind', 'status', 'type', 'text'] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('redirect' as const),
      status: fc.constantFrom(301, 302, 303, 307, 308),
      to: fc.constantFrom(
        'http://127.0.0.1:1/',
        'http://169.254.169.254/latest/meta-data/',
        '/',
        'file:///etc/passwd',
        '//evil.example',
        '',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('bomb' as const),
      encoding: fc.constantFrom('gzip', 'br', 'deflate', 'compress'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reset' as const), after: fc.constantFrom(0, 1, 20, 200) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('bytes' as const), text: fc.constantFrom(...wire) }) },
  { weight: 20, arbitrary: fc.constant<HostileResponse>({ kind: 'honest' }) },
  { weight: 2, arbitrary: fc.constant<HostileResponse>({ kind: 'drip' }) },
)
/** Each of these costs a second of CPU time or many megabytes, so a few are enough. */
export const costlyResponses: readonly HostileResponse[] = [
  { kind: 'endless' },
  { kind: 'large', megabytes: 31 },
  { kind: 'large', megabytes: 40 },
]
