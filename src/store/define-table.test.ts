import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { defineTable, flag, json, named, number, optional, plain, sealed, text, words } from './define-table.ts'
import { createVault } from './vault.ts'

const shelves = defineTable('shelves', ['shopId', 'id'], {
  shopId: text,
  id: text,
  isOpen: flag,
  state: plain<'full' | 'empty'>(),
  owner: named('owner_name', optional(text)),
  size: number,
  labels: optional(words()),
  layout: json<{ rows: number }>(),
  code: optional(sealed<{ digits: string }>()),
})
const vault = createVault([randomBytes(32)])
const { toItem, toRow, changed } = shelves.codec(vault)
const item = { shopId: 's', id: '1', isOpen: true, state: 'full', size: 3, layout: { rows: 2 } } as const

it('derives the names of the columns, the key and what is sealed', () => {
  expect(shelves.columns).toEqual([
    'shop_id',
    'id',
    'is_open',
    'state',
    'owner_name',
    'size',
    'labels',
    'layout',
    'code',
  ])
  expect(shelves.key).toEqual(['shop_id', 'id'])
  expect(shelves.sealed).toEqual(['code'])
})

it('makes a row of an item and the item of the row', () => {
  const row = toRow({ ...item, labels: ['a', 'b'], code: { digits: '42' } })
  expect(row).toMatchObject({ is_open: 1, owner_name: null, labels: 'a b', layout: '{"rows":2}' })
  expect(row.code).not.toContain('42')
  expect(toItem(row)).toEqual({ ...item, labels: ['a', 'b'], code: { digits: '42' } })
  expect(toItem(toRow(item))).toEqual(item)
})

it('binds a sealed value to its table, its column and its row', () => {
  const row = toRow({ ...item, code: { digits: '42' } })
  expect(() => toItem({ ...row, id: '2' })).toThrow()
  expect(vault.open(row.code as string, shelves.bound('code', item))).toBe('{"digits":"42"}')
  expect(() => vault.open(row.code as string, shelves.bound('layout', item))).toThrow()
})

it('changes only the columns that have a value, and empties those that are null', () => {
  expect(changed(item, { size: 4, owner: null, labels: undefined })).toEqual({ size: 4, owner_name: null })
  const { code } = changed(item, { code: { digits: '43' } })
  expect(toItem({ ...toRow(item), code: code ?? null }).code).toEqual({ digits: '43' })
})

it('leaves columns out of a query that does not select them', () => {
  const listed = shelves.without('code', 'layout')
  expect(listed.columns).toEqual(['shop_id', 'id', 'is_open', 'state', 'owner_name', 'size', 'labels'])
  const { code: _, layout: __, ...row } = toRow(item)
  expect(listed.codec(vault).toItem(row)).not.toHaveProperty('layout')
})
