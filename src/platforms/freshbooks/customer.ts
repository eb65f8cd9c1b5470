import type { EntityAdapter, ReadCall, WriteCall, Written } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { addMs, toUtc, wallTime } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import {
  changeOf,
  fromUnified,
  lineOf,
  type NativeChange,
  type NativeClient,
  referenceIn,
  table,
  unifiedOf,
  visibility,
} from './customer-row.ts'
import { type ClientList, largestPage, type Place, walkClients } from './walk.ts'

/**
 * Modification times are in this zone, regardless of the zone of the business:
 * https://freshbooks.github.io/freshbooks-nodejs-sdk/pages/guide/making_calls.html
 */
const zone = 'America/New_York'
const clients = ({ account }: ReadCall): string =>
  path`/accounting/account/${account.settings.accountId ?? ''}/users/clients`
const clientAt = (call: ReadCall, id: string): string => clients(call) + path`/${id}`
const idOf = ({ id }: NativeClient): string => String(id)

/** Without a filter, the list contains active and archived clients, but no deleted ones. */
async function fetchClients(
  call: ReadCall,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<ClientList<NativeClient>> {
  const { body } = await call.read(get(clients(call), query))
  const { result } = body.response
  return { rows: list<NativeClient>(result.clients), pages: Number(result.pages) }
}
const changedAt = ({ updated }: NativeClient): string | undefined => toUtc(updated, zone)
const page = walkClients<NativeClient>({
  id: idOf,
  changedAt,
  // The filter accepts only dates.
  fetch: (call, updatedAfter, number, size) =>
    fetchClients(call, {
      page: number,
      per_page: size,
      ...(updatedAfter && { 'search[updated_min]': wallTime(addMs(updatedAfter, 1), zone).slice(0, 10) }),
    }),
})

/** Deleted clients can still be read, but neither used nor listed: they count as not found. */
async function readClient(call: ReadCall, id: string): Promise<NativeClient | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const row: NativeClient | undefined = (await ifFound(call.read(get(clientAt(call, id)))))?.body.response.result.client
  return row && Number(row.vis_state) !== visibility.deleted ? row : undefined
}

const read = ({ body }: { body: { response: { result: { client: NativeClient } } } }) => {
  const { client: row } = body.response.result
  return { id: String(row.id), row }
}
/** The client with the reference of this write, even if it was archived or deleted since. */
async function findWritten(call: WriteCall): Promise<{ id: string; row: NativeClient } | undefined> {
  for (const state of [undefined, visibility.deleted]) {
    const { rows } = await fetchClients(call, {
      page: 1,
      per_page: largestPage,
      'search[note_like]': lineOf(call.reference),
      'search[vis_state]': state,
    })
    // The search matches substrings and ignores case.
    const row = rows.find(({ note }) => referenceIn(note) === call.reference)
    if (row) return { id: idOf(row), row }
  }
  return undefined
}

/**
 * A separate call: FreshBooks silently ignores all other fields next to vis_state.
 * https://www.freshbooks.com/api/active_deleted
 */
const show = (call: WriteCall, id: string, active: boolean) =>
  call.write(active ? 'restore' : 'archive', {
    request: put(clientAt(call, id), { client: { vis_state: active ? visibility.active : visibility.archived } }),
    read,
    recovery: 'repeat',
  })

async function create(call: WriteCall, record: Customer): Promise<Written<NativeClient>> {
  const made = await call.write('customer', {
    request: post(clients(call), { client: fromUnified(record, call.reference) }),
    read,
    recovery: { find: () => findWritten(call), lagSeconds: 10 },
  })
  return record.active === false ? show(call, made.id, false) : made
}

/** The fields first: if they are rejected, nothing has changed. */
async function update(call: WriteCall, current: NativeClient, record: Customer): Promise<Written<NativeClient>> {
  const id = idOf(current)
  const { active } = unifiedOf(current)
  const client: NativeChange = changeOf(record, current)
  let row = current
  if (Object.keys(client).length > 0)
    row = (await call.write('customer', { request: put(clientAt(call, id), { client }), read, recovery: 'repeat' })).row
  if (record.active !== undefined && record.active !== active) row = (await show(call, id, record.active)).row
  return { id, row }
}

export const customer: EntityAdapter<'customer', NativeClient, Place> = flatEntity('customer', {
  id: idOf,
  table,
  list: { pageLimit: largestPage, updatedAfter: 'platform', modifiedAt: changedAt, stampPrecision: 'seconds', page },
  get: readClient,
  search: {
    by: ['name', 'email', 'phone'],
    newestFirst: true,
    page: async (call, { text, like, size }, at: NumberPlace | undefined) => {
      const filter = like === 'email' ? 'email' : like === 'phone' ? 'phone_like' : 'user_like'
      const walk = walkByNumber<NativeClient>({
        id: idOf,
        async fetch(reading, _, number) {
          const query = { page: number, per_page: size, sort: 'userid_desc', [`search[${filter}]`]: text }
          const { rows, pages } = await fetchClients(reading, query)
          return { rows, more: number < pages }
        },
      })
      return walk(call, { size }, at)
    },
  },
  custom: {
    fields: { '/vat_number': 'string', '/vat_name': 'string', '/fax': 'string' },
    async set(call, current, values) {
      const { row } = await call.write('custom', {
        request: put(clientAt(call, idOf(current)), { client: bodyWith(values, '') }),
        read,
        recovery: 'repeat',
        undo: 'nothing',
      })
      return row
    },
  },
  write: { places: { country: 'name' } },
  create: { run: create },
  update: { run: update },
})
