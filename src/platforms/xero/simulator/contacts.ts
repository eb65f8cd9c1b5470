// The contacts endpoint: PUT creates, POST creates or changes, a path with an id changes that one.

import { createHash, randomUUID } from 'node:crypto'
import type { Fields } from '../../../sandbox/http.ts'
import { canonical } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { listed, shown } from './contact-query.ts'
import { applied } from './contact-rules.ts'
import { elementsOf, envelope, exception, notFound, refuse, validationException } from './wire.ts'
import type { StoredContact, World } from './world.ts'

const unsaved = '00000000-0000-0000-0000-000000000000'
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const blank = (): StoredContact => ({
  ContactID: unsaved,
  ContactStatus: 'ACTIVE',
  Name: '',
  addresses: [],
  phones: [],
  ContactPersons: [],
  IsSupplier: false,
  IsCustomer: false,
  updated: 0,
})

/** By id, or by number if it does not look like an id; includes archived contacts. */
const find = (world: World, name: string): StoredContact | undefined =>
  guid.test(name)
    ? world.contacts.get(name.toLowerCase())
    : world.contacts.find(({ ContactNumber }) => ContactNumber === name)

/** The contact that POST changes instead of creating one: same id, otherwise same number, otherwise same name. */
function matching(
  world: World,
  { ContactID: id, ContactNumber: number, Name: name }: Fields,
): StoredContact | undefined {
  if (id !== undefined) return find(world, String(id)) ?? refuse(notFound())
  const byNumber =
    typeof number === 'string' && number !== ''
      ? world.contacts.find(({ ContactNumber }) => ContactNumber === number)
      : undefined
  return (
    byNumber ??
    world.contacts.find(
      ({ Name, ContactStatus }) =>
        ContactStatus === 'ACTIVE' && Name.toLowerCase() === String(name ?? '').toLowerCase(),
    )
  )
}

interface Outcome {
  contact: StoredContact
  errors: string[]
}
function attempt(world: World, element: Fields, current: StoredContact | undefined): Outcome {
  if (current) return applied(world, element, current)
  const { ContactStatus: _, ...fresh } = element // a new contact is always active
  return applied(world, fresh, blank())
}
function save(world: World, { contact }: Outcome): StoredContact {
  const ContactID = contact.ContactID === unsaved ? randomUUID() : contact.ContactID
  return world.contacts.set(ContactID, { ...contact, ContactID, updated: world.tick() })
}
const refused = ({ contact, errors }: Outcome): Fields => ({
  ...shown(contact),
  HasValidationErrors: true,
  ValidationErrors: errors.map((Message) => ({ Message })),
})

/** In sequence, so that two contacts of the same name in one request conflict. */
function write(
  world: World,
  elements: readonly Fields[],
  currentOf: (element: Fields) => StoredContact | undefined,
  summarize: boolean,
): WireResponse {
  if (summarize) {
    const wrong = elements
      .map((element) => attempt(world, element, currentOf(element)))
      .filter(({ errors }) => errors.length > 0)
    if (wrong.length > 0) return validationException(wrong.map(refused))
  }
  const contacts = elements.map((element) => {
    const outcome = attempt(world, element, currentOf(element))
    if (outcome.errors.length > 0) return { ...refused(outcome), StatusAttributeString: 'ERROR' }
    return { ...shown(save(world, outcome)), ...(!summarize && { StatusAttributeString: 'OK' }) }
  })
  return envelope(world.now(), { Contacts: contacts })
}

/** The same key with the same request returns the first response again; a rejected request does not use up its key. */
function once(world: World, request: WireRequest, run: () => WireResponse): WireResponse {
  const key = request.headers['idempotency-key']
  if (key === undefined) return run()
  if (key === '' || key.length > 128)
    return exception(1, 'InvalidRequestException', 'The Idempotency-Key must have from 1 to 128 characters.')
  const content = canonical([request.method, request.path, elementsOf(request)])
  const body = createHash('sha256').update(content).digest('base64url')
  const known = world.keys.get(key)
  if (known)
    return known.body === body
      ? known.response
      : exception(1, 'InvalidRequestException', 'The Idempotency-Key has been used with a different request.')
  const response = run()
  return response.status < 300 ? world.keys.set(key, { body, response }).response : response
}
const summarizes = ({ query }: WireRequest): boolean => query.get('summarizeErrors') !== 'false'

export const contactRoutes: Routes<World> = {
  'GET /api.xro/2.0/Contacts': ({ request, context: world }) => envelope(world.now(), listed(world, request)),
  'PUT /api.xro/2.0/Contacts': ({ request, context: world }) =>
    once(world, request, () => write(world, elementsOf(request), () => undefined, summarizes(request))),
  'POST /api.xro/2.0/Contacts': ({ request, context: world }) =>
    once(world, request, () =>
      write(world, elementsOf(request), (element) => matching(world, element), summarizes(request)),
    ),
  'GET /api.xro/2.0/Contacts/:name': ({ params: { name = '' }, context: world }) => {
    const contact = find(world, name)
    return contact ? envelope(world.now(), { Contacts: [shown(contact)] }) : notFound()
  },
  'POST /api.xro/2.0/Contacts/:name': ({ request, params: { name = '' }, context: world }) =>
    once(world, request, () => {
      const current = find(world, name)
      return current ? write(world, elementsOf(request).slice(0, 1), () => current, true) : notFound()
    }),
}
