import { describe, expect, it } from 'vitest'
import type { NativeResponse } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { fakeCallFor } from '../fake-call.ts'
import { gidOf, idOf, nextOf, pageOf } from './api.ts'
import { shopify } from './connector.ts'
import { personOf } from './customer-row.ts'
import { readError } from './error.ts'
import { operations } from './operations.ts'
import { stateOf } from './order-row.ts'
import { handleOf } from './product.ts'
import { nameOf, type ProductRow, titleIn, toHtml, toText } from './product-row.ts'
import { shapes } from './shapes.ts'
import { setStock } from './stock.ts'

const response = (body: unknown, status = 200): NativeResponse => ({ status, headers: {}, body })
const silent = { warn: () => {} }

describe('ids', () => {
  it('are the numbers inside a gid, and nothing else is accepted', () => {
    expect(idOf('gid://shopify/ProductVariant/9001')).toBe('9001')
    expect(gidOf('Order', '4500')).toBe('gid://shopify/Order/4500')
    expect(gidOf('Location', 'gid://shopify/Location/1')).toBe('gid://shopify/Location/1')
    for (const id of ['gid://shopify/Product/1', '1/../2', '', 'x']) expect(gidOf('Order', id)).toBeUndefined()
  })
})

describe('a product is a variant', () => {
  const row = (hasOnlyDefaultVariant: boolean) => ({
    title: 'Red / Small',
    product: { title: 'Tee', hasOnlyDefaultVariant } as never,
  })
  it('joins its name from two titles, the second of which consists of options', () => {
    expect([nameOf(row(true)), nameOf(row(false))]).toEqual(['Tee', 'Tee - Red / Small'])
    expect(titleIn('Shirt - Red / Small', row(false))).toBe('Shirt')
    expect(titleIn('Tee - Blue', row(false))).toBeUndefined()
    expect(titleIn('Tee - Blue', row(true))).toBe('Tee - Blue')
  })
  it('converts its description between text and HTML', () => {
    for (const text of ['a < b & "c"', 'two\nlines', '5 &lt; 6']) expect(toText(toHtml(text))).toBe(text)
    expect(toText('<p>One <b>bold</b>&nbsp;word &#8364;</p>\n<ul><li>Two</li></ul><script>x()</script>')).toBe(
      'One bold word €\nTwo',
    )
    expect(toText('<p> </p>')).toBeUndefined()
  })
  it('has a readable handle that is the same for the same write', () => {
    expect(handleOf('Crème brûlée & Tee', 'urAbC')).toBe('creme-brulee-tee-urabc')
    expect(handleOf('花子', 'urAbC')).toBe('urabc')
  })
})

describe('the state of an order', () => {
  const read = (
    displayFinancialStatus: string | null,
    displayFulfillmentStatus = 'UNFULFILLED',
    more: object = {},
    mapping = silent,
  ) => stateOf({ cancelledAt: null, closed: false, displayFinancialStatus, displayFulfillmentStatus, ...more }, mapping)
  it.each([
    [null, 'PENDING', 'PENDING'],
    ['PENDING', 'PENDING', 'PENDING'],
    ['AUTHORIZED', 'PENDING', 'PENDING'],
    ['EXPIRED', 'PENDING', 'PENDING'],
    ['PARTIALLY_PAID', 'OPEN', 'COMPLETED'],
    ['PAID', 'OPEN', 'COMPLETED'],
    ['PARTIALLY_REFUNDED', 'OPEN', 'COMPLETED'],
    ['REFUNDED', 'COMPLETED', 'COMPLETED'],
    ['VOIDED', 'CANCELED', 'CANCELED'],
  ])('with payment %s is %s, and %s once fulfilled', (payment, unfulfilled, fulfilled) => {
    expect([read(payment), read(payment, 'FULFILLED')]).toEqual([unfulfilled, fulfilled])
    expect([
      read(payment, 'FULFILLED', { closed: true }),
      read(payment, 'FULFILLED', { cancelledAt: 'x', closed: true }),
    ]).toEqual(['COMPLETED', 'CANCELED'])
  })
  it('is omitted with a warning if the payment status is unknown', () => {
    const warnings: string[] = []
    expect(
      read('BARTERED', 'UNFULFILLED', {}, { warn: (pointer: string) => warnings.push(pointer) } as never),
    ).toBeUndefined()
    expect(warnings).toEqual(['/state'])
  })
})

describe('errors', () => {
  it('are found in all three layers', () => {
    const top = (code: string, message = 'x') =>
      readError(response({ errors: [{ message, extensions: { code } }] }))?.kind
    expect([
      top('ACCESS_DENIED'),
      top('INTERNAL_SERVER_ERROR'),
      top('RESOURCE_NOT_FOUND'),
      top('', 'Invalid cursor'),
      top('undefinedField'),
    ]).toEqual(['forbidden', 'unavailable', 'not_found', 'cursor', 'invalid'])
    expect(readError(response({ errors: '[API] Invalid API key' }, 401))).toMatchObject({
      kind: 'token',
      message: '[API] Invalid API key',
    })
    expect([402, 404, 423, 429, 503].map((status) => readError(response({ errors: 'x' }, status))?.kind)).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'throttled',
      'unavailable',
    ])
    const user = {
      data: {
        productSet: {
          product: null,
          userErrors: [{ code: 'TAKEN', field: ['input', 'variants', '0', 'sku'], message: 'taken' }],
        },
      },
    }
    expect(readError(response(user))).toMatchObject({ kind: 'duplicate', fields: [{ native: 'input.variants.0.sku' }] })
    expect(
      readError(
        response({
          data: {
            orderCancel: { job: null, orderCancelUserErrors: [{ code: 'INVALID', field: null, message: 'no' }] },
          },
        }),
      ),
    ).toMatchObject({
      kind: 'invalid',
      message: 'no',
    })
    const gone = {
      data: {
        customerDelete: {
          deletedCustomerId: null,
          userErrors: [{ field: ['id'], message: "Customer can't be found" }],
        },
      },
    }
    expect(readError(response(gone))?.kind).toBe('not_found')
    expect(readError(response({ data: { order: null } }))).toBeUndefined()
  })
  it('next to the result of a mutation do not count as a rejection: it has run', () => {
    const body = {
      data: { orderCreate: { order: { id: 'gid://shopify/Order/1' }, userErrors: [] } },
      errors: [{ message: 'x', extensions: { code: 'ACCESS_DENIED' } }],
    }
    expect(readError(response(body))?.kind).toBe('unavailable')
  })
  it('of a gateway say nothing about a write', () => {
    const read = (status: number, body: unknown) => readError(response(body, status))?.kind
    expect([read(404, '<h1>404</h1>'), read(403, { Message: 'Request blocked' }), read(400, null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([read(400, { errors: { query: 'Required parameter missing or invalid' } }), read(200, 'ok')]).toEqual([
      'invalid',
      undefined,
    ])
    expect(read(200, { errors: ['Request blocked'] })).toBeUndefined()
  })
  it('include a page without the cursor of the next one', () => {
    const page = (hasNextPage: boolean, endCursor: string | null) =>
      nextOf({ nodes: [], pageInfo: { hasNextPage, endCursor } })
    expect([page(true, 'x'), page(false, 'x'), page(false, null)]).toEqual(['x', undefined, undefined])
    expect(() => page(true, null)).toThrow(NativeFailure)
  })
  it('contain the wait for the missing points', () => {
    const cost = {
      requestedQueryCost: 200,
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 50, restoreRate: 100 },
    }
    expect(
      readError(
        response({ errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions: { cost } }),
      ),
    ).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 1500,
    })
    expect(shopify.throttle?.(response({ data: {}, extensions: { cost } }))).toBe(1500)
    expect(shopify.throttle?.(response({ data: {}, extensions: { cost: { ...cost, requestedQueryCost: 20 } } }))).toBe(
      0,
    )
  })
  it('for a query that costs too much reduce the number of requested rows', async () => {
    const asked: number[] = []
    const load = async (first: number) => {
      asked.push(first)
      if (first > 20) throw new NativeFailure({ kind: 'invalid', code: 'MAX_COST_EXCEEDED', message: 'x' }, 200)
      return { rows: [first] }
    }
    expect(await pageOf({ size: 250 }, load)).toEqual({ rows: [16] })
    expect(asked).toEqual([250, 63, 16])
  })
})

it('does not split a company name into a person unless nothing else would be left', () => {
  expect(personOf({ externalId: 'x', name: 'Engines', companyName: 'Engines', email: 'e@example.com' })).toEqual({})
  expect(personOf({ externalId: 'x', name: 'Engines', companyName: 'Engines' })).toEqual({ first: 'Engines' })
})
it('declares the shape of every operation', () => {
  const declared = Object.keys(shapes).map((key) => key.split('#')[1])
  const sent = Object.values(operations).map((document) => /^(?:query|mutation) (\w+)/.exec(document)?.[1])
  expect(declared.toSorted()).toEqual(sent.toSorted())
})
const fakeCall = fakeCallFor({ settings: { locationId: '1' } })
it('sets stock under a new key if it starts from another count', async () => {
  const keyFrom = async (quantity: number | undefined) => {
    const inventoryLevel = quantity === undefined ? null : { quantities: [{ quantity }] }
    const { call, steps } = fakeCall(() => ({ data: { inventoryItem: { inventoryLevel } } }))
    const row = { inventoryItem: { id: 'i', tracked: true }, inventoryQuantity: quantity ?? 0 } as ProductRow
    expect(await setStock(call, 5, row)).toBe(true)
    return (steps[0]!.request.body as { variables: { key: string } }).variables.key
  }
  const keys = [await keyFrom(1), await keyFrom(2), await keyFrom(0), await keyFrom(undefined)]
  expect([new Set(keys).size, await keyFrom(1)]).toEqual([4, keys[0]])
})
