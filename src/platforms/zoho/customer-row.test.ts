import { describe, expect, it, vi } from 'vitest'
import type { Mapping } from '../../contract/connector.ts'
import { zohoBooks } from '../zoho-books/connector.ts'
import { type NativeContact, rowVersion, unifiedOf } from './customer-row.ts'
import { dataCenter } from './data-centers.ts'
import { readError } from './error.ts'

const contact = (more: Partial<NativeContact>): NativeContact => ({
  contact_id: '1',
  contact_name: 'N',
  contact_type: 'customer',
  status: 'active',
  ...more,
})
const { customer } = zohoBooks.entities

describe('the version of a listed row', () => {
  const listed = (last_modified_time: string, listedAt = 'Tue, 03 Mar 2026 10:00:00 GMT') =>
    rowVersion(contact({ last_modified_time, listedAt }))
  it('is the row, whenever it is listed', () => {
    const version = listed('2026-03-03T10:28:59+0530')
    expect(version).toBeDefined()
    expect(listed('2026-03-03T10:28:59+0530', 'Wed, 04 Mar 2026 10:00:00 GMT')).toBe(version)
    expect(listed('2026-03-03T10:28:58+0530')).not.toBe(version)
  })
  it('is unknown if the row may change without another time: within a minute, or with only a date', () => {
    expect(listed('2026-03-03T15:29:30+0530')).toBeUndefined()
    expect(listed('2026-03-03T16:00:00+0530')).toBeUndefined()
    expect(listed('2026-03-01')).toBeUndefined()
    expect(listed('2026-03-03T10:28:59+0530', '')).toBeUndefined()
    expect(rowVersion(contact({ last_modified_time: '2026-03-03T10:28:59+0530' }))).toBeUndefined()
  })
})

describe('a contact', () => {
  it('may have numbers in string fields, and "" in empty fields', () => {
    const row = contact({
      contact_id: 460000000026049,
      company_name: '',
      billing_address: { address: ' 1 Street ', zip: 94588, city: '', state_code: 'CA' },
      currency_code: 'usd',
    })
    expect(unifiedOf(row)).toEqual({
      externalId: '460000000026049',
      name: 'N',
      address: { line1: '1 Street', postalCode: '94588', state: 'CA' },
      active: true,
      currencyCode: 'USD',
    })
  })
  it('uses the person marked as primary, otherwise the one with the primary id, otherwise the first', () => {
    const [ada, bob] = [
      { contact_person_id: '7', first_name: 'Ada' },
      { contact_person_id: 8, first_name: 'Bob' },
    ]
    expect(
      unifiedOf(contact({ contact_persons: [ada, { ...bob, is_primary_contact: true }], primary_contact_id: '7' }))
        .firstName,
    ).toBe('Bob')
    expect(unifiedOf(contact({ contact_persons: [ada, bob], primary_contact_id: '8' })).firstName).toBe('Bob')
    expect(unifiedOf(contact({ contact_persons: [ada, bob] })).firstName).toBe('Ada')
  })
  it("has the person's phone, otherwise the mobile, otherwise the phone of the billing address", () => {
    const billing_address = { phone: '3' }
    expect(unifiedOf(contact({ contact_persons: [{ phone: '1', mobile: '2' }], billing_address })).phone).toBe('1')
    expect(unifiedOf(contact({ contact_persons: [{ phone: '', mobile: '2' }], billing_address })).phone).toBe('2')
    expect(unifiedOf(contact({ billing_address })).phone).toBe('3')
  })
  it('with an unknown status is returned without one, with a warning', () => {
    const warn = vi.fn()
    expect(customer!.toUnified(contact({ status: 'crm' }), { warn } as unknown as Mapping).active).toBeUndefined()
    expect(warn).toHaveBeenCalledWith('/active', expect.stringContaining('"crm"'))
  })
  it('is modified at its time in any offset; with only a date it is always returned', () => {
    const at = (last_modified_time: string) => customer!.list.modifiedAt!(contact({ last_modified_time }))
    expect(at('2026-01-30T18:24:51+0530')).toBe('2026-01-30T12:54:51.000Z')
    expect(at('2026-01-29T11:05:00-0800')).toBe('2026-01-29T19:05:00.000Z')
    expect(at('2013-08-05')).toBeUndefined()
  })
})

it('derives either host of a data center from the other, and none from an unknown host', () => {
  expect(dataCenter({ apiDomain: 'https://www.zohoapis.ca' }).accountsServer).toBe('https://accounts.zohocloud.ca')
  expect(dataCenter({ accountsServer: 'https://accounts.zoho.com.au' }).apiDomain).toBe('https://www.zohoapis.com.au')
  expect(dataCenter({ accountsServer: 'https://accounts.zoho.evil' })).toEqual({})
})

describe('a response', () => {
  const read = (status: number, body: unknown, headers = {}) => readError({ status, headers, body })
  it('is classified by its code, regardless of the status', () => {
    const kinds = [14, 57, 1002, 3062, 6041, 44, 45, 1000, 15].map((code) => read(400, { code, message: 'm' })?.kind)
    expect(kinds).toEqual([
      'token',
      'token',
      'not_found',
      'duplicate',
      'reconnect',
      'throttled',
      'throttled',
      'unavailable',
      'invalid',
    ])
    expect(read(200, { code: 4, message: 'Invalid JSON string passed' })).toEqual({
      kind: 'invalid',
      code: '4',
      message: 'Invalid JSON string passed',
    })
    expect(read(201, { code: 0, message: 'The contact has been created' })).toBeUndefined()
    expect(read(502, '<html></html>')?.kind).toBe('unavailable')
  })
  it('names the field only in its message', () => {
    expect(
      read(400, { code: 15, message: 'Please ensure that the first_name has less than 100 characters.' })?.fields,
    ).toMatchObject([{ native: 'first_name' }])
    expect(read(400, { code: 3062, message: 'The customer "City Phone" already exists.' })?.fields).toMatchObject([
      { native: 'contact_name' },
    ])
    expect(read(400, { code: 2, message: 'Invalid value passed for contact_id' })?.fields).toBeUndefined()
  })
  it('about the daily limit contains its end', () => {
    expect(read(429, { code: 45, message: 'm' }, { 'x-rate-limit-reset': '120' })?.retryAfterMs).toBe(120_000)
    expect(read(429, { code: 45, message: 'm' }, { 'retry-after': '60' })?.retryAfterMs).toBe(60_000)
    expect(read(429, { code: 45, message: 'm' })?.retryAfterMs).toBe(900_000)
    expect(read(429, { code: 44, message: 'm' })?.retryAfterMs).toBeUndefined()
  })
})
