import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { addressOf, createGuessLimit, createThrottle } from './throttle.ts'

describe('a throttle', () => {
  it('lets so many through in a window and tells how long to wait', () => {
    let now = 0
    const throttle = createThrottle({ limit: 2, windowMs: 1000, now: () => now })
    throttle.count('a')
    expect(throttle.waitMs('a')).toBe(0)
    now = 400
    throttle.count('a')
    expect([throttle.waitMs('a'), throttle.waitMs('b')]).toEqual([600, 0])
    now = 1001
    expect(throttle.waitMs('a')).toBe(0)
  })
  it('remembers a bounded number of names, the newest', () => {
    const throttle = createThrottle({ limit: 1, maxNames: 100 })
    for (let index = 0; index < 10_000; index++) throttle.count(`name ${index}`)
    expect([throttle.size(), throttle.waitMs('name 9999') > 0, throttle.waitMs('name 1')]).toEqual([100, true, 0])
  })
})

describe('the limit of guesses', () => {
  it('returns 429 to an address that gets the secret of one client wrong, not to others', () => {
    const guesses = createGuessLimit({ perClient: 3, perAddress: 10 })
    for (let wrong = 0; wrong < 3; wrong++) expect(guesses.failed('client', '1.1.1.1')).toBeUndefined()
    expect(guesses.failed('client', '1.1.1.1')).toMatchObject({
      code: 'too_many_requests',
      headers: { 'retry-after': '60' },
    })
    expect(guesses.failed('client', '2.2.2.2')).toBeUndefined()
    expect(guesses.failed('other', '1.1.1.1')).toBeUndefined()
  })
  it('returns 429 to an address that tries many clients', () => {
    const guesses = createGuessLimit({ perClient: 3, perAddress: 10 })
    for (let wrong = 0; wrong < 10; wrong++) expect(guesses.failed(`client ${wrong}`, '1.1.1.1')).toBeUndefined()
    expect(guesses.failed('one more', '1.1.1.1')).toMatchObject({ code: 'too_many_requests' })
  })
})

it('counts a whole /64 of IPv6 as one address, and a mapped address as the IPv4 one', () => {
  const of = (ip: string) => addressOf({ ip } as FastifyRequest)
  expect(
    [
      '2001:db8:1:2:aaaa::1',
      '2001:db8:1:2::',
      '2001:0db8:1:2:0:0:0:9',
      'fe80::1%eth0',
      '::1',
      '::ffff:10.0.0.1',
      '10.0.0.1',
    ].map(of),
  ).toEqual([
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    'fe80:0:0:0::/64',
    '0:0:0:0::/64',
    '10.0.0.1',
    '10.0.0.1',
  ])
})
