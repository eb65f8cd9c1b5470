// Customers with their contacts, employees and their shifts.
import { type Fields, type FieldTable, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { accept, bodyOf, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import { type Contact, type Customer, type Employee, newId, type Shift, type World } from './world.ts'

const addressFields: FieldTable = {
  address1: 127,
  address2: 127,
  address3: 127,
  city: 127,
  state: 127,
  zip: 10,
  country: 2,
}
const metadataFields: FieldTable = {
  businessName: 127,
  note: 2000,
  dobYear: 'integer',
  dobMonth: 'integer',
  dobDay: 'integer',
}
/** Only Clover's own apps can set marketing consent. */
const nameFields: FieldTable = { firstName: 64, lastName: 64 }

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
  const contact = { ...current, ...accept(body, fields as FieldTable) }
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

const findCustomer = (world: World, id: string): Customer =>
  world.customers.get(id) ?? refuse(404, 'Not Found', 'Customer not found')
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

const contactRoutes = (kind: ContactKind): Routes<World> => {
  const { list } = contacts[kind]
  const put = (world: World, customer: Customer, rows: readonly Contact[]) =>
    world.customers.set(customer.id, { ...customer, [list]: rows })
  const find = (customer: Customer, id: string): Contact =>
    (customer[list] as Contact[]).find((one) => one.id === id) ?? refuse(404, 'Not Found')
  return {
    [`POST /customers/:id/${kind}`]: ({ request, params: { id = '' }, context: world }) => {
      const customer = findCustomer(world, id)
      const contact = buildContact(kind, bodyOf(request))
      put(world, customer, [...customer[list], contact])
      return ok(contact)
    },
    [`POST /customers/:id/${kind}/:contact`]: ({ request, params: { id = '', contact = '' }, context: world }) => {
      const customer = findCustomer(world, id)
      const changed = buildContact(kind, bodyOf(request), find(customer, contact))
      put(
        world,
        customer,
        (customer[list] as Contact[]).map((one) => (one.id === contact ? changed : one)),
      )
      return ok(changed)
    },
    [`DELETE /customers/:id/${kind}/:contact`]: ({ params: { id = '', contact = '' }, context: world }) => {
      const customer = findCustomer(world, id)
      const gone = find(customer, contact)
      put(
        world,
        customer,
        (customer[list] as Contact[]).filter((one) => one.id !== gone.id),
      )
      return ok({})
    },
  }
}

export const customerRoutes: Routes<World> = {
  'GET /customers': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/customers`,
      rows: world.customers.values(),
      id: ({ id }) => id,
      created: ({ customerSince }) => customerSince,
      filters: {
        ...Object.fromEntries(
          ['id', 'firstName', 'lastName', 'customerSince', 'marketingAllowed'].map((name) => [
            name,
            (customer: Customer) => customer[name],
          ]),
        ),
        fullName: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
        emailAddress: ({ emailList }) => emailList.map(({ emailAddress }) => emailAddress),
        phoneNumber: ({ phoneList }) => phoneList.map(({ phoneNumber }) => phoneNumber),
        deletedTime: () => undefined,
      },
      show: showCustomer,
    }),
  'GET /customers/:id': ({ request, params: { id = '' }, context: world }) =>
    ok(showCustomer(findCustomer(world, id), expandOf(request.query))),
  'POST /customers': ({ request, context: world }) => {
    const body = bodyOf(request)
    const customer: Customer = {
      ...accept(body, nameFields),
      id: newId(),
      marketingAllowed: false,
      customerSince: world.tick(),
      addressList: [],
      emailList: [],
      phoneList: [],
      ...contactsIn(body),
      metadata: metadataIn(world, body.metadata),
    }
    return ok(showCustomer(world.customers.set(customer.id, customer), expandOf(request.query)))
  },
  'POST /customers/:id': ({ request, params: { id = '' }, context: world }) => {
    const customer = { ...findCustomer(world, id), ...accept(bodyOf(request), nameFields) }
    return ok(showCustomer(world.customers.set(id, customer), expandOf(request.query)))
  },
  'DELETE /customers/:id': ({ params: { id = '' }, context: world }) => {
    world.customers.delete(findCustomer(world, id).id)
    return ok({})
  },
  'POST /customers/:id/metadata': ({ request, params: { id = '' }, context: world }) => {
    const customer = findCustomer(world, id)
    return ok(
      world.customers.set(id, { ...customer, metadata: metadataIn(world, bodyOf(request), customer.metadata) })
        .metadata,
    )
  },
  ...contactRoutes('email_addresses'),
  ...contactRoutes('phone_numbers'),
  ...contactRoutes('addresses'),
}

const employeeFields: FieldTable = {
  name: 127,
  nickname: 127,
  customId: 127,
  email: 127,
  role: 31,
  unhashedPin: 8,
}
const findEmployee = (world: World, id: string): Employee =>
  world.employees.get(id) ?? refuse(404, 'Not Found', 'Employee not found')
const showEmployee = ({ createdTime: _, modifiedTime: __, unhashedPin: ___, ...shown }: Employee): Fields => shown
function checkEmployee(fields: Fields): void {
  if (fields.name === '') invalid('Name is required')
  if (fields.role !== undefined && !['ADMIN', 'MANAGER', 'EMPLOYEE'].includes(String(fields.role)))
    invalid(`Invalid role: ${String(fields.role)}`)
  if (fields.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(fields.email))) invalid('Invalid email')
}
const showShift = (shift: Shift): Fields => shift

export const employeeRoutes: Routes<World> = {
  'GET /employees': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/employees`,
      rows: world.employees.values(),
      id: ({ id }) => id,
      created: ({ createdTime }) => createdTime,
      filters: {
        ...Object.fromEntries(
          ['id', 'name', 'nickname', 'customId', 'email', 'role', 'modifiedTime'].map((name) => [
            name,
            (employee: Employee) => employee[name],
          ]),
        ),
        deletedTime: () => undefined,
      },
      show: showEmployee,
    }),
  'GET /employees/:id': ({ params: { id = '' }, context: world }) => ok(showEmployee(findEmployee(world, id))),
  'POST /employees': ({ request, context: world }) => {
    const fields = accept(bodyOf(request), employeeFields)
    checkEmployee(fields)
    if (!fields.name) invalid('Name is required')
    const at = world.tick()
    const employee = {
      role: 'EMPLOYEE',
      inviteSent: false,
      ...fields,
      id: newId(),
      isOwner: false,
      createdTime: at,
      modifiedTime: at,
    } as unknown as Employee
    return ok(showEmployee(world.employees.set(employee.id, employee)))
  },
  'POST /employees/:id': ({ request, params: { id = '' }, context: world }) => {
    const current = findEmployee(world, id)
    const fields = accept(bodyOf(request), employeeFields)
    checkEmployee(fields)
    return ok(
      showEmployee(
        world.employees.set(id, {
          ...current,
          ...fields,
          modifiedTime: Math.max(world.tick(), current.modifiedTime + 1),
        }),
      ),
    )
  },
  'DELETE /employees/:id': ({ params: { id = '' }, context: world }) => {
    if (findEmployee(world, id).isOwner) invalid('The owner cannot be deleted')
    world.employees.delete(id)
    return ok({})
  },
  'GET /shifts': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/shifts`,
      rows: world.shifts.values(),
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
      show: showShift,
    }),
}
