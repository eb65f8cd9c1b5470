import { expect, it } from 'vitest'
import { effectiveWatches, intervalsOf } from './settings.ts'

const workspace = { entities: { product: { pollSeconds: 300 }, order: { walkHours: 12 }, employee: {} } }

it('watches what the workspace or the account names and the platform offers', () => {
  const watched = effectiveWatches(
    workspace,
    { product: { walkHours: 6 }, order: 'off', customer: {}, category: 'off' },
    ['product', 'order', 'customer', 'category'],
  )
  expect([...watched]).toEqual([
    ['product', { pollSeconds: 300, walkHours: 6 }],
    ['customer', {}],
  ])
  expect(effectiveWatches({ entities: {} }, {}, ['product']).size).toBe(0)
})

it('walks more often where nothing can be polled', () => {
  expect(intervalsOf({}, true)).toEqual({ pollSeconds: 300, walkHours: 24 })
  expect(intervalsOf({}, false).walkHours).toBe(1)
  expect(intervalsOf({ pollSeconds: 60, walkHours: 48 }, false)).toEqual({ pollSeconds: 60, walkHours: 48 })
})
