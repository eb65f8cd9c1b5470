// One script for every account that `npm start` creates: list, create, read back, update. It knows no platform and
// leaves out only what the account's support excludes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectors } from '../../src/platforms/registry.ts'
import type { SandboxFile } from '../../src/sandbox-workspace.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'

// biome-ignore lint/suspicious/noExplicitAny: records and responses of any type
type Any = Record<string, any>
let service: ServiceHere
let sandbox: SandboxFile
beforeAll(async () => {
  service = await openServiceHere()
  sandbox = service.sandboxFile()
})
afterAll(() => service.stop())

async function call(method: string, path: string, body?: Any): Promise<{ status: number; body: Any }> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.apiKey}`,
      prefer: 'wait=60',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Any }
}
const references: Record<string, string> = {
  categoryExternalId: 'category',
  parentExternalId: 'category',
  customerExternalId: 'customer',
  productExternalId: 'product',
  employeeExternalId: 'employee',
}

/** A record from the schema's example, with references to records of this account and the account's currency. */
async function exampleFor(
  account: SandboxFile['accounts'][number],
  entity: string,
  support: Any,
  number: number,
): Promise<Any> {
  const base = `/unified/${account.accountId}`
  const schema = (await call('GET', `/schemas/${account.vertical}/${entity}.json`)).body
  const record: Any = { ...schema.examples[0], externalId: `SCRIPT-${entity}-${number}` }
  const listed = async (type: string) =>
    (support[type] ? (await call('GET', `${base}/${type}?pageSize=20`)).body.data : []) as Any[]
  const existing = async (type: string) =>
    (await listed(type)).find(({ active }) => active !== false)?.externalId as string | undefined
  const fill = async (holder: Any) => {
    for (const name of Object.keys(holder)) {
      if (references[name]) holder[name] = await existing(references[name])
      if (name === 'locationExternalId') holder[name] = 'MAIN'
    }
  }
  await fill(record)
  for (const line of record.lineItems ?? []) {
    await fill(line)
    delete line.modifiers // they belong to products of the account
  }
  leaveOut(record, support[entity])
  if (record.currencyCode)
    record.currencyCode =
      [...(await listed('product')), ...(await listed('order')), ...(await listed('customer'))].find(
        ({ currencyCode }) => currencyCode,
      )?.currencyCode ?? 'USD'
  for (const [name, unique] of [
    ['sku', `S-${number}`],
    ['email', `script.${number}@example.com`],
    ['employeeCode', `E${number}`],
    ['phone', `+1415555${1000 + number}`],
  ] as const)
    if (record[name]) record[name] = unique
  if (record.name) record.name = `${record.name} ${number}`
  if (record.lastName) record.lastName = `${record.lastName} ${number}`
  return record
}
/** What the support of the entity refuses: money that the platform cannot store, and values outside its list. */
function leaveOut(record: Any, { refused, values }: Any): void {
  for (const pointer of Object.keys(refused)) delete record[pointer.slice(1)]
  for (const [pointer, only] of Object.entries<string[]>(values)) {
    const name = pointer.slice(1)
    if (name !== 'state' && record[name] !== undefined && !only.includes(String(record[name]))) delete record[name]
  }
}
/** A payment is of an order that is not paid, and of what is due. What a platform calls that is one of two states. */
async function pay(path: string, record: Any, account: SandboxFile['accounts'][number], support: Any, number: number) {
  const orders = path.replace(/payment$/, 'order')
  const order = await exampleFor(account, 'order', support, number + 500)
  record.methodType ??= support.payment.values['/methodType']?.find((type: string) => type !== 'CASH')
  for (const name of [
    ...['tip', 'cashTendered', 'changeGiven', 'cardBrand', 'cardLast4'],
    ...['paymentMethodExternalId', 'customerExternalId'],
  ])
    delete record[name]
  let reply = { status: 0, body: {} as Any }
  for (const state of ['OPEN', 'PENDING']) {
    const { status, body } = await call('POST', orders, { ...order, externalId: `${order.externalId}-${state}`, state })
    if (status !== 201) continue
    reply = await call('POST', path, { ...record, orderExternalId: body.reference.id, amount: body.data.total })
    if (reply.status === 201) break
  }
  return reply
}
/** An order in the first state that the platform accepts. */
async function create(path: string, record: Any): Promise<{ status: number; body: Any }> {
  const states = record.state ? ['OPEN', 'COMPLETED', 'PENDING', 'CANCELED'] : [undefined]
  let reply = { status: 0, body: {} as Any }
  for (const state of states) {
    reply = await call('POST', path, state ? { ...record, state } : record)
    if (!reply.body.errors?.some(({ pointer }: Any) => pointer === '/state')) break
  }
  return reply
}

it('has an account of every platform and vertical', () => {
  expect(sandbox.accounts.map(({ accountId }) => accountId).toSorted()).toEqual(
    Object.values(connectors)
      .flatMap(({ id, verticals }) => verticals.map((vertical) => `sandbox-${id}-${vertical}`))
      .toSorted(),
  )
})

it.each(
  Object.values(connectors).flatMap(({ id, verticals }) => verticals.map((vertical) => `sandbox-${id}-${vertical}`)),
)('%s: list, create, read back, update', async (accountId) => {
  const account = sandbox.accounts.find((entry) => entry.accountId === accountId) as SandboxFile['accounts'][number]
  const { entities } = (await call('GET', `/unified/${accountId}`)).body
  let number = 0
  for (const [entity, support] of Object.entries<Any>(entities)) {
    const path = `/unified/${accountId}/${entity}`
    const page = await call('GET', `${path}?pageSize=3`)
    expect([entity, page.status, page.body.data.length > 0]).toEqual([entity, 200, true])
    if (!support.write) continue
    const record = await exampleFor(account, entity, entities, ++number)
    const created =
      entity === 'payment' ? await pay(path, record, account, entities, number) : await create(path, record)
    expect([entity, created.status], JSON.stringify(created.body)).toEqual([entity, 201])
    const single = `${path}/${encodeURIComponent(created.body.reference.id)}`
    expect([entity, (await call('GET', single)).body.data]).toEqual([entity, created.body.data])
    if (!support.update) continue
    const field = entity === 'order' ? 'note' : 'name'
    const next =
      entity === 'customer'
        ? {
            ...created.body.data,
            firstName: 'Katherine',
            lastName: `Johnson ${number}`,
            name: `Katherine Johnson ${number}`,
          }
        : { ...created.body.data, [field]: `Changed ${number}` }
    const updated = await call('PUT', single, next)
    expect([entity, updated.status], JSON.stringify(updated.body)).toEqual([entity, 200])
    if (!support.notStored.includes(`/${field}`))
      expect([entity, (await call('GET', single)).body.data[field]]).toEqual([entity, next[field]])
  }
})
