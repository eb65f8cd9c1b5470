// Lists of contacts: filters, order and pages.
import type { Fields } from '../../../sandbox/http.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { dotNetDate, exception, refuse } from './wire.ts'
import { addressTypes, phoneTypes, type StoredContact, type World } from './world.ts'

/** Both addresses and four phones are always present; most other empty fields are absent. */
export function shown(contact: StoredContact, { full = true, summary = false } = {}): Fields {
  const {
    addresses,
    phones,
    updated,
    ContactPersons,
    DefaultCurrency,
    MergedToContactID,
    IsSupplier,
    IsCustomer,
    ...plain
  } = contact
  const office = phones.some(({ PhoneType }) => PhoneType === 'OFFICE') ? ['OFFICE'] : []
  return withoutAbsent({
    ...plain,
    EmailAddress: plain.EmailAddress ?? '',
    BankAccountDetails: plain.BankAccountDetails ?? '',
    ...(!summary && {
      Addresses: addressTypes.map((type) => ({
        AddressType: type,
        City: '',
        Region: '',
        PostalCode: '',
        Country: '',
        ...addresses.find(({ AddressType }) => AddressType === type),
      })),
      Phones: [...phoneTypes, ...office].map((type) => ({
        PhoneType: type,
        PhoneNumber: '',
        PhoneAreaCode: '',
        PhoneCountryCode: '',
        ...phones.find(({ PhoneType }) => PhoneType === type),
      })),
    }),
    UpdatedDateUTC: dotNetDate(updated),
    ContactGroups: [],
    IsSupplier,
    IsCustomer,
    ...(full && { DefaultCurrency, MergedToContactID, SalesTrackingCategories: [], PurchasesTrackingCategories: [] }),
    ContactPersons: full ? ContactPersons : [],
    HasAttachments: false,
    HasValidationErrors: false,
  })
}
const withoutAbsent = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export function listed(world: World, { query, headers }: WireRequest): Fields {
  const since = sinceOf(headers['if-modified-since'])
  const target = query.get('IDs')?.toLowerCase().split(',')
  const term = query.get('searchTerm')?.toLowerCase()
  const where = filterOf(query.get('where') ?? '')
  const rows = world.contacts
    .filter(
      (contact) =>
        (query.get('includeArchived') === 'true' || contact.ContactStatus === 'ACTIVE') &&
        (since === undefined || Math.floor(contact.updated / 1000) >= since) && // accurate to the second
        (target === undefined || target.includes(contact.ContactID)) &&
        (term === undefined || searched.some((name) => contact[name]?.toLowerCase().includes(term))) &&
        where(contact),
    )
    .sort(orderOf(query.get('order')))
  const summary = query.get('summaryOnly') === 'true'
  if (!query.has('page')) return { Contacts: rows.map((contact) => shown(contact, { full: summary, summary })) }
  const page = wholeNumber(query.get('page'), 'page', Number.MAX_SAFE_INTEGER)
  const pageSize = wholeNumber(query.get('pageSize') ?? '100', 'pageSize', 1000)
  return {
    pagination: { page, pageSize, pageCount: Math.ceil(rows.length / pageSize), itemCount: rows.length },
    Contacts: rows.slice((page - 1) * pageSize, page * pageSize).map((contact) => shown(contact, { summary })),
  }
}

const searched = ['Name', 'FirstName', 'LastName', 'ContactNumber', 'EmailAddress'] as const
const comparable = [
  ...searched,
  'ContactID',
  'ContactStatus',
  'AccountNumber',
  'TaxNumber',
  'IsCustomer',
  'IsSupplier',
  'UpdatedDateUTC',
] as const

/** UTC by default. HTTP dates are accepted too: some client libraries send only those. */
function sinceOf(header: string | undefined): number | undefined {
  if (!header) return undefined
  const time = Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(header) ? `${header}Z` : header)
  if (Number.isNaN(time))
    refuse(exception(1, 'InvalidRequestException', 'The If-Modified-Since header is not a valid date.'))
  return Math.floor(time / 1000)
}

function wholeNumber(text: string | null, name: string, most: number): number {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= most
    ? number
    : refuse(exception(1, 'InvalidRequestException', `The ${name} parameter must be from 1 to ${most}.`))
}

const unknownElement = (name: string): never =>
  refuse(exception(16, 'QueryParseException', `No property or field '${name}' exists in type 'Contact'`))
const sortable = (contact: StoredContact, name: string): string | number => {
  if (name === 'UpdatedDateUTC') return contact.updated
  return String((contact as unknown as Fields)[name] ?? '').toLowerCase()
}

/** By default contacts are sorted by name, as in Xero's own lists. */
function orderOf(order: string | null): (left: StoredContact, right: StoredContact) => number {
  const [name = 'Name', direction = 'ASC'] = (order ?? 'Name ASC').trim().split(/\s+/)
  if (!(comparable as readonly string[]).includes(name)) return unknownElement(name)
  const sign = direction.toUpperCase() === 'DESC' ? -1 : 1
  return (left, right) => {
    const [a, b] = [sortable(left, name), sortable(right, name)]
    return sign * (a < b ? -1 : a > b ? 1 : 0)
  }
}

/**
 * The equalities of Xero's filter language, joined by AND: `Name=="x" AND ContactID==guid("…") AND IsCustomer==true`.
 */
function filterOf(where: string): (contact: StoredContact) => boolean {
  const terms = where.trim() === '' ? [] : where.split(/\s+AND\s+|&&/i)
  const checks = terms.map((term) => {
    const [, name = '', quoted, bare] =
      /^\s*(\w+)\s*={1,2}\s*(?:(?:guid)?\(?"([^"]*)"\)?|(true|false))\s*$/i.exec(term) ?? []
    if (name === '') return refuse(exception(16, 'QueryParseException', 'Syntax error in where'))
    if (!(comparable as readonly string[]).includes(name)) return unknownElement(name)
    const target = (quoted ?? bare ?? '').toLowerCase()
    return (contact: StoredContact) => String(sortable(contact, name)) === target
  })
  return (contact) => checks.every((check) => check(contact))
}
