// Organizations, currencies and contacts: read, create, update, make active and inactive, delete.
import type { Fields } from '../../../sandbox/http.ts'
import type { Handler, Routes } from '../../../sandbox/router.ts'
import { detailOf, listContacts } from './contact-list.ts'
import { acceptContact, blankContact } from './contact-rules.ts'
import { bodyOf, invalid, missing, refuse, success } from './wire.ts'
import { baseCurrency, changedNow, nextId, nextNumber, type StoredContact, type World } from './world.ts'

export interface Caller {
  world: World
  scopes: readonly string[]
}
/** The same error as for an expired token. */
const needing =
  (scope: string, handler: Handler<Caller>): Handler<Caller> =>
  (call) => {
    const { scopes, world } = call.context
    if (!scopes.includes(`${world.product.scope}.${scope}`))
      refuse(401, 57, 'You are not authorized to perform this operation')
    return handler(call)
  }

function find(world: World, id: string): StoredContact {
  if (!/^\d{1,20}$/.test(id)) invalid('contact_id')
  return world.contacts.get(id) ?? missing('Contact')
}

function create(world: World, body: Fields): StoredContact {
  const accepted = acceptContact(world, body)
  const contact_type =
    body.contact_type === undefined || /^(customer|vendor)$/.test(String(body.contact_type))
      ? String(body.contact_type ?? 'customer')
      : invalid('contact_type')
  const at = changedNow(world)
  // If numbers are assigned automatically, another number is accepted only on request.
  const own = body.ignore_auto_number_generation === true && accepted.contact_number
  const contact: StoredContact = {
    ...blankContact(world),
    ...accepted,
    contact_id: nextId(world),
    contact_type,
    ...(world.product.assignsNumbers && { contact_number: own || nextNumber(world) }),
    created: at,
    modified: at,
  }
  return world.contacts.set(contact.contact_id, contact)
}
const change = (world: World, current: StoredContact, fields: Fields): StoredContact =>
  world.contacts.set(current.contact_id, { ...current, ...fields, modified: changedNow(world, current) })

const switching =
  (status: 'active' | 'inactive'): Handler<Caller> =>
  ({ params: { id = '' }, context: { world } }) => {
    const current = find(world, id)
    if (current.status !== status) change(world, current, { status })
    return success({}, 200, `The contact has been marked as ${status}.`)
  }

function organizations({ product, now }: World, base: ReturnType<typeof baseCurrency>): Fields[] {
  const { id, name, shortZone, baseCurrency: code } = product.organization
  const common = {
    ...{
      contact_name: 'Nadia Okafor',
      email: 'nadia@example.com',
      plan_type: 130,
      plan_name: product.plan,
      plan_period: 'Monthly',
      language_code: 'en',
      tax_group_enabled: true,
    },
    ...{
      fiscal_year_start_month: 0,
      time_zone: shortZone,
      currency_id: base.currency_id,
      currency_code: code,
      currency_symbol: base.currency_symbol,
      price_precision: 2,
    },
    ...{ currency_format: '###,##0.00', zi_migration_status: 0 },
  }
  const created = (day: string) => ({
    account_created_date: day,
    account_created_date_formatted: new Date(Math.min(now(), Date.parse(day))).toUTCString().slice(5, 16),
  })
  return [
    {
      organization_id: '10229180',
      name: `${name} (old books)`,
      is_default_org: false,
      is_org_active: false,
      ...common,
      ...created('2012-02-15'),
    },
    { organization_id: id, name, is_default_org: true, is_org_active: true, ...common, ...created('2019-06-03') },
    {
      organization_id: '10229199',
      name: `${name} Charity`,
      is_default_org: false,
      is_org_active: true,
      ...common,
      ...created('2022-11-20'),
    },
  ]
}
const currencies = ({ currencies, product }: World): Fields[] =>
  currencies.map((currency) => ({
    ...currency,
    currency_format: currency.price_precision === 0 ? '1,234,567' : '1,234,567.89',
    is_base_currency: currency.currency_code === product.organization.baseCurrency,
    exchange_rate: currency.currency_code === product.organization.baseCurrency ? 0 : 1.23,
    effective_date: '2024-09-04',
  }))

/** Below the product's own base path. */
export const contactRoutes: Routes<Caller> = {
  'GET /organizations': needing('settings.READ', ({ context: { world } }) =>
    success({ organizations: organizations(world, baseCurrency(world)) }),
  ),
  'GET /settings/currencies': needing('settings.READ', ({ context: { world } }) =>
    success({ currencies: currencies(world) }),
  ),
  'GET /contacts': needing('contacts.READ', ({ request, context: { world } }) => listContacts(world, request.query)),
  'POST /contacts': needing('contacts.CREATE', ({ request, context: { world } }) => {
    const contact = create(world, bodyOf(request))
    return success({ contact: detailOf(world, contact) }, 201, 'The contact has been created')
  }),
  'GET /contacts/:id': needing('contacts.READ', ({ params: { id = '' }, context: { world } }) =>
    success({ contact: detailOf(world, find(world, id)) }),
  ),
  'PUT /contacts/:id': needing('contacts.UPDATE', ({ request, params: { id = '' }, context: { world } }) => {
    const current = find(world, id)
    const contact = change(world, current, acceptContact(world, bodyOf(request), current))
    return success({ contact: detailOf(world, contact) }, 200, 'Contact has been updated successfully')
  }),
  'DELETE /contacts/:id': needing('contacts.DELETE', ({ params: { id = '' }, context: { world } }) => {
    if (find(world, id).has_transaction)
      refuse(400, 3004, 'Contacts with transactions cannot be deleted. You can mark them as inactive.')
    world.contacts.delete(id)
    return success({}, 200, 'The contact has been deleted.')
  }),
  'POST /contacts/:id/active': needing('contacts.CREATE', switching('active')),
  'POST /contacts/:id/inactive': needing('contacts.CREATE', switching('inactive')),
}
