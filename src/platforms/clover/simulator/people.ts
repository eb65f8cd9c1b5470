// Customers with their contacts, employees and their shifts.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { resource } from './resource.ts'
import { accept, bodyOf, byName, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import { type Contact, type Customer, type Employee, newId, type Shift, type World, wholeSecond } from './world.ts'

const addressFields: Schemas = {
  address1: 127,
  address2: 127,
  address3: 127,
  city: 127,
  state: 127,
  zip: 10,
  country: 2,
}
const metadataFields: Schemas = {
  businessName: 127,
  note: 2000,
  dobYear: 'integer',
  dobMonth: 'integer',
  dobDay: 'integer',
}
/** Only Clover's own apps can set marketing consent. */
const nameFields: Schemas = { firstName: 64, lastName: 64 }

const contacts = {
  email_addresses: {
    list: 'emailList',
    shown: 'emailAddresses',
    fields: { emailAddress: 127, primaryEmail: 'boolean' },
    required: ['emailAddress'],
  },
  phone_numbers: { list: 'phoneList', shown: 'phoneNumbers', fields: { phoneNumber: 21 }, required: ['phoneNumber'] },
  addresses: {
    list: 'addressList',
    shown: 'addresses',
    fields: addressFields,
    required: ['address1', 'city', 'country', 'state', 'zip'],
  },
} as const
type ContactKind = keyof typeof contacts
type ContactLists = Pick<Customer, 'emailList' | 'phoneList' | 'addressList'>

function buildContact(kind: ContactKind, body: unknown, current: Fields = {}): Contact {
  const { fields, required } = contacts[kind]
  if (!isObject(body)) return invalid(`Invalid ${kind}`)
  const contact = { ...current, ...accept(body, fields as Schemas) }
  for (const name of required) if (!contact[name]) invalid(`${name} is required`)
  return { id: newId(), ...contact }
}
/** Lists may be bare or wrapped. Contacts given as plain strings are ignored. */
function contactsIn(body: Fields): Partial<ContactLists> {
  const lists: Partial<Record<keyof ContactLists, Contact[]>> = {}
  for (const [kind, { list, shown }] of Object.entries(contacts)) {
    const given = isObject(body[shown]) ? (body[shown] as Fields).elements : body[shown]
    if (Array.isArray(given)) lists[list] = given.map((one) => buildContact(kind as ContactKind, one))
  }
  return lists as Partial<ContactLists>
}
function metadataIn(world: World, body: unknown, current: Fields = {}): Fields {
  return isObject(body) ? { ...current, ...accept(body, metadataFields), modifiedTime: world.tick() } : current
}

function showCustomer(customer: Customer, expand: ReadonlySet<string>): Fields {
  const { addressList, emailList, phoneList, metadata, ...shown } = customer
  return {
    ...shown,
    ...Object.fromEntries(
      Object.values(contacts).flatMap(({ list, shown }) =>
        expand.has(shown) ? [[shown, nested(customer[list])]] : [],
      ),
    ),
    ...(expand.has('metadata') && { metadata }),
  }
}

const customers = resource<Customer>({
  name: 'customer',
  path: '/customers',
  records: (world) => world.customers,
  list: (rows, { request, context: world }) =>
    listOf(request, {
      href: `${world.base}/customers`,
      rows,
      id: ({ id }) => id,
      created: ({ customerSince }) => customerSince,
      filters: {
        ...byName<Customer>('id', 'firstName', 'lastName', 'customerSince', 'marketingAllowed'),
        fullName: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
        emailAddress: ({ emailList }) => emailList.map(({ emailAddress }) => emailAddress),
        phoneNumber: ({ phoneList }) => phoneList.map(({ phoneNumber }) => phoneNumber),
        deletedTime: () => undefined,
      },
      show: showCustomer,
    }),
  show: (customer, { request }) => showCustomer(customer, expandOf(request.query)),
  create: (body, { context: world }) => ({
    ...accept(body, nameFields),
    id: newId(),
    marketingAllowed: false,
    customerSince: world.tick(),
    addressList: [],
    emailList: [],
    phoneList: [],
    ...contactsIn(body),
    metadata: metadataIn(world, body.metadata),
  }),
  update: (current, body) => ({ ...current, ...accept(body, nameFields) }),
  remove: 'delete',
})
const contactRoutes = (kind: ContactKind): Routes<World> => {
  const { list } = contacts[kind]
  const put = (world: World, customer: Customer, rows: readonly Contact[]) =>
    world.customers.set(customer.id, { ...customer, [list]: rows })
  const find = (customer: Customer, id = ''): Contact =>
    (customer[list] as Contact[]).find((one) => one.id === id) ?? refuse(404, 'Not Found')
  return {
    [`POST /customers/:id/${kind}`]: (call) => {
      const customer = customers.find(call.params.id ?? '', call)
      const contact = buildContact(kind, bodyOf(call.request))
      put(call.context, customer, [...customer[list], contact])
      return ok(contact)
    },
    [`POST /customers/:id/${kind}/:contact`]: (call) => {
      const customer = customers.find(call.params.id ?? '', call)
      const current = find(customer, call.params.contact)
      const changed = buildContact(kind, bodyOf(call.request), current)
      put(
        call.context,
        customer,
        (customer[list] as Contact[]).map((one) => (one.id === current.id ? changed : one)),
      )
      return ok(changed)
    },
    [`DELETE /customers/:id/${kind}/:contact`]: (call) => {
      const customer = customers.find(call.params.id ?? '', call)
      const gone = find(customer, call.params.contact)
      put(
        call.context,
        customer,
        (customer[list] as Contact[]).filter((one) => one.id !== gone.id),
      )
      return ok({})
    },
  }
}
export const customerRoutes: Routes<World> = {
  ...customers.routes,
  'POST /customers/:id/metadata': (call) => {
    const customer = customers.find(call.params.id ?? '', call)
    const metadata = metadataIn(call.context, bodyOf(call.request), customer.metadata)
    return ok(call.context.customers.set(customer.id, { ...customer, metadata }).metadata)
  },
  ...contactRoutes('email_addresses'),
  ...contactRoutes('phone_numbers'),
  ...contactRoutes('addresses'),
}

const employeeFields: Schemas = {
  name: 127,
  nickname: 127,
  customId: 127,
  email: 127,
  role: 31,
  unhashedPin: 8,
}
const showEmployee = ({ createdTime: _, modifiedTime: __, unhashedPin: ___, ...shown }: Employee): Fields => shown
function checkEmployee(fields: Fields): void {
  if (fields.name === '') invalid('Name is required')
  if (fields.role !== undefined && !['ADMIN', 'MANAGER', 'EMPLOYEE'].includes(String(fields.role)))
    invalid(`Invalid role: ${String(fields.role)}`)
  if (fields.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(fields.email))) invalid('Invalid email')
}
const employees = resource<Employee>({
  name: 'employee',
  path: '/employees',
  records: (world) => world.employees,
  list: (rows, { request, context: world }) =>
    listOf(request, {
      href: `${world.base}/employees`,
      rows,
      id: ({ id }) => id,
      created: ({ createdTime }) => createdTime,
      filters: {
        ...byName<Employee>('id', 'name', 'nickname', 'customId', 'email', 'role', 'modifiedTime'),
        deletedTime: () => undefined,
      },
      show: showEmployee,
    }),
  show: showEmployee,
  accepts(body) {
    const fields = accept(body, employeeFields)
    checkEmployee(fields)
    return fields
  },
  create(fields, { context: world }) {
    if (!fields.name) invalid('Name is required')
    const at = world.tick()
    const own = { id: newId(), isOwner: false, createdTime: at, modifiedTime: wholeSecond(at) }
    return { role: 'EMPLOYEE', inviteSent: false, ...fields, ...own } as unknown as Employee
  },
  update: (current, fields, { context: world }) => ({
    ...current,
    ...fields,
    modifiedTime: Math.max(world.stamp(), current.modifiedTime),
  }),
  remove: ({ isOwner }) => (isOwner ? invalid('The owner cannot be deleted') : undefined),
})
const shifts = resource<Shift>({
  name: 'shift',
  path: '/shifts',
  records: (world) => world.shifts,
  get: false,
  list: (rows, { request, context: world }) =>
    listOf(request, {
      href: `${world.base}/shifts`,
      rows,
      id: ({ id }) => id,
      created: ({ inTime }) => inTime,
      filters: {
        id: ({ id }) => id,
        'employee.id': ({ employee }) => employee.id,
        in_time: ({ inTime }) => inTime,
        out_time: ({ outTime }) => outTime,
        override_in_time: ({ overrideInTime }) => overrideInTime,
        in_and_override_time: ({ inTime, overrideInTime }) => overrideInTime ?? inTime,
        out_and_override_time: ({ outTime, overrideOutTime }) => overrideOutTime ?? outTime,
        has_in_time: ({ inTime }) => inTime !== undefined,
        deletedTime: () => undefined,
      },
      show: (shift) => shift,
    }),
})
export const employeeRoutes: Routes<World> = { ...employees.routes, ...shifts.routes }
