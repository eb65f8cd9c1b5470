import { expect, it } from 'vitest'
import { createKeep } from './lookup-cache.ts'

function createLookUp() {
  const { keep, forget } = createKeep()
  const rows = new Map<string, { text: string }>()
  let asked = 0
  const get = keep(async (key) => {
    asked++
    const row = rows.get(key)
    await Promise.resolve()
    return row && { ...row }
  })
  const put = (key: string, text: string) => {
    rows.set(key, { text })
    forget()
  }
  return { get, put, asked: () => asked }
}

it('asks once until something is written', async () => {
  const { get, put, asked } = createLookUp()
  put('a', 'one')
  expect([await get('a'), await get('a'), asked()]).toEqual([{ text: 'one' }, { text: 'one' }, 1])
  put('b', 'other')
  expect([await get('a'), asked()]).toEqual([{ text: 'one' }, 2])
})
it('does not keep what was found while something was written', async () => {
  const { get, put } = createLookUp()
  put('a', 'old')
  const found = get('a')
  put('a', 'new')
  await found
  expect(await get('a')).toEqual({ text: 'new' })
})
it('keeps nothing of what is not there, and hands out nothing that can be changed for others', async () => {
  const { get, put, asked } = createLookUp()
  expect([await get('a'), await get('a'), asked()]).toEqual([undefined, undefined, 2])
  put('a', 'one')
  const found = (await get('a')) as { text: string }
  expect(() => {
    found.text = 'changed'
  }).toThrow()
})
