// What a connector refuses by itself is never reported as an answer of the platform, and names a field of the record.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EntityAdapter, Write } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { problemOf, unifiedPointer } from '../engine/failures.ts'
import { refusal, requirement } from '../kit/errors.ts'
import { connectors } from './registry.ts'

const folders: Readonly<Record<string, readonly string[]>> = { zoho: ['zoho-books', 'zoho-inventory'] }
const sources = globSync('{*,../kit}/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }))

it.each([
  ['target_refuses', refusal],
  ['target_requires', requirement],
] as const)('is %s, with its field and without an answer of the platform', (code, make) => {
  const connector = connectors.square!
  const write = connector.entities.order!.create! as Write<EntityType>
  for (const native of ['order.state', '/state'])
    expect(problemOf(make(native, 'is wrong'), connector, write)).toMatchObject({
      code,
      status: 422,
      errors: [{ pointer: '/state', message: 'is wrong' }],
      extra: { platform: 'square' },
      downstream: undefined,
    })
})

it('has no status: only the platform has one', () => {
  const invented = sources.filter(({ text }) => /new NativeFailure\([^;]*?\},\s*\d{3}/s.test(text))
  expect(invented.map(({ file }) => file)).toEqual([])
})

it('names a field that the entity knows', () => {
  const unknown = sources.flatMap(({ file, text }) => {
    const folder = file.split('/')[0] as string
    const writes = (folders[folder] ?? [folder])
      .flatMap((id) => Object.values(connectors[id]?.entities ?? {}) as EntityAdapter<EntityType>[])
      .flatMap(({ create, update }) => [create, update].filter((write) => write !== undefined))
    return [...text.matchAll(/\b(?:refusal|requirement)\(\s*(['`])(.*?)\1/gs)]
      .map(([, , native = '']) => native)
      .filter((native) => !writes.some((write) => knows(write, native)))
      .map((native) => `${file}: ${native}`)
  })
  expect(unknown).toEqual([])
})
/** `${at}.item` is the item of some line. */
function knows({ fields = {} }: Write<EntityType>, native: string): boolean {
  if (native.startsWith('/')) return true
  if (!native.includes('${')) return unifiedPointer(native, fields) !== undefined
  const [start = '', end = ''] = [native.split('${')[0], native.split('}').at(-1)]
  return Object.keys(fields).some((field) => field.startsWith(start) && field.endsWith(end))
}
