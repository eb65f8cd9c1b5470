import type {
  EntityAdapter,
  ListQuery,
  NativeRequest,
  NativeResponse,
  ReadCall,
  WriteCall,
  Written,
} from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { addMs, toUtc } from '../../kit/time.ts'
import { type NativeContact, table } from './customer-row.ts'
import { type ContactChange, changeOf, check, longest } from './customer-write.ts'

const contacts = '/api.xro/2.0/Contacts'
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A path also accepts a contact number in place of an id: only a GUID is an id. */
async function readContact(call: ReadCall, id: string): Promise<NativeContact | undefined> {
  return guid.test(id) ? contactIn(await ifFound(call.read(get(path`/api.xro/2.0/Contacts/${id}`)))) : undefined
}
const contactIn = (response: NativeResponse | undefined): NativeContact | undefined =>
  list<NativeContact>(response?.body.Contacts)[0]

/** The contact with our reference. No filter by contact number: large organizations reject it. */
async function findContact(call: WriteCall): Promise<Written<NativeContact> | undefined> {
  const row = contactIn(await ifFound(call.read(get(path`/api.xro/2.0/Contacts/${call.reference}`))))
  return row?.ContactNumber === call.reference ? { id: row.ContactID, row } : undefined
}

interface Place {
  page: number
  seen: string[]
}
const remembered = 20
function listRequest({ size, updatedAfter }: ListQuery, at: Place | undefined): NativeRequest {
  // Sorted by id, which never changes. Contacts are archived but never deleted, so no row leaves this list: a new row
  // can only push others down, and those are recognized by their ids.
  const query = { page: at?.page ?? 1, pageSize: size, includeArchived: true, order: 'ContactID ASC' }
  // The filter uses whole seconds, and whether it is inclusive is not documented: it starts one second earlier, and the
  // service checks again.
  return get(
    contacts,
    query,
    updatedAfter ? { headers: { 'if-modified-since': `${addMs(updatedAfter, -1000).slice(0, 19)}Z` } } : {},
  )
}
function readList({ body }: NativeResponse, { size }: ListQuery, at: Place = { page: 1, seen: [] }) {
  const found = list<NativeContact>(body.Contacts)
  const rows = found.filter(({ ContactID }) => !at.seen.includes(ContactID))
  const { page, pageCount, itemCount: total } = body.pagination ?? {}
  const more = pageCount === undefined ? found.length >= size : (page ?? at.page) < pageCount
  return more
    ? {
        rows,
        total,
        next: { page: at.page + 1, seen: [...at.seen, ...rows.map(({ ContactID }) => ContactID)].slice(-remembered) },
      }
    : { rows, total }
}

const written = (response: NativeResponse): Written<NativeContact> => {
  const row = contactIn(response)!
  return { id: row.ContactID, row }
}
/**
 * Sets absolute values, so it may be repeated. No idempotency key: it would be the same for the same change on another
 * day, and Xero would respond without applying it.
 */
const changing = (id: string, change: ContactChange) => ({
  request: post(path`/api.xro/2.0/Contacts/${id}`, { Contacts: [{ ContactID: id, ...change }] }),
  read: written,
  recovery: 'repeat' as const,
})
/** Not every response contains the currency: then the service reads the contact again. */
const complete = (result: Written<NativeContact>, { currencyCode }: Customer): Written<NativeContact> =>
  currencyCode !== undefined && result.row?.DefaultCurrency === undefined ? { id: result.id } : result

export const customer: EntityAdapter<'customer', NativeContact, Place> = flatEntity('customer', {
  id: (row) => row.ContactID,
  table,
  write: { longest, check },
  scopes: { write: ['accounting.contacts'] }, // reading is allowed by this one and by accounting.contacts.read
  list: {
    pageLimit: 1000,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.UpdatedDateUTC),
    page: singleCall(listRequest, readList),
  },
  get: readContact,
  // Sorted by modification: Xero has no creation time.
  search: {
    by: ['name', 'email'],
    newestFirst: true,
    page: async (call, { text, size }, at: Place | undefined) => {
      const query = { page: at?.page ?? 1, pageSize: size, includeArchived: true }
      const response = await call.read(get(contacts, { ...query, searchTerm: text, order: 'UpdatedDateUTC DESC' }))
      return readList(response, { size }, at)
    },
  },
  custom: {
    fields: {
      '/TaxNumber': 'string',
      '/CompanyNumber': 'string',
      '/AccountNumber': 'string',
      '/BankAccountDetails': 'string',
    },
    async set(call, { ContactID: id }, values) {
      await call.write('custom', { ...changing(id, bodyWith(values, '') as ContactChange), undo: 'nothing' })
      return (await readContact(call, id))!
    },
  },
  create: {
    async run(call, record) {
      const contact = { ContactNumber: call.reference, ...changeOf(record, call.account) }
      const more = { query: { summarizeErrors: true }, headers: { 'idempotency-key': call.key('contact') } }
      // Found by the reference, because how long Xero stores a key is not documented; a repeated call still has the
      // key, in case the first one is in progress.
      const created = await call.write('contact', {
        request: put(contacts, { Contacts: [contact] }, more),
        read: written,
        recovery: { find: () => findContact(call) },
      })
      return complete(
        record.active === false
          ? await call.write('archive', changing(created.id, { ContactStatus: 'ARCHIVED' }))
          : created,
        record,
      )
    },
  },
  update: {
    async run(call, current, record) {
      const wasActive = current.ContactStatus === 'ACTIVE'
      // Restored together with the other changes: its old name may be taken, the new one counts. Archived separately,
      // as the last step.
      const change: ContactChange = {
        ...(record.active && !wasActive && { ContactStatus: 'ACTIVE' }),
        ...changeOf(record, call.account, current),
      }
      let result: Written<NativeContact> = { id: current.ContactID, row: current }
      if (Object.keys(change).length > 0) result = await call.write('contact', changing(current.ContactID, change))
      if (record.active === false && wasActive)
        result = await call.write('archive', changing(current.ContactID, { ContactStatus: 'ARCHIVED' }))
      return complete(result, record)
    },
  },
})
