// Clients: list with searches, read, create, and an update that runs in phases.
import type { Fields } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import { resourcesOf } from '../../../sandbox/resource.ts'
import { createAcceptor, type Schemas } from '../../../sandbox/schema.ts'
import { type AccountingError, clientIn, refuse, result } from './wire.ts'
import { changedAt, currencies, easternTime, nextId, type StoredClient, shown, type World } from './world.ts'

/** Lengths are not published: taken from the columns of the older product. */
const texts: Schemas = {
  ...{
    fname: 255,
    lname: 255,
    organization: 255,
    email: 255,
    bus_phone: 100,
    mob_phone: 100,
    home_phone: 100,
    fax: 100,
    note: 65_535,
    language: 5,
    currency_code: 3,
  },
  ...Object.fromEntries(
    ['p', 's'].flatMap((kind) =>
      ['street', 'street2', 'city', 'province', 'code', 'country'].map((part) => [`${kind}_${part}`, 255]),
    ),
  ),
  ...{ vat_name: 100, vat_number: 100 },
}
const flags = ['pref_email', 'pref_gmail', 'allow_late_fees', 'allow_late_notifications']
const staysNull = new Set(['note', 'home_phone', 'vat_name'])

const blank: Fields = {
  ...{
    bus_phone: '',
    mob_phone: '',
    home_phone: null,
    fax: '',
    note: null,
    vat_name: null,
    vat_number: '',
    language: 'en',
    currency_code: 'USD',
    role: 'client',
  },
  ...{
    p_street: '',
    p_street2: '',
    p_city: '',
    p_province: '',
    p_code: '',
    p_country: '',
    s_street: '',
    s_street2: '',
    s_city: '',
    s_province: '',
    s_code: '',
    s_country: '',
  },
  ...{
    pref_email: true,
    pref_gmail: false,
    allow_late_fees: true,
    allow_late_notifications: true,
    allow_email_include_pdf: false,
    level: 0,
    num_logins: 0,
    notified: false,
  },
  ...{
    company_industry: null,
    company_size: null,
    direct_link_token: null,
    exceeds_client_limit: 0,
    has_retainer: null,
    last_activity: null,
    last_login: null,
  },
  ...{ retainer_id: null, statement_token: null, subdomain: null, fname: '', lname: '', organization: '', email: '' },
}

/** The fields that FreshBooks accepts from a body; unknown fields are ignored. All errors are reported at once. */
function accept(world: World, given: Fields, id?: number): Fields {
  const errors: AccountingError[] = []
  const wrong = (errno: number, field: string, message: string) =>
    void errors.push({ errno, field, message, object: 'client', value: String(given[field] ?? '') })
  const acceptTexts = createAcceptor({
    invalid({ kind, name, value, schema: { maxLength } }) {
      if (kind === 'unknown') return undefined
      if (value === null) return staysNull.has(name) ? null : ''
      if (kind === 'long') return wrong(1017, name, `${name} exceeds the maximum length of ${maxLength}.`)
      return wrong(1004, name, `${name} must be a string.`)
    },
  })
  const taken = acceptTexts(given, texts)
  for (const name of flags) if (typeof given[name] === 'boolean') taken[name] = given[name]
  const { email, currency_code: currency } = taken as { email?: string; currency_code?: string }
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) wrong(1004, 'email', 'Invalid email address.')
  if (
    email &&
    world.habits.uniqueEmails &&
    world.clients.find(
      (other) => other.id !== id && other.vis_state !== 1 && other.email.toLowerCase() === email.toLowerCase(),
    )
  )
    wrong(1004, 'email', 'A client with this email already exists.')
  if (currency !== undefined && !currencies.some((known) => known === currency))
    wrong(1004, 'currency_code', 'Unknown currency code.')
  if (errors.length) refuse(422, ...errors)
  return taken
}
const named = ({ fname, lname, organization, email }: Fields): boolean =>
  [fname, lname, organization, email].some(Boolean)
const nameless = (): never =>
  refuse(422, {
    errno: 1001,
    field: 'organization',
    message: 'One of organization, first name, last name or email is required.',
    object: 'client',
  })

function create(world: World, given: Fields): StoredClient {
  const taken = accept(world, given)
  if (!named(taken)) nameless()
  const id = nextId(world)
  const now = world.now()
  const client = {
    ...blank,
    ...taken,
    id,
    uuid: `366f3657-38ed-4cc1-832b-${String(id).padStart(12, '0')}`,
    accounting_systemid: world.accountId,
    username:
      `${String(taken.organization || taken.lname || taken.fname || taken.email).replace(/\W/g, '')}${id}`.toLowerCase(),
    vis_state: 0,
    signedUpAt: now,
    updatedAt: now,
  } as unknown as StoredClient
  return client
}

/** Only the first phase that a body triggers runs: with vis_state, everything else is silently ignored. */
function update(world: World, current: StoredClient, given: Fields): StoredClient {
  const set = (change: Fields) => ({ ...current, ...change, updatedAt: changedAt(world, current) }) as StoredClient
  if ('vis_state' in given) {
    const state = Number(given.vis_state)
    if (![0, 1, 2].includes(state))
      refuse(422, {
        errno: 1004,
        field: 'vis_state',
        message: 'Invalid vis_state.',
        object: 'client',
        value: String(given.vis_state),
      })
    return set({ vis_state: state })
  }
  if (current.vis_state === 1)
    refuse(422, {
      errno: 1011,
      field: 'userid',
      message: 'Client is deleted.',
      object: 'client',
      value: String(current.id),
    })
  const taken = accept(world, given, current.id)
  if (!named({ ...current, ...taken })) nameless()
  return set(taken)
}

const contains = (parts: readonly unknown[], target: string): boolean =>
  parts.some((part) => typeof part === 'string' && part.toLowerCase().includes(target.toLowerCase()))
const searches: Readonly<Record<string, (client: StoredClient, target: string) => boolean>> = {
  email: ({ email }, target) => email.toLowerCase() === target.toLowerCase(),
  userid: ({ id }, target) => String(id) === target,
  vis_state: (client, target) => String(client.vis_state) === target,
  fname_like: ({ fname }, target) => contains([fname], target),
  lname_like: ({ lname }, target) => contains([lname], target),
  organization_like: ({ organization }, target) => contains([organization], target),
  note_like: ({ note }, target) => contains([note], target),
  address_like: (client, target) =>
    contains(
      Object.keys(client)
        .filter((name) => /^[ps]_/.test(name))
        .map((name) => client[name]),
      target,
    ),
  phone_like: (client, target) => contains([client.bus_phone, client.mob_phone, client.home_phone, client.fax], target),
  user_like: ({ fname, lname, organization, email }, target) =>
    contains([`${fname} ${lname}`, organization, email], target),
  updated_min: ({ updatedAt }, target) => easternTime(updatedAt).slice(0, 10) >= target,
  updated_max: ({ updatedAt }, target) => easternTime(updatedAt).slice(0, 10) < target,
}

function select(world: World, query: URLSearchParams): StoredClient[] {
  const target = [...query].flatMap(([name, value]) => {
    const search = /^search\[(\w+)\]$/.exec(name)?.[1]
    return search && searches[search] ? [{ search, value }] : [] // an unknown search is ignored
  })
  for (const { search, value } of target) {
    if (/^updated_/.test(search) && !/^\d{4}-\d\d-\d\d$/.test(value))
      refuse(422, { errno: 1033, field: search, message: 'Dates look like YYYY-MM-DD.', object: 'client', value })
  }
  const ids = query.getAll('search[userids][]')
  const chosen = target.some(({ search }) => search === 'vis_state')
  return world.clients.filter(
    (client) =>
      (chosen || client.vis_state !== 1) &&
      (ids.length === 0 || ids.includes(String(client.id))) &&
      target.every(({ search, value }) => searches[search]!(client, value)),
  )
}

const orders: Readonly<Record<string, (a: StoredClient, b: StoredClient) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  updated: (a, b) => b.updatedAt - a.updatedAt || b.id - a.id,
  name: (a, b) => (a.organization < b.organization ? -1 : a.organization > b.organization ? 1 : a.id - b.id),
}
function sorted(rows: StoredClient[], world: World, sort: string | null): StoredClient[] {
  const [, field, direction] = /^(\w+)_(asc|desc)$/.exec(sort ?? '') ?? []
  const asked =
    field === 'updated'
      ? (a: StoredClient, b: StoredClient) => a.updatedAt - b.updatedAt || a.id - b.id
      : field === 'userid'
        ? orders.oldest!
        : undefined
  if (!asked) return rows.sort(orders[world.habits.order ?? 'newest'])
  return rows.sort(direction === 'asc' ? asked : (a, b) => asked(b, a))
}

function numberIn(query: URLSearchParams, name: 'page' | 'per_page', otherwise: number): number {
  const value = query.get(name) ?? String(otherwise)
  const number = /^\d+$/.test(value) ? Number(value) : 0
  if (name === 'page' && value === '0') return 1
  return number > 0
    ? number
    : refuse(422, {
        errno: name === 'page' ? 1014 : 1013,
        field: name,
        message: `${name} must be a positive integer.`,
        value,
      })
}
function listed(world: World, query: URLSearchParams) {
  const page = numberIn(query, 'page', 1)
  const size = Math.min(100, numberIn(query, 'per_page', 15))
  const { rows, pages, total } = numberedPage(sorted(select(world, query), world, query.get('sort')), { page, size })
  return result({ clients: rows.map(shown), page, pages, per_page: size, total })
}

export const clientRoutes = resourcesOf<World>({
  body: clientIn,
  one: (client) => result({ client }),
  missing: (_, value) =>
    refuse(404, { errno: 1012, field: 'userid', message: 'Client not found.', object: 'client', value }),
})<StoredClient>({
  name: 'client',
  path: '/accounting/account/:account/users/clients',
  records: ({ clients }) => clients,
  list: (_, { request, context }) => listed(context, request.query),
  show: shown,
  create: (given, { context }) => create(context, given),
  update: (current, given, { context }) => update(context, current, given),
}).routes
export const createClient = (world: World, given: Fields): StoredClient => {
  const client = create(world, given)
  return world.clients.set(String(client.id), client)
}
export { update as updateClient }
