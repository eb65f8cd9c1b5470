// The fields that Zoho accepts in a contact: names and lengths from its own file. Unknown fields are ignored.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { createAcceptor } from '../../../sandbox/schema.ts'
import { invalid, refuse, tooLong } from './wire.ts'
import { baseCurrency, isTaken, nextId, type StoredContact, type StoredPerson, type World } from './world.ts'

type Shapes = Readonly<Record<string, number | 'boolean' | 'number'>> // a number is the maximum length of a text

const addressShapes: Shapes = {
  attention: 100,
  address: 500,
  street2: 255,
  city: 100,
  state: 100,
  state_code: 100,
  zip: 50,
  country: 100,
  fax: 50,
  phone: 50,
}
const personShapes: Shapes = {
  ...{
    salutation: 25,
    first_name: 100,
    last_name: 100,
    email: 100,
    phone: 50,
    mobile: 50,
    designation: 100,
    department: 50,
    skype: 50,
  },
  ...{ is_primary_contact: 'boolean', enable_portal: 'boolean' },
}
const contactShapes: Shapes = {
  ...{
    contact_name: 200,
    company_name: 200,
    website: 500,
    facebook: 100,
    twitter: 100,
    notes: 5000,
    payment_terms_label: 200,
  },
  ...{ payment_terms: 'number', credit_limit: 'number', is_taxable: 'boolean', currency_id: 50 },
}
const booksShapes: Shapes = { customer_sub_type: 20, contact_number: 200 }

const accept = createAcceptor({
  nulls: 'absent',
  types: {
    string: (value) =>
      typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined,
  },
  invalid({ kind, name, schema: { maxLength } }) {
    if (kind === 'unknown') return undefined
    return kind === 'long' ? tooLong(name, maxLength!) : invalid(name)
  },
})

const blank = (shapes: Shapes): Fields =>
  Object.fromEntries(Object.entries(shapes).flatMap(([name, shape]) => (typeof shape === 'number' ? [[name, '']] : [])))

/** An address is replaced as a whole. */
export const addressOf = (given: unknown): Fields => ({
  ...blank(addressShapes),
  ...(isObject(given) ? accept(given, addressShapes) : {}),
})

export function personOf(world: World, given: Fields, current?: StoredPerson): StoredPerson {
  const taken = accept(given, personShapes)
  if (taken.email && !/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(String(taken.email))) invalid('email')
  return {
    ...blank(personShapes),
    enable_portal: false,
    ...current,
    ...taken,
    contact_person_id: current?.contact_person_id ?? nextId(world),
    is_primary_contact: taken.is_primary_contact === true,
  }
}

/**
 * An omitted person is deleted; a person without an id is new. The primary person is the first, unless another is
 * marked.
 */
function personsOf(world: World, given: unknown, current: readonly StoredPerson[]): StoredPerson[] {
  if (!Array.isArray(given) || !given.every(isObject)) return invalid('contact_persons')
  const persons = given.map((entry) => {
    const id = entry.contact_person_id
    if (id === undefined || id === '') return personOf(world, entry)
    const known = current.find(({ contact_person_id }) => contact_person_id === String(id))
    return known ? personOf(world, entry, known) : invalid('contact_person_id')
  })
  const marked = persons.findIndex(({ is_primary_contact }) => is_primary_contact)
  return persons.map((person, index) => ({ ...person, is_primary_contact: index === Math.max(0, marked) }))
}

/** The fields that the organization has set up; a contact has an entry for each one that is filled. */
const customFields = [
  { index: 1, label: 'tier', api_name: 'cf_tier' },
  { index: 2, label: 'Account manager', api_name: 'cf_account_manager' },
]
interface CustomEntry extends Fields {
  index: number
}
/** Entries are found by their label, index or API name. An empty value clears one; the others stay. */
function customFieldsOf(given: unknown, current: readonly CustomEntry[]): CustomEntry[] {
  if (!Array.isArray(given) || !given.every(isObject)) return invalid('custom_fields')
  const entries = new Map(current.map((entry) => [entry.index, entry]))
  for (const entry of given) {
    const field =
      customFields.find(
        ({ index, label, api_name }) =>
          entry.label === label || Number(entry.index) === index || entry.api_name === api_name,
      ) ?? invalid('custom_fields')
    const value = accept({ custom_fields: entry.value ?? '' }, { custom_fields: 255 }).custom_fields
    if (value === '') entries.delete(field.index)
    else entries.set(field.index, { ...field, value })
  }
  return [...entries.values()].sort((left, right) => left.index - right.index)
}

export interface AcceptedContact extends Fields {
  contact_name: string
}
/** The fields that a body sets, checked against the rules; all others are unchanged. */
export function acceptContact(world: World, body: Fields, current?: StoredContact): AcceptedContact {
  const { contact_name, contact_number, ...rest } = accept(
    body,
    world.product.numbersContacts ? { ...contactShapes, ...booksShapes } : contactShapes,
  )
  // An organization without numbers ignores one.
  const taken: Fields = {
    ...rest,
    ...(world.product.assignsNumbers && contact_number !== undefined && { contact_number }),
  }
  if (!contact_name) return invalid('contact_name')
  const name = String(contact_name)
  if (!world.product.allowsDuplicates && isTaken(world, name, current?.contact_id))
    refuse(400, 3062, `The customer "${name}" already exists. Please specify a different name.`)
  if (taken.currency_id !== undefined) checkCurrency(world, String(taken.currency_id), current)
  return {
    ...taken,
    contact_name: name,
    ...(body.billing_address !== undefined && { billing_address: addressOf(body.billing_address) }),
    ...(body.shipping_address !== undefined && { shipping_address: addressOf(body.shipping_address) }),
    ...(body.custom_fields !== undefined && {
      custom_fields: customFieldsOf(body.custom_fields, (current?.custom_fields ?? []) as CustomEntry[]),
    }),
    ...(body.contact_persons !== undefined && {
      contact_persons: personsOf(world, body.contact_persons, current?.contact_persons ?? []),
    }),
  }
}
function checkCurrency(world: World, id: string, current: StoredContact | undefined): void {
  if (!world.currencies.some(({ currency_id }) => currency_id === id)) invalid('currency_id')
  if (current?.has_transaction && current.currency_id !== id)
    refuse(400, 3002, 'The currency of a contact with transactions cannot be changed.')
}

/** An empty contact. */
export const blankContact = (world: World) => ({
  ...blank({ company_name: 1, website: 1, facebook: 1, twitter: 1 }),
  ...(world.product.numbersContacts && { customer_sub_type: 'business', credit_limit: 0 }),
  ...(world.product.assignsNumbers && { contact_number: '' }),
  contact_type: 'customer',
  status: 'active',
  notes: '',
  has_transaction: false,
  is_taxable: true,
  is_linked_with_zohocrm: false,
  payment_terms: 0,
  payment_terms_label: 'Due on Receipt',
  payment_reminder_enabled: true,
  currency_id: baseCurrency(world).currency_id,
  outstanding_receivable_amount: 0,
  unused_credits_receivable_amount: 0,
  custom_fields: [],
  billing_address: addressOf(undefined),
  shipping_address: addressOf(undefined),
  contact_persons: [] as StoredPerson[],
})
