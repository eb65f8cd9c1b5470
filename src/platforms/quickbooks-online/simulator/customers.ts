// Customers: read, query, create, sparse and full update. The writable fields come from the vendor's schema and
// reference.
import { type Fields, isObject, Refusal } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { createAcceptor, type Schema, type Schemas } from '../../../sandbox/schema.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { parseQuery, runQuery } from './query.ts'
import { bodyOf, missing, refuse } from './wire.ts'
import {
  changedAt,
  currencies,
  deletedName,
  homeCurrency,
  isTaken,
  nextId,
  type StoredAddress,
  type StoredCustomer,
  type World,
} from './world.ts'

const parts = (properties: Schemas): Schema => ({ type: 'object', properties })
const phone = parts({ FreeFormNumber: 30 })
const address = parts({
  Id: 20,
  ...Object.fromEntries([1, 2, 3, 4, 5].map((line) => [`Line${line}`, 500])),
  City: 255,
  Country: 255,
  CountryCode: 255,
  CountrySubDivisionCode: 255,
  PostalCode: 30,
  Lat: 50,
  Long: 50,
  Note: 500,
})
const writable: Schemas = {
  ...{
    Title: 16,
    GivenName: 100,
    MiddleName: 100,
    FamilyName: 100,
    Suffix: 16,
    DisplayName: 500,
    CompanyName: 100,
    PrintOnCheckName: 110,
    Notes: 2000,
    ResaleNum: 16,
  },
  ...{
    PrimaryPhone: phone,
    AlternatePhone: phone,
    Mobile: phone,
    Fax: phone,
    PrimaryEmailAddr: parts({ Address: 100 }),
    WebAddr: parts({ URI: 1000 }),
  },
  ...{
    BillAddr: address,
    ShipAddr: address,
    Active: 'flag',
    Taxable: 'flag',
    Job: 'flag',
    BillWithParent: 'flag',
    PreferredDeliveryMethod: 20,
  },
  ...{ CurrencyRef: 'ref', ParentRef: 'ref', SalesTermRef: 'ref', PaymentMethodRef: 'ref', DefaultTaxCodeRef: 'ref' },
}
/** Accepted and ignored: clients send back what they read. */
const readOnly = new Set([
  ...[
    'Id',
    'SyncToken',
    'sparse',
    'domain',
    'status',
    'MetaData',
    'time',
    'FullyQualifiedName',
    'Balance',
    'BalanceWithJobs',
    'V4IDPseudonym',
    'IsProject',
    'Level',
  ],
  'ClientEntityId',
])
/** Not cleared by a full update that omits them. */
const lasting = [
  'Active',
  'Taxable',
  'Job',
  'BillWithParent',
  'PreferredDeliveryMethod',
  'CurrencyRef',
  'PrintOnCheckName',
]

const unsupported = (name: string): never =>
  refuse({
    code: '2010',
    message: 'Request has invalid or unsupported property',
    detail: `Property Name:${name} specified is unsupported or invalid`,
  })

/** The fields that QuickBooks accepts from a body: checked; null counts as absent, "" stays because it clears. */
const accept = createAcceptor({
  nulls: 'absent',
  order: 'body',
  types: {
    flag: (value) =>
      typeof value === 'boolean' ? value : /^(true|false)$/.test(String(value)) ? value === 'true' : undefined,
    ref: (value) => (isObject(value) && typeof value.value === 'string' ? value : undefined),
  },
  invalid({ kind, path, value, schema: { maxLength } }) {
    if (kind === 'unknown' && readOnly.has(path)) return undefined
    if (kind !== 'long') return unsupported(path)
    return refuse({
      code: '2050',
      message: 'String length is either shorter or longer than supported by specification',
      detail: `String length specified does not match the supported length. Min:0 Max:${maxLength} supported. Supplied length:${String(value).length}`,
      element: path.replace(/\.(FreeFormNumber|Address)$/, ''),
    })
  },
})

const withoutBlanks = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, isObject(value) ? withoutBlanks(value) : value] as const)
      .filter(([, value]) => value !== '' && !(isObject(value) && Object.keys(value).length === 0)),
  )

function checkRules(world: World, change: Fields, id?: string): void {
  const { DisplayName: name, PrimaryEmailAddr: email } = change as {
    DisplayName?: string
    PrimaryEmailAddr?: { Address?: string }
  }
  if (email?.Address && !/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(email.Address))
    refuse({
      code: '2210',
      message: 'Invalid Email Address format',
      detail: `Email Address does not conform to the syntax rules of RFC 822. Supplied value:${email.Address}`,
    })
  if (name === undefined) return
  if (name.trim() === '') missing('DisplayName')
  if (/[:\t\r\n]/.test(name))
    refuse({
      code: '6000',
      message: 'A business validation error has occurred while processing your request',
      detail: 'A name cannot hold a colon, a tab or a new line',
      element: '',
    })
  if (isTaken(world, name, id)) {
    const detail =
      'The name supplied already exists. : Another customer, vendor or employee is already using this \nname. Please use a different name.'
    refuse({ code: '6240', message: 'Duplicate Name Exists Error', detail, element: '' })
  }
}
const invalidReference = (): never =>
  refuse({
    code: '2500',
    message: 'Invalid Reference Id',
    detail:
      "Invalid Reference Id : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
    element: '',
  })
const currencyOf = (reference: unknown): StoredCustomer['CurrencyRef'] => {
  const value = (reference as { value?: string } | undefined)?.value ?? homeCurrency
  const name = currencies[value] ?? invalidReference()
  return { value, name }
}
/** The id of an address does not change while the address exists. */
const addressesOf = (
  world: World,
  change: Fields,
  current?: StoredCustomer,
): Partial<Record<'BillAddr' | 'ShipAddr', StoredAddress>> =>
  Object.fromEntries(
    (['BillAddr', 'ShipAddr'] as const).flatMap((name) =>
      isObject(change[name])
        ? [[name, { ...withoutBlanks(change[name]), Id: current?.[name]?.Id ?? nextId(world, 'address') }]]
        : [],
    ),
  )
const qualifiedName = (world: World, { ParentRef, DisplayName }: Fields): string => {
  const parent = isObject(ParentRef) ? (world.customers.get(String(ParentRef.value)) ?? invalidReference()) : undefined
  return parent ? `${String(parent.FullyQualifiedName)}:${String(DisplayName)}` : String(DisplayName)
}

function createCustomer(world: World, body: Fields): WireResponse {
  const given = accept(body, writable)
  const built = ['Title', 'GivenName', 'MiddleName', 'FamilyName', 'Suffix']
    .map((part) => given[part])
    .filter(Boolean)
    .join(' ')
  const change: Fields = { ...given, DisplayName: given.DisplayName || built }
  checkRules(world, change)
  const CurrencyRef = currencyOf(change.CurrencyRef)
  const FullyQualifiedName = qualifiedName(world, change)
  const at = changedAt(world)
  const customer: StoredCustomer = {
    ...{
      Taxable: true,
      Job: false,
      BillWithParent: false,
      PreferredDeliveryMethod: 'Print',
      IsProject: false,
      PrintOnCheckName: change.CompanyName || change.DisplayName,
    },
    ...withoutBlanks(change),
    ...addressesOf(world, change),
    FullyQualifiedName,
    CurrencyRef,
    DisplayName: change.DisplayName as string,
    Active: true, // regardless of the request: a customer cannot be created inactive
    Balance: 0,
    BalanceWithJobs: 0,
    domain: 'QBO',
    sparse: false,
    Id: nextId(world, 'customer'),
    SyncToken: '0',
    MetaData: { CreateTime: at, LastUpdatedTime: at },
  }
  return { status: 200, body: { Customer: world.customers.set(customer.Id, customer) } }
}

function find(world: World, id: string): StoredCustomer {
  if (!/^\d{1,12}$/.test(id))
    refuse({
      code: '2030',
      message: 'Invalid ID',
      detail: `Id should be a valid number. Supplied value:${id}`,
      element: 'Id',
    })
  return (
    world.customers.get(id) ??
    refuse({
      code: '610',
      message: 'Object Not Found',
      detail:
        "Object Not Found : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
      element: '',
    })
  )
}
/** The name after an update: with a suffix while inactive, without it when active again. */
function nameAfter(world: World, current: StoredCustomer, name: string | undefined, active: boolean): string {
  if (active)
    return name ?? (current.Active ? current.DisplayName : current.DisplayName.replace(/ \(deleted(?:-\d+)?\)$/, ''))
  if (name === undefined && !current.Active) return current.DisplayName
  return deletedName(world, name ?? current.DisplayName, current.Id)
}

function updateCustomer(world: World, body: Fields): WireResponse {
  const current = find(world, String(body.Id))
  if (body.SyncToken === undefined || body.SyncToken === null) missing('SyncToken')
  if (String(body.SyncToken) !== current.SyncToken) {
    const detail =
      'Stale Object Error : You and Nadia Okafor were working on this at the same time. Nadia Okafor finished before you did, so your work was not saved.'
    refuse({ code: '5010', message: 'Stale Object Error', detail, element: '' })
  }
  const change = accept(body, writable)
  const renamed = change.DisplayName !== undefined && change.DisplayName !== current.DisplayName
  const Active = (change.Active as boolean | undefined) ?? current.Active
  const DisplayName = nameAfter(world, current, renamed ? (change.DisplayName as string) : undefined, Active)
  checkRules(world, { ...change, DisplayName }, current.Id)
  const currency = (change.CurrencyRef as { value: string } | undefined)?.value
  if (currency !== undefined && currency !== current.CurrencyRef.value)
    refuse({
      code: '6000',
      message: 'A business validation error has occurred while processing your request',
      detail: 'Business Validation Error: The currency of a customer cannot be changed.',
      element: '',
    })
  if (current.Active && !Active && current.Balance !== 0)
    refuse({
      code: '6000',
      message: 'Delete List Has Balance Error',
      detail:
        'The entity you are trying to delete has an open balance. : This customer cannot be deleted because it has a non-zero balance',
      element: '',
    })
  const sparse = body.sparse === true || body.sparse === 'true'
  const kept = Object.fromEntries(
    Object.entries(current).filter(([name]) => sparse || !(name in writable) || lasting.includes(name)),
  )
  const merged = withoutBlanks({ ...kept, ...change }) as StoredCustomer
  const customer: StoredCustomer = {
    ...merged,
    ...addressesOf(world, { ...kept, ...change }, current),
    DisplayName,
    FullyQualifiedName: qualifiedName(world, { ...merged, DisplayName }),
    Active,
    CurrencyRef: current.CurrencyRef,
    SyncToken: String(Number(current.SyncToken) + 1),
    MetaData: { CreateTime: current.MetaData.CreateTime, LastUpdatedTime: changedAt(world, current) },
  }
  return { status: 200, body: { Customer: world.customers.set(current.Id, customer) } }
}

/** The first response to a request id is repeated forever, regardless of later bodies, even if it is an error. */
function once(world: World, requestId: string | null, run: () => WireResponse): WireResponse {
  if (!requestId) return run()
  if (requestId.length > 50)
    refuse({
      code: '2050',
      message: 'String length is either shorter or longer than supported by specification',
      detail: 'requestid',
      element: 'requestid',
    })
  const known = world.responses.get(requestId)
  if (known) return known
  try {
    return world.responses.set(requestId, run())
  } catch (error) {
    if (error instanceof Refusal) world.responses.set(requestId, error.response)
    throw error
  }
}

const queried = (world: World, statement: string): WireResponse => ({
  status: 200,
  body: { QueryResponse: runQuery(world.customers.values(), parseQuery(statement)) },
})

export const customerRoutes: Routes<World> = {
  'GET /v3/company/:realm/query': ({ request, context }) => queried(context, request.query.get('query') ?? ''),
  'POST /v3/company/:realm/query': ({ request, context }) => queried(context, request.body),
  'GET /v3/company/:realm/customer/:id': ({ params: { id = '' }, context }) => ({
    status: 200,
    body: { Customer: find(context, id) },
  }),
  'POST /v3/company/:realm/customer': ({ request, context }) => {
    const body = bodyOf(request)
    return once(context, request.query.get('requestid'), () =>
      body.Id === undefined ? createCustomer(context, body) : updateCustomer(context, body),
    )
  },
}
