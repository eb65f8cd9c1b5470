import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { etagOf, ifMatch } from './etag.ts'

it('whatever a platform calls a version fits into a header and comes back from it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('e\u0301', '"', '%', '%zz', 'W/"1"', ' ', '\r\nset-cookie: a', '\ud83d\ude00'),
      ),
      (version) => {
        const tag = etagOf(version)
        validateHeaderValue('etag', tag)
        expect(ifMatch(tag)).toBe(version)
      },
    ),
  )
})
it('half a character does no harm', () => {
  validateHeaderValue('etag', etagOf('\ud800'))
})
it('leaves the usual ones as they are', () => {
  expect(['7', '2026-11-15T10:00:00.000Z', 'aGVsbG8='].map(etagOf)).toEqual([
    '"7"',
    '"2026-11-15T10:00:00.000Z"',
    '"aGVsbG8="',
  ])
  expect([ifMatch(undefined), ifMatch(' * '), ifMatch('"7"')]).toEqual([undefined, undefined, '7'])
})
it.each(['7', '"7', 'W/"7"', '"7", "8"', '"%e0"', ''])('refuses %j', (header) => {
  expect(() => ifMatch(header)).toThrow('If-Match takes one strong entity tag')
})
