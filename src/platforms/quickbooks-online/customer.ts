import type { EntityAdapter, ReadCall, WriteCall, Written } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import type { Pointer } from '../../contract/entity.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import { changeOf, fromUnified, type NativeChange, type NativeCustomer, table, unifiedOf } from './customer-row.ts'

const realm = ({ account }: ReadCall): string => account.settings.realmId ?? ''
const wholeSecond = (instant: string): string => `${instant.slice(0, 19)}Z`

/** Ids are numbers; anything else would be rejected as malformed instead of not found. */
const readCustomer = async (call: ReadCall, id: string): Promise<NativeCustomer | undefined> =>
  /^\d+$/.test(id)
    ? (await ifFound(call.read(get(path`/v3/company/${realm(call)}/customer/${id}`))))?.body.Customer
    : undefined

/**
 * By creation time, which never changes: by position alone, or by modification time, a customer that is edited during
 * the walk would shift the others across pages.
 */
const page = walkByTime<NativeCustomer, string>({
  id: (row) => row.Id,
  time: (row) => wholeSecond(toUtc(row.MetaData?.CreateTime) ?? '1970-01-01T00:00:00.000Z'),
  maximum: 1000,
  async fetch(call, { updatedAfter }, { since, limit, offset }) {
    const conditions = [
      'Active IN (true, false)', // without it inactive customers are omitted
      ...(since ? [`MetaData.CreateTime >= '${since}'`] : []),
      ...(updatedAfter ? [`MetaData.LastUpdatedTime >= '${wholeSecond(updatedAfter)}'`] : []),
    ]
    const query = `SELECT * FROM Customer WHERE ${conditions.join(' AND ')} ORDERBY MetaData.CreateTime ASC STARTPOSITION ${offset + 1} MAXRESULTS ${limit}`
    const { body } = await call.read(get(path`/v3/company/${realm(call)}/query`, { query }))
    return list<NativeCustomer>(body.QueryResponse.Customer) // no rows, no key
  },
})

/** A quote and a backslash are escaped; % is a wildcard that cannot be. */
const pattern = (text: string): string => `'%${text.replaceAll(/['\\]/g, '\\$&')}%'`
const searchWalk = (text: string, byEmail: boolean) =>
  walkByNumber<NativeCustomer>({
    id: (row) => row.Id,
    async fetch(call, { size }, page) {
      const field = byEmail ? 'PrimaryEmailAddr' : 'DisplayName'
      const query = `SELECT * FROM Customer WHERE Active IN (true, false) AND ${field} LIKE ${pattern(text)} ORDERBY MetaData.CreateTime DESC STARTPOSITION ${(page - 1) * size + 1} MAXRESULTS ${size}`
      const { body } = await call.read(get(path`/v3/company/${realm(call)}/query`, { query }))
      const rows = list<NativeCustomer>(body.QueryResponse.Customer)
      return { rows, more: rows.length === size }
    },
  })

/**
 * The key includes the time when the write began: QuickBooks repeats the first response to a request id forever,
 * including errors, and a rejected write may be sent again.
 */
const send = (
  call: WriteCall,
  step: string,
  body: NativeChange & { Id?: string; SyncToken?: string; sparse?: true },
): Promise<{ id: string; row: NativeCustomer }> =>
  call.write(step, {
    request: post(path`/v3/company/${realm(call)}/customer`, body, {
      query: { requestid: call.key(`${step} ${body.SyncToken ?? ''} ${call.now}`) },
    }),
    read: (response) => ({ id: response.body.Customer.Id as string, row: response.body.Customer as NativeCustomer }),
    recovery: 'key',
  })

async function create(call: WriteCall, record: Customer): Promise<Written<NativeCustomer>> {
  const made = await send(call, 'customer', fromUnified(record))
  if (record.active !== false) return made
  const { Id, SyncToken } = made.row
  return send(call, 'deactivate', { Id, SyncToken, sparse: true, Active: false })
}
async function update(call: WriteCall, current: NativeCustomer, record: Customer): Promise<Written<NativeCustomer>> {
  const { Id: id } = current
  const { currencyCode } = unifiedOf(current)
  if (record.currencyCode && currencyCode && record.currencyCode !== currencyCode)
    throw refusal('CurrencyRef', `is ${currencyCode} and cannot be changed once the customer exists`)
  const change = changeOf(record, current)
  if (Object.keys(change).length === 0) return { id, row: current }
  const { row } = await send(call, 'customer', { Id: id, SyncToken: current.SyncToken, sparse: true, ...change })
  return { id, row }
}

const write = {
  check: (record: Customer): { pointer: Pointer; message: string }[] =>
    /[:\t\r\n]/.test(record.name)
      ? [{ pointer: '/name', message: 'must not contain a colon, a tab or a line break' }]
      : [],
}

export const customer: EntityAdapter<'customer', NativeCustomer, TimePlace<string>> = flatEntity('customer', {
  id: (row) => row.Id,
  table,
  write,
  version: (row) => row.SyncToken,
  list: {
    pageLimit: 900, // 1000 at QuickBooks, of which up to 100 rows are read again
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.MetaData?.LastUpdatedTime),
    stampPrecision: 'seconds',
    page,
  },
  get: readCustomer,
  search: {
    by: ['name', 'email'],
    newestFirst: true,
    page: async (call, { text, like, size }, at: NumberPlace | undefined) =>
      like === 'phone' ? { rows: [] } : searchWalk(text, like === 'email')(call, { size }, at),
  },
  custom: {
    fields: { '/ResaleNum': 'string', '/WebAddr/URI': 'string', '/Fax/FreeFormNumber': 'string' },
    async set(call, { Id, SyncToken }, values) {
      const { row } = await send(call, 'custom', { Id, SyncToken, sparse: true, ...bodyWith(values, '') })
      return row
    },
  },
  create: { run: create },
  update: { run: update },
})
