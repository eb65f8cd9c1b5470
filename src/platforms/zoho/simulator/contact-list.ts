// The list of contacts: filters, sorting, numbered pages of partial rows.
import type { Fields } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { invalid, success, tooLong } from './wire.ts'
import { localTime, type StoredContact, type World } from './world.ts'

const longestFilter = 100
const largestPage = 200

const primary = ({ contact_persons }: StoredContact): Fields =>
  contact_persons.find(({ is_primary_contact }) => is_primary_contact) ?? {}
const texts = (...values: unknown[]): string[] => values.map((value) => String(value ?? '').toLowerCase())
const searchable: Readonly<Record<string, (contact: StoredContact) => string[]>> = {
  contact_name: ({ contact_name }) => texts(contact_name),
  company_name: ({ company_name }) => texts(company_name),
  first_name: (contact) => texts(primary(contact).first_name),
  last_name: (contact) => texts(primary(contact).last_name),
  email: (contact) => texts(primary(contact).email),
  phone: (contact) => texts(primary(contact).phone),
  address: ({ billing_address, shipping_address }) =>
    texts(...Object.values(billing_address), ...Object.values(shipping_address)),
}
const comparisons: Readonly<Record<string, (value: string, target: string) => boolean>> = {
  '': (value, target) => value === target,
  _startswith: (value, target) => value.startsWith(target),
  _contains: (value, target) => value.includes(target),
}
const statuses: Readonly<Record<string, (contact: StoredContact) => boolean>> = {
  'Status.All': () => true,
  'Status.Active': ({ status }) => status === 'active',
  'Status.Inactive': ({ status }) => status === 'inactive',
  'Status.Duplicate': () => false,
  'Status.Crm': ({ is_linked_with_zohocrm }) => is_linked_with_zohocrm === true,
}
const columns: Readonly<Record<string, (contact: StoredContact) => string | number>> = {
  contact_name: ({ contact_name }) => contact_name.toLowerCase(),
  first_name: (contact) => String(primary(contact).first_name ?? '').toLowerCase(),
  last_name: (contact) => String(primary(contact).last_name ?? '').toLowerCase(),
  email: (contact) => String(primary(contact).email ?? '').toLowerCase(),
  outstanding_receivable_amount: ({ outstanding_receivable_amount }) => Number(outstanding_receivable_amount),
  created_time: ({ created }) => Math.floor(created / 1000),
  last_modified_time: ({ modified }) => Math.floor(modified / 1000),
}

/** An unknown filter is silently ignored. */
function filtersIn(world: World, query: URLSearchParams): ((contact: StoredContact) => boolean)[] {
  const filters: ((contact: StoredContact) => boolean)[] = []
  const given = (name: string): string | undefined => {
    const value = query.get(name)?.trim().toLowerCase()
    return value && value.length > longestFilter ? tooLong(name, longestFilter) : value || undefined
  }
  for (const [field, valuesOf] of Object.entries(searchable)) {
    for (const [ending, fits] of Object.entries(comparisons)) {
      const target = given(field + ending)
      if (target !== undefined) filters.push((contact) => valuesOf(contact).some((value) => fits(value, target)))
    }
  }
  const target = given('search_text')
  if (target !== undefined)
    filters.push(({ contact_name, notes }) => texts(contact_name, notes).some((value) => value.includes(target)))
  const type = world.product.filtersByType ? given('contact_type') : undefined
  if (type !== undefined) filters.push(({ contact_type }) => contact_type === type)
  filters.push(statuses[query.get('filter_by') || 'Status.Active'] ?? invalid('filter_by'))
  return filters
}

export function listContacts(world: World, query: URLSearchParams): WireResponse {
  const sort_column = query.get('sort_column') || 'contact_name'
  const sort_order = query.get('sort_order') === 'D' ? 'D' : 'A'
  const key = columns[sort_column] ?? invalid('sort_column')
  const filters = filtersIn(world, query)
  const found = world.contacts
    .filter((contact) => filters.every((fits) => fits(contact)))
    .map((contact) => ({ contact, at: key(contact) }))
    .sort((left, right) => compare(left.at, right.at) || compare(left.contact.contact_id, right.contact.contact_id))
    .map(({ contact }) => contact)
  const page = positive(query, 'page', 1)
  const per_page = Math.min(positive(query, 'per_page', largestPage), largestPage)
  const { rows, more } = numberedPage(sort_order === 'D' ? found.reverse() : found, { page, size: per_page })
  const page_context = {
    page,
    per_page,
    has_more_page: more,
    applied_filter: query.get('filter_by') || 'Status.Active',
    sort_column,
    sort_order,
  }
  return success({ contacts: rows.map((contact) => rowOf(world, contact)), page_context })
}
const compare = (left: string | number, right: string | number): number => (left < right ? -1 : left > right ? 1 : 0)
const positive = (query: URLSearchParams, name: string, otherwise: number): number => {
  const value = query.get(name)
  return value === null ? otherwise : /^[1-9]\d{0,8}$/.test(value) ? Number(value) : invalid(name)
}

const amounts = ['outstanding_receivable_amount', 'unused_credits_receivable_amount']
const parts = [
  'contact_id',
  'contact_name',
  'company_name',
  'contact_type',
  'status',
  'payment_terms',
  'payment_terms_label',
  'currency_id',
  ...amounts,
]
const times = (world: World, { created, modified }: StoredContact): Fields => ({
  created_time: localTime(world, created),
  last_modified_time: localTime(world, modified),
})
const currencyOf = ({ currencies }: World, { currency_id }: StoredContact) =>
  currencies.find((currency) => currency.currency_id === currency_id)!

/** No address, no notes, and only part of the primary person. */
function rowOf(world: World, contact: StoredContact): Fields {
  const { first_name = '', last_name = '', email = '', phone = '', mobile = '' } = primary(contact)
  const { currency_code } = currencyOf(world, contact)
  return {
    ...Object.fromEntries(parts.map((name) => [name, contact[name]])),
    currency_code,
    first_name,
    last_name,
    email,
    phone,
    mobile,
    ...times(world, contact),
  }
}

export function detailOf(world: World, contact: StoredContact): Fields {
  const { created: _, modified: __, ...fields } = contact
  const { currency_code, currency_symbol } = currencyOf(world, contact)
  const inBaseCurrency = Object.fromEntries(amounts.map((name) => [`${name}_bcy`, contact[name]]))
  return {
    ...fields,
    currency_code,
    currency_symbol,
    ...inBaseCurrency,
    primary_contact_id: primary(contact).contact_person_id ?? '',
    default_templates: {},
    ...times(world, contact),
  }
}
