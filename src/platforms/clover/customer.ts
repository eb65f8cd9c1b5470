import type { Address } from '../../contract/address.ts'
import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { sameAddress } from '../../kit/differences.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, filled, text } from '../../kit/fields.ts'
import { displayName, fullName, personName } from '../../kit/names.ts'
import { get, path, post } from '../../kit/requests.ts'
import { addMs, clockToleranceMs, toUnixMs } from '../../kit/time.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { below, type Elements, elementsOf, rowsIn } from './account.ts'
import { createOnce } from './create-once.ts'
import { changeContact } from './customer-write.ts'
import { byCreation, largestPage } from './listing.ts'

interface NativeAddress {
  id?: string
  address1?: string
  address2?: string
  address3?: string
  city?: string
  state?: string
  zip?: string
  country?: string
}
interface NativeCustomer {
  id: string
  firstName?: string
  lastName?: string
  marketingAllowed?: boolean
  addresses?: Elements<NativeAddress>
  emailAddresses?: Elements<{ id: string; emailAddress?: string; primaryEmail?: boolean }>
  phoneNumbers?: Elements<{ id: string; phoneNumber?: string }>
  metadata?: { businessName?: string; note?: string }
}
// A call has at most three expansions, and there are four: the metadata needs a separate call.
const contacts = { expand: 'addresses,emailAddresses,phoneNumbers' }
const metadata = { expand: 'metadata' }

const emailOf = (row: NativeCustomer) =>
  elementsOf(row.emailAddresses).find(({ primaryEmail }) => primaryEmail) ?? elementsOf(row.emailAddresses)[0]
const phoneOf = (row: NativeCustomer) => elementsOf(row.phoneNumbers)[0]
const addressOf = (row: NativeCustomer) => elementsOf(row.addresses)[0]
const shownName = (row: NativeCustomer): string =>
  displayName(
    fullName(row.firstName, row.lastName),
    row.metadata?.businessName,
    emailOf(row)?.emailAddress,
    phoneOf(row)?.phoneNumber,
    row.id,
  )!

const fromAddress = (address: NativeAddress | undefined): Address | undefined =>
  address &&
  filled({
    line1: text(address.address1),
    line2: text([text(address.address2), text(address.address3)].filter(Boolean).join(', ')),
    city: text(address.city),
    state: text(address.state),
    postalCode: text(address.zip),
    country: text(address.country),
  })
const toAddress = ({ line1, line2, city, state, postalCode, country }: Address) => ({
  address1: line1,
  address2: line2 ?? '',
  address3: '',
  city,
  state,
  zip: postalCode,
  country,
})

const toUnified = (row: NativeCustomer): Customer => ({
  externalId: row.id,
  name: shownName(row),
  firstName: text(row.firstName),
  lastName: text(row.lastName),
  email: text(emailOf(row)?.emailAddress),
  phone: text(phoneOf(row)?.phoneNumber),
  companyName: text(row.metadata?.businessName),
  notes: text(row.metadata?.note),
  address: fromAddress(addressOf(row)),
  marketingAllowed: row.marketingAllowed,
})
/** A name that is already displayed, or that equals the company, email or phone, is not split into a person's name. */
function personOf(record: Customer, current?: NativeCustomer): { first?: string; last?: string } {
  if (record.firstName || record.lastName) return personName(record)
  if (current && shownName(current) === record.name)
    return compact({ first: current.firstName, last: current.lastName })
  return [record.companyName, record.email, record.phone].includes(record.name) ? {} : personName(record)
}

async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  const to = below(call, path`/customers/${id}`)
  const row: NativeCustomer | undefined = (await ifFound(call.read(get(to, contacts))))?.body
  return row && { ...row, metadata: (await ifFound(call.read(get(to, metadata))))?.body.metadata }
}
/** Joins two lists of the same page by id; rows that moved between the two calls are requested individually. */
async function readPage(
  call: ReadCall,
  page: { limit: number; offset: number; filter?: string[] },
): Promise<NativeCustomer[]> {
  const to = below(call, '/customers')
  const rows = rowsIn<NativeCustomer>(await call.read(get(to, { ...contacts, ...page })))
  if (rows.length === 0) return rows
  const extras = new Map(
    rowsIn<NativeCustomer>(await call.read(get(to, { ...metadata, ...page }))).map((row) => [row.id, row.metadata]),
  )
  const finished: NativeCustomer[] = []
  for (const row of rows)
    finished.push(
      extras.has(row.id) ? { ...row, metadata: extras.get(row.id) } : ((await readCustomer(call, row.id)) ?? row),
    )
  return finished
}

function check(record: Customer): Refused[] {
  const { first, last } = personOf(record)
  return [
    ...(record.firstName ? [] : tooLong('/name', first, 64)),
    ...(record.lastName ? [] : tooLong('/name', last, 64)),
  ]
}
const write = {
  places: { country: 'code' },
  // Only Clover's own apps can set marketing consent.
  notStored: { '/marketingAllowed': true },
  requiresWhen: (['line1', 'city', 'state', 'postalCode', 'country'] as const).map((part) => ({
    pointer: `/address/${part}` as const,
    with: '/address' as const,
  })),
  longest: {
    '/firstName': 64,
    '/lastName': 64,
    '/companyName': 127,
    '/notes': 2000,
    '/email': 127,
    '/phone': 21,
    '/address/line1': 127,
    '/address/line2': 127,
    '/address/city': 127,
    '/address/state': 127,
    '/address/postalCode': 10,
  },
  check,
  fields: {
    phoneNumber: '/phone',
    phone_numbers: '/phone',
    emailAddress: '/email',
    email_addresses: '/email',
  },
} as const

/** The filter that finds the new customer; without a contact or a person's name only recently added customers. */
function filterOf(call: WriteCall, record: Customer, first?: string, last?: string): string[] {
  if (record.email) return [`emailAddress=${record.email}`]
  if (record.phone) return [`phoneNumber=${record.phone}`]
  const named = [...(first ? [`firstName=${first}`] : []), ...(last ? [`lastName=${last}`] : [])]
  return named.length ? named : [`customerSince>=${toUnixMs(addMs(call.now, -clockToleranceMs))}`]
}
async function create(call: WriteCall, record: Customer): Promise<{ id: string }> {
  const { first, last } = personOf(record)
  const body = compact({
    firstName: first,
    lastName: last,
    // Plain strings would be ignored.
    emailAddresses: record.email === undefined ? undefined : [{ emailAddress: record.email }],
    phoneNumbers: record.phone === undefined ? undefined : [{ phoneNumber: record.phone }],
    addresses: record.address === undefined ? undefined : [toAddress(record.address)],
    metadata: filled({ businessName: record.companyName, note: record.notes }),
  })
  const id = await createOnce<NativeCustomer>(call, {
    collection: '/customers',
    filter: filterOf(call, record, first, last),
    expand: 'emailAddresses,phoneNumbers,metadata',
    request: post(below(call, '/customers'), body),
    same: (row) =>
      (row.firstName ?? '') === (first ?? '') &&
      (row.lastName ?? '') === (last ?? '') &&
      emailOf(row)?.emailAddress === record.email &&
      phoneOf(row)?.phoneNumber === record.phone &&
      text(row.metadata?.businessName) === text(record.companyName),
  })
  return { id }
}
async function update(call: WriteCall, current: NativeCustomer, record: Customer): Promise<{ id: string }> {
  const { id } = current
  const to = below(call, path`/customers/${id}`)
  const { first = '', last = '' } = personOf(record, current)
  if (first !== (current.firstName ?? '') || last !== (current.lastName ?? ''))
    await call.write('customer', {
      request: post(to, { firstName: first, lastName: last }),
      read: () => id,
      recovery: 'repeat',
    })
  const read = () => readCustomer(call, id)
  await changeContact(
    call,
    `${to}/email_addresses`,
    emailOf(current),
    record.email && { emailAddress: record.email },
    async () => elementsOf((await read())?.emailAddresses),
  )
  await changeContact(
    call,
    `${to}/phone_numbers`,
    phoneOf(current),
    record.phone && { phoneNumber: record.phone },
    async () => elementsOf((await read())?.phoneNumbers),
  )
  if (!sameAddress(fromAddress(addressOf(current)), record.address))
    await changeContact(
      call,
      `${to}/addresses`,
      addressOf(current),
      record.address && toAddress(record.address),
      async () => elementsOf((await read())?.addresses),
    )
  const { businessName = '', note = '' } = current.metadata ?? {}
  const target = { businessName: record.companyName ?? '', note: record.notes ?? '' }
  if (text(businessName) !== text(target.businessName) || text(note) !== text(target.note))
    await call.write('metadata', {
      request: post(`${to}/metadata`, target),
      read: () => id,
      recovery: {
        find: async () => {
          const stored = (await read())?.metadata
          const same =
            text(stored?.businessName) === text(target.businessName) && text(stored?.note) === text(target.note)
          return same ? id : undefined
        },
      },
    })
  return { id }
}

export const customer: EntityAdapter<'customer', NativeCustomer, NumberPlace> = {
  id: (row) => row.id,
  toUnified,
  list: {
    pageLimit: largestPage,
    updatedAfter: 'none', // the only time is in the metadata and does not change with a name or a contact
    page: byCreation((call, _, page) => readPage(call, page)),
  },
  get: readCustomer,
  search: {
    by: ['name', 'email', 'phone'],
    newestFirst: true,
    page: (call, { text: sought, like, size }, at: NumberPlace | undefined) => {
      const field = like === 'email' ? 'emailAddress' : like === 'phone' ? 'phoneNumber' : 'fullName'
      const filter = [`${field}=${sought}${like === 'text' ? '*' : ''}`]
      return byCreation((reading, _, page) => readPage(reading, { ...page, filter }))(call, { size }, at)
    },
  },
  create: { ...write, run: create },
  update: { ...write, run: update },
}
