// Checks responses of the simulator and requests of the connector against the vendor's XML schema, field by field.
// scripts/check/vendor-digest.ts creates the digest.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createHarness } from '../../conformance/harness.ts'
import { quickbooksOnline } from './connector.ts'
import { createQuickbooksOnlineSimulator } from './simulator/simulator.ts'

const file = new URL('./fixtures/types.digest.json', import.meta.url)
interface Field {
  name: string
  type: string
  desktopOnly?: boolean
}
interface Type {
  extends?: string
  fields?: Field[]
  attributes?: Field[]
  enum?: string[]
}
const platform = quickbooksOnline.id

function createChecker(types: Record<string, Type>) {
  const fieldsOf = (name: string): Map<string, Omit<Field, 'name'>> => {
    const { extends: base, fields = [], attributes = [] } = types[name] ?? {}
    return new Map([
      ...(base ? fieldsOf(base) : []),
      ...[...fields, ...attributes].map((field) => [field.name, field] as const),
    ])
  }
  const scalars: Record<string, (value: unknown) => boolean> = {
    'xs:string': (value) => typeof value === 'string',
    id: (value) => typeof value === 'string' && /^\d+$/.test(value),
    'xs:boolean': (value) => typeof value === 'boolean',
    'xs:decimal': (value) => typeof value === 'number',
    'xs:int': Number.isInteger as (value: unknown) => boolean,
    'xs:dateTime': (value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/.test(value),
  }
  /** All violations, by path. */
  return function misfits(type: string, value: unknown, path: string = type): string[] {
    const scalar = scalars[type]
    if (scalar) return scalar(value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${type}`]
    const known = types[type]
    if (!known) return [] // not in the digest
    if (known.enum) return known.enum.includes(String(value)) ? [] : [`${path}: ${JSON.stringify(value)}`]
    const fields = fieldsOf(type)
    if (type === 'ReferenceType') fields.set('value', { type: 'xs:string' })
    return Object.entries(value as object).flatMap(([name, inner]) => {
      const field = fields.get(name)
      if (!field) return [`${path}.${name} is unknown`]
      if (field.desktopOnly) return [`${path}.${name} is for the desktop product only`]
      return (Array.isArray(inner) ? inner : [inner]).flatMap((one) => misfits(field.type, one, `${path}.${name}`))
    })
  }
}

it("matches the vendor's schema in both directions", async () => {
  const { types } = JSON.parse(readFileSync(file, 'utf8')) as { types: Record<string, Type> }
  const misfits = createChecker(types)
  expect(misfits('Customer', { Id: 'x', Nope: 1, AcctNum: 'desktop', BillAddr: { City: 5 } })).toHaveLength(4)

  const harness = await createHarness({
    connectors: { [platform]: quickbooksOnline },
    simulators: { [platform]: createQuickbooksOnlineSimulator },
    platform,
    size: 'full',
  })
  try {
    const { credentials, settings } = harness.tenants[0]!
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${credentials.accessToken}`, accept: 'application/json' }
      const response = await fetch(`${harness.sandbox.origin(platform)}/v3/company/${settings.realmId}${path}`, {
        headers,
      })
      // biome-ignore lint/suspicious/noExplicitAny: checked by the schema
      return (await response.json()) as any
    }
    const statement = encodeURIComponent('SELECT * FROM Customer WHERE Active IN (true, false) MAXRESULTS 1000')
    const { QueryResponse } = await ask(`/query?query=${statement}`)
    expect(QueryResponse.Customer.length).toBeGreaterThanOrEqual(450)
    expect(QueryResponse.Customer.flatMap((row: unknown) => misfits('Customer', row))).toEqual([])
    const { Customer: _, ...numbers } = QueryResponse
    expect(misfits('QueryResponse', numbers)).toEqual([])
    const { Fault } = await ask('/customer/999999')
    expect([misfits('Fault', Fault), types.FaultTypeEnum?.enum?.includes(Fault.type)]).toEqual([[], true])

    const path = `/unified/${harness.accountId('accounting')}/customer`
    const address = {
      line1: '1 Street',
      line2: 'Floor 2\nDoor 3',
      city: 'Köln',
      state: 'NW',
      postalCode: '50667',
      country: 'DE',
    }
    const full = {
      externalId: 'V1',
      name: 'Vendor check',
      firstName: 'A',
      lastName: 'B',
      email: 'a@example.com',
      phone: '+49 1',
      companyName: 'C',
      notes: 'D',
      address,
      active: false,
      currencyCode: 'EUR',
    }
    const { body } = await harness.call('POST', path, full, { prefer: 'wait=60' })
    await harness.call(
      'PUT',
      `${path}/${body.data.externalId}`,
      { externalId: 'V1', name: 'Vendor check', active: true },
      { prefer: 'wait=60' },
    )
    const sent = harness.sandbox.calls(platform).filter(({ method }) => method === 'POST')
    expect(sent).toHaveLength(3)
    expect(sent.flatMap((call) => misfits('Customer', call.body))).toEqual([])
  } finally {
    await harness.close()
  }
})
