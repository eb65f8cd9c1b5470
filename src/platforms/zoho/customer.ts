import type { EntityAdapter, NativeRequest, ReadCall, Write, WriteCall, Written } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { selectedBy } from '../../contract/native-pointer.ts'
import { bodyWith, entriesOf } from '../../kit/custom.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { del, get, path, post, put } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { currencyId } from './account.ts'
import { idOf, isCustomer, type NativeContact, rowVersion, unifiedOf } from './customer-row.ts'
import { changeOf, fromUnified } from './customer-write.ts'
import { fields } from './error.ts'
import { findWritten } from './find-written.ts'
import type { ZohoProduct } from './zoho-product.ts'

type Row = NativeContact

const largestPage = 200
const longestSearch = 100

export function createCustomer(product: ZohoProduct): EntityAdapter<'customer', Row, NumberPlace> {
  const contacts = `${product.base}/contacts`

  /** Ids are numbers; anything else would be rejected as malformed instead of not found. */
  async function readContact(call: ReadCall, id: string): Promise<Row | undefined> {
    const answer = /^\d+$/.test(id) ? await ifFound(call.read(get(contacts + path`/${id}`))) : undefined
    return answer && isCustomer(answer.body.contact) ? answer.body.contact : undefined
  }

  /**
   * By creation time, which never changes. Vendors are in this list too if its filter is ignored: they count for the
   * position of the walk and are omitted afterwards.
   */
  const walk = walkByNumber<Row>({
    id: idOf,
    async fetch(call, { size, updatedAfter }, page) {
      // Modified rows are found by scanning all rows: larger pages need fewer calls.
      const per_page = updatedAfter === undefined ? size : largestPage
      const query = {
        contact_type: 'customer',
        filter_by: 'Status.All',
        sort_column: 'created_time',
        sort_order: 'A',
        page,
        per_page,
      }
      const { body, headers } = await call.read(get(contacts, query))
      const rows = list<Row>(body.contacts).map((row) => ({ ...row, listedAt: headers.date }))
      return { rows, more: body.page_context?.has_more_page ?? rows.length > 0 }
    },
  })

  /** The status is not written with the rest: it has two separate endpoints. */
  const setActive = (call: WriteCall, id: string, active: boolean): Promise<boolean> =>
    call.write('status', {
      request: post(contacts + path`/${id}/${active ? 'active' : 'inactive'}`),
      read: () => active,
      recovery: 'repeat',
    })

  async function create(call: WriteCall, record: Customer): Promise<Written<Row>> {
    const contact = {
      ...fromUnified(record),
      contact_type: 'customer',
      ...(record.currencyCode && { currency_id: await currencyId(call, product, record.currencyCode) }),
      // If numbers are assigned automatically, another number is rejected or replaced without this parameter.
      ...(product.numbersContacts && { contact_number: call.reference, ignore_auto_number_generation: true }),
    }
    const id = await createOnce(call, record, post(contacts, contact))
    if (record.active === false) await setActive(call, id, false)
    return { id }
  }

  /** A contact that was not found and then rejected as a duplicate is visible by now. */
  async function createOnce(call: WriteCall, record: Customer, request: NativeRequest): Promise<string> {
    let search: (() => Promise<string | undefined>) | undefined
    const find = (unclaimed: (id: string) => Promise<boolean>) => {
      search = () => findWritten(call, product, record, readContact, unclaimed)
      return search()
    }
    try {
      return await call.write('contact', {
        request,
        read: ({ body }) => idOf(body.contact),
        recovery: { find, lagSeconds: 5 },
        undo: (id) => del(contacts + path`/${id}`),
      })
    } catch (error) {
      const taken = error instanceof NativeFailure && error.error.kind === 'duplicate'
      const id = taken ? await search?.() : undefined
      if (id === undefined) throw error
      return id
    }
  }

  async function update(call: WriteCall, current: Row, record: Customer): Promise<Written<Row>> {
    const id = idOf(current)
    const before = unifiedOf(current)
    const change = changeOf(record, current)
    if (record.currencyCode && record.currencyCode !== before.currencyCode) {
      if (current.has_transaction)
        throw refusal(
          'currency_id',
          `is ${before.currencyCode} and cannot be changed once the customer has transactions`,
        )
      change.currency_id = await currencyId(call, product, record.currencyCode)
    }
    const changed = Object.keys(change).length > 0
    const switched = record.active !== undefined && record.active !== before.active
    // The name is required, and repeated if it does not change.
    if (changed)
      await call.write('contact', {
        request: put(contacts + path`/${id}`, { contact_name: record.name, ...change }),
        read: () => true,
        recovery: 'repeat',
      })
    if (switched) await setActive(call, id, record.active as boolean)
    const row = changed || switched ? await readContact(call, id) : current
    return row ? { id, row } : { id }
  }

  const write: Write<'customer'> = { fields }
  return {
    id: idOf,
    toUnified: (row, { warn }) => {
      const record = unifiedOf(row)
      if (record.active === undefined)
        warn('/active', `Zoho's status ${JSON.stringify(row.status)} is neither active nor inactive`)
      return record
    },
    list: {
      pageLimit: largestPage,
      updatedAfter: 'service',
      modifiedAt: (row) => toUtc(row.last_modified_time),
      stampPrecision: 'seconds',
      async page(call, query, at) {
        const { rows, ...next } = await walk(call, query, at)
        return { rows: rows.filter(isCustomer), ...next }
      },
      // The number of concurrent calls that Zoho allows on the smallest plan.
      complete: {
        size: 5,
        most: 50, // half of the calls of a minute
        fields: ['/firstName', '/lastName', '/email', '/phone', '/notes', '/address'],
        version: rowVersion,
        rows: async (call, rows) =>
          (await Promise.all(rows.map((row) => readContact(call, idOf(row))))).filter((row) => row !== undefined),
      },
    },
    get: readContact,
    search: {
      by: ['name', 'email', 'phone'],
      newestFirst: true,
      async page(call, { text, like, size }, at: NumberPlace | undefined) {
        if (text.length > longestSearch) return { rows: [] }
        const filter = like === 'email' ? 'email_contains' : like === 'phone' ? 'phone_contains' : 'search_text'
        const found = walkByNumber<Row>({
          id: idOf,
          async fetch(reading, _, page) {
            const query = { contact_type: 'customer', filter_by: 'Status.All', [filter]: text }
            const sorted = { ...query, sort_column: 'created_time', sort_order: 'D', page, per_page: size }
            const { body, headers } = await reading.read(get(contacts, sorted))
            const rows = list<Row>(body.contacts).map((row) => ({ ...row, listedAt: headers.date }))
            return { rows, more: body.page_context?.has_more_page ?? rows.length > 0 }
          },
        })
        const { rows, ...next } = await found(call, { size }, at)
        return { rows: rows.filter(isCustomer), ...next }
      },
    },
    custom: {
      fields: {
        '/custom_fields/[label=*]/value': 'string',
        '/website': 'string',
        '/twitter': 'string',
        '/facebook': 'string',
      },
      async set(call, row, values) {
        const named = Object.fromEntries(Object.entries(values).filter(([pointer]) => selectedBy(pointer).length > 0))
        const plain = Object.fromEntries(Object.entries(values).filter(([pointer]) => !(pointer in named)))
        const entries = entriesOf(named, 'label').map(({ label, value }) => ({ label, value: value ?? '' }))
        // Entries that are left out may be lost: all are sent.
        const others = list(row.custom_fields)
          .filter(({ label }) => !entries.some((entry) => entry.label === label))
          .map(({ label, value }) => ({ label, value }))
        const custom_fields = entries.length > 0 ? [...others, ...entries] : undefined
        await call.write('custom', {
          // The name is required.
          request: put(
            contacts + path`/${idOf(row)}`,
            compact({ contact_name: row.contact_name, ...bodyWith(plain, ''), custom_fields }),
          ),
          read: () => true,
          recovery: 'repeat',
          undo: 'nothing',
        })
        return (await readContact(call, idOf(row)))!
      },
    },
    create: { ...write, ...(product.requires && { requires: product.requires }), run: create },
    update: { ...write, run: update },
  }
}
