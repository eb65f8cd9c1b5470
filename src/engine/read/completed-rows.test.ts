import { expect, it } from 'vitest'
import { createCompletedRows } from './completed-rows.ts'

const owner = (id: string, settings: Record<string, string> = {}) => ({ account: { id, settings } })
const versions = (...ids: string[]) => ids.map((id) => ({ id, version: `version of ${id}` }))
const rowsOf = (...ids: string[]) => versions(...ids).map((row) => ({ ...row, row: { id: row.id } }))

it('returns a row only for the same version, account, entity and settings', async () => {
  const completed = createCompletedRows()
  await completed.keepCompleted(owner('a', { shop: '1' }), 'customer', rowsOf('7'))
  const find = async (account: ReturnType<typeof owner>, type: 'customer' | 'order', version: string) =>
    (await completed.completedRows(account, type, [{ id: '7', version }]))[0]
  expect(await find(owner('a', { shop: '1' }), 'customer', 'version of 7')).toEqual({ id: '7' })
  expect(await find(owner('a', { shop: '1' }), 'customer', 'another')).toBeUndefined()
  expect(await find(owner('b', { shop: '1' }), 'customer', 'version of 7')).toBeUndefined()
  expect(await find(owner('a', { shop: '1' }), 'order', 'version of 7')).toBeUndefined()
  expect(await find(owner('a', { shop: '2' }), 'customer', 'version of 7')).toBeUndefined()
})
it('gives each caller a row of its own', async () => {
  const completed = createCompletedRows()
  await completed.keepCompleted(owner('a'), 'customer', rowsOf('1'))
  const [first] = (await completed.completedRows(owner('a'), 'customer', versions('1'))) as { id: string }[]
  first!.id = 'changed'
  expect(await completed.completedRows(owner('a'), 'customer', versions('1'))).toEqual([{ id: '1' }])
})
it('holds a limited number of characters, and evicts the row that was not used for the longest time', async () => {
  const completed = createCompletedRows(2 * JSON.stringify({ id: '1' }).length)
  await completed.keepCompleted(owner('a'), 'customer', rowsOf('1', '2'))
  await completed.completedRows(owner('a'), 'customer', versions('1'))
  await completed.keepCompleted(owner('a'), 'customer', rowsOf('3'))
  expect(await completed.completedRows(owner('a'), 'customer', versions('1', '2', '3'))).toEqual([
    { id: '1' },
    undefined,
    { id: '3' },
  ])
  for (let again = 0; again < 5; again++) await completed.keepCompleted(owner('a'), 'customer', rowsOf('3'))
  expect(await completed.completedRows(owner('a'), 'customer', versions('1', '3'))).toEqual([{ id: '1' }, { id: '3' }])
})
it('does not return a row that is too old', async () => {
  const completed = createCompletedRows(1000, 0)
  await completed.keepCompleted(owner('a'), 'customer', rowsOf('1'))
  expect(await completed.completedRows(owner('a'), 'customer', versions('1'))).toEqual([undefined])
})
it('forgets the rows of one account', async () => {
  const completed = createCompletedRows()
  for (const id of ['a', 'ab']) await completed.keepCompleted(owner(id), 'customer', rowsOf('1'))
  completed.forget('a')
  expect(await completed.completedRows(owner('a'), 'customer', versions('1'))).toEqual([undefined])
  expect(await completed.completedRows(owner('ab'), 'customer', versions('1'))).toEqual([{ id: '1' }])
})
