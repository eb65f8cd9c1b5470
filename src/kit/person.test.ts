import { expect, it } from 'vitest'
import { addressTable, joined, longNames, nameParts, twoNames, withParts } from './person.ts'

interface Native {
  first?: string | null
  last?: string | null
  company?: string
}
const partsOf = nameParts<Native>({
  shown: ({ first, last, company }) => [first, last].filter(Boolean).join(' ') || company || '',
  first: 'first',
  last: 'last',
  others: ['companyName', 'email'],
})

it('splits a name that is only a name', () => {
  expect(partsOf({ name: 'Ludwig van Beethoven' })).toEqual({ first: 'Ludwig van', last: 'Beethoven' })
  expect(partsOf({ name: 'Ada Lovelace', firstName: 'Augusta' })).toEqual({ first: 'Augusta' })
})
it('keeps the parts of a name that is already displayed', () => {
  expect(partsOf({ name: 'Ludwig van Beethoven' }, { first: 'Ludwig', last: 'van Beethoven' })).toEqual({
    first: 'Ludwig',
    last: 'van Beethoven',
  })
  expect(partsOf({ name: 'Engines' }, { first: null, last: null, company: 'Engines' })).toEqual({})
})
it('does not make a person of the company or the email', () => {
  expect(partsOf({ name: 'Engines', companyName: 'Engines' })).toEqual({})
  expect(partsOf({ name: 'ada@example.com', email: 'ada@example.com' })).toEqual({})
  expect(partsOf({ name: '+14155550123', phone: '+14155550123' })).toEqual({ first: '+14155550123' })
})
it('puts the parts into the record', () => {
  expect(withParts({ name: 'Ada Lovelace', firstName: 'A' }, { last: 'Lovelace' })).toEqual({
    name: 'Ada Lovelace',
    firstName: undefined,
    lastName: 'Lovelace',
  })
})
it('refuses a name with a part that is too long, once', () => {
  const long = 'x'.repeat(11)
  expect(longNames({ name: `${long} ${long}` }, { first: long, last: long }, 10)).toEqual([
    { pointer: '/name', message: 'must have at most 10 characters' },
  ])
  expect(longNames({ name: long, firstName: long }, { first: long }, 10)).toEqual([])
})
it('refuses a name without a last name where both are needed', () => {
  const check = twoNames('needs both')
  expect(check({ name: 'Ada' })).toEqual([{ pointer: '/name', message: 'needs both' }])
  expect(check({ name: 'Ada Lovelace' })).toEqual([])
})
it('joins the lines that have a text', () => {
  expect(joined(', ', 'Floor 2', ' ', null, 'Door 3')).toBe('Floor 2, Door 3')
  expect(joined(', ', undefined, '')).toBeUndefined()
})
it('lists the fields of an address, in an object or in the row', () => {
  expect(addressTable('/billing', { city: 'town' })).toEqual({ '/address/city': '/billing/town' })
  expect(addressTable('', { line1: 'street' })).toEqual({ '/address/line1': '/street' })
})
