// Neither product has idempotency keys or a filter for a reference: a contact is searched by its name and verified by
// its details.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { sameAddress } from '../../kit/differences.ts'
import { list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { addMs, clockToleranceMs, compareInstants, toUtc } from '../../kit/time.ts'
import { idOf, isCustomer, type NativeContact, unifiedOf } from './customer-row.ts'
import type { ZohoProduct } from './zoho-product.ts'

const longestFilter = 100
const mostPages = 5
const plain = (value: string | undefined): string => (value ?? '').trim().replace(/\s+/g, ' ')

/** The id of the contact that this write created, if it did. */
export async function findWritten(
  call: WriteCall,
  product: ZohoProduct,
  record: Customer,
  readContact: (call: ReadCall, id: string) => Promise<NativeContact | undefined>,
  unclaimed: (id: string) => Promise<boolean>,
): Promise<string | undefined> {
  // An organization without contact numbers stores none. Then an equal contact is ours only if no other key created it.
  const isOurs = async (row: NativeContact) =>
    product.numbersContacts && text(row.contact_number)
      ? row.contact_number === call.reference
      : isTwin(row, record, call.now) && (await unclaimed(idOf(row)))
  for (const row of await namesakes(call, product, record.name)) {
    const detail = await readContact(call, idOf(row))
    if (detail && (await isOurs(detail))) return idOf(detail)
  }
  return undefined
}

/** Usually at most one: names are unique unless the organization allows duplicates. */
async function namesakes(call: ReadCall, { base }: ZohoProduct, name: string): Promise<NativeContact[]> {
  const target = plain(name)
  // Not in the middle of a character.
  const filter =
    target.length > longestFilter
      ? { contact_name_startswith: target.slice(0, longestFilter).replace(/[\uD800-\uDBFF]$/, '') }
      : { contact_name: target }
  const found: NativeContact[] = []
  for (let page = 1, more = true; more && page <= mostPages; page++) {
    const { body } = await call.read(
      get(`${base}/contacts`, {
        ...filter,
        filter_by: 'Status.All',
        sort_column: 'created_time',
        sort_order: 'D',
        page,
        per_page: 200,
      }),
    )
    found.push(
      ...list<NativeContact>(body.contacts).filter((row) => isCustomer(row) && plain(row.contact_name) === target),
    )
    more = body.page_context?.has_more_page ?? false
  }
  return found
}

/** Created since the write began, with tolerance for clock differences, and equal in every field. */
function isTwin(row: NativeContact, record: Customer, began: string): boolean {
  const created = toUtc(row.created_time)
  const made = unifiedOf(row)
  const same = (['firstName', 'lastName', 'email', 'phone', 'companyName', 'notes'] as const).every(
    (field) => text(made[field]) === text(record[field]),
  )
  const currency = record.currencyCode === undefined || record.currencyCode === made.currencyCode
  const recent = created === undefined || compareInstants(created, addMs(began, -clockToleranceMs)) >= 0
  return same && currency && recent && sameAddress(made.address, record.address)
}
