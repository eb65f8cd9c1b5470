import { expect, it } from 'vitest'
import type { HookHint } from '../contract/connector.ts'
import { distinctHints, idIn, isSigned, jsonOf, memberOf } from './webhooks.ts'

// RFC 4231, test case 2, and RFC 2202, test case 2.
const content = 'what do ya want for nothing?'
const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
const sha1 = 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'

it('accepts the published signatures of HMAC, in both encodings', () => {
  expect(isSigned(content, 'Jefe', sha256, { encoding: 'hex' })).toBe(true)
  expect(isSigned(Buffer.from(content), 'Jefe', sha1, { hash: 'sha1', encoding: 'hex' })).toBe(true)
  const inBase64 = Buffer.from(sha256, 'hex').toString('base64')
  expect(isSigned(content, Buffer.from('Jefe'), inBase64, { encoding: 'base64' })).toBe(true)
})
it.each([undefined, '', 'x', sha256.slice(1), `${sha256}0`, sha256.replace('5', '6'), '€'.repeat(64)])(
  'refuses the signature %s',
  (signature) => {
    expect(isSigned(content, 'Jefe', signature, { encoding: 'hex' })).toBe(false)
  },
)
it('refuses everything without a secret', () => {
  expect(
    isSigned('', '', 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad', { encoding: 'hex' }),
  ).toBe(false)
})

it('reads only own members and usable ids of a body', () => {
  const body = jsonOf({ body: Buffer.from('{"__proto__":{"id":7},"id":12}') })
  expect([memberOf(body, 'id'), memberOf(body, 'toString'), memberOf(null, 'id')]).toEqual([12, undefined, undefined])
  expect([12, 'ab', '', 0, -1, 1.5, 2 ** 60, true, null, {}, 'x'.repeat(201)].map(idIn)).toEqual([
    '12',
    'ab',
    ...Array(9).fill(undefined),
  ])
  expect(() => jsonOf({ body: Buffer.from('a=b') })).toThrow()
})

it('reports each record once, and more than 1000 as a change of the entity', () => {
  const hint: HookHint = { entityType: 'product', id: '1' }
  expect(distinctHints([hint, { ...hint }, { entityType: 'order', id: '1' }])).toHaveLength(2)
  const many = Array.from({ length: 10_000 }, (_, n): HookHint => ({ entityType: 'product', id: String(n) }))
  expect(distinctHints(many.slice(0, 1000))).toHaveLength(1000)
  expect(distinctHints([...many, { entityType: 'order', id: '1' }])).toEqual([
    { entityType: 'product' },
    { entityType: 'order' },
  ])
})
