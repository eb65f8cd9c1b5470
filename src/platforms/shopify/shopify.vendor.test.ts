// Checks against Shopify's own schema: the digest, created by scripts/check/vendor-digest.ts, has the types, fields and
// arguments that the connector and the simulator use.
import { readFileSync } from 'node:fs'
import {
  buildSchema,
  getOperationAST,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  NoDeprecatedCustomRule,
  parse,
  validate,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { shopify } from './connector.ts'
import { operations } from './operations.ts'
import { schema } from './simulator/execution.ts'
import { createShopifySimulator } from './simulator/simulator.ts'

const digest = JSON.parse(readFileSync(new URL('./fixtures/admin-2026-07.digest.json', import.meta.url), 'utf8')) as {
  schema: string[]
}
const simulated = schema()
const official = buildSchema(digest.schema.join('\n'), { assumeValid: true })

describe('every operation of the connector', () => {
  it.each(Object.entries(operations))('%s matches the official schema and uses nothing deprecated', (_, document) => {
    const parsed = parse(document)
    expect(validate(official, parsed).map(({ message }) => message)).toEqual([])
    expect(validate(official, parsed, [NoDeprecatedCustomRule]).map(({ message }) => message)).toEqual([])
  })
})

interface Described {
  type: unknown
  args?: readonly { name: string; type: unknown; defaultValue?: unknown }[]
}
/** The parts of the simulator's schema that are missing or different in the official one. */
function differences(): string[] {
  const found: string[] = []
  const same = (where: string, mine: unknown, theirs: unknown) => {
    if (String(mine) !== String(theirs)) found.push(`${where}: ${String(mine)} instead of ${String(theirs)}`)
  }
  for (const mine of Object.values(simulated.getTypeMap()).filter((type) => !isIntrospectionType(type))) {
    const theirs = official.getType(mine.name)
    same(mine.name, mine.constructor.name, theirs?.constructor.name)
    if (isEnumType(mine) && isEnumType(theirs))
      for (const { name } of mine.getValues()) same(`${mine.name}.${name}`, name, theirs.getValue(name)?.name)
    if (isInputObjectType(mine) && isInputObjectType(theirs)) {
      same(`${mine.name} @oneOf`, mine.isOneOf, theirs.isOneOf)
      for (const field of Object.values(theirs.getFields()))
        if (isRequiredInputField(field))
          same(`${mine.name}.${field.name}`, mine.getFields()[field.name]?.name, field.name)
      for (const [name, field] of Object.entries(mine.getFields())) {
        same(`${mine.name}.${name}`, field.type, theirs.getFields()[name]?.type)
        same(`${mine.name}.${name} default`, field.defaultValue, theirs.getFields()[name]?.defaultValue)
      }
    }
    if ((isObjectType(mine) && isObjectType(theirs)) || (isInterfaceType(mine) && isInterfaceType(theirs)))
      for (const [name, field] of Object.entries(mine.getFields()))
        fieldDifferences(`${mine.name}.${name}`, field, theirs.getFields()[name], same)
  }
  return found
}
function fieldDifferences(
  where: string,
  mine: Described,
  theirs: Described | undefined,
  same: (where: string, mine: unknown, theirs: unknown) => void,
): void {
  same(where, mine.type, theirs?.type)
  for (const argument of theirs?.args ?? []) {
    const own = mine.args?.find(({ name }) => name === argument.name)
    if (isRequiredArgument(argument as never) || own) same(`${where}(${argument.name})`, own?.type, argument.type)
    if (own) same(`${where}(${argument.name}) default`, own.defaultValue, argument.defaultValue)
  }
  for (const { name } of mine.args ?? [])
    same(`${where}(${name})`, name, theirs?.args?.find((argument) => argument.name === name)?.name)
}

describe("the simulator's schema", () => {
  it('is a subset of the official one: types, nullability, arguments, defaults', () => {
    expect(Object.keys(simulated.getTypeMap()).length).toBeGreaterThan(80)
    expect(differences()).toEqual([])
  })
})

describe('the requests that are sent', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({
      connectors: { shopify },
      simulators: { shopify: createShopifySimulator },
      platform: 'shopify',
    })
  })
  afterAll(() => harness.close())

  it('have variables that the official schema accepts', async () => {
    const base = `/unified/${harness.accountId('retail_pos')}`
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await harness.call(method, base + path, body, { prefer: 'wait=60' })
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
      return reply.body.data
    }
    const product = await call('POST', '/product', {
      externalId: 'P',
      name: 'Tote',
      description: 'Natural',
      sku: 'T-1',
      barcode: '012',
      price: 24,
      cost: 9.5,
      active: false,
      taxable: false,
      stockOnHand: 3,
      categoryExternalId: 'aa-5-4',
      categoryName: 'Bags',
      vendor: 'Acme',
      tags: ['bag'],
    })
    await call('PUT', `/product/${product.externalId}`, {
      externalId: 'P',
      name: 'Tote bag',
      price: 25,
      active: true,
      stockOnHand: 5,
    })
    const address = { line1: '1 Main', city: 'Toronto', state: 'ON', postalCode: 'M5V', country: 'CA' }
    const customer = await call('POST', '/customer', {
      externalId: 'C',
      name: 'Ana Ruiz',
      email: 'ana.ruiz@example.com',
      phone: '+16135550100',
      companyName: 'Acme',
      notes: 'x',
      address,
    })
    await call('PUT', `/customer/${customer.externalId}`, {
      ...customer,
      name: 'Ana Rey',
      lastName: 'Rey',
      address: { ...address, line1: '2 Main' },
    })
    await call('PUT', `/customer/${customer.externalId}`, { externalId: 'C', name: 'Ana Rey' })
    const lineItems = [
      { productExternalId: 'P', name: 'Tote', sku: 'T-1', quantity: 2, unitPrice: 24, lineTax: 2, lineDiscount: 1 },
    ]
    const order = {
      externalId: 'O',
      orderNumber: 'T-1',
      processedAt: '2026-11-10T18:30:00Z',
      customerExternalId: 'C',
      note: 'gift',
      lineItems,
    }
    for (const state of ['PENDING', 'COMPLETED', 'CANCELED'])
      await call('POST', '/order', { ...order, externalId: state, state })
    const { externalId: id, ...open } = await call('POST', '/order', { ...order, state: 'OPEN' })
    await call('PUT', `/order/${id}`, { ...open, externalId: id, note: 'other', state: 'COMPLETED' })
    for (const type of ['product', 'customer', 'order', 'location'])
      await call('GET', `/${type}?updatedAfter=2026-01-01T00:00:00Z`)

    const sent = harness.sandbox
      .calls('shopify')
      .flatMap(({ body }) =>
        (body as { query?: string })?.query ? [body as { query: string; variables: Record<string, unknown> }] : [],
      )
    expect(sent.length).toBeGreaterThan(25)
    for (const { query, variables } of sent) {
      const { errors } = getVariableValues(
        official,
        getOperationAST(parse(query))!.variableDefinitions ?? [],
        variables,
      )
      expect(errors?.map(({ message }) => message) ?? []).toEqual([])
    }
  })
})
