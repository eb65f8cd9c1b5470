// Hostile values: numbers, texts, structures, path segments, queries and headers that have broken services before.
import fc from 'fast-check'

/** A piece of JSON text that JSON.stringify would never write. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  [fc.toStringMethod](): string {
    return this.text.length > 80
      ? `raw(${this.text.slice(0, 60)}… ${this.text.length} characters)`
      : `raw(${this.text})`
  }
}

const numbers = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-1',
  '0.1',
  '1e308',
  '123456789012345678901234567890',
  '9007199254740993',
  '0.30000000000000004',
  '1E+2',
  '4294967296',
]
const texts = [
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"a\\u0000b"',
  '""',
  '" "',
  '"\\ufeff"',
  '"\\u202eabc"',
  '"😀😀"',
  '"e\\u0301"',
  '"__proto__"',
  '"constructor"',
  '"../../etc/passwd"',
  '"\' or 1=1 --"',
  '"<script>alert(1)</script>"',
  '"{{7*7}}"',
  '"\\r\\nset-cookie: a=b"',
  '"NaN"',
  '"2026-02-30T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"0000-01-01T00:00:00+23:59"',
]
const structures = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[null]',
  '[[]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"valueOf":null}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"length":1e9}',
  '{"a":1,"a":2}',
  '{"":0}',
  '{"externalId":"A","externalId":"B"}',
]
const broken = [
  '',
  '{',
  '"',
  '[1,',
  '{"a":}',
  '{}{}',
  'tru',
  "'x'",
  '{"a":1,}',
  '/**/{}',
  '\ufeff{}',
  'NaN',
  'Infinity',
  '01',
  '.5',
  '+1',
  '0x10',
  '"\n"',
  '"\\x"',
  '\u0000',
]

const repeated = (text: string, times: number) => text.repeat(times)
const heavy = fc.oneof(
  fc.nat(200_000).map((depth) => `${repeated('[', depth)}${repeated(']', depth)}`),
  fc.nat(100_000).map((depth) => `${repeated('{"a":', depth)}1${repeated('}', depth)}`),
  fc.nat(100_000).map((length) => `[1${repeated(',1', length)}]`),
  fc.nat(30_000).map((length) => `[{}${repeated(',{"a":"b"}', length)}]`),
  fc.nat(300_000).map((length) => `"${repeated('x', length)}"`),
  fc.nat(100_000).map((length) => `"${repeated('\\u0000', length)}"`),
  fc.nat(20_000).map((keys) => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join(',')}}`),
  fc.nat(20_000).map((digits) => `1${repeated('0', digits)}`),
)
export const hostileValue: fc.Arbitrary<RawJson> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...numbers) },
    { weight: 5, arbitrary: fc.constantFrom(...texts) },
    { weight: 3, arbitrary: fc.constantFrom(...structures) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  )
  .map((text) => new RawJson(text))
export const heavyValue: fc.Arbitrary<RawJson> = heavy.map((text) => new RawJson(text))
export const brokenText: fc.Arbitrary<string> = fc.constantFrom(...broken)

/** A segment of a path, as it is sent. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '%00',
    'a%00b',
    '%',
    '%zz',
    '%c0%af',
    '%ed%a0%80',
    'a%2Fb',
    'a/b',
    '',
    '/',
    '%25252e',
    ';a=b',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '%F0%9F%98%80',
    "'%20or%20'1'='1",
    '%5c',
    '*',
    '{id}',
    ':id',
    '%0d%0aset-cookie:%20a=b',
    'null',
    'undefined',
    '-1',
    '1e309',
    '@',
    'product.json',
    'x@127.0.0.1',
    'http:%2f%2f127.0.0.1',
    'a%3Fb%3Dc%23d',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.nat(12_000).map((length) => 'x'.repeat(length)),
)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1.5',
    '1e9',
    '99999999999999999999',
    'NaN',
    'true',
    '%00',
    '%',
    '%zz',
    '%ed%a0%80',
    '[]',
    '%7B%7D',
    'null',
    '../..',
    "'",
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '0001-01-01T00:00:00Z',
  ),
  fc.string({ maxLength: 10 }).map((text) => encodeURIComponent(text)),
  fc.nat(6_000).map((length) => 'y'.repeat(length)),
)
/** Parameters that the operation does not have. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__=1',
    'constructor=1',
    'a[b]=c',
    '%00=1',
    '=',
    '&&&&',
    '=&=',
    'cursor',
    'cursor=&cursor=',
    'pageSize[]=1',
    'dryRun=yes',
    'onUnknown=',
    '%=%',
    'a=%ff',
    'mappingKey=x',
    'limit=0',
    'after=%00',
  ),
  fc.nat(1_500).map((count) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')),
)
export const hostileHeader: fc.Arbitrary<[string, string]> = fc.constantFrom<[string, string]>(
  ['prefer', 'wait=99999999999'],
  ['prefer', 'wait=-1'],
  ['prefer', 'wait=0'],
  ['prefer', `${'wait=1,'.repeat(500)}`],
  ['if-match', '"x"'],
  ['if-match', 'W/"x"'],
  ['if-match', '*'],
  ['if-match', `"${'x'.repeat(2000)}"`],
  ['accept', 'text/html;q=0.0001, */*;q=nonsense'],
  ['accept-encoding', 'br;q=x, gzip;q=-1'],
  ['accept-charset', 'utf-7'],
  ['x-request-id', `${'r'.repeat(500)}`],
  ['x-forwarded-for', '999.999.999.999, ::1, unknown'],
  ['x-forwarded-for', `${'1.2.3.4, '.repeat(300)}5.6.7.8`],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'null'],
  ['cookie', 'unirec_session=%00; unirec_session=urses_x; __proto__=1'],
  ['cookie', `${'a=b; '.repeat(800)}`],
  ['traceparent', '00-ffffffffffffffffffffffffffffffff-0000000000000000-ff'],
  ['range', 'bytes=0-99999999999'],
  ['if-none-match', '*'],
  ['content-encoding', 'gzip'],
  ['connection', 'close'],
  ['accept-version', '9.9.9'],
  ['x-csrf-token', 'nonsense'],
)
export const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'text/plain',
  'text/csv',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json, text/plain',
  '/',
  'nonsense',
  `application/json${';'.repeat(3000)}`,
] as const
