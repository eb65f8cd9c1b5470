import { expect, it } from 'vitest'
import type { NativeRequest, ReadCall } from '../contract/connector.ts'
import { cursorPages } from './pages.ts'
import { get } from './requests.ts'

const pages = cursorPages({ parameters: (limit, cursor) => ({ limit, cursor }), next: '/paging/next' })
const read = async (body: unknown, total?: '/paging/count') => {
  const requests: NativeRequest[] = []
  const call = {
    read: async (request: NativeRequest) => {
      requests.push(request)
      return { status: 200, headers: {}, body }
    },
  } as unknown as ReadCall
  const page = pages<{ id: string }>(
    '/customers',
    (parameters) => get('/customers', { sort: 'id', ...parameters }),
    total,
  )
  return { page: await page(call, { size: 50 }, 'c1'), requests }
}

it('puts the parameters of the platform into the request, and reads rows and position', async () => {
  const { page, requests } = await read(
    { customers: [{ id: '7' }], paging: { next: 'c2', count: 120 } },
    '/paging/count',
  )
  expect(page).toEqual({ rows: [{ id: '7' }], next: 'c2', total: 120 })
  expect(requests).toEqual([get('/customers', { sort: 'id', limit: 50, cursor: 'c1' })])
})
it('ends without a position, and counts only where it is told to', async () => {
  expect((await read({ customers: [], paging: { count: 120 } })).page).toEqual({ rows: [], next: undefined })
  expect((await read({})).page).toEqual({ rows: [], next: undefined })
})
