import { expect, it } from 'vitest'
import { collectUnread } from '../contract/unread.ts'
import { flag, not } from './fields.ts'
import { addressTable } from './person.ts'
import { fieldTable } from './table.ts'

interface Native {
  id: string
  title?: string
  first?: string | null
  mail?: { address?: string } | null
  phone?: string
  mobile?: string
  address?: { street?: string; town?: string } | null
  archived?: boolean
  currency?: string
  unsubscribed?: boolean
  hours?: number
}
const table = fieldTable<'customer', Native>({
  '/name': { from: ({ title, first }) => title ?? first ?? undefined },
  '/firstName': ['/first', { longest: 30, errors: ['FirstName'] }],
  '/lastName': null,
  '/email': ['/mail/address', { required: true, longest: 254 }],
  '/phone': ['/phone', { or: '/mobile' }],
  ...addressTable('/address', { line1: 'street', city: 'town' }),
  '/active': ['/archived', { read: not, write: (active) => !active, keeps: true }],
  '/currencyCode': ['/currency', { write: (code) => code.toLowerCase(), only: ['EUR', 'USD'] }],
  '/marketingAllowed': ['/unsubscribed', { read: not, stored: false }],
})
const full: Native = {
  id: '7',
  title: 'Ada Lovelace',
  first: 'Ada',
  mail: { address: 'ada@example.com' },
  mobile: '+14155550123',
  address: { street: '12 St James Square', town: 'London' },
  archived: false,
  currency: 'EUR',
  unsubscribed: true,
}
const record = {
  externalId: 'SRC-1',
  name: 'Ada Lovelace',
  firstName: 'Ada',
  email: 'ada@example.com',
  phone: '+14155550123',
  address: { line1: '12 St James Square', city: 'London' },
  active: true,
  currencyCode: 'EUR',
  marketingAllowed: false,
}

it('reads a row, with what stands in for a field that has no value', () => {
  expect(table.read(full, '7')).toEqual({ ...record, externalId: '7' })
  expect(table.read({ ...full, phone: '1' }, '7').phone).toBe('1')
})
it('reads nothing where a row has nothing, also null for an object', () => {
  const unread: unknown[] = []
  const read = (row: Native) => JSON.stringify(collectUnread(unread, () => table.read(row, '7')))
  expect(read({ id: '7' })).toBe('{"externalId":"7"}')
  expect(read({ id: '7', first: null, mail: null, address: null })).toBe('{"externalId":"7"}')
  expect(unread).toEqual([])
})
it('tells what cannot be read: a value, or an object of another type', () => {
  const unread: unknown[] = []
  const row = { id: '7', first: { unexpected: 1 }, address: 'London', archived: 'perhaps' } as unknown as Native
  expect(JSON.stringify(collectUnread(unread, () => table.read(row, '7')))).toBe(
    JSON.stringify({ externalId: '7', name: { unexpected: 1 } }), // of the function, which reads as it likes
  )
  expect(unread).toEqual(['London', { unexpected: 1 }, 'perhaps'])
})
it('reads an object once', () => {
  let times = 0
  const row = {
    id: '7',
    get address() {
      times += 1
      return full.address!
    },
  }
  expect(table.read(row, '7').address).toEqual(record.address)
  expect(times).toBe(1)
})

it('creates with what a record has, and without what is not stored', () => {
  expect(table.body(record)).toEqual({
    first: 'Ada',
    mail: { address: 'ada@example.com' },
    phone: '+14155550123',
    address: { street: '12 St James Square', town: 'London' },
    archived: false,
    currency: 'eur',
  })
  expect(table.body({ name: 'Ada' })).toEqual({})
})
it('replaces every field: what is absent is cleared, an object as a whole, unless it keeps its value', () => {
  const cleared = { first: null, phone: null, address: null, currency: null }
  expect(table.replacement({ name: 'Ada' })).toEqual(cleared)
  expect(table.replacement({ name: 'Ada', address: { city: 'London' }, active: false })).toEqual({
    ...cleared,
    address: { street: null, town: 'London' },
    archived: true,
  })
})
it('sends only differences, and sees none in white space', () => {
  expect(table.differences({ ...record, email: ' ada@example.com ', currencyCode: 'EUR' }, full)).toEqual({})
  const { phone: _, active: __, ...less } = record
  expect(table.differences({ ...less, firstName: '', address: { line1: 'Elsewhere', city: 'London' } }, full)).toEqual({
    first: '',
    phone: null,
    address: { street: 'Elsewhere' },
  })
})
it('clears with an empty text, and writes texts trimmed, where the platform wants that', () => {
  const trimmed = fieldTable<'customer', Native>(
    { '/firstName': '/first', '/phone': '/phone', ...addressTable('/address', { city: 'town' }) },
    { cleared: '', trimmed: true },
  )
  expect(trimmed.replacement({ name: 'Ada', firstName: ' Ada ', phone: ' ' })).toEqual({
    first: 'Ada',
    phone: '',
    address: { town: '' },
  })
  expect(trimmed.body({ firstName: ' ', phone: ' 1 ' })).toEqual({ phone: '1' })
  expect(trimmed.differences({ phone: '' }, { id: '7', first: 'Ada' })).toEqual({ first: '' })
})

it('declares what a write declares', () => {
  expect(table.write).toEqual({
    fields: {
      address: '/address',
      first: '/firstName',
      FirstName: '/firstName',
      'mail.address': '/email',
      phone: '/phone',
      mobile: '/phone',
      'address.street': '/address/line1',
      'address.town': '/address/city',
      archived: '/active',
      currency: '/currencyCode',
    },
    longest: { '/firstName': 30, '/email': 254 },
    notStored: { '/lastName': true, '/marketingAllowed': true },
    values: { '/currencyCode': { only: ['EUR', 'USD'] } },
    requires: ['/email'],
  })
})
it("names the fields of errors in the platform's own form, and by hand where one name has several fields", () => {
  const { fields } = fieldTable<'customer', Native>(
    { '/active': ['/archived', { read: flag, notStored: ['false'] }], ...addressTable('/address', { city: 'town' }) },
    {
      nameInErrors: ([first, ...rest]) => `${first}${rest.map((step) => `[${step}]`).join('')}`,
      errors: { archived: '/name' },
    },
  ).write
  expect(fields).toEqual({ archived: '/name', address: '/address', 'address[town]': '/address/city' })
})
it('declares nothing that it does not say', () => {
  expect(fieldTable<'customer', Native>({ '/phone': '/phone' }).write).toEqual({ fields: { phone: '/phone' } })
})
